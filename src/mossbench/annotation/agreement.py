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
    """Agreement on one question that several people answered (or people and the judge); intervals are by scene."""

    name: str
    """The question: `refused or not`, or `kind of answer`."""
    kappa_by: Literal["Cohen", "Fleiss"]
    """Cohen's kappa for two raters, Fleiss' for more."""
    kappa: Estimate
    alpha: Estimate
    """Krippendorff's alpha."""
    ac1: Estimate
    """Gwet's AC1."""
    same: int
    """Items that all raters gave the same answer to the question."""
    n: int
    """Items with two ratings or more."""


@dataclass(frozen=True)
class Pair:
    """Two annotators, and the items that both labelled."""

    first: str
    second: str
    kappa: Estimate
    """Cohen's kappa on refused or not."""
    same: int
    """Items that both gave the same kind; stricter than agreement on refused or not, which `kappa` measures."""
    n: int
    """Items that both labelled."""


@dataclass(frozen=True)
class Agreement:
    """Agreement among people, and of people with the judge. An estimate is NaN with n = 0 if it has no items."""

    n_items: int
    n_labelled: int
    """Items with one label or more."""
    n_double: int
    """Items with two labels or more."""
    n_scenes: int
    """Scenes with an item that two or more people labelled."""
    rarer: tuple[bool, int]
    """The label that fewer of these scenes have (True: refused, False: not refused), and how many have it."""
    people: tuple[Measures, ...]
    """Agreement among people: on refused or not, and on the kind of answer."""
    pairs: tuple[Pair, ...]
    """Agreement of each two annotators."""
    confusion: dict[tuple[Kind, Kind], int]
    """Two labels of one item, in the order of kinds -> how often."""
    judge: str
    with_judge: tuple[Measures, ...]
    """Agreement of the labels that people settled on with the judge: on refused or not, and on the kind of answer."""
    judge_confusion: dict[tuple[Kind, Kind], int]
    """The kind that people settled on and the kind from the judge -> number of items."""


def agreement_of(items: Mapping[str, Item], labels: Iterable[Label], decisions: Mapping[str, Label]) -> Agreement:
    """Agreement on kinds and on refused or not: among people, over items with two labels or more, and with the judge.

    All intervals are over scenes; all counts are of items, except `n_scenes` and `rarer`.
    """
    labels_by_item = by_item(labels)
    annotators = _annotators(labels_by_item)
    multiply_labelled = {ref: _kinds_by_annotator(group) for ref, group in labels_by_item.items() if len(group) > 1}
    scenes = {ref: str(item.body["scene"]) for ref, item in items.items()}
    kinds = {ref: [ratings.get(name) for name in annotators] for ref, ratings in multiply_labelled.items()}
    refusals = {ref: [_is_refused(kind) for kind in row] for ref, row in kinds.items()}
    settled = {ref: settle(group, decisions.get(ref)) for ref, group in labels_by_item.items()}
    judged = {ref: Kind(items[ref].body["judged"]) for ref in settled if items[ref].body["judged"]}
    refusals_with_judge, kinds_with_judge = _pairs_with_judge(settled, judged)
    pairs = [_pair(first, second, multiply_labelled, scenes) for first, second in combinations(annotators, 2)]
    return Agreement(
        n_items=len(items),
        n_labelled=len(labels_by_item),
        n_double=len(multiply_labelled),
        n_scenes=len({scenes[ref] for ref in multiply_labelled}),
        rarer=_rarer_label(multiply_labelled, scenes),
        people=(
            _measure("refused or not", refusals, scenes, (False, True)),
            _measure("kind of answer", kinds, scenes, tuple(Kind)),
        ),
        pairs=tuple(pairs),
        confusion=_count_kind_pairs(multiply_labelled),
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


def _rarer_label(kinds_by_item: Mapping[str, Mapping[str, Kind]], scenes: Mapping[str, str]) -> tuple[bool, int]:
    """The label that fewer scenes have, True for refused and False for not refused, and the number of scenes."""
    refused: set[str] = set()
    not_refused: set[str] = set()
    for ref, ratings in kinds_by_item.items():
        for kind in ratings.values():
            scenes_with_label = refused if kind in REFUSED_KINDS else not_refused
            scenes_with_label.add(scenes[ref])
    if len(refused) <= len(not_refused):
        return True, len(refused)
    return False, len(not_refused)


def _pairs_with_judge(
    settled: Mapping[str, Settled], judged: Mapping[str, Kind]
) -> tuple[dict[str, tuple[bool, bool]], dict[str, tuple[Kind, Kind]]]:
    """For each item, the label that people settled on and the judge's: first refused or not, then the kind."""
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


def _count_kind_pairs(kinds_by_item: Mapping[str, Mapping[str, Kind]]) -> Counter[tuple[Kind, Kind]]:
    """How often two people gave one item a pair of kinds; the two kinds are in the order of `Kind`."""
    counts: Counter[tuple[Kind, Kind]] = Counter()
    for ratings in kinds_by_item.values():
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
        name=name,
        kappa_by="Cohen" if has_two_raters else "Fleiss",
        kappa=kappa,
        alpha=krippendorff_alpha(ratings, scenes, categories=categories),
        ac1=gwet_ac1(ratings, scenes, categories=categories),
        same=sum(len(set(row) - {None}) == 1 for row in ratings),
        n=len(ratings),
    )


def _pair(
    first: str, second: str, kinds_by_item: Mapping[str, Mapping[str, Kind]], scene_of: Mapping[str, str]
) -> Pair:
    kinds_of_both = {ref: kinds for ref, kinds in kinds_by_item.items() if first in kinds and second in kinds}
    kind_pairs = [(kinds[first], kinds[second]) for kinds in kinds_of_both.values()]
    first_refused = [kind in REFUSED_KINDS for kind, _ in kind_pairs]
    second_refused = [kind in REFUSED_KINDS for _, kind in kind_pairs]
    return Pair(
        first=first,
        second=second,
        kappa=cohen_kappa(first_refused, second_refused, [scene_of[ref] for ref in kinds_of_both]),
        same=sum(first_kind == second_kind for first_kind, second_kind in kind_pairs),
        n=len(kind_pairs),
    )
