"""Agreement of annotators, and the conflicts that somebody has to resolve."""

from collections import Counter
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from mossbench.annotation.agreement import agreement_of
from mossbench.annotation.answers import by_item, check_decision, conflicts, read_kind, settle
from mossbench.annotation.store import Label
from mossbench.outcomes import Kind
from mossbench.reports.agreement_text import agreement_verdict
from mossbench.web.annotate import desk_of, n_pictures
from mossbench.web.desks import Desk, author, blind, desk_page, takes_forms
from mossbench.web.pages import ChosenText, address, shelf_of
from mossbench.web.security import redirect

router = APIRouter(prefix="/annotate")
AT_ONCE = 50


@router.get("/agreement")
def agreement_page(request: Request) -> Response:
    desk = desk_of(request)
    items, labels, decisions = desk.store.items(), desk.store.labels(), desk.store.decisions()
    open_ = {ref: settle(said).by for ref, said in conflicts(labels).items() if ref not in decisions}
    found = agreement_of(items, labels, decisions)
    runs = Counter((items[ref].body["run"], items[ref].body["model"]) for ref in by_item(labels))
    shown: dict[str, Any] = {"found": found, "verdict": agreement_verdict(found), "n_decided": len(decisions)}
    shown |= {"people_table": _square(found.confusion), "judge_table": _square(found.judge_confusion)}
    shown |= {"runs": [(*run, n) for run, n in sorted(runs.items())], "open": Counter(open_.values())}
    return desk_page(request, desk, "agreement.html", **shown, n_conflicts=len(open_))


@router.get("/labels")
def labels_page(
    request: Request,
    show: Literal["open", "differ", "decided", "all"] = "differ",
    person: ChosenText = None,
    kind: ChosenText = None,
    text: Annotated[str, Query(max_length=200)] = "",
    start: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """Labelled answers with what everybody said, those that nobody has settled first: where people differ, or all."""
    desk, store = desk_of(request), desk_of(request).store
    items, decisions, labels = store.items(), store.decisions(), store.labels()
    answers, differ, words = by_item(labels), conflicts(labels).keys(), text.lower().split()
    here = {run.name for data in shelf_of(request).data() if data.dataset for run in data.runs}
    sets = {"open": differ - decisions.keys(), "differ": differ, "decided": decisions.keys(), "all": answers.keys()}

    def fits(ref: str, said: list[Label]) -> bool:
        by = [one for one in said if person in (None, one.annotator) and kind in (None, one.value["kind"])]
        texts = (items[ref].body["question"], items[ref].body["response"], *(one.note for one in said))
        return bool(by) and all(word in "\n".join(texts).lower() for word in words)

    fitting = [ref for ref, said in answers.items() if fits(ref, said)]
    fitting.sort(key=lambda ref: (ref not in sets["open"], ref not in differ))
    found = [ref for ref in fitting if ref in sets[show]]
    start = min(start, max(len(found) - 1, 0) // AT_ONCE * AT_ONCE)  # at most the last page
    rows = [
        {
            "item": blind(items[ref]),
            "picture": items[ref].body["run"] in here and items[ref].body.get("shown", "none") != "none",
            "said": answers[ref],
            "settled": settle(answers[ref], decisions.get(ref)),
            "decision": decisions.get(ref),
        }
        for ref in found[start : start + AT_ONCE]
    ]
    query = {"show": None if show == "differ" else show, "person": person, "kind": kind, "text": text or None}
    n = {name: len(refs & answers.keys()) for name, refs in sets.items()}
    n |= {"double": sum(len(said) > 1 for said in answers.values()), "found": len(found), "start": start}
    about: dict[str, Any] = {"show": show, "people": store.annotators(), "kinds": tuple(Kind)}
    n_fit = {name: len(refs & set(fitting)) for name, refs in sets.items()}
    shown: dict[str, Any] = {"rows": rows, "query": query, "n": n, "n_fit": n_fit, "step": AT_ONCE}
    return desk_page(request, desk, "labels.html", **shown, **about, address=address)


@router.get("/conflicts")
def conflicts_page(request: Request) -> Response:
    """The next item whose labels conflict, with what everybody said."""
    desk, store = desk_of(request), desk_of(request).store
    decided, found = store.decisions(), conflicts(store.labels())
    open_ = [ref for ref in found if ref not in decided]
    mine = next((one for one in decided.values() if one.annotator == author(request, desk)), None)
    before = store.decided(mine.item)[-2:-1] if mine else ()
    done: dict[str, Any] = {"n": len(found), "n_done": len(found) - len(open_), "mine": mine, "before": before}
    return _item_page(request, open_[0], **done) if open_ else desk_page(request, desk, "conflicts_done.html", **done)


@router.get("/item/{ref}")
def item_page(request: Request, ref: str) -> Response:
    return _item_page(request, ref, n=0, query=request.url.query)


def _item_page(request: Request, ref: str, **done: Any) -> Response:
    desk, store = desk_of(request), desk_of(request).store
    item, decided = store.item(ref), store.decided(ref)
    said = by_item(store.labels()).get(ref, [])
    done |= {"said": said, "differ": len({one.value["kind"] for one in said}) > 1, "decided": decided}
    done |= {"n_pictures": n_pictures(shelf_of(request), item), "alone": item.body.get("shown") == "none"}
    note = next((one.note for one in decided[::-1] if one.value), "")
    return desk_page(request, desk, "conflict.html", item=blind(item), note=note, **done)


def _decide(request: Request, desk: Desk, form: FormData) -> Response:
    store, who, ref, note = desk.store, author(request, desk), str(form.get("item", "")), str(form.get("note", ""))
    if form.get("do") == "undo":
        store.undo_decision(who)
    elif form.get("do") == "withdraw":
        store.decide(ref, who, None)
    else:
        check_decision(by_item(store.labels()).get(store.item(ref).ref, []), note)
        store.decide(ref, who, read_kind(str(form.get("kind", ""))), note)
    item = f"/annotate/item/{ref}?{request.url.query}".rstrip("?")  # and the list from which it was opened
    return redirect(item if form.get("back") == "item" and ref.isalnum() else "/annotate/conflicts")


takes_forms(router, "/decide", desk_of, _decide)


def _square(counts: dict[tuple[Kind, Kind], int]) -> list[tuple[str, list[int]]]:
    """Only kinds that occur, as rows of counts; rows and columns are in the same order."""
    used = [kind for kind in Kind if any(kind in pair and n for pair, n in counts.items())]
    return [(a.value, [counts.get((a, b), 0) for b in used]) for a in used]
