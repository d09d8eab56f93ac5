"""Agreement of annotators, and the conflicts that somebody has to resolve."""

from __future__ import annotations

from collections import Counter

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from mossbench.annotation import agreement_of
from mossbench.annotation.answers import conflicts, read_kind, settle
from mossbench.errors import Code, UsageError
from mossbench.outcomes import Kind
from mossbench.reports.agreement_text import agreement_verdict
from mossbench.web.annotate import LABELS, desk_of, labelled_runs, n_pictures
from mossbench.web.desks import blind, check_owner
from mossbench.web.pages import page, shelf_of
from mossbench.web.security import read_form, redirect

router = APIRouter(prefix="/annotate")


@router.get("/agreement")
def agreement_page(request: Request) -> Response:
    check_owner(request)
    desk = desk_of(request)
    items, labels, decisions = desk.store.items(), desk.store.labels(), desk.store.decisions()
    open_ = {ref: settle(said).by for ref, said in conflicts(labels).items() if ref not in decisions}
    found = agreement_of(items, labels, decisions)
    return page(
        request,
        "agreement.html",
        "Annotate",
        found=found,
        verdict=agreement_verdict(found),
        people_table=_square(found.confusion),
        judge_table=_square(found.judge_confusion),
        people=desk.store.annotators(),
        n_conflicts=len(open_),
        open=Counter(open_.values()),
        n_decided=len(decisions),
        runs=labelled_runs(desk),
        desk=desk,
    )


@router.get("/conflicts")
def conflicts_page(request: Request) -> Response:
    """The next item whose labels conflict, with what everybody said."""
    check_owner(request)
    store = desk_of(request).store
    decided, found = store.decisions(), conflicts(store.labels())
    open_ = [ref for ref in found if ref not in decided]
    if not open_:
        return page(
            request, "conflicts_done.html", "Annotate", n=len(found), n_decided=len(decided.keys() & found.keys())
        )
    item = store.item(open_[0])
    return page(
        request,
        "conflict.html",
        "Annotate",
        item=blind(item),
        said=found[open_[0]],
        n=len(found),
        n_done=len(found) - len(open_),
        labels=LABELS,
        n_pictures=n_pictures(shelf_of(request), item),
        alone=item.body.get("shown") == "none",
        note=next((one.note for one in store.decided(item.ref)[::-1] if one.value), ""),
    )


@router.post("/decide")
async def decide(request: Request) -> Response:
    form = await read_form(request)
    check_owner(request)
    desk, store = desk_of(request), desk_of(request).store

    def save() -> None:
        who = desk.annotator(request)
        author = who.name if who else "owner"
        if form.get("do") == "undo":
            store.undo_decision(author)
            return
        ref = str(form.get("item", ""))
        if ref not in conflicts(store.labels()):
            raise UsageError("no conflict on this answer any more; go back to the open conflicts", code=Code.NOT_FOUND)
        store.decide(ref, author, read_kind(str(form.get("kind", ""))), str(form.get("note", "")))

    await run_in_threadpool(save)
    return redirect("/annotate/conflicts")


def _square(counts: dict[tuple[Kind, Kind], int]) -> list[tuple[str, list[int]]]:
    """Only kinds that occur, as rows of counts; rows and columns are in the same order."""
    used = [kind for kind in Kind if any(kind in pair and n for pair, n in counts.items())]
    return [(a.value, [counts.get((a, b), 0) for b in used]) for a in used]
