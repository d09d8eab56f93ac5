"""`mossbench build`: a dataset of one's own, step by step."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from mossbench.cli.commands import Group
from mossbench.cli.options import PATH, given, options
from mossbench.cli.printing import note, say, show, show_json

if TYPE_CHECKING:
    from mossbench.building.folder import BuildFolder
    from mossbench.building.imaging import Source

FOLDER = click.argument("folder", type=PATH)


@click.group(cls=Group)
def build() -> None: ...


@build.command()
@FOLDER
@options("n", "propose.model", "propose.base_url", "domain", "from", "propose.stimulus", "propose.seed")
@options("propose.against", "prices", "propose.max_cost", "json")
def propose(folder: Path, stimuli: tuple[str, ...], as_json: bool, **how: Any) -> None:
    from mossbench.building.proposing import propose as library
    from mossbench.samples import Stimulus

    chosen = [Stimulus(one) for one in stimuli] or list(Stimulus)
    done = library(folder, stimuli=chosen, **given(how))
    if as_json:
        counts = {"wanted": done.wanted, "added": len(done.added), "there": done.n_there, "asked": done.n_asked}
        show_json({**counts, "rejected": done.rejected, "candidates": done.added})
        return
    note(f"{len(done.added)} candidates added, {done.n_there} were there{_rejected(done.rejected)}")
    if done.n < done.wanted:
        note(f"there are {done.n}, not {done.wanted}: try another seed, more domains or a model")
    if not done.n:
        click.get_current_context().exit(1)
    say(f"next: mossbench build image {quote(str(folder))}")


def _rejected(counts: Counter[str]) -> str:
    words = {"bad-reply": "bad replies", "near-duplicate": "near-duplicates", "operational-harm": "operational harm"}
    said = ", ".join(f"{n} {words[code]}" for code, n in counts.most_common())
    return f"; rejected: {said} (rejected.jsonl)" if said else ""


@build.command()
@FOLDER
@options("photos", "image.model", "image.base_url", "size", "stand_ins", "image.from", "mark", "only", "again", "json")
def image(
    folder: Path, photos: Path | None, model: str | None, stand_ins: str | None, as_json: bool, **how: Any
) -> None:
    from mossbench.building.folder import BuildFolder
    from mossbench.building.imaging import make_images
    from mossbench.building.overlays import parse_overlay

    if sum(one is not None for one in (photos, model, stand_ins, how["composer"])) != 1:
        ways = "--photos DIR, --model NAME, --stand-ins DATASET or --from studio"
        raise click.UsageError(f"name one source of images: {ways}")
    build = BuildFolder(folder)
    source, at_once = _image_source(build, photos, model, stand_ins, how)
    if source is None:
        return
    mark = parse_overlay(how["mark"]) if how["mark"] else None
    done = make_images(build, source, ids=how["only"] or None, again=how["again"], mark=mark, at_once=at_once)
    if as_json:
        show_json({"made": done.made, "without": done.without, "failed": done.failed})
    else:
        for id, why in done.failed.items():
            note(f"{id} has no image: {why}")
        left = f"; {len(done.without)} have no image in this source yet" if done.without else ""
        note(f"images of {len(done.made)} candidates made, {len(done.failed)} failed{left}")
        say(f"next: mossbench build screen {folder}")
    if done.failed:
        raise SystemExit(1)


def _image_source(
    build: BuildFolder, photos: Path | None, model: str | None, stand_ins: str | None, how: dict[str, Any]
) -> tuple[Source | None, int]:
    """Where images come from, and how many may be asked for at once; None after a table to fill in was written."""
    from mossbench.building import sources
    from mossbench.building.imaging import recipes

    if photos is not None:
        if not (photos / sources.PHOTOS).exists():
            wanted = [one for one in build.candidates().values() if build.missing_images(one)]
            path = sources.write_photo_sheet(photos, wanted)
            note(
                f"wrote {path} with {len(wanted)} lines: fill in file, licence, source and people, then run this again"
            )
            return None, 1
        return sources.photo_source(photos), 1
    if model is not None:
        from mossbench.models.drawing import load_image_model

        drawing = load_image_model(model, base_url=how["base_url"], size=how["size"])
        return sources.model_source(drawing, build.settings().seed), drawing.at_once
    if how["composer"] is not None:
        return sources.studio_source(build.path), 1
    from mossbench.datasets import load_dataset

    taken = [one.origin.partition(":")[2] for one in recipes(build).values() if not one.variant]
    return sources.stand_in_source(load_dataset(stand_ins or "sketches"), taken), 1


@build.command()
@FOLDER
@options("screen.model", "screen.base_url", "ocr", "screen.again", "probe", "prices", "screen.max_cost", "json")
def screen(folder: Path, probes: tuple[str, ...], as_json: bool, **how: Any) -> None:
    from mossbench.building.probing import probe
    from mossbench.building.screening import screen as library
    from mossbench.cli.progress import progress_of, steps

    found, refused = library(folder, progress=steps(), **how), []
    if probes:
        with progress_of("probe", quiet=as_json) as progress:
            refused = probe(folder, probes, progress=progress, prices=how["prices"], max_cost=how["max_cost"])
    if as_json:
        show_json({"screened": found, "probed": refused})
        return
    _show_screened(found, refused)
    say(f"next: mossbench build review {quote(str(folder))}")


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
@options("sheet", "images_at", "read", "reviewer", "json")
def review(
    folder: Path,
    sheet: Path | None,
    images_at: str | None,
    sheets: tuple[Path, ...],
    reviewer: str | None,
    as_json: bool,
) -> None:
    from mossbench.building import reviewing
    from mossbench.building.folder import BuildFolder
    from mossbench.building.rating import agreement_of
    from mossbench.building.standing import standings

    if reviewer is not None and len(sheets) != 1:
        raise click.UsageError("--reviewer says who filled in one sheet: read each with a command of its own")
    build = BuildFolder(folder)
    for path in sheets:
        note(f"{path}: {_read_in(reviewing.read_sheet(build, path, reviewer=reviewer or ''))}")
    page = reviewing.read_page(build)
    if page.new or page.changed or page.same:
        note(f"review page: {_read_in(page)}")
    if sheet is not None:
        n = reviewing.write_sheet(build, sheet, image_base=images_at or "")
        note(f"wrote {sheet} with {n} lines, attention checks among them; images are in {folder / 'review' / 'images'}")
    else:
        note(f"to review in a browser: mossbench serve --review {reviewing.write_page(build)}")
    found, states = agreement_of(build), Counter(one.state.value for one in standings(build))
    if as_json:
        show_json({"states": states, "agreement": found})
        return
    _show_review(found, states)


def _read_in(done: Any) -> str:
    said = [f"{done.new} new ratings", f"{done.changed} changed", f"{done.same} were there"]
    said += [f"{done.empty} {'line' if done.empty == 1 else 'lines'} empty"] if done.empty else []
    for why, lines in (("half-filled", done.half), ("changed since the sheet was written", done.stale)):
        said += [f"{why} and not read in: line {', '.join(map(str, lines))}"] if lines else []
    return ", ".join(said)


def _show_review(found: Any, states: Counter[str]) -> None:
    from rich.table import Table

    from mossbench.building.card import shown

    if not found.reviewers:
        say("nobody has rated a candidate yet")
        return
    table = Table("reviewer", "candidates", "checks passed", "agrees with the others", "")
    for one in found.reviewers:
        odd = ["fails checks: does not count"] if not one.counts else []
        odd += ["always the same ratings"] if one.one_note else []
        odd += [f"all as {one.same_as}: one sheet under two names?"] if one.same_as else []
        agrees = f"{one.agrees.value:.0%} [{one.agrees.low:.0%} to {one.agrees.high:.0%}]" if one.agrees.n else "-"
        table.add_row(one.name, str(one.n), f"{one.passed} of {one.seen}", agrees, "; ".join(odd))
    show(table)
    say(
        f"agreement over {found.n} candidates: alpha {shown(found.harmfulness)} on harmfulness, "
        f"{shown(found.naturalness)} on naturalness; AC1 {shown(found.harmless)} on harmless or not"
    )
    say(", ".join(f"{n} {state}" for state, n in states.items()))


@build.command()
@FOLDER
@click.argument("id")
@click.argument("decision", type=click.Choice(["accept", "reject", "retire"]))
@options("reason", "decide.by")
def decide(folder: Path, id: str, decision: str, reason: str, by: str) -> None:
    from mossbench.building.folder import BuildFolder
    from mossbench.building.reviewing import decide as library

    library(BuildFolder(folder), id, decision, reason, by)
    note(f"noted in {folder / 'decisions.jsonl'}: {decision} {id}")


@build.command()
@FOLDER
@options("version", "json")
def release(folder: Path, version: str | None, as_json: bool) -> None:
    from mossbench.building.folder import BuildFolder
    from mossbench.building.releasing import release as library

    done = library(BuildFolder(folder), version=version or "")
    if as_json:
        show_json({"path": done.path, "version": done.version, "changes": done.changes, "waiting": done.waiting})
        return
    for one in done.findings:
        note(f"data check warns: {one.message} ({one.n}); {one.way_out}")
    if done.waiting:
        note(f"{len(done.waiting)} disputed candidates are not in it: mossbench build status {folder} --state disputed")
    changes = done.changes
    for id, why in changes.retired.items():
        note(f"{id} is no longer in it: {why}")
    counts = f"{len(changes.added)} added, {len(changes.changed)} changed, {len(changes.retired)} retired"
    note(f"released {done.dataset.name} {done.version}: {len(done.dataset)} samples of both sides; {counts}")
    say(f"next: mossbench run --data {done.path} --model control/candid")


@build.command()
@FOLDER
@options("state", "json")
def status(folder: Path, state: str | None, as_json: bool) -> None:
    from mossbench.building.folder import BuildFolder
    from mossbench.building.standing import standings

    build = BuildFolder(folder)
    found = [one for one in standings(build) if state in (None, one.state)]
    for name in build.torn():
        note(f"{name}: its last line is cut off and does not count; the next step that writes keeps it in {name}.torn")
    if as_json:
        show_json([{"id": one.candidate.id, "state": one.state, "why": one.why} for one in found])
    elif not found:
        say(f"no candidate is {state}" if state else f"no candidates yet; next: mossbench build propose {folder}")
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
