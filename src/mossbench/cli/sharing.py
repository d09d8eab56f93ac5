"""What goes to others: `mossbench submit`, `bundle`, `paper`, `push` and `cite`."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Literal

import click

import mossbench
from mossbench.cli.arguments import run_argument, runs_argument
from mossbench.cli.commands import Command, Group
from mossbench.cli.options import (
    Option,
    columns_option,
    default_of,
    json_option,
    max_failed_option,
    out_option,
    overwrite_option,
    rule_option,
    verdicts_of_option,
    with_answers_option,
)
from mossbench.cli.printing import note, say, show_json
from mossbench.cli.rates import note_arms
from mossbench.cli.types import AVAILABILITY, DATASET, PATH, Names
from mossbench.errors import n_of
from mossbench.plumbing.own_code import is_own_code

if TYPE_CHECKING:
    from mossbench.datasets.push import Push
    from mossbench.leaderboard.submission_records import Availability, Submission
    from mossbench.reports.bundles import SampleForm
    from mossbench.results.table import Results


@click.command(cls=Command)
@run_argument()
@out_option
@click.option(
    "--availability",
    cls=Option,
    type=AVAILABILITY,
    shown_default="API for openai/, anthropic/ and google/ at their own address",
    help="State how people can use the model; required unless it is a vendor's own API.",
)
@click.option("--model", cls=Option, shown_default="the run's", help="Use this name on the board.")
@with_answers_option
@verdicts_of_option
@overwrite_option
@max_failed_option
@rule_option
def submit(
    run: Path,
    out: Path,
    availability: Availability | None,
    model: str | None,
    with_answers: bool,
    judge: str | None,
    overwrite: bool,
    max_failed: float,
    rule: str,
) -> None:
    """Write a run as a submission for a leaderboard.

    The file has the outcomes of all rows, the rates and the protocol, and texts only with --with-answers.

    Example: mossbench submit runs/mine --out my-model.json --availability open
    """
    results = _results_to_submit(run, judge)
    submission = mossbench.make_submission(
        results,
        availability=availability,
        model=model,
        rule=rule,
        max_failed=max_failed,
        with_answers=with_answers,
    )
    mossbench.write_submission(submission, out, overwrite=overwrite)
    data = _data_to_check_with(submission, results)
    data_flag = "" if data in ("sketches", "official") else f" --data {data}"
    note(f"wrote {out}; add it to a board with: mossbench leaderboard add {quote(str(out))} --board DIR{data_flag}")


def _results_to_submit(run: Path, judge: str | None) -> Results:
    """The run with verdicts of a judge that others have; says so where that is not its own."""
    from mossbench.leaderboard.names import public_judge
    from mossbench.leaderboard.rejudging import why_judge_is_private
    from mossbench.leaderboard.submissions import results_to_submit

    own_results = mossbench.load_results(run, judge=judge)
    results = results_to_submit(run, judge)
    note_arms([results])
    if results.judge != own_results.judge:
        reason = why_judge_is_private(public_judge(str(own_results.judge)))
        note(f"note: submitted with the verdicts of {results.judge}: {reason}")
    return results


def _data_to_check_with(submission: Submission, results: Results) -> str:
    """What a board needs as --data, for a command: the dataset's name, or its folder."""
    from mossbench.datasets import DATASETS
    from mossbench.datasets.own_data import find_data_plugin

    if submission.dataset in DATASETS:
        return submission.dataset
    data = results.info.config.data
    can_be_loaded = Path(data).exists() or is_own_code(data) or find_data_plugin(data) is not None
    return quote(data) if can_be_loaded else "FOLDER"


class Packing(Group):
    """A group that makes a bundle where no command is named."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names_a_command = args[0] in self.commands
        return super().resolve_command(ctx, args if names_a_command else ["make", *args])


@click.group(cls=Packing, context_settings={"ignore_unknown_options": True})
def bundle() -> None:
    """Pack runs for an auditor, and verify a bundle.

    `mossbench bundle RUN… --out FILE` is short for `mossbench bundle make RUN… --out FILE`.

    Example: mossbench bundle runs/a runs/b --out audit.zip
    """


@bundle.command("make")
@runs_argument()
@click.option("--out", type=PATH, required=True, help="Write the bundle to this file.")
@click.option(
    "--samples",
    cls=Option,
    type=Names("samples", ["copies", "hashes"]),
    shown_default="copies where the data's licence allows them",
    help="Include copies of the samples' texts, or only their hashes.",
)
@overwrite_option
def make_command(runs: tuple[Path, ...], out: Path, samples: SampleForm | None, overwrite: bool) -> None:
    """Pack runs into one file that anyone can verify.

    Example: mossbench bundle make runs/a runs/b --out audit.zip
    """
    written = mossbench.write_bundle(runs, out, samples=samples, overwrite=overwrite)
    for name, form in written.runs.items():
        note(f"{name}: {form} of its samples")
    note(f"wrote {out}; publish its SHA-256 where nobody can change it:")
    say(written.sha256)


@bundle.command("verify")
@click.argument("file", type=PATH)
@click.option("--sha256", metavar="HEX", help="Compare the file with this SHA-256, as it was published.")
@click.option("--data", type=DATASET, help="Compare the samples with this dataset.")
@columns_option
@json_option
@click.pass_context
def verify_command(
    context: click.Context,
    file: Path,
    sha256: str | None,
    data: str | None,
    columns: dict[str, str] | None,
    as_json: bool,
) -> None:
    """Recount a bundle and list every difference.

    Exit code: 1 if there is a difference.

    Example: mossbench bundle verify audit.zip
    """
    from mossbench.reports.bundle_checking import verification_lines

    dataset = mossbench.load_dataset(data, columns=columns) if data else None
    verification = mossbench.verify_bundle(file, sha256=sha256, data=dataset)
    if as_json:
        show_json(
            {
                "sha256": verification.sha256,
                "differences": verification.differences,
                "notes": verification.notes,
                "runs": verification.runs,
            }
        )
    else:
        say("\n".join(verification_lines(verification)))
    context.exit(1 if verification.differences else 0)


@click.command(cls=Command)
@runs_argument()
@click.option("--out", type=PATH, required=True, metavar="DIR", help="Write into this new folder.")
@verdicts_of_option
@rule_option
def paper(runs: tuple[Path, ...], out: Path, judge: str | None, rule: str) -> None:
    """Write a folder of tables and figures for a paper.

    It has booktabs tables with intervals, of several runs also one of each two (differences, intervals, adjusted p),
    figures as PDF with the CSV behind each, a methods section that says only what is on record, and references.
    main.tex includes them all. Without the extra [charts] there are no figures, only their CSV.

    Example: mossbench paper runs/mine runs/theirs --out paper
    """
    results = [mossbench.load_results(run, judge=judge) for run in runs]
    note_arms(results)
    folder = mossbench.write_paper(results, out, rule=rule)
    _note_missing_figures(folder)
    note(f"wrote {folder}; compile it there with: pdflatex main; bibtex main; pdflatex main; pdflatex main")


def _note_missing_figures(folder: Path) -> None:
    from mossbench.errors import install_command
    from mossbench.reports.paper import can_draw

    if not can_draw():
        note(f"note: {folder} has no figures, only the CSV behind each; to draw them: {install_command('charts')}")


@click.command(cls=Command)
@click.argument("path", type=PATH)
@click.argument("repository")
@click.option(
    "--kind",
    cls=Option,
    type=Names("kind", ["dataset", "model"]),
    default=default_of("datasets.push:push", "kind"),
    help="Upload to a repository of this kind.",
)
@click.option(
    "--pull-request",
    "request",
    is_flag=True,
    help="Open a pull request instead of a commit; always for a model.",
)
@click.option("--yes", is_flag=True, help="Upload (default: preview).")
@json_option
def push(
    path: Path, repository: str, kind: Literal["dataset", "model"], request: bool, yes: bool, as_json: bool
) -> None:
    """Upload a dataset or model results to the Hugging Face hub.

    Without --yes it only lists what would be uploaded, and sends nothing. REPOSITORY is ORG/NAME. A new repository
    of a dataset is private. Results go into .eval_results/ as a pull request. Set HF_TOKEN to your token.

    Example: mossbench push my-copy my-org/my-set
    """
    pushed = mossbench.push(path, repository, kind=kind, request=request, send=yes)
    if as_json:
        show_json(pushed)
        return
    for name, size in pushed.files.items():
        say(f"{size:>12,}  {name}")
    upload = f"{_size_text(pushed)}, to the {kind} {repository} at {pushed.endpoint}"
    if yes:
        note(f"uploaded {upload}: {pushed.address}")
        return
    how = "as a pull request" if pushed.as_request else "as a commit; a new repository is private"
    note(f"nothing was uploaded; with --yes: {upload}, {how}")


def _size_text(pushed: Push) -> str:
    return f"{n_of(len(pushed.files), 'file')}, {n_of(sum(pushed.files.values()), 'byte')}"


@click.command(cls=Command)
def cite() -> None:
    """Print BibTeX entries for this software and the paper.

    The paper defined the task and published the 300 + 244 samples.

    Example: mossbench cite
    """
    from mossbench.reports.paper import references

    say(references(methods=False), nl=False)
