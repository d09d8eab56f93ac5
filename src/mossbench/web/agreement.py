"""Agreement of annotators, and the conflicts that somebody has to resolve."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from fastapi import APIRouter, Request
from fastapi import Query as QueryParameter
from starlette.datastructures import FormData
from starlette.responses import Response

from mossbench.annotation.agreement import Agreement, Measures, agreement_of
from mossbench.annotation.answers import Settled, by_item, check_decision, conflicts, read_kind, settle
from mossbench.annotation.store import Item, Label
from mossbench.outcomes import Kind
from mossbench.reports.words.agreement import agreement_decision, agreement_verdict, measures_line
from mossbench.web.annotate import desk_of, pictures_of
from mossbench.web.desk_pages import author, blind, desk_page, takes_forms
from mossbench.web.desk_words import (
    agreement_heading,
    conflicts_open,
    judge_agreement,
    label_all,
    label_the_rest,
    labels_heading,
    labels_so_far,
    labels_text,
    no_labels_fit,
    resolve_conflicts,
    same_on,
    scale_note,
    settled_by_decisions,
)
from mossbench.web.desks import Desk
from mossbench.web.pages import ChosenText, Query, address, shelf_of
from mossbench.web.security import redirect
from mossbench.web.shelf import Shelf

router = APIRouter(prefix="/annotate")
ANSWERS_PER_PAGE = 50
CONFLICTS_SHOWN = 5
"""Open conflicts that the page of agreement lists; the others are a link away."""
ConfusionRow = tuple[str, list[int]]
"""A kind, and how often it met each kind."""
Show = Literal["open", "differ", "decided", "all"]
"""Which labelled answers are listed."""


@dataclass(frozen=True)
class OpenConflict:
    """An answer that people labelled differently and nobody has decided."""

    ref: str
    sample: str
    model: str
    labels: str
    """Who said what."""


@dataclass(frozen=True)
class AgreementPage:
    """What agreement.html shows."""

    agreement: Agreement
    heading: str
    verdict: str
    judge_verdict: str
    """How far the judge agrees with people."""
    labels_so_far: str
    label_all: str
    label_the_rest: str
    n_left: int
    """Answers that nobody has labelled."""
    scale_note: str
    settled: str
    """How many answers of the files are settled by a decision."""
    same_on: Callable[[Measures], str]
    people_table: Sequence[ConfusionRow]
    judge_table: Sequence[ConfusionRow]
    runs: Sequence[tuple[str, str, int]]
    """Runs, their models, and how many of their answers are labelled."""
    n_conflicts: int
    """Conflicts that nobody has decided."""
    decision: str
    """Whether the labels are good enough; empty until an answer has two labels."""
    people_line: str
    judge_line: str
    open_conflicts: Sequence[OpenConflict]
    """The first of them."""
    conflicts_open: str
    resolve_conflicts: str


@dataclass(frozen=True)
class LabelledAnswer:
    """An answer with the labels that people gave it."""

    item: Item
    has_picture: bool
    """Whether its image can be shown."""
    labels: Sequence[Label]
    settled: Settled
    decision: Label | None


@dataclass(frozen=True)
class LabelCounts:
    """How many labelled answers there are of each sort."""

    open: int
    """People differ, and nobody has decided."""
    differ: int
    decided: int
    all: int
    double: int
    """Labelled by two people or more."""
    listed: int
    """On all pages of this list."""
    start: int
    """Index of the first answer on this page."""


@dataclass(frozen=True)
class Labelled:
    """Everything that is labelled, by the references of the items."""

    items: Mapping[str, Item]
    labels: Mapping[str, Sequence[Label]]
    decisions: Mapping[str, Label]
    differ: Set[str]
    """Items on which people differ."""
    open: Set[str]
    """Those that nobody has decided."""

    def refs(self, show: Show) -> Set[str]:
        """The labelled items of this sort."""
        refs_of_sort: dict[Show, Set[str]] = {
            "open": self.open,
            "differ": self.differ,
            "decided": self.decisions.keys(),
            "all": self.labels.keys(),
        }
        return refs_of_sort[show] & self.labels.keys()


@dataclass(frozen=True)
class LabelFilter:
    """What the address asks for; None: anybody, any label."""

    person: str | None
    kind: str | None
    words: tuple[str, ...]


@dataclass(frozen=True)
class LabelsPage:
    """What labels.html shows."""

    heading: str
    text: str
    none_fit: str
    """Shown where no row is listed."""
    rows: Sequence[LabelledAnswer]
    query: Query
    n: LabelCounts
    n_fit: Mapping[str, int]
    """How many of each choice of `show` fit the filters."""
    step: int
    show: str
    people: Collection[str]
    kinds: Sequence[Kind]
    address: Callable[..., str]


@dataclass(frozen=True)
class Conflicts:
    """What conflict.html and conflicts_done.html show of all conflicts; `n` is 0 where an answer was opened alone."""

    n: int = 0
    n_done: int = 0
    last_decision: Label | None = None
    """The last one by the reader of the page."""
    replaced_decisions: Sequence[Label] = ()
    """The decision that it replaced, if there was one."""
    query: str = ""
    """The query of the list from which the answer was opened."""


@dataclass(frozen=True)
class ConflictPage:
    """What conflict.html shows of one answer."""

    item: Item
    labels: Sequence[Label]
    differ: bool
    decisions: Sequence[Label]
    """The oldest first; one without a value took the decision before it back."""
    note: str
    """The reason of the last decision that has a value."""


@router.get("/agreement")
def agreement_page(request: Request) -> Response:
    desk = desk_of(request)
    items = desk.store.items()
    labels = desk.store.labels()
    decisions = desk.store.decisions()
    undecided = Counter[str]()
    open_conflicts = []
    for ref, labels_of_item in conflicts(labels).items():
        if ref not in decisions:
            undecided[settle(labels_of_item).by] += 1
            open_conflicts.append(_open_conflict(items[ref], labels_of_item))
    runs = Counter((items[ref].body["run"], items[ref].body["model"]) for ref in by_item(labels))
    agreement = agreement_of(items, labels, decisions)
    n_left = agreement.n_items - agreement.n_labelled
    n_conflicts = undecided.total()
    content = AgreementPage(
        agreement=agreement,
        heading=agreement_heading(agreement),
        verdict=agreement_verdict(agreement),
        judge_verdict=judge_agreement(agreement),
        labels_so_far=labels_so_far(agreement),
        label_all=label_all(agreement.n_items),
        label_the_rest=label_the_rest(n_left),
        n_left=n_left,
        scale_note=scale_note(agreement),
        settled=settled_by_decisions(len(decisions), undecided),
        same_on=same_on,
        people_table=_confusion_table(agreement.confusion),
        judge_table=_confusion_table(agreement.judge_confusion),
        runs=[(run, model, n) for (run, model), n in sorted(runs.items())],
        n_conflicts=n_conflicts,
        decision=agreement_decision(agreement) if agreement.n_double else "",
        people_line=measures_line(agreement.people[0].alpha, agreement.n_double),
        judge_line=measures_line(agreement.with_judge[0].alpha, agreement.with_judge[0].n),
        open_conflicts=open_conflicts[:CONFLICTS_SHOWN],
        conflicts_open=conflicts_open(n_conflicts),
        resolve_conflicts=resolve_conflicts(n_conflicts),
    )
    return desk_page(request, desk, "agreement.html", content)


def _open_conflict(item: Item, labels: Sequence[Label]) -> OpenConflict:
    labels_by_person = [f"{label.annotator}: {label.value.get('kind', 'skipped')}" for label in labels]
    body = item.body
    return OpenConflict(item.ref, str(body.get("sample", "")), str(body.get("model", "")), ", ".join(labels_by_person))


@router.get("/labels")
def labels_page(
    request: Request,
    show: Show = "differ",
    person: ChosenText = None,
    kind: ChosenText = None,
    text: Annotated[str, QueryParameter(max_length=200)] = "",
    start: Annotated[int, QueryParameter(ge=0)] = 0,
) -> Response:
    """Labelled answers with the labels of everybody: by default where people differ, those that are open first."""
    desk = desk_of(request)
    shelf = shelf_of(request)
    labelled = _labelled(desk)
    chosen = LabelFilter(person, kind, tuple(text.lower().split()))
    fitting = [ref for ref in labelled.labels if _matches(labelled.items[ref], labelled.labels[ref], chosen)]
    fitting.sort(key=lambda ref: (ref not in labelled.open, ref not in labelled.differ))
    listed = [ref for ref in fitting if ref in labelled.refs(show)]
    start = min(start, max(len(listed) - 1, 0) // ANSWERS_PER_PAGE * ANSWERS_PER_PAGE)  # at most the last page
    n = LabelCounts(
        open=len(labelled.refs("open")),
        differ=len(labelled.refs("differ")),
        decided=len(labelled.refs("decided")),
        all=len(labelled.labels),
        double=sum(len(labels) > 1 for labels in labelled.labels.values()),
        listed=len(listed),
        start=start,
    )
    content = LabelsPage(
        heading=labels_heading(n_labelled=n.all, n_double=n.double, n_differ=n.differ),
        text=labels_text(n_labelled=n.all, n_double=n.double, n_differ=n.differ, n_open=n.open),
        none_fit=no_labels_fit(show, is_filtered=bool(person or kind or text)),
        rows=_rows(labelled, listed[start : start + ANSWERS_PER_PAGE], _runs_with_pictures(shelf)),
        query={"show": None if show == "differ" else show, "person": person, "kind": kind, "text": text or None},
        n=n,
        n_fit={choice: len(labelled.refs(choice) & set(fitting)) for choice in get_args(Show)},
        step=ANSWERS_PER_PAGE,
        show=show,
        people=desk.store.annotators(),
        kinds=tuple(Kind),
        address=address,
    )
    return desk_page(request, desk, "labels.html", content)


def _labelled(desk: Desk) -> Labelled:
    labels = desk.store.labels()
    decisions = desk.store.decisions()
    differ = set(conflicts(labels))
    return Labelled(
        items=desk.store.items(),
        labels=by_item(labels),
        decisions=decisions,
        differ=differ,
        open=differ - decisions.keys(),
    )


def _rows(labelled: Labelled, refs: Sequence[str], runs_with_pictures: Collection[str]) -> list[LabelledAnswer]:
    rows = []
    for ref in refs:
        item = labelled.items[ref]
        labels = labelled.labels[ref]
        decision = labelled.decisions.get(ref)
        row = LabelledAnswer(
            item=blind(item),
            has_picture=item.body["run"] in runs_with_pictures and item.body.get("shown", "none") != "none",
            labels=labels,
            settled=settle(labels, decision),
            decision=decision,
        )
        rows.append(row)
    return rows


def _matches(item: Item, labels: Sequence[Label], chosen: LabelFilter) -> bool:
    """Whether that person gave that label, and all words stand in the request, the answer or a note."""
    if not any(
        chosen.person in (None, label.annotator) and chosen.kind in (None, label.value["kind"]) for label in labels
    ):
        return False
    texts = [item.body["question"], item.body["response"], *(label.note for label in labels)]
    text = "\n".join(texts).lower()
    return all(word in text for word in chosen.words)


def _runs_with_pictures(shelf: Shelf) -> set[str]:
    names = set[str]()
    for data in shelf.data():
        if data.dataset:
            names.update(run.name for run in data.runs)
    return names


@router.get("/conflicts")
def conflicts_page(request: Request) -> Response:
    """The next item whose labels conflict, with the labels of everybody."""
    desk = desk_of(request)
    decisions = desk.store.decisions()
    refs = list(conflicts(desk.store.labels()))
    undecided = [ref for ref in refs if ref not in decisions]
    reader = author(request, desk)
    last_decision = next((decision for decision in decisions.values() if decision.annotator == reader), None)
    all_conflicts = Conflicts(
        n=len(refs),
        n_done=len(refs) - len(undecided),
        last_decision=last_decision,
        replaced_decisions=desk.store.decision_history(last_decision.item)[-2:-1] if last_decision else (),
    )
    if undecided:
        return _answer_page(request, undecided[0], all_conflicts)
    return desk_page(request, desk, "conflicts_done.html", all_conflicts)


@router.get("/item/{ref}")
def item_page(request: Request, ref: str) -> Response:
    return _answer_page(request, ref, Conflicts(query=request.url.query))


def _answer_page(request: Request, ref: str, all_conflicts: Conflicts) -> Response:
    desk = desk_of(request)
    item = desk.store.item(ref)
    decisions = desk.store.decision_history(ref)
    labels = by_item(desk.store.labels()).get(ref, [])
    content = ConflictPage(
        item=blind(item),
        labels=labels,
        differ=len({label.value["kind"] for label in labels}) > 1,
        decisions=decisions,
        note=next((decision.note for decision in reversed(decisions) if decision.value), ""),
    )
    return desk_page(request, desk, "conflict.html", content, all_conflicts, pictures_of(shelf_of(request), item))


def _decide(request: Request, desk: Desk, form: FormData) -> Response:
    store = desk.store
    decided_by = author(request, desk)
    ref = str(form.get("item", ""))
    note = str(form.get("note", ""))
    action = form.get("do")
    if action == "undo":
        store.undo_decision(decided_by)
    elif action == "withdraw":
        store.decide(ref, decided_by, None)
    else:
        check_decision(by_item(store.labels()).get(store.item(ref).ref, []), note)
        store.decide(ref, decided_by, read_kind(str(form.get("kind", ""))), note)
    if form.get("back") == "item" and ref.isalnum():
        return redirect(f"/annotate/item/{ref}?{request.url.query}".rstrip("?"))  # and the list it was opened from
    return redirect("/annotate/conflicts")


takes_forms(router, "/decide", desk_of, _decide)


def _confusion_table(counts: dict[tuple[Kind, Kind], int]) -> list[ConfusionRow]:
    """Only kinds that occur, as rows of counts; rows and columns are in the same order."""
    used_kinds = [kind for kind in Kind if any(kind in pair and n for pair, n in counts.items())]
    rows = []
    for row_kind in used_kinds:
        rows.append((row_kind.value, [counts.get((row_kind, column_kind), 0) for column_kind in used_kinds]))
    return rows
