"""Hands out the answers that the label plan of a run has drawn, and keeps the plan in step with the labels.

The store has the labels; the plan, a file in the run's folder, has what was drawn and a copy of the results. A label is
on disk before the plan is written, and the plan is made from the store each time: a process that is killed loses
nothing, and several may label one run. How an answer was drawn (`BY_PLAN`) is on record with it, so that its label is
never taken for one of a simple random choice.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain

from mossbench.annotation.answers import answer_item, settle
from mossbench.annotation.people import Annotator
from mossbench.annotation.store import SECOND_LOOK, TIME_TO_LABEL, Act, Item, Label, Store
from mossbench.errors import DataError
from mossbench.outcomes import Key, Rule
from mossbench.plumbing.locks import locked
from mossbench.results.label_plans import (
    OrderedStratum,
    n_labels_left,
    new_plan,
    strata_of_results,
    with_next_block,
)
from mossbench.results.labelled_rates import LabelledRate, rate_of_plan
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results, load_results
from mossbench.samples import Side
from mossbench.store.label_plan import DrawnAnswer, LabelPlan, Showing, read_plan, write_plan

BY_PLAN = "stratified"
"""How an answer was chosen that a plan has drawn; such labels correct a rate only together with their plan."""
_LOCK = ".label-plan.lock"
_PATIENCE = 10.0
"""Seconds that a process waits for another one that writes the plan."""


_ShownAnswer = tuple[DrawnAnswer, int]
"""An answer, and for which time it is shown."""


@dataclass(frozen=True)
class Standing:
    """How far the labelling of a run is."""

    side: Side
    within: float
    n_answers: int
    """Answers with a text on this side."""
    rate: LabelledRate | None
    """What the complete blocks tell; None before the first."""
    n_given: int
    """Labels and skips given, in all blocks."""
    n_left_in_block: int
    """Labels to give until the next figures."""
    n_left: int | None
    """About how many labels are left until the interval is narrow enough; None before the first figures."""
    is_done: bool
    """Whether the interval is narrow enough, or every answer is labelled."""


class LabelQueue:
    """The plan of one side of a run, with the store in which its labels are."""

    def __init__(self, results: Results, store: Store, *, side: Side, seed: int, within: float) -> None:
        """Makes the plan if the run has none; `seed` is for a new plan, an existing one has its own.

        Raises:
            UsageError: People's labels cannot tell the rate of this run.
            DataError: The answers or verdicts have changed since the plan was made.
        """
        self.folder = results.folder
        self.store = store
        self.side = side
        self.within = within
        plan = read_plan(self.folder, side)
        if plan is None:
            plan = new_plan(results, side, seed)
        elif plan.judge != results.judge:
            results = load_results(self.folder, judge=plan.judge)
        self._results = results
        self._strata: Sequence[OrderedStratum] = strata_of_results(results, plan)
        self._rows = tuple(row for row in results.rows if row.key.side is side)
        self._known_refs: dict[_ShownAnswer, str] = {}
        self._empty_plan = plan.model_copy(update={"drawn": (), "blocks": (), "n_complete": 0})

    @cached_property
    def _row_by_key(self) -> Mapping[Key, ResultRow]:
        return {row.key: row for row in self._rows}

    def next_item(self, who: Annotator, ahead: Sequence[str] = ()) -> Item | None:
        """What they took back last, else what they were shown and left open, else the next of the block.

        `ahead` are answers whose labels are not saved yet: the result is the one that follows them in the block. None
        where labelling is done, or others have the rest of the block before them. What somebody left open for longer
        than `TIME_TO_LABEL` may have been given to others, and is shown to them again only if it was not.
        """
        plan = self.synced_plan()
        refs = self._refs(plan)
        acts = _acts_by_item(self.store.acts(refs.values()))
        open_refs = []
        for showing in _showings(plan):
            ref = refs[_place(showing)]
            if ref not in ahead and not _is_answered(showing, acts.get(ref, ())):
                open_refs.append(ref)
        own = []
        for ref in open_refs:
            own += [act for act in acts.get(ref, ()) if act.annotator == who.id]
        taken_back = [act for act in own if act.action == "undo"]
        if taken_back:
            return self.store.item(max(taken_back, key=lambda act: act.at).item)
        claimed_since = (datetime.now(UTC) - TIME_TO_LABEL).isoformat()
        for act in own:
            if act.at > claimed_since:
                return self.store.item(act.item)
        for ref in [*(act.item for act in own), *open_refs]:
            is_claimed = any(act.action in ("shown", "undo") and act.at > claimed_since for act in acts.get(ref, ()))
            if not is_claimed:
                return self.store.show(who, ref)
        return None

    def standing(self) -> Standing:
        plan = self.synced_plan()
        refs = self._refs(plan)
        acts = _acts_by_item(self.store.acts(refs.values()))
        showings = _showings(plan)
        n_given = sum(_is_answered(showing, acts.get(refs[_place(showing)], ())) for showing in showings)
        n_shown = len(showings)
        rate = self.rate_of(plan)
        is_done = plan.n_complete == len(plan.blocks)
        n_left = None
        if is_done:
            n_left = 0
        elif rate is not None:
            n_left = max(n_shown - n_given, n_labels_left(plan, rate, self.within))
        return Standing(
            side=self.side,
            within=self.within,
            n_answers=plan.n_rows,
            rate=rate,
            n_given=n_given,
            n_left_in_block=n_shown - n_given,
            n_left=n_left,
            is_done=is_done,
        )

    def rate_of(self, plan: LabelPlan) -> LabelledRate | None:
        """What the complete blocks tell, under rule system; None before the first."""
        return rate_of_plan(plan, self._rows, Rule.SYSTEM) if plan.n_complete else None

    def synced_plan(self) -> LabelPlan:
        """The plan with the labels that are in the store now, and with a further block where the last is complete."""
        saved = read_plan(self.folder, self.side)
        plan = self._brought_up_to_date(saved or self._empty_plan)
        if plan == saved:
            return plan
        busy = f"another process writes the label plan of {str(self.folder)!r}; wait for it or stop it first"
        with locked(self.folder / _LOCK, busy, _PATIENCE):
            plan = self._brought_up_to_date(read_plan(self.folder, self.side) or self._empty_plan)
            write_plan(self.folder, plan)
        return plan

    def _brought_up_to_date(self, plan: LabelPlan) -> LabelPlan:
        if plan.population != self._empty_plan.population:
            raise DataError(f"the label plan in {self.folder} was replaced meanwhile; start mossbench label again")
        while True:  # answers of a new block may have labels already
            plan = self._with_labels(plan)
            if plan.n_complete < len(plan.blocks):
                return plan
            longer_plan = with_next_block(plan, self._strata, self.rate_of(plan), self.within)
            if longer_plan is plan:
                return plan
            plan = longer_plan

    def _with_labels(self, plan: LabelPlan) -> LabelPlan:
        """The plan with what people say of each answer that it shows; blocks count from the first to the first open."""
        if not plan.blocks:
            return plan
        refs = self._refs(plan)
        acts = _acts_by_item(self.store.acts(refs.values()))
        decisions = self.store.decisions()
        blocks = []
        n_complete = 0
        for i, block in enumerate(plan.blocks):
            updated_block = []
            is_complete = True
            for showing in block:
                ref = refs[_place(showing)]
                acts_on_item = acts.get(ref, ())
                is_complete = is_complete and _is_answered(showing, acts_on_item)
                updated_block.append(_with_result(showing, acts_on_item, decisions.get(ref)))
            blocks.append(tuple(updated_block))
            if n_complete == i and is_complete:
                n_complete += 1
        return plan.model_copy(update={"blocks": tuple(blocks), "n_complete": n_complete})

    def _refs(self, plan: LabelPlan) -> dict[tuple[int, int], str]:
        """The item in the store for each answer that the plan shows, by answer and number, in the plan's order."""
        names: dict[tuple[int, int], _ShownAnswer] = {}
        missing: dict[_ShownAnswer, tuple[str, dict[str, object]]] = {}
        for block in plan.blocks:
            for showing in block:
                name = (plan.drawn[showing.answer], showing.number)
                names[_place(showing)] = name
                if name not in self._known_refs:
                    missing[name] = self._item_of(plan, showing)
        if missing:
            refs = self.store.add_planned(dict(missing.values()))
            self._known_refs.update((name, refs[source]) for name, (source, _) in missing.items())
        return {place: self._known_refs[name] for place, name in names.items()}

    def _item_of(self, plan: LabelPlan, showing: Showing) -> tuple[str, dict[str, object]]:
        """The key and the body of the item that shows an answer; a second or third look has an item of its own."""
        drawn = plan.drawn[showing.answer]
        row = self._row_by_key[Key(plan.side, drawn.sample, drawn.arm, drawn.epoch)]
        source, body = answer_item(self._results, row, draw=BY_PLAN)
        if showing.number > 1:
            source = f"{SECOND_LOOK}{showing.number} {source}"
        return source, body


def _place(showing: Showing) -> tuple[int, int]:
    return showing.answer, showing.number


def _acts_by_item(acts: Collection[Act]) -> dict[str, list[Act]]:
    acts_by_item: dict[str, list[Act]] = defaultdict(list)
    for act in acts:
        acts_by_item[act.item].append(act)
    return dict(acts_by_item)


def _showings(plan: LabelPlan) -> list[Showing]:
    return list(chain.from_iterable(plan.blocks))


def _has_only_the_plan_a_result(showing: Showing, acts: Collection[Act]) -> bool:
    """Whether people labelled the answer in another database, or before the run was renamed, and never in this one.

    Here somebody may have looked at it, or skipped it: that takes no label back.
    """
    return showing.has_result and not any(act.was_labelled for act in acts)


def _is_answered(showing: Showing, acts: Collection[Act]) -> bool:
    """Whether somebody labelled or skipped the answer; the plan says it where the store has no label of it."""
    if _has_only_the_plan_a_result(showing, acts):
        return True
    return any(act.action in ("label", "skip") for act in acts)


def _with_result(showing: Showing, acts: Collection[Act], decision: Label | None) -> Showing:
    """The showing with what people say: the decision, or what most of them said."""
    if not acts or _has_only_the_plan_a_result(showing, acts):
        return showing
    labels = [Label(act.item, str(act.annotator), act.value, "", act.at) for act in acts if act.action == "label"]
    settled = settle(labels, decision)
    refused = settled.refused if settled.kind is None else None
    return Showing(answer=showing.answer, number=showing.number, kind=settled.kind, refused=refused)
