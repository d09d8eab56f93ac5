"""How names look to a reader: two names that look the same in a table have the same `appearance`.

A name may have letters and digits of scripts in wide use, and punctuation (`odd_character`): nobody can compare all
symbols and rare letters. Unicode's NFKD form and case folding remove differences of width, ligatures, case and
superscripts. What remains are letters of other scripts, dashes, quotation marks and digits that look like ASCII
characters; the tables below have the common ones. They are our own: a package with all of Unicode's confusables would
be one more dependency, and nobody could see at a glance which characters it treats as the same.
"""

import re
import unicodedata
from functools import cache

_CAPITALS = {
    "A": "\u0391\u0410\u13aa\u2c80\ua4ee",
    "B": "\u0392\u0412\u13f4\u2c82\ua4d0",
    "C": "\u03f9\u0421\u13df\u2ca4\ua4da",
    "D": "\u13a0\ua4d3",
    "E": "\u0395\u0415\u13ac\u2c88\ua4f0",
    "F": "\u03dc\ua4dd",
    "G": "\u050c\u13c0\ua4d6",
    "H": "\u0397\u041d\u13bb\u2c8e\ua4e7",
    "I": "\u0399\u0406\u04c0\u2c92\ua4f2",
    "J": "\u037f\u0408\u13ab\ua4d9",
    "K": "\u039a\u041a\u13e6\u2c94\ua4d7",
    "L": "\u053c\u13de\u2cd0\ua4e1",
    "M": "\u039c\u041c\u13b7\u2c98\ua4df",
    "N": "\u039d\u2c9a\ua4e0",
    "O": "\u039f\u041e\u0555\u2c9e\ua4f3",
    "P": "\u03a1\u0420\u13e2\u2ca2\ua4d1",
    "Q": "\u051a",
    "R": "\u13a1\u13d2\ua4e3",
    "S": "\u0405\u054f\u13da\ua4e2",
    "T": "\u03a4\u0422\u13a2\u2ca6\ua4d4",
    "U": "\u054d\ua4f4",
    "V": "\u0474\u13d9\ua4e6",
    "W": "\u051c\u13b3\ua4ea",
    "X": "\u03a7\u0425\u2cac\ua4eb",
    "Y": "\u03a5\u0423\u04ae\u13bd\u2ca8\ua4ec",
    "Z": "\u0396\u13c3\ua4dc",
}
"""Capitals of Greek, Cyrillic, Armenian, Cherokee, Coptic and Lisu. Read before case is folded: the Cyrillic capital
that looks like an H has a small form that does not look like an h."""
_SMALL = {
    "a": "\u0251\u03b1\u0430\u2c81",
    "b": "\u03b2\u0432\u044c",
    "c": "\u03f2\u0441\u1d04\u2ca5",
    "d": "\u0501",
    "e": "\u03b5\u0435\u0454\u2c89\u212e",
    "f": "\u0493",
    "g": "\u0261\u050d\u0581",
    "h": "\u043d\u04bb\u0570\u13c2",
    "i": "\u0269\u03b9\u0456\u13a5\u2c93",
    "j": "\u03f3\u0458\u0575",
    "k": "\u03ba\u043a\u2c95",
    "l": "\u01c0\u04cf\u05c0\u05d5\u05df\u0627\u1175\u3163\u4e28\u2223\u23fd\uffe8",
    "m": "\u043c\u2c99",
    "n": "\u03b7\u043f\u0578\u057c",
    "o": "\u03bf\u03c3\u043e\u0585\u2c9f\u05e1\u0647\u0b20\u0d20\u101d\u110b\u12d0\u3007\u3147",
    "p": "\u01bf\u03c1\u0440\u2ca3",
    "q": "\u051b\u0566",
    "r": "\u0433\u2c85",
    "s": "\u0455\u01bd",
    "t": "\u03c4\u0442\u2ca7",
    "u": "\u028b\u03bc\u03c5\u057d",
    "v": "\u03bd\u0475\u2228",
    "w": "\u03c9\u0461\u051d\u0561",
    "x": "\u00d7\u03c7\u0445\u2cad",
    "y": "\u03b3\u0443\u04af\u2ca9",
    "z": "\u03b6",
    "3": "\u0437\u01b7\u0292\u021d",
    "6": "\u0431",
    "-": "\u02d7\u06d4\u1173\u2012\u2043\u2212\u23af\u23e4\u2500\u2501\u2796\u2cba\u3161\u30fc\u4e00\u00af",
    ".": "\u0701\u0702\u3002\u00b7\u2022\u2027\u2219\u22c5\u30fb\ua60e",
    ",": "\u060c\u201a\u3001",
    ":": "\u02d0\u02f8\u0589\u05c3\u2236\ua789",
    "/": "\u2044\u2215\u2571\u29f8\u3033\u30ce",
    "'": "\u0060\u00b4\u02b9\u02bb\u02bc\u02bd\u02c8\u2018\u2019\u201b\u2032\u2035",
    '"': "\u02ba\u02dd\u201c\u201d\u201e\u201f\u2033\u3003",
    "_": "\u02cd\u2017",
    "+": "\u16ed\u2795",
    "*": "\u066d\u2217\u204e",
}
"""Small letters of the same scripts, round and straight letters of others, and marks."""
_SAME_SHAPE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "!": "l"})
"""ASCII characters that many fonts draw alike. `I` is an i by now, so i, l and 1 are one."""
_SAME_PAIRS = (("rn", "m"), ("vv", "w"))
_TABLE: dict[int, str] = {}
"""Character -> the ASCII character that it looks like, for `str.translate`."""
for _ascii_character, _look_alikes in (*_CAPITALS.items(), *_SMALL.items()):
    _TABLE |= str.maketrans(dict.fromkeys(_look_alikes, _ascii_character))
_LATIN_LETTER = re.compile(
    r".*(?:LATIN|REGIONAL INDICATOR SYMBOL).* (?:DOTLESS |SCRIPT |INSULAR |SMALL CAPITAL |OPEN )?([A-Z])(?: WITH .*)?"
)
"""Unicode's name of a letter that is one of A to Z, with something on it or in another style."""
_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
"""Accents and strokes on letters. Vowel signs of other scripts are not among them: without these, words differ."""
MIXED_WITH_LATIN = frozenset(["LATIN", "GREEK", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"])
"""Scripts that people write beside Latin letters in one word, by the first word of their characters' names.

Greek letters that look Latin are in the tables; the others look like no Latin letters, or are in the tables too.
"""
SCRIPTS_APART = frozenset(
    (
        "ARABIC ARABIC-INDIC ARMENIAN BENGALI CYRILLIC DEVANAGARI ETHIOPIC EXTENDED GEORGIAN GUJARATI GURMUKHI HEBREW "
        "KANNADA KHMER LAO MALAYALAM MYANMAR ORIYA SINHALA TAMIL TELUGU THAANA THAI TIBETAN"
    ).split()
)
"""The other scripts that Unicode recommends for names (UAX 31): in words of their own. EXTENDED are Arabic digits."""
_LATIN_OF_LANGUAGES = re.compile("[\u00c0-\u017f\u018f\u0259]")
"""Other Latin letters than A to Z with something on them: those that languages of many readers have, such as ae."""


def appearance(name: str) -> str:
    """What a reader sees of a name: the same for two names that look alike."""
    text = without_look_alikes(name)
    text = unicodedata.normalize("NFKD", text.casefold())
    text = "".join(_plain_character(character) for character in _MARKS.sub("", text).translate(_TABLE))
    text = text.casefold().translate(_SAME_SHAPE)
    for pair, character in _SAME_PAIRS:
        text = text.replace(pair, character)
    return "".join(text.split())  # a hair space is not seen


def without_look_alikes(text: str) -> str:
    """A text in which characters are replaced by the ASCII characters that they look like."""
    return _MARKS.sub("", unicodedata.normalize("NFKD", text)).translate(_TABLE)


@cache
def _plain_character(character: str) -> str:
    if character.isascii():
        return character
    digit = unicodedata.digit(character, None)
    if digit is not None:
        return str(digit)
    if unicodedata.category(character) == "Pd":  # any dash
        return "-"
    match = _LATIN_LETTER.fullmatch(unicodedata.name(character, ""))
    return match[1] if match else character


def odd_character(name: str) -> str:
    """The first character that a name on a board may not have; empty if there is none.

    Allowed are ASCII, letters, marks and digits of scripts in wide use, and punctuation that is compared as ASCII.
    """
    for character in unicodedata.normalize("NFKC", name):
        if not _is_usual(character):
            return character
    return ""


@cache
def _is_usual(character: str) -> bool:
    if character.isascii():
        return True
    plain = appearance(character)
    is_punctuation = plain.isascii() and not plain.isalnum()
    if is_punctuation:
        return True
    if not _is_part_of_word(character):
        return plain.isascii()  # the sign of multiplication is compared as an x
    script = _script(character)
    if script == "LATIN":
        return plain.isascii() or _LATIN_OF_LANGUAGES.match(character) is not None
    return script == "COMBINING" or script in MIXED_WITH_LATIN or script in SCRIPTS_APART


def _is_part_of_word(character: str) -> bool:
    """Whether this is a letter, a mark on one, or a digit."""
    return unicodedata.category(character)[0] in "LMN"


def _script(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0]


def mixed_scripts(name: str) -> str:
    """A script that is mixed with Latin letters in one word although nobody writes so; empty if there is none."""
    text = unicodedata.normalize("NFKC", name)
    spaced = "".join(character if _is_part_of_word(character) else " " for character in text)
    for word in spaced.split():
        scripts = {_script(character) for character in word}
        apart = scripts & SCRIPTS_APART
        if "LATIN" in scripts and apart:
            return min(apart).capitalize()
    return ""
