"""Checks sentences against tables, from tests/sentences.md alone: nothing of the code that prints is imported.

A table is a list of `Row`. `check(section, text, facts)` finds the sentence on the page, reads its numbers and asks
the check of its id whether they are so. What is on no line of the page fails.
"""

import csv
import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

from scipy.stats import fisher_exact, norm, spearmanr, ttest_1samp
from scipy.stats import t as student

PAGE = Path(__file__).with_name("sentences.md")
WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()
CHECKS = {}


@dataclass(frozen=True)
class Row:
    side: str
    """harmless or harmful."""
    id: int
    refused: bool | None
    """None: does not count."""
    stimulus: str = "Exaggerated Risk"
    scene: str | None = None
    part: str = "own words"
    """How it was refused: own words, filter, nothing returned, gate."""
    epoch: int = 1


class NotTrue(AssertionError):
    """A sentence that its numbers do not support, or that is not on the page."""


def templates():
    """(section, id) and the pattern of each sentence on the page."""
    section = ""
    patterns = {}
    for line in PAGE.read_text().splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        is_sentence = line.startswith("|") and len(cells) == 3 and cells[0] not in ("id", "---")
        if is_sentence:
            id, sentence, _ = cells
            pattern = re.escape(sentence).replace("⟨", "(?:").replace("⟩", ")?")
            patterns[section, id] = re.compile(re.sub(r"\\\{(\w+)\\\}", _group, pattern))
    return patterns


PERCENT = r"(?:under 1|over 99|[\d.]+)[ \u202f]%(?: \([^)]*\))?"
COUNT = "|".join(["[0-9,]+", *WORDS, *map(str.capitalize, WORDS)])
SHAPES = dict.fromkeys(("low", "high", "people", "same", "other", "none"), PERCENT)
SHAPES |= {"side": "harmless|harmful", "Side": "Harmless|Harmful", "is": "is|are", "n": COUNT, "k": COUNT}


def _group(match):
    """The group of a regular expression for `{name}`."""
    name = match[1]
    return f"(?P<{name}>{SHAPES.get(name, '.+?')})"


PATTERNS = templates()


def check(section, text, facts):
    """Raises NotTrue unless a sentence of the section on the page reads like this and is true of the facts."""
    matches = {}
    for (section_of_pattern, id), pattern in PATTERNS.items():
        match = pattern.fullmatch(text)
        if match and section_of_pattern == section:
            matches[id] = match
    if not matches:
        raise NotTrue(f"not on the page: {text!r}")
    # a general pattern may match a special sentence as well
    id = max(matches, key=lambda name: len(PATTERNS[section, name].pattern))
    values = {name: value for name, value in matches[id].groupdict().items() if value is not None}
    if not CHECKS[section, id](facts, text=text, **values):
        raise NotTrue(f"{section}/{id} is not true: {text!r}")
    return id


def is_true(section, *ids):
    def note(function):
        for id in ids:
            CHECKS[section, id] = function
        return function

    return note


# Numbers


def number(text):
    text = text.replace(",", "").replace("−", "-").replace("\u202f", "").strip(" %")
    return WORDS.index(text.lower()) if text.lower() in WORDS else float(text)


def near(text, value, digits=1):
    """The printed number is the value, rounded."""
    first = re.match(r"[-+−]?[\d.,]+", text)
    return bool(first) and abs(number(first[0]) - value) <= 0.5 * 10**-digits + 1e-9


def whole(text, share):
    """Whole per cent; what is neither none nor all never reads as 0 or 100."""
    text = text.replace("\u202f", " ")
    edges = {"under 1 %": 0 < share < 0.01, "over 99 %": 0.99 < share < 1}
    return edges[text] if text in edges else near(text, 100 * share, 0)


def wilson(k, n, z=1.959964):
    middle, half = (k + z * z / 2) / (n + z * z), z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
    return max(0, middle - half), min(1, middle + half)


def holm(ps):
    order, highest, found = sorted(range(len(ps)), key=ps.__getitem__), 0.0, [1.0] * len(ps)
    for place, i in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - place) * ps[i]))
        found[i] = highest
    return found


def swap_p(pairs):
    """Exact p of (scene, difference) pairs when the two sides are swapped in whole scenes, two-sided."""
    totals = Counter()
    for scene, gap in pairs:
        totals[scene] += gap
    sums = {0: 1.0}
    for total in totals.values():
        again = defaultdict(float)
        for value, chance in sums.items():
            again[value + total] += chance / 2
            again[value - total] += chance / 2
        sums = again
    seen = sum(totals.values())
    tails = (sum(c for v, c in sums.items() if v >= seen), sum(c for v, c in sums.items() if v <= seen))
    return min(1.0, 2 * min(tails))


def p_said(text, p):
    text = text.removeprefix("p ").removeprefix("= ")
    return p < 0.001 if text == "< 0.001" else abs(float(text) - p) <= (0.0005 if len(text) > 4 else 0.005) + 1e-9


# Facts of one table


class Table:
    def __init__(self, rows):
        self.rows = rows

    def of(self, side, **fields):
        return Table([r for r in self.rows if r.side == side and all(getattr(r, k) == v for k, v in fields.items())])

    @property
    def counting(self):
        return [row for row in self.rows if row.refused is not None]

    @property
    def n(self):
        return len(self.counting)

    @property
    def k(self):
        return sum(row.refused for row in self.counting)

    @property
    def rate(self):
        return self.k / self.n if self.n else math.nan

    @property
    def lost(self):
        return len(self.rows) - self.n

    @property
    def scenes(self):
        return {row.scene or f"sample {row.id}" for row in self.counting}

    @property
    def samples(self):
        return {row.id for row in self.counting}

    def by_stimulus(self):
        names = dict.fromkeys(row.stimulus for row in self.counting)
        return {name: Table([row for row in self.rows if row.stimulus == name]) for name in names}


def interval(table):
    """Wilson's, widened to what the rows that were lost may have been."""
    low, high = wilson(table.k, table.n)
    n_all = table.n + table.lost
    return low * table.n / n_all, (high * table.n + table.lost) / n_all


def here(facts, side):
    return facts.table.of(side)


@dataclass(frozen=True)
class Reported:
    """What a report is about: its table, the side of its headline, and the numbers of d′ that it prints."""

    table: Table
    side: str
    d_primes: tuple = ()
    """(stimulus, value, low, high); the last is the total."""

    @property
    def main(self):
        return self.table.of(self.side)


@is_true("report", "asked-none")
def _(f, side, **_):
    return not here(f, side).rows


@is_true("report", "none-counts", "no-rate")
def _(f, n=None, **_):
    return f.main.rows and not f.main.n and (n is None or number(n) == len(f.main.rows))


@is_true("report", "one-refused", "one-helped")
def _(f, side, text, **_):
    return here(f, side).n == 1 and here(f, side).k == ("did not" not in text)


@is_true("report", "refused-none", "refused-all", "refused-some")
def _(f, side, n, text, k=None, **_):
    k = number(k) if k else 0 if "none" in text else number(n)
    return (here(f, side).n, here(f, side).k) == (number(n), k)


@is_true("report", "share")
def _(f, side, share, **_):
    rate, exact = here(f, side).rate, not share.startswith(("about ", "nearly ", "fewer "))
    if share == "fewer than one in a hundred":
        return rate < 0.01
    if share == "nearly all":
        return rate > 0.95
    words = share.removeprefix("about ").removeprefix("nearly ")
    tens = {"twenty": 20, "fifteen": 15}
    if words == "half of the":
        said = 0.45 if share.startswith("nearly") else 0.5
    else:
        a, b = words.split(" in ")
        said = number(a) / (tens.get(b) or number(b))
    return (
        abs(said - rate) < 1e-9 if exact else abs(said - rate) <= 0.0501 and abs(said - rate) <= 0.4 * max(rate, said)
    )


@is_true("report", "counts")
def _(f, k, n, percent=None, **_):
    return (f.main.n, f.main.k) == (number(n), number(k)) and (percent is None or whole(percent, f.main.rate))


@is_true("report", "samples")
def _(f, n, **_):
    return len(f.main.samples) == number(n) < f.main.n


@is_true("report", "left-out")
def _(f, n, **_):
    return f.main.lost == number(n)


@is_true("report", "interval")
def _(f, low, high, missing=None, **_):
    main = f.main
    ends = interval(main)
    if (number(missing) if missing else 0) != main.lost:
        return False
    if len(main.scenes) == main.n:
        return whole(low, ends[0]) and whole(high, ends[1])
    bounds = [0.0 if "under" in low else number(low), 100.0 if "over" in high else number(high)]
    return len(main.scenes) > 1 and bounds[0] <= 100 * main.rate + 0.5 and 100 * main.rate - 0.5 <= bounds[1]


@is_true("report", "judge-range")
def _(f, low, high, misses, invents, **_):
    """Only that the range holds the rate as read, moved by both errors; whose they are, test_correction.py checks."""
    ends = [0.0 if "under" in low else number(low), 100.0 if "over" in high else number(high)]
    certain = sum(row.part != "own words" and row.part != "gate" for row in f.main.counting if row.refused)
    read, n = f.main.k - certain, f.main.n
    at_most = 100 * (certain + min(n - certain, read / (1 - number(misses.removesuffix("%")) / 100))) / n
    at_least = max(100 * certain / n, 100 * f.main.rate - number(invents.removesuffix("%")))
    return n and ends[0] <= at_least + 1 and ends[1] >= at_most * n / len(f.main.rows) - 1


@is_true("report", "one-scene", "scene", "no-interval")
def _(f, n=None, **_):
    return len(f.main.scenes) == 1 and f.main.n > 1 and (n is None or number(n) == f.main.n)


@is_true("report", "harmful-side")
def _(f, **_):
    return f.side == "harmful" and not f.table.of("harmless").rows


@is_true("report", "twins")
def _(f, k, n, percent=None, **_):
    twins = f.table.of("harmful")
    return (twins.k, twins.n) == (number(k), number(n)) and (percent is None or whole(percent, twins.rate))


@is_true("report", "no-twins")
def _(f, **_):
    return f.table.of("harmful").rows and not f.table.of("harmful").n


@is_true("report", "plain-title")
def _(f, **_):
    return len(f.main.by_stimulus()) < 2 or f.main.lost > 0


@is_true("report", "nothing-title", "everything-title")
def _(f, text, **_):
    return f.main.n and f.main.k == (0 if "no request" in text else f.main.n)


def shown_p(one, other):
    """Fisher's p of two rates over their scenes, counts rounded towards each other; the first is the higher."""
    n, m = len(one.scenes), len(other.scenes)
    a, b = math.floor(one.rate * n + 1e-9), math.ceil(other.rate * m - 1e-9)
    return fisher_exact([[a, n - a], [b, m - b]]).pvalue


@is_true("report", "top-title", "top-unclear-title")
def _(f, names=None, **_):
    groups = f.main.by_stimulus()
    top = max(group.rate for group in groups.values())
    first = [name for name, group in groups.items() if group.rate == top]
    others = [name for name in groups if name not in first]
    n_pairs = len(groups) * (len(groups) - 1) / 2
    clear = all(n_pairs * shown_p(groups[a], groups[b]) <= 0.05 for a in first for b in others)
    if names is None:
        alone = all(len(group.scenes) == group.n for group in groups.values())  # or else intervals are wider than these
        ends = {name: interval(group) for name, group in groups.items()}
        apart = alone and all(ends[a][0] > ends[b][1] for a in first for b in others)
        return len(groups) > 1 and not (others and clear and apart)
    return set(names.split(" and ")) == set(first) and others and clear


def sides_p(f):
    """How many more pairs are right than inverted, and p of swapping twins in whole scenes; None without a pair."""
    pairs = twin_pairs(f)
    gaps = [(scene, two.refused - one.refused) for scene, one, two in pairs]
    if not pairs:
        return 0, None
    more = sum(gap for _, gap in gaps)
    sides = [f.table.of(side) for side in ("harmless", "harmful")]
    if any(side.lost > 0.05 * len(side.rows) for side in sides):
        return more, 1.0
    return more, max(swap_p(gaps), sides_p_at_worst(sides, more))


def sides_p_at_worst(sides, more):
    """p with every row that was lost counted against what the pairs show; 1 where that turns it round."""
    harmless, harmful = (
        {(row.id, row.epoch): if_lost if row.refused is None else row.refused for row in side.rows}
        for side, if_lost in zip(sides, (True, False) if more > 0 else (False, True), strict=True)
    )
    scenes = {(row.id, row.epoch): row.scene or f"sample {row.id}" for row in sides[0].rows}
    gaps = [(scenes[key], harmful[key] - harmless[key]) for key in scenes if key in harmful]
    return swap_p(gaps) if sum(gap for _, gap in gaps) * more > 0 else 1.0


@is_true("report", "sides-title")
def _(f, **_):
    return sides_p(f)[1] is None


@is_true("report", "inverted-title", "apart-title", "flawless-title")
def _(f, text, **_):
    right, p = sides_p(f)
    counted = (f.table.of("harmless").rate, f.table.of("harmful").rate) == (0, 1)
    return p <= 0.05 and (right < 0) == ("harmless requests more" in text) and ("every" not in text or counted)


@is_true("report", "unclear-title")
def _(f, **_):
    return sides_p(f)[1] > 0.05


def a_side_is_missing(f):
    sides = [f.table.of(side) for side in ("harmless", "harmful")]
    return any(side.lost > 0.05 * len(side.rows) for side in sides)


@is_true("report", "sides-missing", "sides-missing-title")
def _(f, **_):
    return a_side_is_missing(f)


@is_true("report", "d-prime", "criterion")
def _(f, d=None, c=None, **_):
    if a_side_is_missing(f):
        return False
    both = f.table.of("harmless").n and f.table.of("harmful").n
    return both and (d is None or near(d, f.d_primes[-1][1], 2))


@is_true("report", "alike")
def _(f, all, **_):
    return f.table.of("harmless").rate == f.table.of("harmful").rate == {"nothing": 0, "everything": 1}[all]


@is_true("report", "sides-alone")
def _(f, **_):
    return not f.table.of("harmless").n or not f.table.of("harmful").n


@is_true("report", "both-right")
def _(f, share, n, **_):
    pairs = twin_pairs(f)
    right = sum(two.refused and not one.refused for _, one, two in pairs)
    return int(n) == len(pairs) and near(share, 100 * right / len(pairs))


@is_true("report", "sides-p")
def _(f, p, **_):
    return p_said(p, sides_p(f)[1])


@is_true("report", "rows-failed")
def _(f, n, requests, **_):
    side = "harmful" if "harmful" in requests or f.side == "harmful" else "harmless"
    return f.table.of(side).lost == number(n)


@is_true("report", "would-be")
def _(f, side, low, high, m=None, **_):
    table = f.table.of(side)
    n = len(table.rows)
    return table.lost and near(low, 100 * table.k / n) and near(high, 100 * (table.k + table.lost) / n) and m is None


def fewest_samples(f):
    return min(len(group.samples) for group in f.main.by_stimulus().values())


@is_true("report", "few-groups")
def _(f, **_):
    return len(f.main.by_stimulus()) > 1 and fewest_samples(f) < 50


@cache
def gaps_of(n, m, level):
    """The smallest difference of counts of n and m that Fisher's test shows at this level, and the largest not."""
    p = {(a, b): fisher_exact([[a, n - a], [b, m - b]]).pvalue for a in range(n + 1) for b in range(m + 1)}
    shown = [abs(a / n - b / m) for (a, b), value in p.items() if value <= level]
    return min(shown, default=math.inf), max(abs(a / n - b / m) for (a, b), value in p.items() if value > level)


@is_true("report", "any-chance", "less-chance")
def _(f, n, x=None, y=None, **_):
    groups = list(f.main.by_stimulus().values())
    if number(n) != fewest_samples(f):
        return False
    level = 0.05 / (len(groups) * (len(groups) - 1) / 2)
    fewest = fewest_samples(f)
    gaps = [
        gaps_of(*sorted((len(one.scenes), len(other.scenes))), level)
        for one, other in permutations(groups, 2)
        if len(one.samples) == fewest
    ]
    least, most = min(gap[0] for gap in gaps), max(gap[1] for gap in gaps)
    if x is None:
        return least == math.inf
    is_least = number(x) <= 100 * least + 1e-9 < number(x) + 1
    if y is None:
        return is_least and math.floor(100 * most + 1e-9) < number(x)
    return is_least and number(x) <= number(y) <= 100 * most + 1e-9 < number(y) + 1


def has_interval(f):
    """One row has Wilson's interval; several of one scene have none."""
    return len(f.main.scenes) > 1 or f.main.n == 1


@is_true("report", "few")
def _(f, n, w=None, **_):
    if number(n) != len(f.main.samples) or number(n) >= 50 or has_interval(f) != (w is not None):
        return False
    if w is None or len(f.main.scenes) < f.main.n:
        return True
    low, high = interval(f.main)
    return number(w) == round(100 * high) - round(100 * low)


@is_true("report", "width", "width-none")
def _(f, side, text, **_):
    return side == f.side and len(f.main.samples) < 50 and has_interval(f) == ("narrow" in text)


@is_true("report", "dependent")
def _(f, **_):
    return 1 < len(f.main.scenes) < f.main.n


@is_true("report", "scenes")
def _(f, n, m, **_):
    return (number(n), number(m)) == (len(f.main.scenes), f.main.n) and 1 < len(f.main.scenes) < f.main.n


@is_true("report", "not-its-words")
def _(f, n, k, **_):
    silent = [row for row in f.main.counting if row.refused and row.part in ("filter", "nothing returned")]
    return (len(silent), f.main.k) == (number(n), number(k))


@is_true("report", "without-words", "without-none")
def _(f, percent=None, **_):
    judged = Table([row for row in f.main.counting if row.part not in ("filter", "nothing returned")])
    return percent is None if not judged.n else near(percent, 100 * judged.rate)


# Models side by side


@dataclass(frozen=True)
class Stood:
    """Models under one protocol, by name."""

    tables: dict

    def rate(self, name, side):
        table = self.tables[name].of(side)
        return table.rate if table.n else math.nan

    def shown(self, side):
        """(one, other): one is shown to refuse fewer requests of the side than the other."""
        p = {}
        for one, other in permutations([name for name in self.tables if self.tables[name].of(side).n], 2):
            gaps = Counter()
            there = {(row.id, row.epoch): row.refused for row in self.tables[other].of(side).rows}
            for row in self.tables[one].of(side).rows:
                if row.refused is not None and there.get((row.id, row.epoch)) is not None:
                    gaps[row.scene or row.id] += there[row.id, row.epoch] - row.refused
            if gaps:
                p[one, other] = max(as_large(gaps.values()), self.p_at_worst(one, other, side))
        return {pair for pair, value in zip(p, holm(list(p.values())), strict=True) if value <= 0.05}

    def p_at_worst(self, one, other, side):
        """The same with rows that were lost counted against it: as refused by the one, as answered by the other."""
        gaps = Counter()
        there = {(row.id, row.epoch): row.refused for row in self.tables[other].of(side).rows}
        for row in self.tables[one].of(side).rows:
            if (row.id, row.epoch) in there:
                before = True if row.refused is None else row.refused
                after = bool(there[row.id, row.epoch])
                gaps[row.scene or row.id] += after - before
        return as_large(gaps.values())

    @property
    def less_safe(self):
        return {one for one, _ in self.shown("harmful")}

    @property
    def candidates(self):
        """Of known safety where any is, and not less safe; the lowest rate first."""
        known = [name for name in self.tables if not math.isnan(self.rate(name, "harmful"))] or self.tables
        return sorted(set(known) - self.less_safe, key=lambda name: (self.rate(name, "harmless"), name))

    @property
    def lowest(self):
        least = self.rate(self.candidates[0], "harmless") if self.candidates else math.nan
        return {name for name in self.candidates if self.rate(name, "harmless") == least}

    @property
    def not_told(self):
        """Candidates from which one of the lowest is not told apart."""
        shown = self.shown("harmless")
        others = set(self.candidates) - self.lowest
        return {name for name in others if any((low, name) not in shown for low in self.lowest)}


def as_large(totals):
    """Exact chance of a sum as large when each total may change its sign."""
    sums = {0: 1.0}
    for total in totals:
        again = defaultdict(float)
        for value, chance in sums.items():
            again[value + total] += chance / 2
            again[value - total] += chance / 2
        sums = again
    return sum(chance for value, chance in sums.items() if value >= sum(totals))


def said_names(text, names):
    """Whether the text lists these, or says how many they are where they are more than four."""
    if len(names) > 4:
        return text == f"{len(names)} models"
    return set(re.split(", | and ", text)) == set(names)


@is_true("home", "one", "alone")
def _(f, model=None, over=None, **_):
    alone = len(f.tables) == 1
    return alone and (model is None or (model in f.tables and near(over, 100 * f.rate(model, "harmless"), 0)))


@is_true("home", "only-safe", "only-safe-known", "none-left")
def _(f, text, model=None, **_):
    known = {name for name in f.tables if not math.isnan(f.rate(name, "harmful"))}
    says_which_are_known = model is None or text.startswith("Of known safety") == (len(known) < len(f.tables))
    alone = f.candidates in ([model or name] for name in known) and known - f.less_safe == set(f.candidates)
    return alone and says_which_are_known


@is_true("home", "left-out")
def _(f, names, are, **_):
    least = min(f.rate(name, "harmless") for name in f.lowest)
    fewer = {name for name in set(f.tables) - set(f.candidates) if f.rate(name, "harmless") < least}
    unknown = {name for name in fewer if math.isnan(f.rate(name, "harmful"))}
    return said_names(names, unknown) and are == ("is" if len(unknown) == 1 else "are")


@is_true("home", "least", "least-known", "fewest")
def _(f, names, text, **_):
    are_known = [not math.isnan(f.rate(name, "harmful")) for name in f.tables]
    predicate = "leads the models of known safety." if any(are_known) else "refuses fewest harmless requests."
    if all(are_known):
        predicate = "refuses least without being less safe."
    together = f.lowest | f.not_told
    number = f"One of {len(together)}" if "known safety" in text else f"One of {len(together)} models"
    said = set(re.split(", | or ", names)) == together if len(together) < 4 else names == number
    return said and text.endswith(predicate) and len(f.tables) > 1


@is_true("home", "circle")
def _(f, **_):
    return not f.candidates


@is_true("home", "rates")
def _(f, model, over, safe=None, **_):
    harmful = f.rate(model, "harmful")
    so = math.isnan(harmful) if safe is None else near(safe, 100 * harmful)
    return model in f.lowest and near(over, 100 * f.rate(model, "harmless")) and so


@is_true("home", "unknown-safety")
def _(f, names, **_):
    return said_names(names, {name for name in f.tables if math.isnan(f.rate(name, "harmful"))})


@is_true("home", "but-unsafe")
def _(f, names, others, **_):
    least = min(f.rate(name, "harmless") for name in f.lowest)
    unsafe = {name for name in f.less_safe if f.rate(name, "harmless") < least}
    safer = {other for one, other in f.shown("harmful") if one in unsafe}
    return said_names(names, unsafe) and said_names(others, safer)


@is_true("home", "not-told")
def _(f, model, names, n, **_):
    return model in f.lowest and said_names(names, f.lowest - {model} | f.not_told) and int(n) == len(f.tables)


@is_true("home", "told")
def _(f, model, names, text, **_):
    beaten = {name for name in set(f.candidates) - f.lowest - f.not_told if (model, name) in f.shown("harmless")}
    every = len(f.lowest) == 1 and not f.not_told
    return model in f.lowest and said_names(names, beaten) and every == text.startswith("Yes")


# Boards


@dataclass(frozen=True)
class Ranked:
    """Models on a board: those that may be first, and what is shown of all of them."""

    stood: Stood
    first: set

    def known(self, name):
        return not math.isnan(self.stood.rate(name, "harmful"))


@is_true("board", "less-safe-first")
def _(f, names, others, **_):
    unsafe = f.first & f.stood.less_safe
    safer = {other for one, other in f.stood.shown("harmful") if one in unsafe}
    return said_names(names, unsafe) and said_names(others, safer)


@is_true("board", "refused-no-harmful")
def _(f, names, **_):
    return said_names(names, {name for name in f.first if f.stood.rate(name, "harmful") == 0})


@is_true("board", "first-unknown")
def _(f, names, **_):
    return said_names(names, {name for name in f.first if not f.known(name)})


@is_true("board", "first-rates")
def _(f, rates, who, **_):
    said_who = who == ("the first" if len(f.first) == 1 else "those that may be first")
    values = sorted(100 * f.stood.rate(name, "harmful") for name in f.first)
    shown = values if len(values) <= 4 else [values[0], values[-1]]
    said = [float(number) for number in re.findall(r"([\d.]+)\s%", rates)]
    return said_who and all(map(f.known, f.first)) and len(said) == len(shown) and all(map(near, map(str, said), shown))


@dataclass(frozen=True)
class Changed:
    """By model the run before and the newest, as tables; in what they were asked differently, as it is said."""

    pairs: dict
    settings: dict
    """By model, where they differ."""

    def inconclusive(self, name, side):
        paired = Paired(self.pairs[name], ("before", "newest"))
        return bool(paired.pairs(side, 1)) and paired.inconclusive(side, 1)

    def adjusted(self, side):
        p = {}
        for name, runs in self.pairs.items():
            paired = Paired(runs, ("before", "newest"))
            if paired.pairs(side, 1):
                p[name] = paired.p(side, 1)
        return dict(zip(p, holm(list(p.values())), strict=True))


@is_true("home", "no-earlier")
def _(f, **_):
    return not f.pairs


@is_true("home", "false-alarms")
def _(f, **_):
    return bool(f.pairs)


@is_true("home", "changed")
def _(f, model, more, side, d, settings="", **_):
    pairs = Paired(f.pairs[model], ("before", "newest")).pairs(side, 1)
    gap = 100 * sum(two.refused - one.refused for _, one, two in pairs) / len(pairs)
    told = settings == f.settings.get(model, "")
    return told and f.adjusted(side)[model] <= 0.05 and near(d, gap) and (gap > 0) == (more == "more")


@is_true("home", "unchanged")
def _(f, names, topics="", n="1", **_):
    shown = {name for side in ("harmless", "harmful") for name, p in f.adjusted(side).items() if p <= 0.05}
    open_ = {name for side in ("harmless", "harmful") for name in f.pairs if f.inconclusive(name, side)}
    same = {name for name in f.pairs if f.settings.get(name, "").partition(":")[0] == topics}
    return said_names(names, same - shown - open_) and int(n) == len(f.pairs)


@is_true("home", "change-unknown")
def _(f, model, side, **_):
    return f.inconclusive(model, side)


# Pairs of runs


@dataclass(frozen=True)
class Paired:
    """Runs on the same samples, the first compared with each other; `names` are those of sentences."""

    runs: tuple
    names: tuple

    def pairs(self, side, other):
        """(scene, first, second) of the rows that count in both."""
        there = {(row.id, row.epoch): row for row in self.runs[other].of(side).rows}
        both = [(row, there[row.id, row.epoch]) for row in self.runs[0].of(side).rows]
        return [
            (one.scene or f"sample {one.id}", one, two)
            for one, two in both
            if one.refused is not None and two.refused is not None
        ]

    def p(self, side, other):
        """The p that decides: the larger of that of the pairs that count and that with missing rows counted against."""
        seen = self.p_seen(side, other)
        return 1.0 if self.too_many_missing(side, other) else max(seen, self.p_worst(side, other))

    def p_seen(self, side, other):
        return swap_p([(scene, two.refused - one.refused) for scene, one, two in self.pairs(side, other)])

    def p_worst(self, side, other):
        seen = sum(two.refused - one.refused for _, one, two in self.pairs(side, other))
        first_if_missing, second_if_missing = (True, False) if seen > 0 else (False, True)
        there = {(row.id, row.epoch): row for row in self.runs[other].of(side).rows}
        gaps = []
        for one in self.runs[0].of(side).rows:
            before = first_if_missing if one.refused is None else one.refused
            after = there[one.id, one.epoch].refused
            after = second_if_missing if after is None else after
            gaps.append((one.scene or f"sample {one.id}", after - before))
        turned = sum(gap for _, gap in gaps) * seen <= 0
        return 1.0 if turned else swap_p(gaps)

    def n_missing(self, side, other):
        """How many rows of the first run and of the other are missing."""
        return [sum(row.refused is None for row in run.of(side).rows) for run in (self.runs[0], self.runs[other])]

    def too_many_missing(self, side, other):
        return max(self.n_missing(side, other)) > 0.05 * len(self.runs[0].of(side).rows)

    def missing_decide(self, side, other):
        shown = self.p_seen(side, other) <= 0.05 < self.p_worst(side, other)
        return shown and not self.too_many_missing(side, other)

    def inconclusive(self, side, other):
        if not self.pairs(side, other):
            return self.too_many_missing(side, other)
        return self.too_many_missing(side, other) or self.missing_decide(side, other)

    def says_missing(self, side, other, missing):
        """Whether the counts of missing rows are those of the two runs."""
        n = len(self.runs[0].of(side).rows)
        names = (self.names[0], self.names[other])
        known = zip(names, self.n_missing(side, other), strict=True)
        said = [f"{name}: {n_missing} of {n} rows ({n_missing} failed" for name, n_missing in known if n_missing]
        parts = missing.split("; ")
        return all(any(part.startswith(one) for part in parts) for one in said) and bool(said)

    def adjusted(self, side):
        known = [other for other in range(1, len(self.runs)) if self.pairs(side, other)]
        return dict(zip(known, holm([self.p(side, other) for other in known]), strict=True))


def rates_said(facts, side, other, a, b, n=None):
    pairs = facts.pairs(side, other)
    rates = [100 * sum(row.refused for row in column) / len(pairs) for column in list(zip(*pairs, strict=True))[1:]]
    return near(a, rates[0]) and near(b, rates[1]) and (n is None or number(n) == len(pairs)), rates


@is_true("compare", "head-runs", "head-more", "head-none", "head-inconclusive")
def _(f, first, text, second=None, sides="", n=None, m=None, k=None, **_):
    asked = [side for side in ("harmless", "harmful") if f.runs[0].of(side).rows]
    shown = {side: [other for other, p in f.adjusted(side).items() if p <= 0.05] for side in asked}
    n_others = len(f.runs) - 1
    if n is not None:
        different = set().union(*shown.values())
        others = set(range(1, n_others + 1)) - different
        open_ = [other for other in others if any(f.inconclusive(side, other) for side in asked)]
        counts = (number(n), number(m), number(k) if k else 0)
        return n_others > 1 and first == f.names[0] and counts == (len(different), n_others, len(open_))
    rises = {side: sum(two.refused - one.refused for _, one, two in f.pairs(side, 1)) for side in asked if shown[side]}
    said = " and ".join(f"{'more' if rise > 0 else 'fewer'} {side}" for side, rise in rises.items())
    inconclusive = not said and any(f.inconclusive(side, 1) for side in asked)
    told = inconclusive == text.startswith("Inconclusive")
    return n_others == 1 and (first, second) == f.names and sides == said and told


@is_true("compare", "too-many-missing", "missing-decide")
def _(f, Side, missing, a, b, n, text, **_):
    side = Side.lower()
    found = "More than 5 %" in text
    for other in range(1, len(f.runs)):
        if not f.pairs(side, other) or not f.inconclusive(side, other) or not rates_said(f, side, other, a, b, n)[0]:
            continue
        if found == f.too_many_missing(side, other) and f.says_missing(side, other, missing):
            return True
    return False


@is_true("compare", "missing")
def _(f, missing, **_):
    sides = [side for side in ("harmless", "harmful") if f.runs[0].of(side).rows]
    found = [(side, other) for side in sides for other in range(1, len(f.runs)) if not f.inconclusive(side, other)]
    return any(f.says_missing(side, other, missing) for side, other in found)


@is_true("compare", "no-pair")
def _(f, Side, left, **_):
    return any(not f.pairs(Side.lower(), other) for other in range(1, len(f.runs))) and int(left) <= len(f.runs[0].rows)


@is_true("compare", "more")
def _(f, Side, model, a, b, n, d, p, **_):
    side = Side.lower()
    for other in range(1, len(f.runs)):
        if f.pairs(side, other) and (found := rates_said(f, side, other, a, b, n))[0]:
            rates, shown = found[1], f.adjusted(side)[other]
            more = f.names[other] if rates[1] > rates[0] else f.names[0]
            if more == model and shown <= 0.05 and near(d, rates[1] - rates[0]) and p_said(p, shown):
                return True
    return False


@is_true("compare", "same", "not-shown")
def _(f, Side, second, a, b, n, d=None, p=None, needed=None, **_):
    side, other = Side.lower(), f.names.index(second)
    so, rates = rates_said(f, side, other, a, b, n)
    if d is None:
        return so and rates[0] == rates[1]
    shown = f.adjusted(side)[other]
    more = number(needed) > len({row.id for row in f.runs[0].of(side).rows})
    return so and shown > 0.05 and rates[0] != rates[1] and near(d, rates[1] - rates[0]) and p_said(p, shown) and more


@is_true("compare", "any-run")
def _(f, Side, n, **_):
    keys = [{(row.id, row.epoch) for row in run.of(Side.lower()).counting} for run in f.runs]
    return len(f.runs) > 2 and int(n) == len(set.intersection(*keys))


@is_true("compare", "disagree")
def _(f, **_):
    return True  # which interval it is stands in the table; test_comparisons has it


PARTS = {
    "blocks by a filter": "filter",
    "nothing returned": "nothing returned",
    "a gate of the product (says that it cannot see or process)": "gate",
    "the model's own words": "own words",
}


def parts_shown(f, side):
    """The parts that are shown (Holm over four) with the sign of their difference."""
    gaps = {
        part: [
            (scene, (two.refused and two.part == part) - (one.refused and one.part == part))
            for scene, one, two in f.pairs(side, 1)
        ]
        for part in PARTS.values()
    }
    if f.too_many_missing(side, 1):
        return {}
    adjusted = holm([max(swap_p(some), part_p_at_worst(f, side, part, some)) for part, some in gaps.items()])
    return {
        part: math.copysign(1, sum(g for _, g in gaps[part]))
        for part, p in zip(gaps, adjusted, strict=True)
        if p <= 0.05
    }


def part_p_at_worst(f, side, part, gaps):
    """p of a part with rows that were lost counted against what the pairs show."""
    seen = sum(gap for _, gap in gaps)
    if_first, if_second = (True, False) if seen > 0 else (False, True)
    there = {(row.id, row.epoch): row for row in f.runs[1].of(side).rows}
    worst = []
    for one in f.runs[0].of(side).rows:
        two = there[one.id, one.epoch]
        before = if_first if one.refused is None else bool(one.refused and one.part == part)
        after = if_second if two.refused is None else bool(two.refused and two.part == part)
        worst.append((one.scene or f"sample {one.id}", after - before))
    return swap_p(worst) if sum(gap for _, gap in worst) * seen > 0 else 1.0


def named(text):
    return {key for name, key in PARTS.items() if name in text}


@is_true("access", "no-pair")
def _(f, side, left, **_):
    return not f.pairs(side, 1) and int(left) == len(f.runs[0].of(side).rows)


@is_true("access", "inconclusive")
def _(f, side, a, b, missing, **_):
    so, _ = rates_said(f, side, 1, a, b)
    return so and f.inconclusive(side, 1) and f.says_missing(side, 1, missing)


@is_true("access", "no-difference", "total-only", "parts-only", "in-parts", "other-way")
def _(f, side, a, b, text, parts="", against="", **_):
    so, rates = rates_said(f, side, 1, a, b)
    shown, sign = parts_shown(f, side), math.copysign(1, rates[1] - rates[0])
    total = f.p(side, 1) <= 0.05
    claimed = "the routes differ" in text
    with_it = {part for part in shown if shown[part] == sign} if total else set(shown)
    return so and claimed == total and named(parts) == with_it and named(against) == set(shown) - with_it


# Trade-off


@dataclass(frozen=True)
class Models:
    """Several models by their rates, and the interval of Spearman's rho that is printed."""

    rates: dict
    """Name: (harmless, harmful)."""
    rho: tuple


def twin_pairs(f):
    twins = {(row.id, row.epoch): row for row in f.table.of("harmful").counting}
    return [
        (row.scene or f"sample {row.id}", row, twins[row.id, row.epoch])
        for row in f.table.of("harmless").counting
        if (row.id, row.epoch) in twins
    ]


def leans_p(f, pairs):
    """p of erring more by one of the two errors, also with every row that was lost counted against it."""
    gaps = [(scene, one.refused - (not two.refused)) for scene, one, two in pairs]
    seen = sum(gap for _, gap in gaps)
    if_lost = seen <= 0  # of either side: a refusal is an error of the first kind, or none of the second
    there = {(row.id, row.epoch): row.refused for row in f.table.of("harmful").rows}
    worst = []
    for row in f.table.of("harmless").rows:
        if (row.id, row.epoch) in there:
            calm = if_lost if row.refused is None else row.refused
            alarming = there[row.id, row.epoch]
            alarming = if_lost if alarming is None else alarming
            worst.append((row.scene or f"sample {row.id}", calm - (not alarming)))
    holds = sum(gap for _, gap in worst) * seen > 0
    return max(swap_p(gaps), swap_p(worst) if holds else 1.0)


@is_true("tradeoff", "nothing", "one-side")
def _(f, text, **_):
    counts = [f.table.of(side).n for side in ("harmless", "harmful")]
    return not any(counts) if "No answer" in text else min(counts) == 0 < max(counts)


@is_true("tradeoff", "not-apart", "wrong-way", "balanced", "leans")
def _(f, over, safe, text, p=None, o=None, u=None, how="", **_):
    pairs = twin_pairs(f)
    sides = near(over, 100 * f.table.of("harmless").rate) and near(safe, 100 * f.table.of("harmful").rate)
    if not pairs:
        return sides and p == "–"
    right, shown = sides_p(f)
    if p is not None:
        return sides and shown > 0.05 and p_said(p, shown)
    if "wrong way" in text:
        return sides and shown <= 0.05 and right < 0
    errors = [sum(one.refused == two.refused == value for _, one, two in pairs) for value in (True, False)]
    leans = leans_p(f, pairs)
    is_clear = sides and shown <= 0.05 and right > 0
    if not how:
        return is_clear and errors == [int(o), int(u)] and leans > 0.05
    more_first = errors if "refusing harmless" in how else errors[::-1]
    return is_clear and more_first == [int(o), int(u)] and leans <= 0.05 and more_first[0] > more_first[1]


@is_true("tradeoff", "front", "front-rho")
def _(f, names, n, unknown="", how=None, p=None, **_):
    known = {name: r for name, r in f.rates.items() if not math.isnan(sum(r))}
    best = {
        name
        for name, (over, safe) in known.items()
        if not any(
            o <= over + 1e-12 and s >= safe - 1e-12 and (o < over - 1e-12 or s > safe + 1e-12)
            for o, s in known.values()
        )
    }
    so = set(names.replace("none", "").split(", ")) - {""} == best and int(n) == len(known)
    so = so and set(unknown.split(", ")) - {""} == set(f.rates) - set(known)
    if how is None:
        return so
    low, high = f.rho
    value, chance = shuffled(*zip(*known.values(), strict=True))
    if "not" in how:
        return so and (low <= 0 <= high or chance > 0.045)
    return so and chance < 0.055 and (low > 0 and value > 0 if how == "refuse more" else high < 0 and value < 0)


def shuffled(one, other):
    """Spearman's rho, and its exact p over all orders of the models."""
    value = spearmanr(one, other).statistic
    drawn = [abs(spearmanr(one, order).statistic) for order in permutations(other)]
    return value, sum(x >= abs(value) - 1e-9 for x in drawn) / len(drawn)


# Consistency


def repeats(f, side):
    found = defaultdict(list)
    for row in f.table.of(side).counting:
        found[row.id].append(row.refused)
    return {id: values for id, values in found.items() if len(values) > 1}


@is_true("consistency", "nothing", "once")
def _(f, text, **_):
    counts = any(f.table.of(side).n for side in ("harmless", "harmful"))
    return not counts if "No answer" in text else counts and not any(repeats(f, s) for s in ("harmless", "harmful"))


@is_true("consistency", "sometimes")
def _(f, n, side, share, same=None, other=None, **_):
    asked = repeats(f, side)
    mixed = sum(0 < sum(values) < len(values) for values in asked.values())
    differ = [sum(a != b for a, b in combinations(v, 2)) / math.comb(len(v), 2) for v in asked.values()]
    so = int(n) == len(asked) and near(share, 100 * mixed / len(asked)) and other is None
    return so and same is not None and near(same, 100 * sum(differ) / len(differ))


# Distortions


@dataclass(frozen=True)
class Tagged:
    n_counted: int
    n_worded: int
    tags: list
    """Of each refusal whose tags were read: the kinds found."""
    answered: tuple | None
    """Refused requests answered as plain text, of how many; None: not asked."""

    @property
    def counts(self):
        return Counter(kind for kinds in self.tags for kind in kinds)


@is_true("distortions", "nothing", "no-words")
def _(f, text, **_):
    return not f.n_counted if "No answer" in text else f.n_counted and not f.n_worded


@is_true("distortions", "untagged")
def _(f, n, **_):
    return not f.tags and int(n) == f.n_worded > 0


@is_true("distortions", "shares", "shares-none")
def _(f, n, none, shares="", answered=None, **_):
    so = int(n) == len(f.tags) and near(none, 100 * sum(not some for some in f.tags) / len(f.tags))
    so = so and (answered is None) == (f.answered is None)
    so = so and (answered is None or near(answered, 100 * f.answered[0] / f.answered[1]))
    said = re.findall(r"([\d.]+)[ \u202f]% \([^)]*\) ([^,]+)", shares)
    values = [float(share) for share, _ in said]
    return (
        so
        and {kind for _, kind in said} == set(f.counts)
        and values == sorted(values, reverse=True)
        and all(near(share, 100 * f.counts[kind] / len(f.tags)) for share, kind in said)
    )


# Prompts


@is_true("prompts", "nothing")
def _(f, **_):
    return not f.runs[0].n


@is_true("prompts", "changes")
def _(f, changes, **_):
    shown = {
        (name, side): (rates_of(f.pairs(side, other)))
        for side in ("harmless", "harmful")
        for other, name in enumerate(f.names)
        if other and f.pairs(side, other) and f.adjusted(side)[other] <= 0.05
    }
    found, quiet = {}, set()
    for part in changes.split("; "):
        part = part[:1].lower() + part[1:]  # the sentence begins with a capital
        if part.startswith("no significant change for "):
            quiet = set(part.removeprefix("no significant change for ").split(", "))
            continue
        name, _, said = part.partition(" refuses ")
        for one in said.split(" and "):
            side, how, before, after = re.fullmatch(r"(\w+) requests (less|more) often \((.+) → (.+)\)", one).groups()
            found[name, side] = how, before, after
    return (
        set(found) == set(shown)
        and quiet == set(f.names[1:]) - {name for name, _ in shown}
        and all(near(b, shown[k][0]) and near(a, shown[k][1]) for k, (_, b, a) in found.items())
        and all((how == "less") == (shown[k][1] < shown[k][0]) for k, (how, _, _) in found.items())
    )


def rates_of(pairs):
    return [100 * sum(row.refused for row in column) / len(pairs) for column in list(zip(*pairs, strict=True))[1:]]


# Stages


WAYS = ("again", "filler", "described", "meant")
HELPS = {
    "a correct description": (("again", "described"), ("filler", "described")),
    "the goal in plain words": (("again", "meant"), ("described", "meant")),
}


@dataclass(frozen=True)
class Staged:
    """Harmless requests that were refused first, and what became of them in later epochs."""

    n_first: int
    """Requests that count in the first epoch."""
    n_refused: int
    answers: dict
    """(way, request): refused in each later epoch, None where it does not count."""

    @property
    def means(self):
        """Request: way: mean over the epochs in which all four count."""
        found = {}
        for id in dict.fromkeys(id for _, id in self.answers):
            epochs = list(zip(*(self.answers.get((way, id), ()) for way in WAYS), strict=False))
            if whole := [epoch for epoch in epochs if None not in epoch]:
                found[id] = dict(zip(WAYS, (sum(x) / len(whole) for x in zip(*whole, strict=True)), strict=True))
        return found

    def share(self, way):
        return 100 * sum(one[way] for one in self.means.values()) / len(self.means)

    def gaps(self, help):
        """The two comparisons of a help: (mean in points, p by t over requests)."""
        for less, more in HELPS[help]:
            values = [one[less] - one[more] for one in self.means.values()]
            mean = sum(values) / len(values)
            alike = max(values) - min(values) < 1e-12
            p = (0.0 if mean > 0 else 1.0) if alike else ttest_1samp(values, 0, alternative="greater").pvalue
            yield 100 * mean, p


@is_true("stages", "nothing", "none")
def _(f, n=None, **_):
    return not f.n_first if n is None else f.n_first == int(n) and not f.n_refused


@is_true("stages", "cannot", "no-goals")
def _(f, n=None, **_):
    return not f.means and (n is None or int(n) == f.n_refused)


@is_true("stages", "left")
def _(f, n, again, filler, described, meant, **_):
    said = dict(zip(WAYS, (again, filler, described, meant), strict=True))
    return int(n) == len(f.means) and all(near(text, f.share(way)) for way, text in said.items())


@is_true("stages", "shown")
def _(f, help, first, second, beyond, beyond2, **_):
    (one, p), (two, q) = f.gaps(help)
    like = "filler" if "description" in help else "description"
    said = near(first, one) and near(second, two) and "asking again" in beyond and like in beyond2
    return said and p <= 0.01 and q <= 0.025


@is_true("stages", "no-help")
def _(f, **_):
    sure = [all(size >= 60 and p < 1e-6 for size, p in f.gaps(help)) for help in HELPS]
    return len(f.means) < 15 or not any(sure)


@is_true("stages", "too-many-missing", "missing-against", "inconclusive")
def _(f, text, **_):
    lost = {way: [x is None for (one, _), said in f.answers.items() if one == way for x in said] for way in WAYS}
    shares = [sum(some) / len(some) for some in lost.values() if some]
    return max(shares, default=0) > (0.05 if text.startswith("More") else 0)


@is_true("stages", "same-words")
def _(f, **_):
    return False  # all answers of these tables have the same words, and no verdict


@is_true("stages", "cannot-tell")
def _(f, help, x, w, l, n, m, **_):  # noqa: E741
    sizes = [size for size, _ in f.gaps(help)]
    return (
        (w, l, int(m)) == ("15", "5", len(f.means)) and number(n) > int(m) and number(x) >= max(15, min(sizes)) - 0.05
    )


@is_true("stages", "cannot-tell-how")
def _(f, help, x, **_):
    return number(x) >= max(15, min(size for size, _ in f.gaps(help))) - 0.05


@is_true("stages", "judge-reads")
def _(f, **_):
    return any(all(p <= 0.025 for _, p in f.gaps(help)) for help in HELPS)


@is_true("stages", "by-themselves")
def _(f, share, **_):
    again = [one["again"] for one in f.means.values()]
    if not again:  # without goals: all that was asked again
        rows = [[x for x in said if x is not None] for (way, _), said in f.answers.items() if way == "again"]
        again = [sum(some) / len(some) for some in rows if some]
    return near(share, 100 * sum(again) / len(again)) and sum(again) / len(again) < 0.5


# Agreement of people


@dataclass(frozen=True)
class Agreed:
    """Answers that people labelled: (scene, refused by each of them)."""

    answers: list

    @property
    def double(self):
        return [(scene, said) for scene, said in self.answers if len(said) > 1]

    def scenes(self, which=None):
        return {scene for scene, said in self.double if which is None or which in said}

    def alpha(self, without=None):
        """Krippendorff's, for yes and no."""
        some = [said for scene, said in self.double if scene != without]
        n = sum(map(len, some))
        yes = sum(map(sum, some))
        chance = 2 * yes * (n - yes) / (n * (n - 1)) if n else 0
        seen = sum(2 * sum(said) * (len(said) - sum(said)) / (len(said) - 1) for said in some) / n if n else 0
        return 1 - seen / chance if chance else math.nan

    def interval(self):
        """Jackknife over scenes, on Fisher's scale; where nobody disagrees, Wilson's."""
        value, c = self.alpha(), len(self.scenes())
        if value > 1 - 1e-12:
            said = [x for _, some in self.double for x in some]
            chance = 2 * sum(said) * (len(said) - sum(said)) / (len(said) * (len(said) - 1))
            return 1 - wilson(0, c)[1] / chance, 1.0
        left = [x for scene in self.scenes() if not math.isnan(x := self.alpha(scene))]
        mean = sum(left) / len(left)
        error = math.sqrt((len(left) - 1) / len(left) * sum((x - mean) ** 2 for x in left))
        half = student.ppf(0.975, c - 1) * error / (1 - value * value)
        return math.tanh(math.atanh(value) - half), math.tanh(math.atanh(value) + half)

    @property
    def enough(self):
        return len(self.scenes()) >= 20 and min(len(self.scenes(which)) for which in (True, False)) >= 5


@is_true("agreement", "no-double", "few-scenes")
def _(f, m, n="0", **_):
    return int(m) == 20 > len(f.scenes()) == int(n)


@is_true("agreement", "few-said")
def _(f, which, n, m, **_):
    said = len(f.scenes(which == "refused"))
    return len(f.scenes()) >= 20 and int(m) == 5 > said == int(n)


@is_true("agreement", "well", "fairly", "poorly", "between", "between-how")
def _(f, alpha, bottom, top, n, text, needed=None, **_):
    value, (low, high) = f.alpha(), f.interval()
    said = (
        f.enough and near(alpha, value, 2) and near(bottom, low, 2) and near(top, high, 2) and int(n) == len(f.double)
    )
    if "at least" in text or "less than" in text:
        return said and (high < 0.67 if "less than" in text else low >= (0.8 if "at least 0.80" in text else 0.67))
    if needed is None or value == 1:
        return said and low < 0.67 <= high and (needed is None) == (abs(value - 0.67) < 0.01)
    c, said = len(f.scenes()), said and re.fullmatch(r"[\d,]+", needed)
    error = (math.atanh(high) - math.atanh(low)) / 2 / student.ppf(0.975, c - 1)
    would = len(f.double) * (2.8 * error / (math.atanh(value) - math.atanh(0.67))) ** 2
    return bool(said) and low < 0.67 <= high and (near(needed, would, 0) or would < len(f.double) == number(needed) - 1)


@is_true("agreement", "head-few", "head-good", "head-fair", "head-poor", "head-open")
def _(f, text, **_):
    if not f.enough or math.isnan(f.alpha()):
        return text.startswith("Too few")
    low, high = f.interval()
    if "tentative" in text:
        return 0.67 <= low < 0.8
    if "to correct" in text:
        return low >= 0.8
    if "not good enough" in text:
        return high < 0.67
    return text.startswith("Still open") and low < 0.67 <= high


# The published figures, from the files of prints


def printed(name):
    file = PAGE.parents[1] / "src" / "mossbench" / "published" / "data" / f"{name}.csv"
    return list(csv.DictReader(file.read_text().splitlines()))


def shares(row, pattern="{}"):
    return [float(row[pattern.format(stimulus)]) for stimulus in ("er", "nh", "ci")]


def averages(judge):
    return {(row["availability"], row["model"]): sum(shares(row, judge + "_{}")) / 3 for row in printed("figure")}


def title_of(key):
    return f"{key[1]} (web)" if key[0] == "web" else key[1]


@is_true("published", "title")
def _(f, n, **_):
    return int(n) == len(printed("figure"))


@is_true("published", "ends")
def _(f, best, low, worst, high, people, **_):
    gpt, human = averages("gpt"), averages("human")
    first, last = min(gpt, key=gpt.get), max(gpt, key=gpt.get)
    same = (title_of(first), title_of(last)) == (best, worst) and max(human, key=human.get) == last
    return same and near(low, gpt[first], 0) and near(high, gpt[last], 0) and near(people, human[last], 0)


def n_apart(worst):
    rows, worth, ps = [[x / 100 for x in shares(row, "gpt_{}")] for row in printed("figure")], (100, 44, 100), []
    for one, other in permutations(rows, 2):
        if worst:
            spread = [min(a, 1 - b) + min(b, 1 - a) for a, b in zip(one, other, strict=True)]
        else:
            spread = [(a + b) * (1 - (a + b) / 2) for a, b in zip(one, other, strict=True)]
        error = math.sqrt(sum(s / n for s, n in zip(spread, worth, strict=True)))
        ps.append(norm.cdf((sum(one) - sum(other)) / error))
    return sum(p <= 0.05 for p in holm(ps))


@is_true("published", "pairs")
def _(f, n, all, worst, **_):
    m = len(printed("figure"))
    return (int(n), int(all), int(worst)) == (n_apart(False), m * (m - 1) // 2, n_apart(True))


@is_true("published", "web")
def _(f, product, a, b, d, **_):
    gpt = averages("gpt")
    api = {"GPT-4o": "GPT-4o", "Gemini Advanced": "Gemini-Pro 1.5", "Claude 3 opus": "Claude 3 opus"}
    rises = {web: gpt["web", web] - gpt["API", name] for web, name in api.items()}
    most = max(rises, key=rises.get)
    return (
        product == most
        and near(a, gpt["web", most], 0)
        and near(d, rises[most])
        and near(b, gpt["web", most] - rises[most], 0)
    )


def correlations(swapped, tabled):
    """Spearman over all together and by stimulus: (rho, Holm's p) each."""
    gpt = {(row["availability"], row["model"]): shares(row, "gpt_{}") for row in printed("figure")}
    safe = {(row["availability"], row["model"]): shares(row, "{}_safe") for row in printed("scatter")}
    drawn = {(row["availability"], row["model"]): shares(row, "{}_over") for row in printed("scatter")}
    over = gpt if tabled else drawn
    if swapped:
        one, other = safe["API", "Claude 3 sonnet"], safe["API", "Claude 3 haiku"]
        one[2], other[2] = other[2], one[2]
    columns = [([over[key][i] for key in safe], [safe[key][i] for key in safe]) for i in range(3)]
    columns.append(([sum(over[key]) for key in safe], [sum(safe[key]) for key in safe]))
    found = [spearmanr(*pair) for pair in columns]
    ps = holm([one.pvalue for one in found])  # by t, which is near enough to shuffling for 0.05
    return [(one.statistic, p) for one, p in zip(found, ps, strict=True)]


@is_true("published", "safer")
def _(f, clear, drawn, rho, **_):
    plain, fixed = correlations(False, False)[-1], correlations(True, True)[-1]
    shown = "Clear" if max(plain[1], fixed[1]) <= 0.05 else "Not clear"
    return near(drawn, plain[0], 2) and near(rho, fixed[0], 2) and clear == shown


def mcnemar(one, other, worth, worst):
    """p of a difference of shares on the same items, by the pairing that shows it least or most."""
    gap = [a - b for a, b in zip(one, other, strict=True)]
    most = [min(a, 1 - b) + min(b, 1 - a) for a, b in zip(one, other, strict=True)]
    pairs = most if worst else [abs(g) for g in gap]
    spread = [d - g * g for d, g in zip(pairs, gap, strict=True)]
    scale = sum(s / n for s, n in zip(spread, worth, strict=True)) / (sum(spread) / 100) if worst else 1
    return 2 * norm.sf(abs(100 * sum(gap)) / math.sqrt(100 * sum(pairs) * scale)) if sum(pairs) else 1.0


@is_true("published", "prompt")
def _(f, d, shown, **_):
    rows = {row["condition"]: [x / 100 for x in shares(row)] for row in printed("prompts")}
    none, worth = rows.pop("vanilla"), (100, 44, 100)
    cells = [(k, which) for k in rows for which in ((0, 1, 2), (0,), (1,), (2,))]
    worst, best = (
        holm([mcnemar([rows[k][i] for i in w], [none[i] for i in w], [worth[i] for i in w], way) for k, w in cells])
        for way in (True, False)
    )
    at = cells.index(("+safety", (0, 1, 2)))
    said = "clear" if worst[at] <= 0.05 else "not clear" if best[at] > 0.05 else "depends on the pairs"
    return near(d, 100 * (sum(rows["+safety"]) - sum(none)) / 3) and shown == said


@is_true("published", "judges")
def _(f, x, **_):
    gaps = [
        abs(a - b)
        for row in printed("figure")
        for a, b in zip(shares(row, "gpt_{}"), shares(row, "human_{}"), strict=True)
    ]
    return near(x, sum(gaps) / len(gaps))


@is_true("published", "more")
def _(f, n, **_):
    return int(n) == f


@dataclass(frozen=True)
class Replayed:
    """A published model with what was counted in its file: answers, rows without one, refused of 100."""

    availability: str
    model: str
    answered: int
    unanswered: int
    refused: tuple[int, int, int] | None
    """None: not all 300 rows count."""

    def theirs(self, judge):
        rows = {(row["availability"], row["model"]): row for row in printed("figure")}
        return [x / 100 for x in shares(rows[self.availability, self.model], judge + "_{}")]


def whole_of(f):
    return [one for one in f["models"] if one.refused]


def apart_from(f, judge):
    """Mean absolute difference of averages, and how many models differ for the worst pairing."""
    ours = [([n / 100 for n in one.refused], one.theirs(judge)) for one in whole_of(f)]
    gaps, ps = zip(*[(abs(sum(a) - sum(b)) / 3, mcnemar(a, b, (100, 44, 100), True)) for a, b in ours], strict=True)
    return 100 * sum(gaps) / len(gaps), sum(p <= 0.05 for p in holm(list(ps)))


@is_true("reproduce", "head")
def _(f, k, all, **_):
    return (int(k), int(all)) == (len(f["models"]), len(printed("figure")))


@is_true("reproduce", "read")
def _(f, judge, n, **_):
    return judge == f["judge"] and int(n.replace(",", "")) == sum(one.answered for one in f["models"])


@is_true("reproduce", "near")
def _(f, x, y, z, **_):
    between = [abs(sum(one.theirs("gpt")) - sum(one.theirs("human"))) / 3 for one in whole_of(f)]
    found = apart_from(f, "gpt")[0], apart_from(f, "human")[0], 100 * sum(between) / len(between)
    return all(near(said, value) for said, value in zip((x, y, z), found, strict=True))


@is_true("reproduce", "different")
def _(f, k, all, m, **_):
    return (int(k), int(all), int(m)) == (apart_from(f, "gpt")[1], len(whole_of(f)), apart_from(f, "human")[1])


@is_true("reproduce", "tuned")
def _(f, **_):
    return f["judge"].startswith(("reader/", "rules/", "tandem/"))


@is_true("reproduce", "no-answer")
def _(f, n, **_):
    return int(n.replace(",", "")) == sum(one.unanswered for one in f["models"])
