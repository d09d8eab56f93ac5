"""Which language a text is in, by its script and its frequent words; for texts of a word or two as well.

Small and the same on every machine: a word counts as one over the number of languages that list it (`words.toml`), and
letters that few languages have count a little. `MIXED` is a text with sentences in two languages, `NOT_SURE` one that
says too little. Twelve languages have readers (`reading.py`); the others are named, so that nobody reads them wrongly.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

ENGLISH = "English"
CHINESE = "Chinese"
JAPANESE = "Japanese"
KOREAN = "Korean"
MIXED = "mixed"
NOT_SURE = "not sure"
OTHER = "another language"
"""A script that no list of words is written in."""

SAMPLE_CHARACTERS = 1200
"""Of the start of a text; the language hardly changes later."""
FEWEST_CHARACTERS_OF_MIXED = 24
"""Of a sentence that may show a second language; shorter ones are names and quotations."""
SHARE_OF_SECOND = 0.25
"""Share of the letters in sentences of a second language from which a text is mixed."""
WORDS = 80
"""Words from the start that are looked up."""
CLEAR_LEAD = 4.0
"""A lead in words from which letters and endings are not looked at."""
LEAST_OF_SECOND = 0.3
"""Of the score of the main language, that another one needs for a closer look at the sentences."""
LEAST_LEAD = 0.25
"""By how much the first language leads the second, in words that no other language has."""
LEAD_OF_SENTENCE = 1.2
"""The same for a sentence that may make a text mixed."""
KEPT = 4096

LONGEST_WITHOUT_QUOTES = 300
FEWEST_OWN_LETTERS = 6
"""Letters outside quotation marks that tell the language of a text."""
FEWEST_LETTERS_FOR_TRIGRAMS = 6
LEAD_OF_TRIGRAMS = 12
"""By how much the first language leads the second in trigrams: hundredths of a logarithm for each."""

_LETTERS_OF = {
    "German": "äöüß",
    "French": "àâçèéêëîïôùûœ",
    "Spanish": "áéíóúñ¿¡",
    "Italian": "àèéìòù",
    "Portuguese": "áâãàçéêíóôõú",
    "Swedish": "åäö",
    "Danish": "åæø",
    "Norwegian": "åæø",
    "Finnish": "äö",
    "Polish": "ąćęłńóśźż",
    "Czech": "áčďéěíňóřšťúůýž",
    "Hungarian": "áéíóöőúüű",
    "Romanian": "ăâîșț",
    "Turkish": "çğıöşü",
    "Vietnamese": "ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹđơư",
    "Catalan": "àçèéíïòóúü",
    "Croatian": "čćđšž",
    "Estonian": "äõöü",
    "Lithuanian": "ąčęėįšųūž",
    "Latvian": "āčēģīķļņšūž",
    "Ukrainian": "іїєґ",
    "Bulgarian": "ъ",
    "Serbian": "ђјљњћџ",
    "Russian": "ыэё",
    "Persian": "پچژگکی",
    "Urdu": "ٹڈڑےںہھ",
    "Marathi": "ळ",
}
_WEIGHT_OF_LETTER = 0.15
_MOST_OF_LETTERS = 1.2
_ENDINGS = {
    "German": re.compile(r"(?:ung|ungen|keit|heit|lich|isch|schaft)$"),
    "French": re.compile(r"(?:tion|ement|eux|euse|aux|ité|ais|ait)$|^[ldjnmstcq]'|^qu'"),
    "Spanish": re.compile(r"(?:ción|ciones|dad|mente|ando|iendo|arlo|ismo)$"),
    "Italian": re.compile(r"(?:zione|zioni|ità|mente|ando|endo|are|ere|ire|tti|ggi)$|^(?:dell|all|nell|sull|un|l)'"),
    "Portuguese": re.compile(r"(?:ção|ções|dade|mente|ando|endo|indo|ões|ão)$"),
    "Dutch": re.compile(r"(?:lijk|heid|tje|ij|oo\w|aa\w)$"),
    "Polish": re.compile(r"(?:ość|ych|ego|emu|owa[ćl])$"),
}
_WEIGHT_OF_ENDING = 0.3
_WORD = re.compile(
    r"[^\W\d_]+(?:['\u200c\u093e-\u094d\u0900-\u0903\u0962\u0963-]*[^\W\d_]+)*[\u093e-\u094d\u0900-\u0903]*"
)
_SENTENCE = re.compile(r"[^.!?。！？।؟\n]+[.!?。！？।؟\n]*")
_SKIPPED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`|https?://\S+", re.DOTALL)
_SCRIPTS = (
    ("kana", re.compile(r"[\u3041-\u309f\u30a0-\u30ff\uff66-\uff9d]")),
    ("hangul", re.compile(r"[\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e]")),
    ("han", re.compile(r"[\u4e00-\u9fff\u3400-\u4dbf]")),
    ("cyrillic", re.compile(r"[\u0400-\u04ff]")),
    ("arabic", re.compile(r"[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]")),
    ("devanagari", re.compile(r"[\u0900-\u097f]")),
    ("latin", re.compile(r"[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")),
)
_LATIN_RUN = re.compile(r"[A-Za-z][A-Za-z' ,.]{23,}")
_OTHER_SCRIPT = re.compile(r"[\u0400-\u04ff\u0600-\u06ff\u0900-\u097f\u3041-\ud7a3]{8,}")
_QUOTED = re.compile(r"[\"“«„「][^\"“”«»„「」\n]{6,}[\"”»“」]")
_ANY_LETTER = re.compile(r"[^\W\d_]")
_BOTH_LANGUAGES = frozenset("no error ok null code".split())
"""Of the words below, those that other languages have too: alone they tell nothing."""
_STOCK_ENGLISH = frozenset(
    """access apologies blocked code content declined denied error failed filter filtered flagged forbidden invalid
    message moderated moderation no nope not allowed null ok policy prohibited refused rejected reason request response
    result
    safety sorry status stop stopped true false type unavailable unsafe violation violated warning by the due to is was
    """.split()
)
_FAMILIES = {
    "cyrillic": ("Russian", "Ukrainian", "Bulgarian", "Serbian"),
    "arabic": ("Arabic", "Persian", "Urdu"),
    "devanagari": ("Hindi", "Marathi", "Nepali"),
}
_UNLISTED_LETTERS = re.compile(r"[әғқңөұүһҷӣӯҳ]|[ۆێەڵڕښځڼېټډړ]|[\u0978-\u097f]", re.IGNORECASE)
"""Of Kazakh, Mongolian, Tajik, Kurdish and Pashto."""
_CANTONESE = re.compile(r"[唔係嘅佢咁冇嚟哋啲喺]")
"""Japanese has some of these too, among kana."""
_JAPANESE_IN_HAN = re.compile(r"[対応込働峠枠畑匂売読図説検択険権]|拒否(?!权)")


def _word_weights() -> Mapping[str, Mapping[str, float]]:
    """Word -> language -> what it counts: a word of few languages tells more."""
    lists = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
    languages_of: dict[str, list[str]] = {}
    for language, listed in lists.items():
        for word in set(listed.split()):
            languages_of.setdefault(word, []).append(language)
    return {word: dict.fromkeys(languages, 1 / len(languages)) for word, languages in languages_of.items()}


_WEIGHTS = _word_weights()
_LATIN = tuple(
    language
    for language in tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
    if not any(language in family for family in _FAMILIES.values())
)


@lru_cache(maxsize=KEPT)
def language_of(text: str) -> str:
    """The language of a text by its English name, `MIXED`, `NOT_SURE`, or `OTHER`; empty where it has no letters."""
    languages = languages_in(text)
    if not languages:
        return ""
    return MIXED if len(languages) > 1 else languages[0]


@lru_cache(maxsize=KEPT)
def languages_in(text: str) -> tuple[str, ...]:
    """The language of most of a text and, where a good part is in another one, that one."""
    sample = _SKIPPED.sub(" ", text[:SAMPLE_CHARACTERS]).replace("\u2019", "'")
    if not _ANY_LETTER.search(sample):
        return ()
    if len(sample) < LONGEST_WITHOUT_QUOTES:  # in a short answer a quotation may be most of it
        own_words = _QUOTED.sub(" ", sample)
        sample = own_words if len(_ANY_LETTER.findall(own_words)) >= FEWEST_OWN_LETTERS else sample
    main = single_language(sample)
    if main in (NOT_SURE, OTHER) or len(sample) < 2 * FEWEST_CHARACTERS_OF_MIXED or not _may_be_mixed(sample, main):
        return (main,)
    second = _second_language(sample, main)
    return (main, second) if second else (main,)


def _may_be_mixed(text: str, main: str) -> bool:
    """Whether some words are of a language that is not near the main one: most texts need no closer look."""
    if _script_of(text) != "latin":
        return _LATIN_RUN.search(text) is not None
    if not text.isascii() and _OTHER_SCRIPT.search(text):
        return True
    scores = _scores(text, _LATIN)
    others = [score for language, score in scores.items() if language != main and not _are_close(language, main)]
    return max(others) > LEAST_OF_SECOND * scores[main]


def _second_language(text: str, main: str) -> str:
    """A language of a good part of the sentences that is not the main one; empty where there is none."""
    letters_by_language: Counter[str] = Counter()
    for match in _SENTENCE.finditer(_QUOTED.sub(" ", text)):
        sentence = match[0]
        n_letters = _size(sentence)
        if n_letters >= FEWEST_CHARACTERS_OF_MIXED:
            letters_by_language[single_language(sentence, sure=True)] += n_letters
    others = [
        (n, language)
        for language, n in letters_by_language.items()
        if language not in (main, NOT_SURE, OTHER) and not _are_close(language, main)
    ]
    if not others:
        return ""
    n_letters, second = max(others)
    return second if n_letters >= SHARE_OF_SECOND * letters_by_language.total() else ""


_CLOSE = (
    {"Spanish", "Portuguese", "Catalan", "Italian", "Galician", "Occitan", "Italian dialect"},
    {"Danish", "Norwegian", "Swedish"},
    {"German", "Dutch", "Swiss German", "Low German", "Bavarian", "Afrikaans"},
    {"French", "Catalan", "Occitan", "Haitian"},
    {"Russian", "Ukrainian", "Bulgarian", "Serbian"},
    {"Arabic", "Persian", "Urdu"},
    {"Hindi", "Marathi", "Nepali"},
    {"Chinese", "Japanese"},
)


def _are_close(first: str, second: str) -> bool:
    """Whether single sentences of one are easily taken for the other."""
    return any({first, second} <= family for family in _CLOSE)


def _size(text: str) -> int:
    """Letters, those of scripts with a sign for a syllable or word counted as three."""
    n = len(_ANY_LETTER.findall(text))
    return n if text.isascii() else n + 2 * sum("\u3041" <= character <= "\ud7a3" for character in text)


def single_language(text: str, *, sure: bool = False) -> str:
    """The language that most of the text is in; with `sure`, `NOT_SURE` where another one is near."""
    script = _script_of(text)
    if script != "latin" and _UNLISTED_LETTERS.search(text):
        return OTHER
    if script == "han" and _CANTONESE.search(text):
        return OTHER
    match script:
        case "":
            return OTHER
        case "kana":
            return JAPANESE
        case "hangul":
            return KOREAN
        case "han":
            return JAPANESE if _JAPANESE_IN_HAN.search(text) else CHINESE
    scores = _scores(text, _FAMILIES.get(script, _LATIN))
    if script != "latin":
        return max(scores, key=lambda language: scores[language])  # the first of a family where nothing tells
    language = _best_of(scores, sure=sure)
    return language if language != NOT_SURE or sure else _by_trigrams(text, scores)


def is_told_by_words(text: str) -> bool:
    """Whether frequent words or the script tell the language, not only runs of characters."""
    return _script_of(text) != "latin" or _best_of(_scores(text, _LATIN), sure=False) != NOT_SURE


def _by_trigrams(text: str, scores: Mapping[str, float]) -> str:
    """The language by runs of three characters, among those whose words do not speak against it."""
    padded = f" {' '.join(_WORD.findall(text.lower()))} "
    runs = [padded[start : start + 3] for start in range(len(padded) - 2)]
    highest = max(scores.values())
    if len(runs) < FEWEST_LETTERS_FOR_TRIGRAMS or scores[ENGLISH] >= highest:
        return NOT_SURE  # most texts that tell nothing are English
    table = _trigrams()
    sums = {
        language: sum(weights.get(run, weights[""]) for run in runs) / len(runs)
        for language, weights in table.items()
        if scores[language] > highest - LEAD_OF_SENTENCE
    }
    if highest > max((scores[language] for language in sums), default=0.0) or len(sums) < 2:
        return NOT_SURE
    (first, best), (_, second) = sorted(sums.items(), key=lambda item: -item[1])[:2]
    return first if best - second >= LEAD_OF_TRIGRAMS else NOT_SURE


def nearness(text: str, language: str) -> tuple[float, float]:
    """How near a text is to a language by runs of three characters: their mean weight, and the share that it has."""
    padded = f" {' '.join(_WORD.findall(text.lower()))} "
    runs = [padded[start : start + 3] for start in range(len(padded) - 2)]
    weights = _trigrams()[language]
    if not runs:
        return (0.0, 1.0)
    return (
        sum(weights.get(run, weights[""]) for run in runs) / len(runs),
        sum(run in weights for run in runs) / len(runs),
    )


def n_words_of(text: str) -> int:
    """How many words a text has."""
    return len(_WORD.findall(text))


def share_of_frequent_words(text: str, language: str) -> float:
    """Share of the words that the list of a language has."""
    words = _WORD.findall(text.lower())
    return sum(language in _WEIGHTS.get(word, {}) for word in words) / max(1, len(words))


def is_stock_english(text: str) -> bool:
    """Whether a short text has nothing but words that systems say in English whatever they are asked in."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return bool(words) and _STOCK_ENGLISH.issuperset(words) and not _BOTH_LANGUAGES.issuperset(words)


def is_machine_readable(text: str) -> bool:
    """Whether it is a record rather than a sentence."""
    return text.lstrip().startswith(("{", "[", "<"))


@cache
def _trigrams() -> dict[str, dict[str, int]]:
    """Language -> run of three characters -> hundredths of the logarithm of its share; the empty run: all others."""
    stored: dict[str, dict[str, int]] = json.loads(Path(__file__).with_name("trigrams.json").read_text("utf-8"))
    return stored


def _best_of(scores: Mapping[str, float], *, sure: bool) -> str:
    """The language with the highest score where it leads clearly."""
    (first, highest), (_, next_highest) = sorted(scores.items(), key=lambda item: -item[1])[:2]
    lead = highest - next_highest
    least_lead = LEAD_OF_SENTENCE if sure else LEAST_LEAD
    return first if lead >= least_lead else NOT_SURE


def _script_of(text: str) -> str:
    """The script of most letters; kana decide for Japanese from a tenth of them on. Empty: a script of no list."""
    n_letters = len(_ANY_LETTER.findall(text))
    if text.isascii():
        return "latin"
    counts = {name: len(pattern.findall(text)) for name, pattern in _SCRIPTS}
    if counts["latin"] < 0.7 * n_letters:  # a word or a quotation in Latin letters changes nothing
        counts["latin"] = 0
    eastern = counts["kana"] + counts["han"] + counts["hangul"]
    if 3 * eastern > counts["latin"] and eastern * 3 > n_letters:
        if counts["kana"] * 10 >= eastern:
            return "kana"
        return "hangul" if counts["hangul"] >= counts["han"] else "han"
    name = max(counts, key=lambda script: counts[script])
    return name if 3 * counts[name] >= n_letters else ""


def _scores(text: str, languages: tuple[str, ...]) -> dict[str, float]:
    """What the words of the text say for each language and, where they say little, its letters and endings."""
    scores = dict.fromkeys(languages, 0.0)
    lower = text.lower()
    words = _WORD.findall(lower)[:WORDS]
    for word in words if len(words) > 2 else [word for word in words if len(word) > 1]:
        for language, weight in _WEIGHTS.get(word, {}).items():
            if language in scores:
                scores[language] += weight
    second, first = sorted(scores.values())[-2:]
    if first - second < CLEAR_LEAD:
        _add_endings(scores, words)
        _add_letters(scores, lower)
    return scores


def _add_endings(scores: dict[str, float], words: list[str]) -> None:
    for language, ending in _ENDINGS.items():
        if language in scores:
            scores[language] += _WEIGHT_OF_ENDING * sum(len(word) > 3 and bool(ending.search(word)) for word in words)


def _add_letters(scores: dict[str, float], lower: str) -> None:
    if lower.isascii():
        return
    counts = Counter(character for character in lower if character > "\x7f")
    for language in scores:
        letters = sum(counts[letter] for letter in _LETTERS_OF.get(language, ""))
        scores[language] += min(_MOST_OF_LETTERS, _WEIGHT_OF_LETTER * letters)
