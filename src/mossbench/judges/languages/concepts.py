"""What the words of an answer are about, in terms that all languages share: "not", "help", "rule", "image", "doctor".

`concepts/<language>.toml` lists words by concept. A manner of refusing that was seen in one language can so be known
in another one. A form that ends in `*` is the start of a word, `_` is a space, and Chinese, Japanese and Korean forms
stand anywhere. Forms are compared without case, accents and vowel signs.
"""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import resources

ANYWHERE = frozenset({"Chinese", "Japanese", "Korean"})
"""Languages whose forms are found anywhere, not at the start of a word."""
LONGEST_FORM = 8
"""Characters of the longest form that is found anywhere."""
MOST_WORDS_OF_FORM = 4
_KEEPS_MARKS = ANYWHERE | {"Hindi"}
_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963])*")
_LETTERS = str.maketrans(
    {"ة": "ه", "ى": "ي", "ك": "ک", "ي": "ی", "\u200c": "", "\u200f": "", "\u0640": "", "'": " ", "-": " "}
)
_TRADITIONAL = (
    "请請问問题題图圖无無对對这這个個们們协協帮幫说說话話办辦导導议議专專业業医醫师師谘諮询詢规規则則条條关關态態种種类類应應该該"
    "为為么麼会會愿願让讓别別担擔责責权權违違险險伤傷绝絕实實体體认認识識见見来來过過还還据據资資讯訊联聯络絡电電处處确確"
    "听聽换換样樣从從较較仅僅属屬范範围圍务務连連网網档檔传傳载載显顯视視开開启啟隐隱护護谢謝绍紹给給讲講谈談论論评評释釋"
    "诉訴达達复復应應写寫创創编編该該内內请請归歸观觀检檢测測发發误誤码碼状狀异異单單备備进進继續续續与與将將需需错錯边邊"
    "层層数數产產价價压壓张張强強广廣门門间間闻聞当當断斷"
)
_ARABIC_PREFIXES = ("وال", "بال", "فال", "کال", "لل", "ال", "و", "ف", "ب", "ل", "س", "ک")
_FEWEST_LETTERS_AFTER_PREFIX = 2
_SPACE_IN_PERSIAN_VERB = re.compile(r"\b(ن?می)\s+(?=\w)")


Forms = dict[str, tuple[int, ...]]
"""Form -> its concepts, by their place among all."""


@dataclass(frozen=True)
class Lexicon:
    """The forms of a language."""

    language: str
    words: Forms
    """Whole words, and pieces of text where forms are found anywhere."""
    starts: Forms
    phrases: Forms
    """Of several words, with one space between them."""
    phrase_starts: Forms


@cache
def concept_names() -> tuple[str, ...]:
    """All concepts, in the order of the English list."""
    return tuple(_read("english"))


@cache
def lexicon_of(language: str) -> Lexicon:
    """The forms of a language by their concepts."""
    names = concept_names()
    kinds: tuple[dict[str, set[int]], ...] = ({}, {}, {}, {})
    for name, forms in _read(language.lower()).items():
        for form in forms.split():
            text = normalised(form.rstrip("*").replace("_", " "), language).strip()
            text = " ".join(text.split())
            is_phrase = " " in text and language not in ANYWHERE
            place = 2 * is_phrase + form.endswith("*")
            kinds[place].setdefault(text, set()).add(names.index(name))
    words, starts, phrases, phrase_starts = (
        {form: tuple(sorted(concepts)) for form, concepts in kind.items()} for kind in kinds
    )
    return Lexicon(language, words, starts, phrases, phrase_starts)


def normalised(text: str, language: str) -> str:
    """The text in small letters, with what is written in more than one way written in one."""
    if language == "Chinese":
        return text.lower().translate(_simplified())
    if language in _KEEPS_MARKS:
        return unicodedata.normalize("NFC", text).replace("\u093c", "").lower()
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    bare = bare.casefold().replace("’", "'")
    if language == "English":
        bare = bare.replace("can't", "can not").replace("won't", "will not").replace("n't", " not")
    bare = bare.translate(_LETTERS)
    return _SPACE_IN_PERSIAN_VERB.sub(r"\1", bare) if language == "Persian" else bare


def concepts_of(sentence: str, lexicon: Lexicon) -> tuple[list[tuple[int, ...]], int]:
    """The concepts of a sentence in the order of its words, each with the others of its word; and how many words."""
    text = normalised(sentence, lexicon.language)
    if lexicon.language in ANYWHERE:
        return _anywhere(text, lexicon)
    words = _WORD.findall(text)
    found = []
    for place, word in enumerate(words):
        concepts = {*_concepts_of_word(word, lexicon), *_concepts_of_phrase(words, place, lexicon)}
        if concepts:
            found.append(tuple(sorted(concepts)))
    return found, len(words)


def _concepts_of_word(word: str, lexicon: Lexicon) -> tuple[int, ...]:
    """Those of the whole word or, if no form is that, of its longest start that is one."""
    concepts = _whole_or_start(word, lexicon.words, lexicon.starts)
    if concepts or lexicon.language != "Arabic":
        return concepts
    for prefix in _ARABIC_PREFIXES:
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) >= _FEWEST_LETTERS_AFTER_PREFIX:
            concepts = _whole_or_start(rest, lexicon.words, lexicon.starts)
            if concepts:
                return concepts
    return ()


def _concepts_of_phrase(words: list[str], place: int, lexicon: Lexicon) -> tuple[int, ...]:
    concepts: tuple[int, ...] = ()
    for n_words in range(2, MOST_WORDS_OF_FORM + 1):
        phrase = " ".join(words[place : place + n_words])
        concepts += _whole_or_start(phrase, lexicon.phrases, lexicon.phrase_starts)
    return concepts


def _whole_or_start(text: str, whole: Forms, starts: Forms) -> tuple[int, ...]:
    if text in whole:
        return whole[text]
    for end in range(len(text), 1, -1):
        if text[:end] in starts:
            return starts[text[:end]]
    return ()


def _anywhere(text: str, lexicon: Lexicon) -> tuple[list[tuple[int, ...]], int]:
    found = []
    for place in range(len(text)):
        concepts: set[int] = set()
        for end in range(place + 1, min(len(text), place + LONGEST_FORM) + 1):
            concepts.update(lexicon.words.get(text[place:end], ()))
        if concepts:
            found.append(tuple(sorted(concepts)))
    return found, sum(sign.isalnum() for sign in text)


@cache
def _simplified() -> dict[int, str]:
    pairs = zip(_TRADITIONAL[::2], _TRADITIONAL[1::2], strict=True)
    return {ord(traditional): simplified for simplified, traditional in pairs}


@cache
def _read(name: str) -> dict[str, str]:
    folder = resources.files(__package__).joinpath("concepts")
    content: dict[str, str] = tomllib.loads(folder.joinpath(f"{name}.toml").read_text("utf-8"))
    return content
