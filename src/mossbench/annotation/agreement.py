"""How far annotators agree with each other, and the judge with them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from mossbench.annotation.answers import Settled, by_item, settle
from mossbench.annotation.store import Item, Label
from mossbench.outcomes import REFUSED_KINDS, Kind
from mossbench.statistics import Estimate, cohen_kappa, fleiss, gwet_ac1, krippendorff_alpha


@dataclass(frozen=True)
class Measures:
    """Agreement on one question that several people answered (or people and the judge)."""

    name: str
    kappa_by: Literal["Cohen", "Fleiss"]
    """Cohen's kappa for two raters, Fleiss' for more."""
    kappa: Estimate
    alpha: Estimate
    ac1: Estimate
    same: int
    """Items with the same rating by everybody."""
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
    """Who agrees with whom. Estimates are NaN with n = 0 if nothing was labelled twice."""

    n_items: int
    n_labelled: int
    n_double: int
    n_scenes: int
    """Scenes with an answer that two or more people labelled."""
    rarer: tuple[bool, int]
    """Which of refused (True) and not was said in fewer of these scenes, and in how many."""
    people: tuple[Measures, ...]
    pairs: tuple[Pair, ...]
    confusion: dict[tuple[Kind, Kind], int]
    """Pairs of labels on one item, in the order of kinds; on the diagonal both are the same."""
    judge: str
    with_judge: tuple[Measures, ...]
    judge_confusion: dict[tuple[Kind, Kind], int]
    """What people settled on, and what the judge said."""


def agreement_of(items: Mapping[str, Item], labels: Iterable[Label], decisions: Mapping[str, Label]) -> Agreement:
    """Agreement on kinds and on refused or not, over items with two labels or more; counted by scene."""
    labels_by_item = by_item(labels)
    annotators = _annotators(labels_by_item)
    double = {ref: _kinds_by_annotator(group) for ref, group in labels_by_item.items() if len(group) > 1}
    scenes = {ref: str(item.body["scene"]) for ref, item in items.items()}
    kinds = {ref: [ratings.get(name) for name in annotators] for ref, ratings in double.items()}
    refusals = {ref: [_is_refused(kind) for kind in row] for ref, row in kinds.items()}
    settled = {ref: settle(group, decisions.get(ref)) for ref, group in labels_by_item.items()}
    judged = {ref: Kind(items[ref].body["judged"]) for ref in settled if items[ref].body["judged"]}
    refusals_with_judge, kinds_with_judge = _pairs_with_judge(settled, judged)
    return Agreement(
        n_items=len(items),
        n_labelled=len(labels_by_item),
        n_double=len(double),
        n_scenes=len({scenes[ref] for ref in double}),
        rarer=_rarer_in_scenes(double, scenes),
        people=(
            _measure("refused or not", refusals, scenes, (False, True)),
            _measure("kind of answer", kinds, scenes, tuple(Kind)),
        ),
        pairs=tuple(_pair(first, second, double) for first, second in combinations(annotators, 2)),
        confusion=_count_kind_pairs(double),
        judge=", ".join(sorted({str(items[ref].body["judge"]) for ref in judged})),
        with_judge=(
            _measure("refused or not", refusals_with_judge, scenes, (False, True)),
            _measure("kind of answer", kinds_with_judge, scenes, tuple(Kind)),
        ),
        judge_confusion=Counter(kinds_with_judge.values()),
    )


def _annotators(labels_by_item: Mapping[str, Sequence[Label]]) -> list[str]:
    """Everybody who labelled something, in the order of the items."""
    names: dict[str, None] = {}  # a set in order
    for group in labels_by_item.values():
        names |= dict.fromkeys(label.annotator for label in group)
    return list(names)


def _kinds_by_annotator(labels: Iterable[Label]) -> dict[str, Kind]:
    return {label.annotator: Kind(label.value["kind"]) for label in labels}


def _is_refused(kind: Kind | None) -> bool | None:
    return None if kind is None else kind in REFUSED_KINDS


def _rarer_in_scenes(double: Mapping[str, Mapping[str, Kind]], scenes: Mapping[str, str]) -> tuple[bool, int]:
    """Which of refused (True) and not was said in fewer scenes, and in how many."""
    refused: set[str] = set()
    not_refused: set[str] = set()
    for ref, ratings in double.items():
        for kind in ratings.values():
            (refused if kind in REFUSED_KINDS else not_refused).add(scenes[ref])
    if len(refused) <= len(not_refused):
        return True, len(refused)
    return False, len(not_refused)


def _pairs_with_judge(
    settled: Mapping[str, Settled], judged: Mapping[str, Kind]
) -> tuple[dict[str, tuple[bool, bool]], dict[str, tuple[Kind, Kind]]]:
    """By item, what people settled on and what the judge said: refused or not, and the kind."""
    refusals: dict[str, tuple[bool, bool]] = {}
    kinds: dict[str, tuple[Kind, Kind]] = {}
    for ref, judged_kind in judged.items():
        is_refused = settled[ref].refused
        kind = settled[ref].kind
        if is_refused is not None:
            refusals[ref] = (is_refused, judged_kind in REFUSED_KINDS)
        if kind is not None:
            kinds[ref] = (kind, judged_kind)
    return refusals, kinds


def _count_kind_pairs(double: Mapping[str, Mapping[str, Kind]]) -> Counter[tuple[Kind, Kind]]:
    """How often two people said which kinds of one item; the two kinds are in the order of `Kind`."""
    counts: Counter[tuple[Kind, Kind]] = Counter()
    for ratings in double.values():
        counts.update(combinations(sorted(ratings.values(), key=list(Kind).index), 2))
    return counts


def _measure(
    name: str,
    ratings_by_item: Mapping[str, Sequence[Kind | bool | None]],
    scene_of: Mapping[str, str],
    categories: Sequence[Kind | bool],
) -> Measures:
    """Agreement of the ratings of each item; a rating is None if somebody did not rate the item."""
    ratings = list(ratings_by_item.values())
    scenes = [scene_of[ref] for ref in ratings_by_item]
    has_two_raters = bool(ratings) and all(len(row) == 2 for row in ratings)
    if has_two_raters:
        kappa = cohen_kappa([row[0] for row in ratings], [row[1] for row in ratings], scenes)
    else:
        kappa = fleiss(ratings, scenes)
    return Measures(
        name,
        "Cohen" if has_two_raters else "Fleiss",
        kappa,
        krippendorff_alpha(ratings, scenes, categories=categories),
        gwet_ac1(ratings, scenes, categories=categories),
        sum(len(set(row) - {None}) == 1 for row in ratings),
        len(ratings),
    )


def _pair(first: str, second: str, double: Mapping[str, Mapping[str, Kind]]) -> Pair:
    rows = [(row[first], row[second]) for row in double.values() if first in row and second in row]
    first_refused = [kind in REFUSED_KINDS for kind, _ in rows]
    second_refused = [kind in REFUSED_KINDS for _, kind in rows]
    n_same = sum(first_kind == second_kind for first_kind, second_kind in rows)
    return Pair(first, second, cohen_kappa(first_refused, second_refused), n_same, len(rows))
