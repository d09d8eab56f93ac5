"""What an analysis is: the arms that it needs, and what it measures on the results.

An analysis draws nothing and asks nothing itself. `arms` says how the samples are put to the model; `measure` makes a
frozen record of a run's results under all arms (`across` of several runs'). What cannot be measured on these data is
`NotPossible`: the other analyses go on, and the page says why.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Literal

from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm
from mossbench.errors import UsageError, bad_option, n_of, shortened, unknown_name
from mossbench.messages import Message
from mossbench.outcomes import Rule, parse_rule
from mossbench.plumbing.json_values import as_json_value
from mossbench.plumbing.untrusted_files import as_path
from mossbench.results.table import Results


class NotPossible(UsageError):
    """An analysis that these data or these runs do not allow; the message says what is missing."""


@dataclass(frozen=True)
class Options:
    """Options of the analyses; each analysis uses those that concern it."""

    epochs: int | None = None
    """How often the plain request is asked; None: as often as each analysis needs."""
    sample: int | None = None
    """Stages: number of refused samples to ask again, the same number of each stimulus; None: all of them."""
    seed: int = 42
    """Stages: seed for choosing these samples; the model's own seed is an option of the run."""
    rule: Rule = Rule.SYSTEM
    prompts: Path | None = None
    """Folder of system prompts."""
    baseline_prompt: str | None = None
    """Prompts: the prompt that the others are compared with; None: no prompt."""
    own_prompts_only: bool = False
    """Prompts: omit the built-in ones."""
    paraphrases: Path | None = None
    boxes: Path | None = None
    """CSV id,left,top,right,bottom: where the trigger is in each image."""
    oracle: Path | None = None
    """CSV or JSONL with id and oracle_description, oracle_intent, explicit_request."""
    tagger_model: str | None = None
    """Distortions: the model that reads refusals; None: the embedded rules."""
    caption_model: str | None = None
    """Stages: the model that compares captions with oracle descriptions; None: the dataset's own data are used."""
    published: bool = False
    """Show the published models too."""

    def __post_init__(self) -> None:
        """Texts become rules and paths; a UsageError where a value cannot be what its field is."""
        for name in ("epochs", "sample"):
            _check_option(name, getattr(self, name), _is_count_or_none, "a whole number of at least 1, or None")
        _check_option("seed", self.seed, _is_whole_number, "a whole number")
        for name in ("own_prompts_only", "published"):
            _check_option(name, getattr(self, name), _is_bool, "True or False")
        for name in ("baseline_prompt", "tagger_model", "caption_model"):
            _check_option(name, getattr(self, name), _is_text_or_none, "a text, or None")
        object.__setattr__(self, "rule", parse_rule(self.rule))
        for name in ("prompts", "paraphrases", "boxes", "oracle"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, as_path(value, f"option {name} of the analyses"))

    @property
    def times(self) -> int:
        """How often the plain request is asked, where nobody said otherwise once."""
        return self.epochs or 1


AnyOptions = Options | Mapping[str, Any]
"""Options, or a dict of their fields."""
SAVED_OPTIONS = ("baseline_prompt", "own_prompts_only", "boxes", "oracle", "tagger_model", "caption_model", "published")
"""Options that are kept with what was found, so that it can be made again from its rows."""


def _is_whole_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count_or_none(value: object) -> bool:
    if value is None:
        return True
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_text_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


def _check_option(name: str, value: object, fits: Callable[[object], bool], expected: str) -> None:
    if not fits(value):
        raise bad_option(name, f"is {shortened(repr(value))}, expected {expected}")


def read_options(options: AnyOptions | None) -> Options:
    """The options as a record: those of a dict by the names of its fields; a UsageError for anything else."""
    if options is None:
        return Options()
    if isinstance(options, Options):
        return options
    if not isinstance(options, Mapping):
        value = f"{shortened(repr(options))} ({type(options).__name__})"
        raise UsageError(f"options of the analyses are {value}, expected Options(…), a dict of its fields, or None")
    names = [field.name for field in fields(Options)]
    for name in options:
        if name not in names:
            raise unknown_name("option of the analyses", str(name), names, f"expected {', '.join(names)}")
    return Options(**options)


@dataclass(frozen=True)
class Declaration:
    """What analysis.toml says of an analysis, beside what its module does."""

    side: Literal["benign", "both"]
    """Which requests have to be asked for it."""
    epochs: int = 1
    """How often the plain request is put for it, when the user does not say."""
    n_models: int | None = None
    """How many models it takes; None: any number."""
    material: bool = True
    """Whether it uses oracle texts, so that what is said of them concerns it."""


def _read_declarations() -> dict[str, Declaration]:
    path = Path(__file__).with_name("analysis.toml")
    tables = tomllib.loads(path.read_text("utf-8"))
    return {name: Declaration(**table) for name, table in tables.items()}


ANALYSES = _read_declarations()
"""By name, which is also that of its module, in the order in which they are asked and shown."""


@dataclass(frozen=True)
class Analysis:
    """One analysis: what its module does, and what is declared of it."""

    name: str
    declaration: Declaration
    arms: Callable[[Dataset, Options], Sequence[Arm]]
    """The arms that it needs, the plain one too where once is not enough."""
    measure: Callable[[Results, Options], object] | None
    """A record of one run, all arms in it."""
    follow_up: Callable[[Results, Options], Sequence[Arm]] | None
    """Arms that can be named only when the first answers are there, such as those for refused samples."""
    read: Callable[[Results, Options], None] | None
    """Reads answers by a model where the user names one; what it finds lies in the run's folder."""
    across: Callable[[Sequence[Results], Options], object] | None
    """A record of several runs."""


def load_analysis(name: str) -> Analysis:
    """The analysis of that name. Its module has `arms`, and those of the other functions that it needs."""
    if name not in ANALYSES:
        raise unknown_name("analysis", name, ANALYSES, f"known: {', '.join(ANALYSES)}, or all")
    module = import_module(f"mossbench.analyses.{name}")
    return Analysis(
        name=name,
        declaration=ANALYSES[name],
        arms=module.arms,
        measure=getattr(module, "measure", None),
        follow_up=getattr(module, "follow_up", None),
        read=getattr(module, "read", None),
        across=getattr(module, "across", None),
    )


@dataclass(frozen=True)
class Skipped:
    """In place of a record: why there is none."""

    why: Message


@dataclass(frozen=True)
class Part:
    """One analysis of one run, or across all of them."""

    name: str
    model: str
    """Empty across runs."""
    record: Any
    """What the analysis measured, a frozen dataclass of its own module; or `Skipped`."""
    options: Options = Options()
    n_rows: int = 0
    """Rows of the run, or of all runs, under all arms."""
    n_missing: int = 0
    """Of them those without answer or verdict."""


@dataclass(frozen=True)
class Analysed:
    """The results of analyses of one or more models."""

    MADE_BY: ClassVar = "mossbench analyse"

    runs: tuple[Results, ...]
    parts: tuple[Part, ...]
    """Those asked for now, and those that were asked for earlier in this folder, measured again on all rows."""
    folder: Path
    notices: tuple[Message, ...] = ()
    asked: tuple[str, ...] = ()
    """Names of the analyses asked for now."""
    stem: str = "analysis"
    """How the page is named, before .html."""
    rule: Rule = Rule.SYSTEM

    def __repr__(self) -> str:
        return f"<Analysed {', '.join(self.asked)}: {n_of(len(self.runs), 'run')}, in {self.folder}>"

    def record(self, name: str, model: str | None = None) -> Any:
        """The record of that analysis; with several models, of the one named."""
        for part in self.parts:
            if part.name == name and model in (None, part.model):
                return part.record
        raise UsageError(f"no analysis {name!r} here; choose from {', '.join(part.name for part in self.parts)}")

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; NaN becomes None."""
        return {
            "made_by": self.MADE_BY,
            "rule": str(self.rule),
            "notices": [str(notice) for notice in self.notices],
            "runs": [_run_to_dict(run) for run in self.runs],
            "parts": [_part_to_dict(part) for part in self.parts],
        }


def _run_to_dict(run: Results) -> dict[str, object]:
    return {
        "model": run.model,
        "data": run.info.dataset.label,
        "dataset": run.info.dataset.name,
        "hashes": as_json_value(run.info.dataset.hashes),
        "judge": run.judge,
        "arms": list(dict.fromkeys(arm.name for arm in run.info.arms)),
        "n_rows": len(run),
        "layers": as_json_value(run.layers()),
        "failures": dict(run.failures()),
    }


def _part_to_dict(part: Part) -> dict[str, object]:
    options = {}
    for name in SAVED_OPTIONS:
        value = getattr(part.options, name)
        if value:
            options[name] = as_json_value(value)
    return {"name": part.name, "model": part.model, "options": options, "record": as_json_value(part.record)}
