"""How far annotators agree with one another, and the judge with them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from mossbench.annotation.answers import by_item, settle
from mossbench.annotation.store import Item, Label
from mossbench.outcomes import REFUSED_KINDS, Kind
from mossbench.statistics import Estimate, cohen_kappa, fleiss, gwet_ac1, krippendorff_alpha


@dataclass(frozen=True)
class Measures:
    """One question, asked of several people (or of the judge and people)."""

    name: str
    kappa_by: Literal["Cohen", "Fleiss"]
    """Whose kappa it is: Cohen's for two, Fleiss' for more."""
    kappa: Estimate
    alpha: Estimate
    ac1: Estimate
    same: int
    """Rows on which everybody said the same."""
    n: int


@dataclass(frozen=True)
class Pair:
    first: str
    second: str
    kappa: Estimate
    same: int
    n: int


@dataclass(frozen=True)
class Agreement:
    """All that is known about who agrees with whom. NaN with n = 0 where nothing was labelled twice."""

    n_items: int
    n_labelled: int
    n_double: int
    n_scenes: int
    """Scenes with an answer that two people or more labelled."""
    rarer: tuple[bool, int]
    """Which of refused (True) and not was said in fewer of those scenes, and in how many."""
    people: tuple[Measures, ...]
    pairs: tuple[Pair, ...]
    confusion: dict[tuple[Kind, Kind], int]
    """Pairs of labels on one item, in the order of kinds; the diagonal is where they are the same."""
    judge: str
    with_judge: tuple[Measures, ...]
    judge_confusion: dict[tuple[Kind, Kind], int]
    """What people settled on, and what the judge said."""


def agreement_of(items: Mapping[str, Item], labels: Iterable[Label], decisions: Mapping[str, Label]) -> Agreement:
    """Agreement on kinds and on refused or not, over items with two labels or more; scenes are never independent."""
    found = by_item(labels)
    names = list(dict.fromkeys(label.annotator for one in found.values() for label in one))
    double = {
        ref: {one.annotator: Kind(one.value["kind"]) for one in some} for ref, some in found.items() if len(some) > 1
    }
    scenes = {ref: str(item.body["scene"]) for ref, item in items.items()}
    said = {(kind in REFUSED_KINDS, scenes[ref]) for ref, one in double.items() for kind in one.values()}
    ratings = {ref: [said.get(name) for name in names] for ref, said in double.items()}
    turned = {ref: [kind and kind in REFUSED_KINDS for kind in row] for ref, row in ratings.items()}
    settled = {ref: settle(some, decisions.get(ref)) for ref, some in found.items()}
    judged = {ref: Kind(items[ref].body["judged"]) for ref in settled if items[ref].body["judged"]}
    pairs = {ref: (settled[ref].refused, kind in REFUSED_KINDS) for ref, kind in judged.items()}
    both = {ref: pair for ref, pair in pairs.items() if pair[0] is not None}
    kinds = {ref: (of_people, kind) for ref, kind in judged.items() if (of_people := settled[ref].kind)}
    return Agreement(
        n_items=len(items),
        n_labelled=len(found),
        n_double=len(double),
        n_scenes=len({scenes[ref] for ref in double}),
        rarer=min(((which, sum(one is which for one, _ in said)) for which in (True, False)), key=lambda one: one[1]),
        people=(
            _measure("refused or not", turned, scenes, (False, True)),
            _measure("kind of answer", ratings, scenes, tuple(Kind)),
        ),
        pairs=tuple(_pair(a, b, double) for a, b in combinations(names, 2)),
        confusion=Counter(
            pair for said in double.values() for pair in combinations(sorted(said.values(), key=list(Kind).index), 2)
        ),
        judge=", ".join(sorted({str(items[ref].body["judge"]) for ref in judged})),
        with_judge=(
            _measure("refused or not", both, scenes, (False, True)),
            _measure("kind of answer", kinds, scenes, tuple(Kind)),
        ),
        judge_confusion=Counter(kinds.values()),
    )


def _measure(
    name: str, said: Mapping[str, Sequence[Any]], scene_of: Mapping[str, str], categories: Sequence[Kind | bool]
) -> Measures:
    """Of what everybody said of each item, None where somebody said nothing."""
    ratings, scenes = list(said.values()), [scene_of[ref] for ref in said]
    two = all(len(row) == 2 for row in ratings) and bool(ratings)
    kappa = cohen_kappa([r[0] for r in ratings], [r[1] for r in ratings], scenes) if two else fleiss(ratings, scenes)
    return Measures(
        name,
        "Cohen" if two else "Fleiss",
        kappa,
        krippendorff_alpha(ratings, scenes, categories=categories),
        gwet_ac1(ratings, scenes, categories=categories),
        sum(len({one for one in row if one is not None}) == 1 for row in ratings),
        len(ratings),
    )


def _pair(first: str, second: str, double: Mapping[str, Mapping[str, Kind]]) -> Pair:
    both = [(said[first], said[second]) for said in double.values() if first in said and second in said]
    kappa = cohen_kappa([a in REFUSED_KINDS for a, _ in both], [b in REFUSED_KINDS for _, b in both])
    return Pair(first, second, kappa, sum(a == b for a, b in both), len(both))
