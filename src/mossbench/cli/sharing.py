"""What goes to others: `mossbench submit`, `bundle`, `paper`, `push` and `cite`."""

from pathlib import Path
from shlex import quote
from typing import Any

import click

import mossbench
from mossbench.cli.commands import Command, Group
from mossbench.cli.options import PATH, options, run_argument, runs_argument
from mossbench.cli.printing import note, say, show_json
from mossbench.cli.results import note_arms
from mossbench.errors import n_of


@click.command(cls=Command)
@run_argument()
@options("out", "submit.availability", "submit.model", "with_answers", "own.judge", "overwrite", "max_failed", "rule")
def submit(run: Path, out: Path, judge: str | None, overwrite: bool, **chosen: Any) -> None:
    from mossbench.datasets import DATASETS
    from mossbench.leaderboard.judging import private_judge
    from mossbench.leaderboard.names import public_judge
    from mossbench.leaderboard.submissions import results_to_submit

    own = mossbench.load_results(run, judge=judge)
    results = results_to_submit(run, judge)
    note_arms([results])
    if results.judge != own.judge:
        reason = private_judge(public_judge(str(own.judge)))
        note(f"note: submitted with the verdicts of {results.judge}: {reason}")
    submission = mossbench.make_submission(results, **chosen)
    mossbench.write_submission(submission, out, overwrite=overwrite)
    source = results.info.config.data
    folder = quote(source) if Path(source).exists() else "FOLDER"
    named = submission.dataset if submission.dataset in DATASETS else folder
    hint = "" if named in ("sketches", "official") else f" --data {named}"
    note(f"wrote {out}; a board takes it with: mossbench leaderboard add {quote(str(out))} --board DIR{hint}")


class Packing(Group):
    """A group that makes a bundle where no command is named."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        return super().resolve_command(ctx, args if args[0] in self.commands else ["make", *args])


@click.group(cls=Packing, context_settings={"ignore_unknown_options": True})
def bundle() -> None: ...


@bundle.command("make")
@runs_argument()
@options("bundle.out", "samples", "overwrite")
def make_command(runs: tuple[Path, ...], out: Path, **how: Any) -> None:
    made = mossbench.write_bundle(runs, out, **how)
    for name, form in made.runs.items():
        note(f"{name}: {form} of its samples")
    note(f"wrote {out}; publish its SHA-256 where nobody can change it:")
    say(made.sha256)


@bundle.command("verify")
@click.argument("file", type=PATH)
@options("sha256", "verify.data", "map", "json")
@click.pass_context
def verify_command(
    context: click.Context, file: Path, sha256: str | None, data: str | None, columns: Any, as_json: bool
) -> None:
    from mossbench.reports.bundle_checking import verification_lines

    dataset = mossbench.load_dataset(data, columns=columns) if data else None
    found = mossbench.verify_bundle(file, sha256=sha256, data=dataset)
    if as_json:
        show_json(found)
    else:
        say("\n".join(verification_lines(found)))
    context.exit(1 if found.differences else 0)


@click.command(cls=Command)
@runs_argument()
@options("paper.out", "own.judge", "rule")
def paper(runs: tuple[Path, ...], out: Path, judge: str | None, rule: str) -> None:
    results = [mossbench.load_results(run, judge=judge) for run in runs]
    note_arms(results)
    folder = mossbench.write_paper(results, out, rule=rule)
    note(f"wrote {folder}; compile it there with: pdflatex main; bibtex main; pdflatex main; pdflatex main")


@click.command(cls=Command)
@click.argument("path", type=PATH)
@click.argument("repository")
@options("push.kind", "pull_request", "push.yes", "json")
def push(path: Path, repository: str, kind: Any, request: bool, yes: bool, as_json: bool) -> None:
    done = mossbench.push(path, repository, kind=kind, request=request, send=yes)
    if as_json:
        return show_json(done)
    for name, size in done.files.items():
        say(f"{size:>12,}  {name}")
    files, in_all = n_of(len(done.files), "file"), n_of(sum(done.files.values()), "byte")
    what = f"{files}, {in_all}, to the {kind} {repository} at {done.endpoint}"
    how = "as a pull request" if done.as_request else "as a commit; a new repository is private"
    note(f"sent {what}: {done.address}" if yes else f"nothing was sent; with --yes: {what}, {how}")


@click.command(cls=Command)
def cite() -> None:
    from mossbench.reports.paper import references

    say(references(methods=False), nl=False)
