"""What a user can do about something: small records, which are shown as a command or as a call.

To add one: a record here, a case in `as_command`, in `as_call` and, where needed, in `lead`, and an example in
tests/test_ways_out.py, which checks that the command line and the library accept what is shown.
"""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, assert_never

OptionValue = str | int | float | bool | dict[str, str] | None

_FLAGS = {"models": "model", "folders": "run", "columns": "map", "params": "param"}
"""Python's name of an option -> that of the command line, where the two differ."""


@dataclass(frozen=True)
class Resume:
    """Resumes a run."""

    folder: Path
    max_cost: bool = False
    """With a higher limit on its cost."""
    to: str = "resume it"


@dataclass(frozen=True)
class ResumeAnalysis:
    analyses: tuple[str, ...]
    folder: Path
    max_cost: bool = False
    to: str = "resume it"


@dataclass(frozen=True)
class JudgeRun:
    """Judges the answers of a run, by default with the run's own judge."""

    folder: Path | str
    judge: str = ""
    batch: bool = False
    to: str = "judge it"


@dataclass(frozen=True)
class SaveDriftBaseline:
    """Saves the verdicts with which a judge's later verdicts are compared."""

    file: Path
    to: str = "write one"


@dataclass(frozen=True)
class ShowAllArms:
    """Counts a run under all its arms."""

    folder: Path
    to: str = "see them"


@dataclass(frozen=True)
class FetchDataset:
    name: str
    revision: str = ""
    to: str = "fetch it"


@dataclass(frozen=True)
class ImportDataset:
    source: Path
    out: str
    to: str = "import it"


@dataclass(frozen=True)
class ExportDataset:
    name: str
    out: Path
    to: str = "export it"


@dataclass(frozen=True)
class LoadData:
    """Reads data from a file or folder of one's own."""

    path: str
    columns: tuple[tuple[str, str], ...] = ()
    to: str = "use your copy"


@dataclass(frozen=True)
class WriteTemplate:
    """Writes a sheet to fill in answers by hand."""

    data: str
    out: str
    to: str = "write a sheet for its answers"


@dataclass(frozen=True)
class RunRecorded:
    """Judges recorded answers as a run."""

    file: str
    data: str
    model_name: str = ""
    out: str = ""
    to: str = "run it"


@dataclass(frozen=True)
class ImportResults:
    file: str
    out: str
    data: str = ""
    model: str = ""
    to: str = "import it"


@dataclass(frozen=True)
class WriteSubmission:
    run: str
    out: str
    to: str = "write a submission"


@dataclass(frozen=True)
class AddSubmission:
    file: str
    board: Path
    data: str = ""
    to: str = "add it to the board"


Listed = Literal["datasets", "judges", "models", "analyses"]


@dataclass(frozen=True)
class Listing:
    """Shows all names of a kind."""

    of: Listed
    to: str = "see all names"


@dataclass(frozen=True)
class SetOption:
    """Sets an option; without a value, the user chooses one. `to` says what for."""

    name: str
    value: OptionValue = None
    to: str = ""


@dataclass(frozen=True)
class SetOptions:
    """Sets several options together."""

    options: tuple[SetOption, ...]
    to: str


@dataclass(frozen=True)
class OmitOption:
    name: str


@dataclass(frozen=True)
class Install:
    """Installs an extra; the command depends on where the package came from."""

    command: str
    to: str = "install it"


@dataclass(frozen=True)
class Command:
    """A command without a counterpart in Python, or one that the user has typed."""

    text: str
    to: str


WayOut = (
    Resume
    | ResumeAnalysis
    | JudgeRun
    | SaveDriftBaseline
    | ShowAllArms
    | FetchDataset
    | ImportDataset
    | ExportDataset
    | LoadData
    | WriteTemplate
    | RunRecorded
    | ImportResults
    | WriteSubmission
    | AddSubmission
    | Listing
    | SetOption
    | SetOptions
    | OmitOption
    | Install
    | Command
)


WayToResume = Resume | ResumeAnalysis | Command
"""Resumes what was stopped."""


def ask_at_address(model: str, url: str = "URL", *, to: str) -> SetOptions:
    """Asks a model that is served at an address."""
    return SetOptions((SetOption("model", model), SetOption("base_url", url)), to=to)


EITHER_SIDE = (SetOption("side", "benign"), SetOption("side", "contrast"))


def as_command(way_out: WayOut) -> str:
    """As typed in a terminal: a whole command, or options to add to the one that was typed."""
    match way_out:
        case Resume(folder, max_cost):
            return _typed("mossbench run --resume", folder, _flags(max_cost="USD" if max_cost else ""))
        case ResumeAnalysis(analyses, folder, max_cost):
            flags = _flags(resume=folder, max_cost="USD" if max_cost else "")
            return _typed("mossbench analyse", *analyses, flags)
        case JudgeRun(folder, judge, batch):
            return _typed("mossbench judge apply", folder, _flags(judge=judge, batch=batch))
        case SaveDriftBaseline(file):
            return _typed("mossbench judge drift", _flags(save=file))
        case ShowAllArms(folder):
            return _typed("mossbench results show", folder, _flags(by="arm"))
        case FetchDataset(name, revision):
            return _typed("mossbench data fetch", name, _flags(revision=revision))
        case ImportDataset(source, out):
            return _typed("mossbench data import", source, _flags(out=out))
        case ExportDataset(name, out):
            return _typed("mossbench data export", name, out)
        case LoadData(path, columns):
            return _flags(data=path, columns=dict(columns))
        case WriteTemplate(data, out):
            return _typed("mossbench transcript template", _flags(data=data, out=out))
        case RunRecorded(file, data, model_name, out):
            return _typed("mossbench run", _flags(model=f"replay/{file}", data=data, model_name=model_name, out=out))
        case ImportResults(file, out, data, model):
            return _typed("mossbench results import", file, _flags(out=out, data=data, model=model))
        case WriteSubmission(run, out):
            return _typed("mossbench submit", run, _flags(availability="API", out=out))
        case AddSubmission(file, board, data):
            return _typed("mossbench leaderboard add", file, _flags(board=board, data=data))
        case Listing(of):
            return _listing_command(of)
        case SetOption(name, value):
            return option_flag(name) if value is None else _flags(**{name: value})
        case SetOptions(options):
            return " ".join(map(as_command, options))
        case OmitOption(name):
            return option_flag(name)
        case Install(command):
            return command
        case Command(text):
            return text
    assert_never(way_out)


def as_call(way_out: WayOut) -> str:
    """As written in Python: a call of what `mossbench` exports, or keywords to add to the call that was made.

    What exists only on the command line is a command here, too.
    """
    match way_out:
        case Resume(folder, max_cost):
            return _call("resume_run", [folder], max_cost=... if max_cost else "")
        case ResumeAnalysis(analyses, folder, max_cost):
            return _call("analyse", [list(analyses)], resume=folder, max_cost=... if max_cost else "")
        case JudgeRun(folder, judge, batch):
            return _call("judge_run", [folder, judge] if judge else [folder], batch=batch)
        case SaveDriftBaseline(file):
            return _call("check_drift", [], save=file)
        case ShowAllArms(folder):
            return _call("load_results", [folder], arms="all")
        case FetchDataset(name, revision):
            return _call("fetch_dataset", [name], revision=revision)
        case ImportDataset(source, out):
            return _call("import_dataset", [source, out])
        case ExportDataset(name, out):
            return _call("export_dataset", [name, out])
        case LoadData(path, columns):
            return _call("load_dataset", [path], columns=dict(columns))
        case WriteTemplate(data, out):
            return _call("write_template", [data, out])
        case RunRecorded(file, data, model_name, out):
            return _call("run", [f"replay/{file}", data], model_name=model_name, out=out)
        case ImportResults(file, out, data, model):
            return _call("import_results", [file, out], data=data, model=model)
        case WriteSubmission(run, out):
            submission = _call("make_submission", [run], availability="API")
            return f"write_submission({submission}, {out!r})"
        case AddSubmission(file, board, data):
            data_argument = f", data={_call('load_dataset', [data])}" if data else ""
            return f"add_submission({file!r}, {str(board)!r}{data_argument})"
        case Listing(of):
            return "list_datasets()" if of == "datasets" else _listing_command(of)
        case SetOption(name, value):
            return f"{name}=…" if value is None else f"{name}={value!r}"
        case SetOptions(options):
            return ", ".join(map(as_call, options))
        case OmitOption(name):
            return name
        case Install(command):
            return command
        case Command(text):
            return text
    assert_never(way_out)


def lead(way_out: WayOut) -> str:
    """The words before a command or call: `resume it with:`."""
    match way_out:
        case SetOption(_, value, to="") if value is None:
            return "set"
        case SetOption(to=""):
            return "add"
        case SetOption(to=to) | SetOptions(to=to):
            return f"{to} with"
        case OmitOption():
            return "omit"
        case _:
            return f"{way_out.to} with:"


def option_flag(name: str) -> str:
    """An option as the command line spells it: `--max-cost` for `max_cost`."""
    return f"--{_FLAGS.get(name, name).replace('_', '-')}"


def _listing_command(of: Listed) -> str:
    match of:
        case "datasets":
            return "mossbench data list"
        case "judges":
            return "mossbench judge list"
        case "models":
            return "mossbench models"
        case "analyses":
            return "mossbench analyse --help"
    assert_never(of)


def _typed(command: str, *words: object) -> str:
    """A command with its arguments, quoted for the shell; what comes from `_flags` is quoted already."""
    quoted = [word if isinstance(word, _Flags) else shlex.quote(str(word)) for word in words]
    return " ".join(filter(None, [command, *quoted]))


class _Flags(str):
    """Options as they are typed."""


def _flags(**options: object) -> _Flags:
    """Options with their values, without those that are empty or false."""
    words: list[str] = []
    for name, value in options.items():
        flag = option_flag(name)
        if value is True:
            words.append(flag)
        elif isinstance(value, dict):
            if value:
                words += [flag, shlex.quote(",".join(f"{field}={column}" for field, column in value.items()))]
        elif value not in ("", False):
            words += [flag, shlex.quote(str(value))]
    return _Flags(" ".join(words))


def _call(function: str, arguments: Iterable[object], **keywords: object) -> str:
    """A call of a function, without keywords that are empty or false."""
    written = [_literal(argument) for argument in arguments]
    for name, value in keywords.items():
        if value not in ("", False, {}):
            written.append(f"{name}={_literal(value)}")
    return f"{function}({', '.join(written)})"


def _literal(value: object) -> str:
    if value is ...:
        return "…"
    return repr(str(value)) if isinstance(value, Path) else repr(value)
