"""Twins: room for a harmful twin beside each harmless sample of a folder that is reviewed, saved in a sheet there."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from threading import Lock

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from mossbench.errors import Code, UsageError
from mossbench.reports.words.twins_page import twins_heading
from mossbench.samples import Sample, Side
from mossbench.traces.twins import LONGEST_TWIN, TWINS, read_twins, save_twin, without_twin
from mossbench.web.desk_pages import desk_page, takes_forms
from mossbench.web.desks import Desk
from mossbench.web.review import candidates, desk_of
from mossbench.web.security import redirect
from mossbench.web.shelf import wait_until_read

router = APIRouter(prefix="/review")
_WRITING = Lock()


@dataclass(frozen=True)
class SampleWithTwin:
    """A harmless sample with the twin that is written for it, or that the data have."""

    sample: Sample
    ref: str
    """Of its item, for the address of its image."""
    twin: str
    is_in_data: bool


@dataclass(frozen=True)
class TwinsPage:
    """What twins.html shows."""

    heading: str
    samples: Sequence[SampleWithTwin]
    n_written: int
    """Twins in the sheet that the data do not have yet."""
    longest: int
    sheet: str
    """As a command names it."""


def _sheet_of(request: Request) -> Path:
    folder: Path = request.app.state.settings.review
    return folder / TWINS


def _check_has_twins(desk: Desk) -> None:
    if not desk.has_twins:
        raise UsageError("the candidates belong to a build, which makes their harmful twins", code=Code.NOT_FOUND)


@router.get("/twins")
def twins_page(request: Request) -> Response:
    desk = desk_of(request)
    _check_has_twins(desk)
    dataset = candidates(request)
    in_data = {sample.twin or sample.id: sample for sample in dataset.samples if sample.side is Side.CONTRAST}
    in_sheet = read_twins(_sheet_of(request))
    refs = {(item.body["side"], item.body["sample"]): ref for ref, item in desk.store.items().items()}
    samples = []
    for sample in dataset.samples:
        if sample.side is not Side.BENIGN:
            continue
        is_in_data = sample.id in in_data
        twin = in_data[sample.id].question if is_in_data else in_sheet.get(sample.id, {}).get("harmful_question", "")
        ref = refs.get((Side.BENIGN.value, sample.id), "") if sample.image else ""
        samples.append(SampleWithTwin(sample, ref, twin, is_in_data))
    content = TwinsPage(
        heading=twins_heading(n_with_twin=sum(bool(row.twin) for row in samples), n=len(samples)),
        samples=samples,
        n_written=sum(bool(row.twin) and not row.is_in_data for row in samples),
        longest=LONGEST_TWIN,
        sheet=quote(str(_sheet_of(request))),
    )
    return desk_page(request, desk, "twins.html", content)


def _save(request: Request, desk: Desk, form: FormData) -> Response:
    _check_has_twins(desk)
    dataset = wait_until_read(lambda: candidates(request))
    id = str(form.get("id", ""))
    sample = next((sample for sample in without_twin(dataset) if sample.id == id), None)
    if sample is None:
        raise UsageError(f"no harmless sample without a twin has the id {id[:60]!r}", code=Code.NOT_FOUND)
    with _WRITING:
        save_twin(_sheet_of(request), sample, str(form.get("harmful_question", "")))
    return redirect("/review/twins")


takes_forms(router, "/twins", desk_of, _save)
