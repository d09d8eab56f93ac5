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
