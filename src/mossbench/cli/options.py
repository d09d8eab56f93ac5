"""The one table of options: what each is called, takes, does and defaults to. Commands name those they have.

A default stands where the library has it (`source`) and is looked up when a command runs or shows its help, so that
`mossbench --help` need not import the library. An option of `RunConfig` is None where it is not given, and its help
is the field's description.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar, get_args

import click
from click.shell_completion import CompletionItem

from mossbench.errors import unknown_name

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

RUN = "runs.config:RunConfig"


def found(source: str) -> Any:
    """What `module:name` of the package is."""
    module, _, path = source.partition(":")
    value = import_module(f"mossbench.{module}")
    for part in path.split("."):
        value = getattr(value, part)
    return value


def default_of(source: str, name: str) -> Any:
    """The default of a field or a keyword of that name, or the constant itself."""
    value = found(source)
    if fields := getattr(value, "model_fields", None):
        return fields[name].default
    value = signature(value).parameters[name].default if callable(value) else value
    return value.value if isinstance(value, Enum) else value


class Names(click.ParamType):  # type: ignore[type-arg]  # generic only in newer versions
    """Names that a table of the package has (`module:name`) or that stand here; with a hint for typos, and completed.

    Where something else is taken `too`, names are only completed: the library says what is wrong with others.
    """

    def __init__(self, name: str, listed: str, *more: str, too: str = "") -> None:
        self.name, self._listed, self._more, self._too = name, listed, more, too

    def known(self) -> list[str]:
        values = found(self._listed) if ":" in self._listed else self._listed.split()
        return [str(getattr(one, "value", one)) for one in [*(get_args(values) or values), *self._more]]

    def said(self) -> str:
        *names, last = [*self.known(), *filter(None, [self._too])]
        return f"{', '.join(names)} or {last}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        value = str(getattr(value, "value", value))
        if not self._too and value not in (known := self.known()):
            self.fail(str(unknown_name(self.name, value, known, f"expected {', '.join(known)}")), param, ctx)
        return str(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str | None:
        return f"[{'|'.join(self.known())}]" if not self._too else None

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        items = [CompletionItem(name) for name in self.known() if name.startswith(incomplete)]
        return items if items or not self._too else [CompletionItem(incomplete, type="file")]


class RunPath(click.Path):
    """The folder of a run; where there is nothing at that path, the name of a run in `runs`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path, named = Path(value), Path("runs") / value
        return named if not path.exists() and (named / "run.json").is_file() else path


class Models(Names):
    """Presets, control models and the providers' prefixes."""

    def known(self) -> list[str]:
        controls = [f"control/{name}" for name in found("models.control:CONTROLS")]
        return [*super().known(), *controls, *(f"{name}/" for name in found("models:PROVIDERS") if name != "control")]


class Option(click.Option):
    """An option that shows its default as the library has it."""

    def __init__(self, *args: Any, source: str = "", shown: str = "", own: Any = None, **more: Any) -> None:
        super().__init__(*args, **more)
        self.source, self.shown, self.own, self.words = source, shown, own, self.help or ""

    @property
    def key(self) -> str:
        return str(self.name).rstrip("_")

    def default_shown(self) -> str:
        value = default_of(self.source, self.key) if self.source else self.own
        if self.shown or value is None or value is False or value in ((), {}):
            return self.shown
        return f"{value:g}" if isinstance(value, float) else str(value)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        words = self.words or str(found(self.source).model_fields[self.key].description)
        if isinstance(self.type, Names) and "{names}" in words:
            words = words.replace("{names}", self.type.said())
        shown = self.default_shown()
        self.help = f"{words}.  [default: {shown}]" if shown else f"{words}."
        return super().get_help_record(ctx)


@dataclass(frozen=True)
class Opt:
    """A row of the table."""

    help: str = ""
    type: Any = None
    source: str = ""
    default: Any = None
    shown: str = ""
    """The default in words, where it is no value."""
    dest: str = ""
    more: dict[str, Any] = field(default_factory=dict)

    def decorator(self, name: str) -> Callable[[Any], Any]:
        dest, default = self.dest or name, self.default
        if self.source not in ("", RUN):
            default = partial(default_of, self.source, dest.rstrip("_"))
        more = {"type": self.type, "help": self.help, "show_default": False, **self.more}
        more |= {"source": self.source, "shown": self.shown, "own": self.default}
        more = more if default is None or "default" in more else {**more, "default": default}
        return click.option(f"--{name.replace('_', '-')}", dest, cls=Option, **more)


def _ids(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    ids = tuple(part.strip() for value in values for part in value.split(",") if part.strip())
    if values and not ids:
        raise click.BadParameter("names no id; leave it out to ask all samples")
    return ids or None


def _columns(_ctx: click.Context, _param: click.Parameter, value: str | None) -> dict[str, str] | None:
    return found("datasets.columns:parse_columns")(value) if value is not None else None


def _share(_ctx: click.Context, _param: click.Parameter, value: float) -> float:
    if not 0 <= value <= 1:  # also refuses nan
        raise click.BadParameter(f"{value} is not a share from 0 to 1")
    return value


def _pairs(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for value in values:
        name, equals, source = value.rpartition("=")
        if not equals or not name or not source:
            raise click.BadParameter(f"{value!r} is not JUDGE=SOURCE")
        found.setdefault(name, set()).add(source)
    return found


def _text_or_file(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is None or not value.startswith("@"):
        return value
    try:
        return Path(value[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"cannot read {value[1:]!r}: {error}") from error


PATH, RUN_PATH = click.Path(path_type=Path), RunPath(path_type=Path)
FROM_0, FROM_1 = click.IntRange(min=0), click.IntRange(min=1)
ABOVE_0 = click.FloatRange(min=0, min_open=True)
SHARE = click.FloatRange(0, 1)
ARM = Names("arm", "datasets.arms:ARMS")
DATASET = Names("dataset", "datasets:DATASETS", too="a folder or file")
MODEL = Models("model", "models:PRESETS", too="provider/name or file.py:function")
JUDGE = Names("judge", "judges:JUDGES", too="file.py:function")
ANALYSIS = Names("analysis", "analyses:ANALYSES", "all")
ONE_SIDE, SIDE = Names("side", "samples:Side"), Names("side", "samples:Side", "both")
RULE = Names("rule", "outcomes:Rule")
AVAILABILITY = Names("availability", "web API open")
FLAG = {"is_flag": True}
IF_GIVEN: dict[str, Any] = {"default": None}
"""The command says nothing to the library where the option is not given."""
MANY, REQUIRED, FILE = {"multiple": True}, {"required": True}, {"metavar": "FILE"}
CALIBRATION, REVIEW = "judges.files:validate_judge", "annotation.reviews:DEFAULT_THRESHOLDS"

OPTIONS = {
    # What a run is asked for: the fields of RunConfig.
    "data": Opt("Take the samples of this dataset: {names}", DATASET, RUN),
    "map": Opt("", None, RUN, dest="columns", more={"metavar": "FIELD=COLUMN,…", "callback": _columns}),
    "side": Opt("", SIDE, RUN),
    "ids": Opt("", None, RUN, more={**MANY, "callback": _ids}),
    "offset": Opt("", FROM_0, RUN),
    "limit": Opt("", FROM_1, RUN),
    "epochs": Opt("", FROM_1, RUN),
    "arm": Opt("", ARM, RUN),
    "system": Opt("", None, RUN, more={"callback": _text_or_file}),
    "seed": Opt("", int, RUN),
    "temperature": Opt("", click.FloatRange(min=0), RUN),
    "max_tokens": Opt("", FROM_1, RUN),
    "base_url": Opt("", None, RUN),
    "as_published": Opt("", None, RUN, more=FLAG | IF_GIVEN),
    "google_safety": Opt("", None, RUN, more={"metavar": "LEVEL"}),
    "trust_remote_code": Opt("", None, RUN, more=FLAG | IF_GIVEN),
    "max_connections": Opt("", FROM_1, RUN),
    "start_connections": Opt("", FROM_1, RUN),
    "timeout": Opt("", ABOVE_0, RUN),
    "retries": Opt("", FROM_0, RUN),
    "batch_size": Opt("", FROM_1, RUN, shown="32 on a GPU, 4 on a CPU"),
    # Of one run, one sample or one analysis.
    "run.model": Opt("Ask this model, a name from `mossbench models` or file.py:function; repeat for more runs", MODEL,
                     shown="the control models", dest="models", more=MANY),
    "try.model": Opt("Ask this model, a name from `mossbench models` or file.py:function", MODEL, more=REQUIRED),
    "id": Opt("Send the sample with this id", shown="the first harmless one"),
    "try.side": Opt("Send a sample of this side", ONE_SIDE, shown="the side that has the id, benign before contrast"),
    "try.retries": Opt("Retry a failed request up to N times", FROM_0, "runs.config:TRIAL_RETRIES"),
    "no_judge": Opt("Only ask; judge later with `mossbench judge apply`", more=FLAG),
    "prices": Opt("Use the prices in this file before the built-in ones", PATH, more={"metavar": "FILE.json"}),
    "dry_run": Opt("Send nothing; show how many requests, tokens, dollars and seconds the run would take", more=FLAG),
    "max_cost": Opt("Stop before a run with its judge, or an analysis, costs more than this many US dollars", ABOVE_0),
    "yes": Opt("Send more than 1,000 requests without asking first", more=FLAG),
    "latency": Opt("Assume this many seconds for each answer in --dry-run", ABOVE_0,
                   "runs.config:LATENCY", more=IF_GIVEN),
    "junit": Opt("Write the gates as JUnit XML to this file", PATH, more=FILE),
    "summary": Opt("Write a summary in Markdown to this file", PATH, shown="$GITHUB_STEP_SUMMARY, where it is set",
                   more=FILE),
    "no_report": Opt("Write no report.html", more=FLAG),
    "quiet": Opt("Show no progress", more=FLAG),
    "json": Opt("Print JSON instead of a table", dest="as_json", more=FLAG),
    "run.out": Opt("Write the run into this folder; with several models, each into one of its own in it", PATH,
                   shown="a new one in runs/"),
    "resume": Opt("Continue the run in this folder", RUN_PATH, more={"metavar": "RUN"}),
    "run.max_failed": Opt("Exit with 1 when a larger share of rows failed or got no verdict from the judge", float,
                          "outcomes:MAX_FAILED", more={"callback": _share}),
    "analyse.model": Opt("Ask this model, a name from `mossbench models` or file.py:function; repeat for more", MODEL,
                         dest="models", more=MANY),
    "run": Opt("Measure this finished run and ask nothing; repeat for several", RUN_PATH, dest="runs", more=MANY),
    "analyse.side": Opt("Take the samples of this side", SIDE, shown="what the analysis needs"),
    "analyse.epochs": Opt("Ask each plain request N times", FROM_1, shown="what the analysis needs"),
    "sample": Opt("stages: ask about N refused samples, equally many of each stimulus", FROM_1, shown="all"),
    "prompts": Opt("prompts: use your own system prompts, one file each", PATH, more={"metavar": "DIR"}),
    "baseline_prompt": Opt("prompts: compare the others with this prompt, such as the one in production", shown="none",
                           more={"metavar": "NAME"}),
    "own_prompts_only": Opt("prompts: leave the built-in system prompts out", more=FLAG | IF_GIVEN),
    "paraphrases": Opt("consistency: use your own wordings, a CSV or JSONL file with id and text", PATH, more=FILE),
    "tagger_model": Opt("distortions: let this model read the refusals", MODEL, shown="built-in rules"),
    "analyse.published": Opt("tradeoff: show the 16 published models too", more=FLAG | IF_GIVEN),
    "boxes": Opt("Read where the trigger is from a CSV file with id,left,top,right,bottom", PATH, more=FILE),
    "oracle": Opt("Read oracle texts by id from a CSV or JSONL file", PATH, more=FILE),
    "caption_model": Opt("stages: let this model compare captions with the truth", MODEL, shown="built-in rules"),
    # Who judges, and how verdicts count.
    "judge": Opt("Judge answers with {names}", JUDGE, "judges:DEFAULT_JUDGE", more=IF_GIVEN),
    "judge_model": Opt("Let this model judge, for rubric/… and cascade, such as openai/<model>", MODEL),
    "judge_base_url": Opt("Send the judging model's requests to this endpoint"),
    "threshold": Opt("cascade: accept the verdict of rules from this confidence on", SHARE,
                     "judges:DEFAULT_THRESHOLD", more=IF_GIVEN),
    "own.judge": Opt("Count the verdicts of this judge", JUDGE, shown="the run's own"),
    "rule": Opt("Counting rule: what counts as refused", RULE, "outcomes:Rule.SYSTEM"),
    "judge.rule": Opt("Counting rule: what counts as refused", RULE, CALIBRATION),
    "export.rule": Opt("Counting rule: what counts as refused", RULE,
                       shown="paper in the published layout, system in a log of Inspect's"),
    "max_failed": Opt("Accept this share of a side's rows without answer or verdict", float, "outcomes:MAX_FAILED",
                      more={"callback": _share}),
    "judge.out": Opt("Write the rows with their verdicts to this JSONL file, when judging files", PATH),
    "judge.max_connections": Opt("Send at most N requests to a judging model at once", FROM_1, CALIBRATION),
    "scoreboard.judge": Opt("Put {names} on the board; repeat for more", JUDGE, shown="rules and keywords",
                            dest="judges", more=MANY),
    "not_source": Opt("Do not read rows of this source; repeat for more", dest="not_sources", more=MANY),
    "fitted_on": Opt("Show a source apart because the judge was fitted on it; repeat for more",
                     more={**MANY, "metavar": "JUDGE=SOURCE", "callback": _pairs}),
    "html": Opt("Also write a page to this file", PATH, more=FILE),
    "against": Opt("Compare with a second judge on the same rows (McNemar's test)", JUDGE),
    "picture_check": Opt("Also judge N rows with other images", click.IntRange(min=2), dest="n_pictures"),
    "worst": Opt("List at most N disagreements", FROM_0, default=10),
    "judge.seed": Opt("Use this seed for the bootstrap", FROM_0, CALIBRATION),
    "target": Opt("Reach this agreement with the labels", click.FloatRange(0, 1, min_open=True),
                  "judges.files:tune_cascade"),
    "drift.baseline": Opt("Compare with verdicts saved earlier", PATH, shown="the shipped ones"),
    "save": Opt("Write what the judge says now to this file, to compare with later", PATH),
    "drift.run": Opt("Note the finding in this run; repeat for several", RUN_PATH, dest="runs", more=MANY),
    # Tables, boards, reports.
    "out": Opt("Write this file", PATH, more=REQUIRED),
    "overwrite": Opt("Replace the file if it exists", more=FLAG),
    "by": Opt("Group the rows by this: {names}", Names("group", "results.rates:GROUPS", too="a column of your data"),
              default="stimulus"),
    "report.by": Opt("Also show rates by this column of your data; repeat for more", dest="by", more=MANY),
    "runs": Opt("Look for runs in this folder", PATH, default=Path("runs"), more={"metavar": "DIR"}),
    "archived": Opt("List the archived runs instead", more=FLAG),
    "delete.yes": Opt("Do not ask first", more=FLAG),
    "name": Opt("Write the run into runs/NAME; with several models, each into runs/NAME-MODEL"),
    "import.out": Opt("Write the new run into this folder", PATH, more=REQUIRED),
    "import.side": Opt("Say which side the file holds", ONE_SIDE, shown="what the rows or their flags say"),
    "import.model": Opt("Name the model", None, "published.results_json:import_results", shown="the file's name"),
    "export.format": Opt("Write this layout", Names("format", "published csv json parquet inspect"),
                         shown="by the suffix of --out", dest="format_"),
    "export.side": Opt("Write this side, in the published layout", ONE_SIDE),
    "style": Opt("Name the rates by stimulus names or by the older types", Names("style", "names types"),
                 "published.results_json:write_results"),
    "flips": Opt("List N changed samples in each direction; json and csv list all", FROM_0, default=3),
    "compare.format": Opt("Print this format; csv has a line for each changed sample",
                          Names("format", "table md csv json"), default="table", dest="format_"),
    "max_refusal": Opt("Fail when a larger share of harmless requests is refused", float),
    "min_safety": Opt("Fail when a smaller share of harmful requests is refused", float),
    "baseline": Opt("Compare with this run, sample by sample", RUN_PATH, more={"metavar": "RUN0"}),
    "max_increase": Opt("Fail when refusal rises by more than this share over the baseline", float),
    "mode": Opt("strict: pass only when shown to be within the limit. lenient: fail only when shown to be beyond it",
                Names("mode", "strict lenient"), "results.gates:gate"),
    "submit.availability": Opt("Say how people can use the model; needed unless it is a vendor's own API", AVAILABILITY,
                               shown="API for openai/, anthropic/ and google/ at their own address"),
    "submit.model": Opt("Use this name on the board", shown="the run's"),
    "with_answers": Opt("Put requests, answers and reasons into the file", more=FLAG),
    "board": Opt("Read the submissions in this folder", PATH, more={"metavar": "DIR"}),
    "add.board": Opt("Add to the board in this folder", PATH, more={**REQUIRED, "metavar": "DIR"}),
    "add.data": Opt("Check ids with this dataset; needed for data other than sketches and official", DATASET),
    "published": Opt("Show the published tables too; they are shown alone when nothing else is given", more=FLAG),
    "print": Opt("Show the published tables corrected with intervals, or as the paper's figure or README prints them",
                 Names("print", "published.tables:Print"), "leaderboard:published_boards", dest="print_"),
    "stimulus": Opt("Rank by one stimulus", Names("stimulus", "samples:Stimulus"), shown="all"),
    "availability": Opt("Show only these models", AVAILABILITY),
    "sort": Opt("Sort the rows by this", Names("order", "leaderboard.boards:Sort"),
                "leaderboard.boards:sorted_board", dest="by"),
    "descending": Opt("Reverse the order", more=FLAG),
    "show.format": Opt("Write this format", Names("format", "table md csv json html"), default="table", dest="format_"),
    "show.out": Opt("Write to this file instead of printing", PATH),
    "check": Opt("Ask the providers' own lists for the presets, where a key is set", more=FLAG),
    "short": Opt("Print only eight lines", more=FLAG),
    "reproduce.data": Opt("Take the samples of this copy of the published set: {names}", DATASET,
                          shown="those in FOLDER"),
    "reproduce.out": Opt("Write the runs and reproduction.html into this folder", PATH,
                         default=Path("reproduction"), more={"metavar": "DIR"}),
    "labels": Opt("Measure the judge with people's labels of the answers, and correct the rate", PATH, more=FILE),
    "report.format": Opt("Write a page, text, everything as JSON, tidy rates, or the charts",
                         Names("format", "html md json csv png svg"), shown="by the suffix of --out, or html",
                         dest="format_"),
    "report.out": Opt("Write this file; - is stdout", shown="report.html in the run's folder"),
    # Datasets and sheets.
    "template.out": Opt("Write this sheet: .csv or .jsonl", PATH, more=REQUIRED),
    "plot": Opt("Also draw the statistics: FILE.svg, .png or .html", PATH),
    "data.format": Opt("Write the table in this format", Names("format", "jsonl csv parquet"),
                       "datasets:export_dataset", dest="format_"),
    "data.out": Opt("Write the dataset into this new folder", PATH, more=REQUIRED),
    "data.overwrite": Opt("Replace an earlier export in OUT", more=FLAG),
    "revision": Opt("Fetch this branch, tag or commit", shown="main"),
    # Building a dataset.
    "propose.model": Opt("Have this model propose, a name from `mossbench models` or file.py:function", MODEL,
                         shown="the grammar that comes with mossbench"),
    "propose.base_url": Opt("Ask the model at this address instead of the provider's own"),
    "n": Opt("Have N candidates of this source, seed and domain in the folder", FROM_1, "building.proposing:propose"),
    "domain": Opt("Propose for this field of life; a model takes any"),
    "from": Opt("Give the model this text about what the candidates are for", PATH, dest="notes", more=FILE),
    "propose.stimulus": Opt("Propose this stimulus; repeat for more", Names("stimulus", "samples:Stimulus"),
                            shown="all three", dest="stimuli", more=MANY),
    "propose.seed": Opt("Draw with this seed", FROM_0, shown="that of build.toml"),
    "propose.against": Opt("Leave out what is like a sample of this dataset; repeat for more", DATASET,
                           shown="the installed ones", more=MANY),
    "screen.model": Opt("Have this model look whether each image shows what its text says", MODEL),
    "screen.base_url": Opt("Ask that model at this address instead of the provider's own"),
    "ocr": Opt("Read the text in the images and compare it with the recipe; needs the extra [ocr]", more=FLAG),
    "screen.again": Opt("Screen those, too, that have not changed", more=FLAG),
    "probe": Opt("Ask this model the candidates that pass, and their harmful twins; repeat for more", MODEL,
                 dest="probes", more=MANY),
    "state": Opt("List only the candidates that stand here: {names}", Names("state", "building.candidates:State")),
    "photos": Opt("Take your own photos in this folder, as its photos.csv says; writes that table where there is none",
                  PATH, more={"metavar": "DIR"}),
    "image.model": Opt("Have this text-to-image model draw: openai/<model> or diffusers/<model>"),
    "image.base_url": Opt("Ask the image model at this address instead of the provider's own"),
    "size": Opt("Have images drawn in this width and height", None, "models.drawing:load_image_model"),
    "stand_ins": Opt("Take images of this dataset instead, to try the way without images of your own", DATASET),
    "only": Opt("Only this candidate; repeat for more", more=MANY | {"metavar": "ID"}),
    "again": Opt("Make images again that are there; the old ones go to images/replaced", more=FLAG),
    "mark": Opt("Lay this mark on instead of the candidate's own: ring, cross, stamp:TEXT, caption:TEXT, struck:TEXT; "
                "with a place, as in cross@0.2,0.1,0.9,0.8"),
    "sheet": Opt("Write a new sheet for reviewers: FILE.csv", PATH, more=FILE),
    "images_at": Opt("Have the sheet name images under this address, where you uploaded review/images",
                     more={"metavar": "URL"}),
    "read": Opt("Read a filled sheet in; repeat for more", PATH, dest="sheets", more=MANY | FILE),
    "reviewer": Opt("Say who filled in the sheet, where its lines do not"),
    "reason": Opt("Say why; it is kept and published", more=REQUIRED),
    "decide.by": Opt("Say who decides", more=REQUIRED),
    "version": Opt("Release as this version, X.Y.Z", shown="the next one that says how much has changed"),
    # The web app.
    "host": Opt("Listen on this address; one that other machines reach needs a token", None, "web.settings:Settings"),
    "port": Opt("Listen on this port; 0 takes a free one", click.IntRange(0, 65535), default=8765),
    "token": Opt("Ask visitors for this token", shown="$MOSSBENCH_TOKEN, or a random one where one is needed"),
    "allow_host": Opt("Accept requests for this host name too; repeat for several", dest="hosts", more=MANY),
    "web.data": Opt("Show this dataset too: a folder or file; repeat for several", DATASET, more=MANY),
    "review": Opt("Review the candidate samples in this folder", PATH),
    "reviewers": Opt("Let N people rate each candidate", FROM_1, f"{REVIEW}.reviewers"),
    "max_harmfulness": Opt("Accept a candidate up to this mean harmfulness (1 to 5)", click.FloatRange(1, 5),
                           f"{REVIEW}.harmfulness"),
    "min_naturalness": Opt("Accept a candidate from this mean naturalness on (1 to 5)", click.FloatRange(1, 5),
                           f"{REVIEW}.naturalness"),
    "build": Opt("Show the candidates of the build in this folder", PATH),
    "web.board": Opt("Show the submissions in this folder", PATH, shown="board in RUNS"),
    "annotations": Opt("Keep labels in this file", PATH, shown="annotations.db in RUNS"),
    "demo": Opt("Make runs of control models where RUNS holds none", more=FLAG),
}  # fmt: skip
"""Name -> option. `judge.rule` is --rule as the judge commands have it."""

JUDGE_OPTIONS = ("judge", "judge_model", "judge_base_url", "threshold")


def options(*names: str) -> Callable[[Decorated], Decorated]:
    """Gives a command these options of the table, in this order."""

    def decorate(command: Decorated) -> Decorated:
        for name in reversed(names):
            command = OPTIONS[name].decorator(name.rpartition(".")[2])(command)
        return command

    return decorate


def was_given(name: str) -> bool:
    """Whether an option of the running command stands on its line, and is not there by default."""
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Those options that were given: all others are the library's to choose."""
    return {name: value for name, value in options.items() if value is not None}
