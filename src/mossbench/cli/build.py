"""`mossbench build`: a dataset of one's own, step by step."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

import mossbench
from mossbench.cli.commands import Group
from mossbench.cli.options import PATH, found, given, options
from mossbench.cli.printing import note, said, say, show_json, show_table

if TYPE_CHECKING:
    from mossbench.building.folder import BuildFolder
    from mossbench.building.imaging import Source


def _opened(_ctx: click.Context, _param: click.Parameter, path: Path) -> BuildFolder:
    opened: BuildFolder = found("building.folder:BuildFolder")(path)
    return opened


FOLDER = click.argument("folder", type=PATH, callback=_opened)


@click.group(cls=Group)
def build() -> None: ...


@build.command()
@FOLDER
@options("n", "propose.model", "propose.base_url", "domain", "from", "propose.stimulus", "propose.seed")
@options("propose.against", "prices", "propose.max_cost", "json")
def propose(folder: BuildFolder, stimuli: tuple[str, ...], as_json: bool, **how: Any) -> None:
    from mossbench.samples import Stimulus

    chosen = [Stimulus(one) for one in stimuli] or list(Stimulus)
    done = mossbench.propose(folder.path, stimuli=chosen, **given(how))
    if as_json:
        counts = {"wanted": done.wanted, "added": len(done.added), "there": done.n_there, "asked": done.n_asked}
        show_json({**counts, "rejected": done.rejected, "candidates": done.added})
        return
    note(said(__file__, "proposed", done=done))
    if not done.n:
        click.get_current_context().exit(1)
    say(f"next: mossbench build image {quote(str(folder.path))}")


@build.command()
@FOLDER
@options("photos", "image.model", "image.base_url", "size", "stand_ins", "image.from", "mark", "only", "again", "json")
def image(folder: BuildFolder, as_json: bool, only: tuple[str, ...], again: bool, mark: str | None, **how: Any) -> None:
    from mossbench.building.imaging import make_images
    from mossbench.building.overlays import parse_overlay

    if sum(how[one] is not None for one in ("photos", "model", "stand_ins", "composer")) != 1:
        ways = "--photos DIR, --model NAME, --stand-ins DATASET or --from studio"
        raise click.UsageError(f"name one source of images: {ways}")
    source, at_once = _image_source(folder, **how)
    if source is None:
        return
    laid_on = parse_overlay(mark) if mark else None
    done = make_images(folder, source, ids=only or None, again=again, mark=laid_on, at_once=at_once)
    if as_json:
        show_json({"made": done.made, "without": done.without, "failed": done.failed})
    else:
        for id, why in done.failed.items():
            note(f"{id} has no image: {why}")
        left = f"; {len(done.without)} have no image in this source yet" if done.without else ""
        note(f"images of {len(done.made)} candidates made, {len(done.failed)} failed{left}")
        say(f"next: mossbench build screen {folder.path}")
    if done.failed:
        raise SystemExit(1)


def _image_source(
    build: BuildFolder, photos: Path | None, model: str | None, stand_ins: str | None, composer: str | None, **how: Any
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

        drawing = load_image_model(model, **how)
        return sources.model_source(drawing, build.settings().seed), drawing.at_once
    if composer is not None:
        from mossbench.building.studio import drawings_at_once, studio_source

        return studio_source(build.path), drawings_at_once()
    taken = [one.origin.partition(":")[2] for one in recipes(build).values() if not one.variant]
    return sources.stand_in_source(mossbench.load_dataset(stand_ins or "sketches"), taken), 1


@build.command()
@FOLDER
@options("screen.model", "screen.base_url", "ocr", "screen.again", "probe", "prices", "screen.max_cost", "json")
def screen(folder: BuildFolder, probes: tuple[str, ...], as_json: bool, **how: Any) -> None:
    from mossbench.building.probing import probe
    from mossbench.cli.progress import progress_of, steps

    screened, refused = mossbench.screen(folder.path, progress=steps(), **how), []
    if probes:
        with progress_of("probe", quiet=as_json) as progress:
            refused = probe(folder.path, probes, progress=progress, prices=how["prices"], max_cost=how["max_cost"])
    if as_json:
        return show_json({"screened": screened, "probed": refused})
    n_bad = sum(bool(one.errors) for one in screened)
    candidates = folder.candidates().values()
    n_bare = sum(bool(folder.missing_images(one)) for one in candidates)
    rest = f"{len(candidates) - n_bare - len(screened)} unchanged since they were screened, {n_bare} without images"
    note(f"{len(screened)} screened, {n_bad} kept from review, {rest}")
    findings = [(one, *kind) for one in screened for kind in (("error", one.errors), ("warning", one.warnings))]
    rows = [(one.candidate, kind, fault) for one, kind, faults in findings for fault in faults]
    show_table("id", "finding", "", rows=rows)
    by = {who: [one.candidate for one in refused if one.by == who] for who in ("nobody", "some", "all", "unknown")}
    rows = [(who, str(len(ids)), ", ".join(ids[:4])) for who, ids in by.items() if ids]
    show_table("refused by", "candidates", "such as", rows=rows)
    say(f"next: mossbench build {'image' if n_bare == len(candidates) else 'review'} {quote(str(folder.path))}")


@build.command()
@FOLDER
@options("sheet", "images_at", "read", "reviewer", "json")
def review(
    folder: BuildFolder, sheet: Path | None, sheets: tuple[Path, ...], reviewer: str | None, as_json: bool, **how: Any
) -> None:
    from mossbench.building import reviewing
    from mossbench.building.candidate_states import standings
    from mossbench.building.rating import agreement_of

    if reviewer is not None and len(sheets) != 1:
        raise click.UsageError("--reviewer says who filled in one sheet: read each with a command of its own")
    for path in sheets:
        done = reviewing.read_sheet(folder, path, reviewer=reviewer or "")
        note(f"{path}: {said(__file__, 'read_in', done=done)}")
    page = reviewing.read_page(folder)
    if page.new or page.changed or page.same:
        note(f"review page: {said(__file__, 'read_in', done=page)}")
    if sheet is not None:
        n = reviewing.write_sheet(folder, sheet, image_base=how["images_at"] or "")
        images = folder.path / "review" / "images"
        note(f"wrote {sheet} with {n} lines, attention checks among them; images are in {images}")
    else:
        note(f"to review in a browser: mossbench serve --review {reviewing.write_page(folder)}")
    rated, states = agreement_of(folder), Counter(one.state.value for one in standings(folder))
    if as_json:
        show_json({"states": states, "agreement": rated})
    else:
        _show_review(rated, states)


def _show_review(found: Any, states: Counter[str]) -> None:
    from mossbench.building.card import shown

    if not found.reviewers:
        say("nobody has rated a candidate yet")
        return
    rows = []
    for one in found.reviewers:
        odd = ["fails checks: does not count"] if not one.counts else []
        odd += ["always the same ratings"] if one.one_note else []
        odd += [f"all as {one.same_as}: one sheet under two names?"] if one.same_as else []
        agrees = f"{one.agrees.value:.0%} [{one.agrees.low:.0%} to {one.agrees.high:.0%}]" if one.agrees.n else "-"
        rows.append((one.name, str(one.n), f"{one.passed} of {one.seen}", agrees, "; ".join(odd)))
    show_table("reviewer", "candidates", "checks passed", "agrees with the others", "", rows=rows)
    say(said(__file__, "rated", found=found, shown=shown, states=states))


@build.command()
@FOLDER
@click.argument("id")
@click.argument("decision", type=click.Choice(["accept", "reject", "retire"]))
@options("reason", "decide.by")
def decide(folder: BuildFolder, id: str, decision: str, reason: str, by: str) -> None:
    from mossbench.building import reviewing

    reviewing.decide(folder, id, decision, reason, by)
    note(f"noted in {folder.path / 'decisions.jsonl'}: {decision} {id}")


@build.command()
@FOLDER
@options("version", "json")
def release(folder: BuildFolder, version: str | None, as_json: bool) -> None:
    from mossbench.building import releasing
    from mossbench.models.control.names import EXAMPLE

    done = releasing.release(folder, version=version or "")
    if as_json:
        return show_json({"path": done.path, "version": done.version, "changes": done.changes, "waiting": done.waiting})
    note(said(__file__, "released", done=done, folder=folder.path))
    say(f"next: mossbench run --data {quote(str(done.path))} --model '{EXAMPLE}'")
    say("  a rehearsal: it plants refusals in one of five samples, and says how many were planted and found")


@build.command()
@FOLDER
@options("state", "json")
def status(folder: BuildFolder, state: str | None, as_json: bool) -> None:
    from mossbench.building.candidate_states import standings

    standing = [one for one in standings(folder) if state in (None, one.state)]
    for name in folder.torn():
        note(f"{name}: its last line is cut off and does not count; the next step that writes keeps it in {name}.torn")
    if as_json:
        show_json([{"id": one.candidate.id, "state": one.state, "why": one.why} for one in standing])
    elif not standing:
        begin = f"no candidates yet; next: mossbench build propose {folder.path}"
        say(f"no candidate is {state}" if state else begin)
    elif state is None:
        _show_counts(folder, standing)
    else:
        rows = [(one.candidate.id, one.candidate.request, one.why) for one in standing]
        show_table("id", "request", "why", rows=rows)


def _show_counts(folder: BuildFolder, standing: list[Any]) -> None:
    from mossbench.building.candidates import State
    from mossbench.samples import Stimulus

    counts = Counter((one.state, one.candidate.stimulus) for one in standing)
    by_state = {state: [counts[state, stimulus] for stimulus in Stimulus] for state in State}
    rows = [(state, *map(str, row), str(sum(row))) for state, row in by_state.items() if any(row)]
    show_table("state", *(one.title for one in Stimulus), "all", rows=rows, title=folder.settings().name)
    if n_rejected := len(folder.rejected()):
        note(f"{n_rejected} replies and drafts became no candidates: rejected.jsonl says why")
