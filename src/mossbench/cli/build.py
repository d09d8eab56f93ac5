"""`mossbench build`: a dataset of one's own, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

import mossbench
from mossbench.cli.build_text import agreement_text, proposed_text, read_in_text, released_text, reviewer_remarks
from mossbench.cli.commands import Group
from mossbench.cli.image_sources import ImageOrigin, image_source, write_photo_sheet
from mossbench.cli.option_groups import gather
from mossbench.cli.options import Option, default_of, json_option, prices_option
from mossbench.cli.printing import note, say, show_json, show_table
from mossbench.cli.types import DATASET, FROM_0, FROM_1, MODEL, PATH, POSITIVE, STIMULUS, Names
from mossbench.errors import n_of

if TYPE_CHECKING:
    from mossbench.building.candidate_states import Standing
    from mossbench.building.candidates import Screened
    from mossbench.building.folder import BuildFolder
    from mossbench.building.imaging import Imaged
    from mossbench.building.probing import Refused
    from mossbench.building.rating import Agreement, Reviewer

MAX_EXAMPLES = 4
"""Candidates that a line of the table of probes names."""


def _open_folder(_ctx: click.Context, _param: click.Parameter, path: Path) -> BuildFolder:
    from mossbench.building.folder import BuildFolder

    return BuildFolder(path)


def _quoted(folder: BuildFolder) -> str:
    """The folder as it is typed in a command."""
    return quote(str(folder.path))


folder_argument = click.argument("folder", type=PATH, callback=_open_folder)


@click.group(cls=Group)
def build() -> None:
    """Build a dataset of your own, from ideas to a release.

    The steps are propose, image, screen, review and release. FOLDER holds everything as plain files. Each step can
    be stopped and repeated; none changes what people wrote.
    """


@build.command()
@folder_argument
@click.option(
    "--n",
    cls=Option,
    type=FROM_1,
    default=default_of("building.proposing:propose", "n"),
    help="Fill the folder up to N candidates of this source, seed and domain.",
)
@click.option(
    "--model",
    cls=Option,
    type=MODEL,
    shown_default="the grammar that comes with mossbench",
    help="Let this model propose, a name from `mossbench models` or file.py:function.",
)
@click.option("--base-url", help="Send requests to this endpoint instead of the provider's own.")
@click.option("--domain", help="Propose requests of this domain, such as pharmacy; a model takes any.")
@click.option(
    "--from", "notes", type=PATH, metavar="FILE", help="Give the model this text about the purpose of the candidates."
)
@click.option(
    "--stimulus",
    "stimuli",
    cls=Option,
    type=STIMULUS,
    multiple=True,
    shown_default="all three",
    help="Propose candidates of this stimulus; repeat for more.",
)
@click.option("--seed", cls=Option, type=FROM_0, shown_default="the seed in build.toml", help="Draw with this seed.")
@click.option(
    "--against",
    cls=Option,
    type=DATASET,
    multiple=True,
    shown_default="the installed datasets",
    help="Reject near-duplicates of the samples of this dataset; repeat for more.",
)
@prices_option
@click.option("--max-cost", type=POSITIVE, help="Stop before the model costs more than this many US dollars.")
@json_option
def propose(
    folder: BuildFolder,
    n: int,
    model: str | None,
    base_url: str | None,
    domain: str | None,
    notes: Path | None,
    stimuli: tuple[str, ...],
    seed: int | None,
    against: tuple[str, ...],
    prices: Path | None,
    max_cost: float | None,
    as_json: bool,
) -> None:
    """Propose candidates: requests, scenes and their harmful twins.

    Rejects near-duplicates of other candidates and of installed datasets, and text that would help to do harm;
    rejected.jsonl keeps them with the reason.

    Example: mossbench build propose my-set --n 30 --domain pharmacy
    """
    from mossbench.samples import Stimulus

    proposed = mossbench.propose(
        folder.path,
        n=n,
        model=model,
        base_url=base_url,
        domain=domain,
        notes=notes,
        stimuli=[Stimulus(name) for name in stimuli] or list(Stimulus),
        seed=seed,
        against=against,
        prices=prices,
        max_cost=max_cost,
    )
    if as_json:
        show_json(
            {
                "wanted": proposed.wanted,
                "added": len(proposed.added),
                "there": proposed.n_there,
                "asked": proposed.n_asked,
                "rejected": proposed.rejected,
                "candidates": proposed.added,
            }
        )
    else:
        note(proposed_text(proposed))
    if not proposed.n:
        raise SystemExit(1)
    if not as_json:
        say(f"next: mossbench build image {_quoted(folder)}")


@build.command()
@folder_argument
@click.option(
    "--photos",
    type=PATH,
    metavar="DIR",
    help="Use your own photos in this folder, as listed in its photos.csv; writes that table if it is missing.",
)
@click.option("--model", help="Draw with this text-to-image model: openai/<model> or diffusers/<model>.")
@click.option("--base-url", help="Send requests to this endpoint instead of the provider's own.")
@click.option(
    "--size",
    cls=Option,
    default=default_of("models.drawing:load_image_model", "size"),
    help="Draw images of this width and height.",
)
@click.option(
    "--stand-ins",
    type=DATASET,
    help="Use images of this dataset as stand-ins, to try the steps without images of your own.",
)
@click.option(
    "--from",
    "composer",
    type=Names("composer", ["studio"]),
    help="Compose the images in the studio of a checkout, from the scenes in FOLDER/scenes.py.",
)
@click.option(
    "--mark",
    help="Use this mark instead of the candidate's own: ring, cross, stamp:TEXT, caption:TEXT, "
    "struck:TEXT; with a place, as in cross@0.2,0.1,0.9,0.8.",
)
@click.option("--only", multiple=True, metavar="ID", help="Make images for this candidate only; repeat for more.")
@click.option("--again", is_flag=True, help="Make existing images again; the old ones go to images/replaced.")
@json_option
@gather("origin", ImageOrigin)
def image(
    folder: BuildFolder, origin: ImageOrigin, mark: str | None, only: tuple[str, ...], again: bool, as_json: bool
) -> None:
    """Make the images of candidates and twins, with their marks.

    They come from your own photos, from a text-to-image model, or from a dataset as stand-ins. recipes.jsonl records
    the source, licence and marks of each image; metadata is removed from photos.

    Example: mossbench build image my-set --photos photos
    """
    from mossbench.building.imaging import make_images
    from mossbench.building.overlays import parse_overlay

    if origin.n_named != 1:
        ways = "--photos DIR, --model NAME, --stand-ins DATASET or --from studio"
        raise click.UsageError(f"name one source of images: {ways}")
    if origin.photos is not None and write_photo_sheet(folder, origin.photos):
        return
    source = image_source(folder, origin)
    overlay = parse_overlay(mark) if mark else None
    imaged = make_images(folder, source.images, ids=only or None, again=again, mark=overlay, at_once=source.max_at_once)
    if as_json:
        show_json({"made": imaged.made, "without": imaged.without, "failed": imaged.failed})
    else:
        _show_imaged(folder, imaged)
    if imaged.failed:
        raise SystemExit(1)


def _show_imaged(folder: BuildFolder, imaged: Imaged) -> None:
    for candidate, reason in imaged.failed.items():
        note(f"{candidate} has no image: {reason}")
    without = f"; {len(imaged.without)} have no image in this source yet" if imaged.without else ""
    note(f"made images for {n_of(len(imaged.made), 'candidate')}, {len(imaged.failed)} failed{without}")
    say(f"next: mossbench build screen {_quoted(folder)}")


@build.command()
@folder_argument
@click.option("--model", type=MODEL, help="Let this model check that each image shows what its text says.")
@click.option("--base-url", help="Send requests to this endpoint instead of the provider's own.")
@click.option(
    "--ocr", is_flag=True, help="Read the text in the images and compare it with the recipe; needs the extra [ocr]."
)
@click.option("--again", is_flag=True, help="Also screen candidates that have not changed.")
@click.option(
    "--probe",
    "probes",
    type=MODEL,
    multiple=True,
    help="Send this model the candidates that pass, and their harmful twins; repeat for more.",
)
@prices_option
@click.option(
    "--max-cost",
    type=POSITIVE,
    help="Stop before any model costs more than this many US dollars.",
)
@json_option
def screen(
    folder: BuildFolder,
    model: str | None,
    base_url: str | None,
    ocr: bool,
    again: bool,
    probes: tuple[str, ...],
    prices: Path | None,
    max_cost: float | None,
    as_json: bool,
) -> None:
    """Check candidates for errors before people review them.

    Errors keep a candidate from review; warnings are for the reviewers. Probes show which candidates no model or
    every model refuses; the data card reports how much selecting by probes changed the set.

    Example: mossbench build screen my-set --ocr --probe control/jumpy
    """
    from mossbench.building.probing import probe
    from mossbench.cli.progress_bar import progress_of, steps

    screened = mossbench.screen(
        folder.path,
        model=model,
        base_url=base_url,
        ocr=ocr,
        again=again,
        prices=prices,
        max_cost=max_cost,
        progress=steps(),
    )
    probed: list[Refused] = []
    if probes:
        with progress_of("probe", quiet=as_json) as progress:
            probed = probe(folder.path, probes, progress=progress, prices=prices, max_cost=max_cost)
    if as_json:
        show_json({"screened": screened, "probed": probed})
    else:
        _show_screened(folder, screened, probed)


def _show_screened(folder: BuildFolder, screened: Sequence[Screened], probed: Sequence[Refused]) -> None:
    candidates = folder.candidates().values()
    n_kept_back = sum(bool(result.errors) for result in screened)
    n_without_images = sum(bool(folder.missing_images(candidate)) for candidate in candidates)
    n_unchanged = len(candidates) - n_without_images - len(screened)
    note(
        f"{len(screened)} screened, {n_kept_back} held back from review, {n_unchanged} unchanged since "
        f"they were screened, {n_without_images} without images"
    )
    findings = []
    for result in screened:
        findings += [(result.candidate, "error", fault) for fault in result.errors]
        findings += [(result.candidate, "warning", fault) for fault in result.warnings]
    show_table("id", "finding", "", rows=findings)
    _show_probed(probed)
    if not candidates:
        next_step = "propose"
    elif n_without_images == len(candidates):
        next_step = "image"
    else:
        next_step = "review"
    say(f"next: mossbench build {next_step} {_quoted(folder)}")


def _show_probed(probed: Sequence[Refused]) -> None:
    """Shows how many candidates no model, some models or every model refused."""
    rows = []
    for refused_by in ("nobody", "some", "all", "unknown"):
        candidates = [result.candidate for result in probed if result.by == refused_by]
        if candidates:
            rows.append((refused_by, str(len(candidates)), ", ".join(candidates[:MAX_EXAMPLES])))
    show_table("refused by", "candidates", "examples", rows=rows)


@build.command()
@folder_argument
@click.option("--sheet", type=PATH, metavar="FILE", help="Write a new sheet for reviewers: FILE.csv.")
@click.option(
    "--images-at",
    metavar="URL",
    help="Link the images in the sheet to this address, where you uploaded review/images.",
)
@click.option(
    "--read",
    "sheets",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="Read ratings from this filled-in sheet; repeat for more.",
)
@click.option("--reviewer", help="Name who filled in the sheet, where its lines do not.")
@json_option
def review(
    folder: BuildFolder,
    sheet: Path | None,
    images_at: str | None,
    sheets: tuple[Path, ...],
    reviewer: str | None,
    as_json: bool,
) -> None:
    """Have people rate candidates, and show how far they agree.

    Ratings come from sheets and from the review page; those of the page are read each time.

    Example: mossbench build review my-set --sheet sheet.csv
    """
    from mossbench.building import reviewing
    from mossbench.building.candidate_states import standings
    from mossbench.building.rating import agreement_of

    if reviewer is not None and len(sheets) != 1:
        raise click.UsageError("--reviewer names who filled in one sheet: use it with a single --read")
    for path in sheets:
        read_in = reviewing.read_review_sheet(folder, path, reviewer=reviewer or "")
        note(f"{path}: {read_in_text(read_in)}")
    from_page = reviewing.read_review_page(folder)
    if from_page.new or from_page.changed or from_page.same:
        note(f"review page: {read_in_text(from_page)}")
    if sheet is not None:
        n_lines = reviewing.write_review_sheet(folder, sheet, image_base=images_at or "")
        images = folder.path / "review" / "images"
        note(f"wrote {sheet} with {n_of(n_lines, 'line')}, attention checks among them; images are in {images}")
    else:
        page_folder = reviewing.write_review_page(folder)
        note(f"to review in a browser: mossbench serve --review {quote(str(page_folder))}")
    agreement = agreement_of(folder)
    n_by_state = Counter(standing.state.value for standing in standings(folder))
    if as_json:
        show_json({"states": n_by_state, "agreement": agreement})
    else:
        _show_review(agreement, n_by_state)


def _show_review(agreement: Agreement, n_by_state: Counter[str]) -> None:
    if not agreement.reviewers:
        say("no candidate has been rated yet")
        return
    rows = [_reviewer_row(reviewer) for reviewer in agreement.reviewers]
    show_table("reviewer", "candidates", "checks passed", "agrees with the others", "", rows=rows)
    say(agreement_text(agreement, n_by_state))


def _reviewer_row(reviewer: Reviewer) -> tuple[str, ...]:
    agrees = "-"
    if reviewer.agrees.n:
        agrees = f"{reviewer.agrees.value:.0%} [{reviewer.agrees.low:.0%} to {reviewer.agrees.high:.0%}]"
    checks = f"{reviewer.passed} of {reviewer.seen}"
    return (reviewer.name, str(reviewer.n), checks, agrees, reviewer_remarks(reviewer))


@build.command()
@folder_argument
@click.argument("id")
@click.argument("decision", type=click.Choice(["accept", "reject", "retire"]))
@click.option("--reason", required=True, help="Give the reason; it is kept and published.")
@click.option("--by", required=True, help="Name who decides.")
def decide(folder: BuildFolder, id: str, decision: str, reason: str, by: str) -> None:
    """Settle a disputed candidate, or retire a released one.

    Example: mossbench build decide my-set er-3f9a1c2b accept --reason harmless --by Ann
    """
    from mossbench.building import reviewing

    reviewing.decide(folder, id, decision, reason, by)
    note(f"noted in {folder.path / 'decisions.jsonl'}: {decision} {id}")


@build.command()
@folder_argument
@click.option(
    "--version",
    cls=Option,
    shown_default="the next version that fits the changes",
    help="Release as this version, X.Y.Z.",
)
@json_option
def release(folder: BuildFolder, version: str | None, as_json: bool) -> None:
    """Release the accepted candidates as a versioned dataset.

    Example: mossbench build release my-set
    """
    from mossbench.building import releasing
    from mossbench.models.control.names import EXAMPLE

    released = releasing.release(folder, version=version or "")
    if as_json:
        show_json(
            {
                "path": released.path,
                "version": released.version,
                "changes": released.changes,
                "waiting": released.waiting,
            }
        )
        return
    note(released_text(released, folder.path))
    say(f"next: mossbench run --data {quote(str(released.path))} --model '{EXAMPLE}'")
    say("  a rehearsal: it plants refusals in one of five samples, and reports how many were planted and found")


@build.command()
@folder_argument
@click.option(
    "--state",
    cls=Option,
    type=Names("state", "building.candidates:State"),
    help="List only candidates in this state: {names}.",
)
@json_option
def status(folder: BuildFolder, state: str | None, as_json: bool) -> None:
    """Show the state of every candidate.

    Example: mossbench build status my-set --state disputed
    """
    from mossbench.building.candidate_states import standings

    chosen = [standing for standing in standings(folder) if state in (None, standing.state)]
    for name in folder.torn():
        note(
            f"{name}: the last line is incomplete and does not count; the next step that writes moves it to {name}.torn"
        )
    if as_json:
        show_json([{"id": standing.candidate.id, "state": standing.state, "why": standing.why} for standing in chosen])
    elif not chosen and state:
        say(f"no candidate is {state}")
    elif not chosen:
        say(f"no candidates yet; next: mossbench build propose {_quoted(folder)}")
    elif state is None:
        _show_number_by_state(folder, chosen)
    else:
        rows = [(standing.candidate.id, standing.candidate.request, standing.why) for standing in chosen]
        show_table("id", "request", "why", rows=rows)


def _show_number_by_state(folder: BuildFolder, standings: Sequence[Standing]) -> None:
    """Shows how many candidates are in each state, by stimulus."""
    from mossbench.building.candidates import State
    from mossbench.samples import Stimulus

    counts = Counter((standing.state, standing.candidate.stimulus) for standing in standings)
    rows = []
    for state in State:
        by_stimulus = [counts[state, stimulus] for stimulus in Stimulus]
        if any(by_stimulus):
            rows.append((state, *map(str, by_stimulus), str(sum(by_stimulus))))
    titles = [stimulus.title for stimulus in Stimulus]
    show_table("state", *titles, "all", rows=rows, title=folder.settings().name)
    n_rejected = len(folder.rejected())
    if n_rejected:
        note(f"{n_rejected} replies and drafts were rejected; rejected.jsonl has the reasons")
