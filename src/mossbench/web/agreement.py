"""Agreement of annotators, and the conflicts that somebody has to resolve."""

from collections import Counter
from typing import Literal

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from mossbench.annotation.agreement import agreement_of
from mossbench.annotation.answers import by_item, check_decision, conflicts, read_kind, settle
from mossbench.outcomes import Kind
from mossbench.reports.agreement_text import agreement_verdict
from mossbench.web.annotate import desk_of, n_pictures
from mossbench.web.desks import Desk, author, blind, desk_page, takes_forms
from mossbench.web.pages import ChosenText, shelf_of
from mossbench.web.security import redirect

router = APIRouter(prefix="/annotate")


@router.get("/agreement")
def agreement_page(request: Request) -> Response:
    desk = desk_of(request)
    items, labels, decisions = desk.store.items(), desk.store.labels(), desk.store.decisions()
    open_ = {ref: settle(said).by for ref, said in conflicts(labels).items() if ref not in decisions}
    found = agreement_of(items, labels, decisions)
    runs = Counter((items[ref].body["run"], items[ref].body["model"]) for ref in by_item(labels))
    return desk_page(
        request,
        desk,
        "agreement.html",
        found=found,
        verdict=agreement_verdict(found),
        people_table=_square(found.confusion),
        judge_table=_square(found.judge_confusion),
        n_conflicts=len(open_),
        open=Counter(open_.values()),
        n_decided=len(decisions),
        runs=[(run, model, n) for (run, model), n in sorted(runs.items())],
    )


@router.get("/labels")
def labels_page(
    request: Request,
    show: Literal["open", "differ", "decided", "all"] = "differ",
    person: ChosenText = None,
    kind: ChosenText = None,
) -> Response:
    """Labelled answers with what everybody said: those on which people differ, or all."""
    desk, store = desk_of(request), desk_of(request).store
    items, decisions, labels = store.items(), store.decisions(), store.labels()
    differ = conflicts(labels).keys()
    here = {run.name for data in shelf_of(request).data() if data.dataset for run in data.runs}
    sets = {"open": differ - decisions.keys(), "differ": differ, "decided": decisions.keys(), "all": items.keys()}
    rows = [
        {
            "item": blind(items[ref]),
            "picture": items[ref].body["run"] in here and items[ref].body.get("shown", "none") != "none",
            "said": said,
            "settled": settle(said, decisions.get(ref)),
            "decision": decisions.get(ref),
        }
        for ref, said in by_item(labels).items()
        if ref in sets[show]
        and (person is None or any(one.annotator == person for one in said))
        and (kind is None or any(one.value["kind"] == kind and person in (None, one.annotator) for one in said))
    ]
    query = {"show": show, "person": person, "kind": kind}
    said_by = [len(said) for said in by_item(labels).values()]
    n = {"open": len(sets["open"]), "differ": len(differ), "all": len(said_by), "double": sum(n > 1 for n in said_by)}
    return desk_page(
        request, desk, "labels.html", rows=rows, query=query, n=n, people=store.annotators(), kinds=tuple(Kind)
    )


@router.get("/conflicts")
def conflicts_page(request: Request) -> Response:
    """The next item whose labels conflict, with what everybody said."""
    desk, store = desk_of(request), desk_of(request).store
    decided, found = store.decisions(), conflicts(store.labels())
    open_ = [ref for ref in found if ref not in decided]
    done = {"n": len(found), "n_done": len(found) - len(open_)}
    return _item_page(request, open_[0], **done) if open_ else desk_page(request, desk, "conflicts_done.html", **done)


@router.get("/item/{ref}")
def item_page(request: Request, ref: str) -> Response:
    return _item_page(request, ref, n=0, n_done=0)


def _item_page(request: Request, ref: str, *, n: int, n_done: int) -> Response:
    desk, store = desk_of(request), desk_of(request).store
    item, decided = store.item(ref), store.decided(ref)
    said = by_item(store.labels()).get(ref, [])
    return desk_page(
        request,
        desk,
        "conflict.html",
        item=blind(item),
        said=said,
        differ=len({one.value["kind"] for one in said}) > 1,
        decided=decided,
        n=n,
        n_done=n_done,
        n_pictures=n_pictures(shelf_of(request), item),
        alone=item.body.get("shown") == "none",
        note=next((one.note for one in decided[::-1] if one.value), ""),
    )


def _decide(request: Request, desk: Desk, form: FormData) -> Response:
    store, who, ref, note = desk.store, author(request, desk), str(form.get("item", "")), str(form.get("note", ""))
    if form.get("do") == "undo":
        store.undo_decision(who)
    elif form.get("do") == "withdraw":
        store.decide(ref, who, None)
    else:
        check_decision(by_item(store.labels()).get(store.item(ref).ref, []), note)
        store.decide(ref, who, read_kind(str(form.get("kind", ""))), note)
    return redirect(f"/annotate/item/{ref}" if form.get("back") == "item" and ref.isalnum() else "/annotate/conflicts")


takes_forms(router, "/decide", desk_of, _decide)


def _square(counts: dict[tuple[Kind, Kind], int]) -> list[tuple[str, list[int]]]:
    """Only kinds that occur, as rows of counts; rows and columns are in the same order."""
    used = [kind for kind in Kind if any(kind in pair and n for pair, n in counts.items())]
    return [(a.value, [counts.get((a, b), 0) for b in used]) for a in used]
