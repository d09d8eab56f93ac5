"""`mossbench build`: a dataset of one's own, step by step."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from mossbench.cli.commands import Group
from mossbench.cli.options import PATH, given, options
from mossbench.cli.printing import note, say, show, show_json

FOLDER = click.argument("folder", type=PATH)


@click.group(cls=Group)
def build() -> None:
    """Build a dataset of your own, from ideas to a release.

    The steps are propose, image, screen, review and release. FOLDER holds everything as plain files. Each step can
    be stopped and repeated; none changes what people wrote.
    """


@build.command()
@FOLDER
@options("n", "propose.model", "propose.base_url", "domain", "from", "propose.stimulus", "propose.seed")
@options("propose.against", "json")
def propose(folder: Path, stimuli: tuple[str, ...], as_json: bool, **how: Any) -> None:
    """Propose candidates: requests, scenes and their harmful twins.

    Near-duplicates of each other and of installed datasets are left out, and so is what would help to do harm;
    rejected.jsonl keeps them with the reason.

    Example: mossbench build propose my-set --n 30 --domain pharmacy
    """
    from mossbench.building.proposing import propose as library
    from mossbench.samples import Stimulus

    chosen = [Stimulus(one) for one in stimuli] or list(Stimulus)
    done = library(folder, stimuli=chosen, **given(how))
    if as_json:
        counts = {"wanted": done.wanted, "added": len(done.added), "there": done.n_there, "asked": done.n_asked}
        show_json({**counts, "rejected": done.rejected, "candidates": done.added})
        return
    note(f"{len(done.added)} candidates added, {done.n_there} of these were there{_rejected(done.rejected)}")
    if done.n < done.wanted:
        note(f"there are {done.n}, not {done.wanted}: try another seed, more domains or a model")
    say(f"next: mossbench build image {folder}")


def _rejected(counts: Counter[str]) -> str:
    words = {"bad-reply": "bad replies", "near-duplicate": "near-duplicates", "operational-harm": "operational harm"}
    said = ", ".join(f"{n} {words[code]}" for code, n in counts.most_common())
    return f"; rejected: {said} (rejected.jsonl)" if said else ""


@build.command()
@FOLDER
@options("screen.model", "screen.base_url", "ocr", "screen.again", "probe", "json")
def screen(folder: Path, again: bool, probes: tuple[str, ...], as_json: bool, **how: Any) -> None:
    """Find what is wrong with candidates before people review them.

    Errors keep a candidate from review; warnings are for the reviewers. A probe tells which candidates nobody or
    everybody refuses; the data card says how far choosing by it has moved the set.

    Example: mossbench build screen my-set --ocr --probe control/jumpy
    """
    from mossbench.building.probing import probe
    from mossbench.building.screening import screen as library
    from mossbench.cli.progress import progress_of, steps

    found, refused = library(folder, again=again, progress=steps(), **how), []
    if probes:
        with progress_of("probe", quiet=as_json) as progress:
            refused = probe(folder, probes, progress=progress)
    if as_json:
        show_json({"screened": found, "probed": refused})
        return
    _show_screened(found, refused)
    say(f"next: mossbench build review {folder}")


def _show_screened(found: list[Any], refused: list[Any]) -> None:
    from rich.table import Table

    n_bad = sum(bool(one.errors) for one in found)
    note(f"{len(found)} screened, {n_bad} kept from review (those that have not changed were screened before)")
    if any(one.errors or one.warnings for one in found):
        table = Table("id", "finding", "")
        for one in found:
            for kind, faults in (("error", one.errors), ("warning", one.warnings)):
                for fault in faults:
                    table.add_row(one.candidate, kind, fault)
        show(table)
    if refused:
        table = Table("refused by", "candidates", "such as")
        for by in ("nobody", "some", "all", "unknown"):
            ids = [one.candidate for one in refused if one.by == by]
            if ids:
                table.add_row(by, str(len(ids)), ", ".join(ids[:4]))
        show(table)


@build.command()
@FOLDER
@options("state", "json")
def status(folder: Path, state: str | None, as_json: bool) -> None:
    """Show where every candidate stands.

    Example: mossbench build status my-set --state disputed
    """
    from mossbench.building.folder import BuildFolder
    from mossbench.building.standing import standings

    build = BuildFolder(folder)
    found = [one for one in standings(build) if state in (None, one.state)]
    if as_json:
        show_json([{"id": one.candidate.id, "state": one.state, "why": one.why} for one in found])
    elif state is None:
        _show_counts(build.settings().name, found, len(build.rejected()))
    else:
        _show_candidates(found)


def _show_counts(name: str, found: list[Any], n_rejected: int) -> None:
    from rich.table import Table

    from mossbench.building.candidates import State
    from mossbench.samples import Stimulus

    table = Table("state", *(one.title for one in Stimulus), "all", title=name)
    counts = Counter((one.state, one.candidate.stimulus) for one in found)
    for state in State:
        row = [counts[state, stimulus] for stimulus in Stimulus]
        if any(row):
            table.add_row(state, *map(str, row), str(sum(row)))
    show(table)
    if n_rejected:
        note(f"{n_rejected} replies and drafts became no candidates: rejected.jsonl says why")


def _show_candidates(found: list[Any]) -> None:
    from rich.table import Table

    table = Table("id", "request", "why")
    for one in found:
        table.add_row(one.candidate.id, one.candidate.request, one.why)
    show(table)
