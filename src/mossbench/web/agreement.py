"""Agreement of annotators, and the conflicts that somebody has to resolve."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi import Query as QueryParameter
from starlette.datastructures import FormData
from starlette.responses import Response

from mossbench.annotation.agreement import Agreement, Measures, agreement_of
from mossbench.annotation.answers import Settled, by_item, check_decision, conflicts, read_kind, settle
from mossbench.annotation.store import Item, Label
from mossbench.outcomes import Kind
from mossbench.reports.words.agreement import agreement_verdict
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
AT_ONCE = 50
ConfusionRow = tuple[str, list[int]]
"""A kind, and how often it met each kind."""


@dataclass(frozen=True)
class AgreementPage:
    """What agreement.html shows."""

    agreement: Agreement
    heading: str
    verdict: str
    judge_verdict: str
    """Whether the judge says what people say."""
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
    """Those that nobody has decided."""
    conflicts_open: str
    resolve_conflicts: str


@dataclass(frozen=True)
class LabelledAnswer:
    """An answer with what everybody said of it."""

    item: Item
    picture: bool
    """Whether it can be shown."""
    said: Sequence[Label]
    settled: Settled
    decision: Label | None


@dataclass(frozen=True)
class LabelCounts:
    """Labelled answers by what they are; `found`: those that the page lists, from `start` on."""

    open: int
    differ: int
    decided: int
    all: int
    double: int
    found: int
    start: int


@dataclass(frozen=True)
class LabelsPage:
    """What labels.html shows."""

    heading: str
    text: str
    none_fit: str
    """Said where no row is shown."""
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
    mine: Label | None = None
    """The last decision of whoever reads the page."""
    before: Sequence[Label] = ()
    """What it replaced."""
    query: str = ""
    """Of the list from which the answer was opened."""


@dataclass(frozen=True)
class ConflictPage:
    """What conflict.html shows of one answer."""

    item: Item
    said: Sequence[Label]
    differ: bool
    decided: Sequence[Label]
    note: str
    """Of the last decision that was not one to take it back."""


@router.get("/agreement")
def agreement_page(request: Request) -> Response:
    desk = desk_of(request)
    items = desk.store.items()
    labels = desk.store.labels()
    decisions = desk.store.decisions()
    undecided = Counter[str]()
    for ref, labels_of_item in conflicts(labels).items():
        if ref not in decisions:
            undecided[settle(labels_of_item).by] += 1
    runs = Counter((items[ref].body["run"], items[ref].body["model"]) for ref in by_item(labels))
    agreement = agreement_of(items, labels, decisions)
    n_left = agreement.n_items - agreement.n_labelled
    n_conflicts = undecided.total()
    shown = AgreementPage(
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
        people_table=_square(agreement.confusion),
        judge_table=_square(agreement.judge_confusion),
        runs=[(run, model, n) for (run, model), n in sorted(runs.items())],
        n_conflicts=n_conflicts,
        conflicts_open=conflicts_open(n_conflicts),
        resolve_conflicts=resolve_conflicts(n_conflicts),
    )
    return desk_page(request, desk, "agreement.html", shown)


@router.get("/labels")
def labels_page(
    request: Request,
    show: Literal["open", "differ", "decided", "all"] = "differ",
    person: ChosenText = None,
    kind: ChosenText = None,
    text: Annotated[str, QueryParameter(max_length=200)] = "",
    start: Annotated[int, QueryParameter(ge=0)] = 0,
) -> Response:
    """Labelled answers with what everybody said, those that nobody has settled first: where people differ, or all."""
    desk = desk_of(request)
    items = desk.store.items()
    decisions = desk.store.decisions()
    labels = desk.store.labels()
    answers = by_item(labels)
    differ = conflicts(labels).keys()
    undecided = differ - decisions.keys()
    refs_of = {"open": undecided, "differ": differ, "decided": decisions.keys(), "all": answers.keys()}
    words = text.lower().split()
    fitting = [ref for ref, labels_of_item in answers.items() if _fits(items[ref], labels_of_item, person, kind, words)]
    fitting.sort(key=lambda ref: (ref not in undecided, ref not in differ))
    listed = [ref for ref in fitting if ref in refs_of[show]]
    start = min(start, max(len(listed) - 1, 0) // AT_ONCE * AT_ONCE)  # at most the last page
    with_pictures = _runs_with_pictures(shelf_of(request))
    rows = []
    for ref in listed[start : start + AT_ONCE]:
        body = items[ref].body
        row = LabelledAnswer(
            item=blind(items[ref]),
            picture=body["run"] in with_pictures and body.get("shown", "none") != "none",
            said=answers[ref],
            settled=settle(answers[ref], decisions.get(ref)),
            decision=decisions.get(ref),
        )
        rows.append(row)
    n = LabelCounts(
        open=len(undecided & answers.keys()),
        differ=len(differ & answers.keys()),
        decided=len(decisions.keys() & answers.keys()),
        all=len(answers),
        double=sum(len(labels_of_item) > 1 for labels_of_item in answers.values()),
        found=len(listed),
        start=start,
    )
    shown = LabelsPage(
        heading=labels_heading(n_labelled=n.all, n_double=n.double, n_differ=n.differ),
        text=labels_text(n_labelled=n.all, n_double=n.double, n_differ=n.differ, n_open=n.open),
        none_fit=no_labels_fit(show, is_filtered=bool(person or kind or text)),
        rows=rows,
        query={"show": None if show == "differ" else show, "person": person, "kind": kind, "text": text or None},
        n=n,
        n_fit={name: len(refs & set(fitting)) for name, refs in refs_of.items()},
        step=AT_ONCE,
        show=show,
        people=desk.store.annotators(),
        kinds=tuple(Kind),
        address=address,
    )
    return desk_page(request, desk, "labels.html", shown)


def _fits(item: Item, labels: Sequence[Label], person: str | None, kind: str | None, words: Sequence[str]) -> bool:
    """Whether that person gave that label, and all words stand in the request, the answer or a note."""
    if not any(person in (None, label.annotator) and kind in (None, label.value["kind"]) for label in labels):
        return False
    texts = [item.body["question"], item.body["response"], *(label.note for label in labels)]
    text = "\n".join(texts).lower()
    return all(word in text for word in words)


def _runs_with_pictures(shelf: Shelf) -> set[str]:
    names = set[str]()
    for data in shelf.data():
        if data.dataset:
            names.update(run.name for run in data.runs)
    return names


@router.get("/conflicts")
def conflicts_page(request: Request) -> Response:
    """The next item whose labels conflict, with what everybody said."""
    desk = desk_of(request)
    decisions = desk.store.decisions()
    every = conflicts(desk.store.labels())
    undecided = [ref for ref in every if ref not in decisions]
    reader = author(request, desk)
    mine = next((decision for decision in decisions.values() if decision.annotator == reader), None)
    shown = Conflicts(
        n=len(every),
        n_done=len(every) - len(undecided),
        mine=mine,
        before=desk.store.decided(mine.item)[-2:-1] if mine else (),
    )
    if undecided:
        return _item_page(request, undecided[0], shown)
    return desk_page(request, desk, "conflicts_done.html", shown)


@router.get("/item/{ref}")
def item_page(request: Request, ref: str) -> Response:
    return _item_page(request, ref, Conflicts(query=request.url.query))


def _item_page(request: Request, ref: str, every: Conflicts) -> Response:
    desk = desk_of(request)
    item = desk.store.item(ref)
    decided = desk.store.decided(ref)
    labels = by_item(desk.store.labels()).get(ref, [])
    shown = ConflictPage(
        item=blind(item),
        said=labels,
        differ=len({label.value["kind"] for label in labels}) > 1,
        decided=decided,
        note=next((decision.note for decision in reversed(decided) if decision.value), ""),
    )
    return desk_page(request, desk, "conflict.html", shown, every, pictures_of(shelf_of(request), item))


def _decide(request: Request, desk: Desk, form: FormData) -> Response:
    store = desk.store
    who = author(request, desk)
    ref = str(form.get("item", ""))
    note = str(form.get("note", ""))
    action = form.get("do")
    if action == "undo":
        store.undo_decision(who)
    elif action == "withdraw":
        store.decide(ref, who, None)
    else:
        check_decision(by_item(store.labels()).get(store.item(ref).ref, []), note)
        store.decide(ref, who, read_kind(str(form.get("kind", ""))), note)
    if form.get("back") == "item" and ref.isalnum():
        return redirect(f"/annotate/item/{ref}?{request.url.query}".rstrip("?"))  # and the list it was opened from
    return redirect("/annotate/conflicts")


takes_forms(router, "/decide", desk_of, _decide)


def _square(counts: dict[tuple[Kind, Kind], int]) -> list[ConfusionRow]:
    """Only kinds that occur, as rows of counts; rows and columns are in the same order."""
    used = [kind for kind in Kind if any(kind in pair and n for pair, n in counts.items())]
    rows = []
    for kind in used:
        rows.append((kind.value, [counts.get((kind, other), 0) for other in used]))
    return rows
