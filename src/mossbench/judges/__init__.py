"""Judges by name: the table of judges and `load_judge`.

A judge's name may carry settings, as an address does: `rubric/kinds?model=openai/gpt-4o`,
`cascade?model=openai/gpt-4o&threshold=0.95`. The name with its settings is what a run records.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from mossbench.errors import UsageError, unknown_name
from mossbench.judges.judge import FunctionJudge, Judge, Reader, judge_exchange, own_judge
from mossbench.judges.keywords import KeywordsJudge
from mossbench.plumbing.own_code import is_own_code, load_own_code

if TYPE_CHECKING:
    from mossbench.judges.rubric import RubricJudge

__all__ = ["DEFAULT_JUDGE", "JUDGES", "FunctionJudge", "Judge", "judge_exchange", "judge_spec", "load_judge"]

Settings = dict[str, str]


def _rules(spec: str, settings: Settings) -> Judge:
    from mossbench.judges.rules import RulesJudge

    return RulesJudge()


def _tandem(spec: str, settings: Settings) -> Judge:
    from mossbench.judges.tandem import TandemJudge

    return TandemJudge()


def _rubric(spec: str, settings: Settings) -> Judge:
    from mossbench.judges.rubric import MissingModel, RubricJudge
    from mossbench.models import load_model
    from mossbench.models.presets import told_by_variable

    if "model" not in settings:
        raise MissingModel(spec)
    rubric = spec.partition("?")[0].partition("/")[2] or "kinds"
    model = load_model(settings["model"], base_url=settings.get("base_url"))
    if "base_url" not in settings and (url := told_by_variable(settings["model"], model.base_url)):
        spec = judge_spec(spec.partition("?")[0], **{"model": None, "base_url": url} | settings)
    return RubricJudge(rubric, model, spec)


def _cascade(spec: str, settings: Settings) -> Judge:
    from mossbench.judges.cascade import CascadeJudge
    from mossbench.judges.rubric import RubricJudge

    second = _rubric(spec.replace("cascade", "rubric/kinds", 1), settings)
    assert isinstance(second, RubricJudge)
    name = second.name.replace("rubric/kinds", "cascade", 1)
    return CascadeJudge(second, _share(settings.get("threshold", DEFAULT_THRESHOLD)), name)


def _classifier(spec: str, settings: Settings) -> Judge:
    from mossbench.judges.classifier import ClassifierJudge

    name = spec.partition("?")[0].partition("/")[2]
    if not name:
        raise UsageError("judge 'classifier' needs a checkpoint: classifier/FOLDER or classifier/<hub id>")
    return ClassifierJudge(name, spec, **settings)


def _panel(spec: str, settings: Settings) -> Judge:
    from mossbench.judges.panel import PanelJudge

    return PanelJudge([load_judge(member) for member in panel_members(spec)])


def _human(spec: str, settings: Settings) -> Judge:
    from mossbench.judges.human import HumanJudge

    path = spec.partition("/")[2]
    if not path:
        raise UsageError("judge 'human' needs a file of labels: human/FILE")
    return HumanJudge(Path(path))


def _share(value: str | float) -> float:
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise UsageError(f"threshold is {value!r}, expected a number from 0 to 1")
    return share


JUDGES: dict[str, tuple[str, Callable[[str, Settings], Judge], frozenset[str]]] = {
    "rules": ("reads what each sentence does; offline, tells kinds, with confidence and evidence", _rules, frozenset()),
    "tandem": (
        "rules, and a small encoder of ours where they are not sure; offline, says where the two disagree",
        _tandem,
        frozenset(),
    ),
    "keywords": (
        "looks for refusal phrases at the start of the answer; offline, refused yes / no; the baseline",
        lambda spec, settings: KeywordsJudge(),
        frozenset(),
    ),
    "rubric": (
        "a model judges: rubric/kinds, or rubric/paper (the published guideline); needs a judging model",
        _rubric,
        frozenset({"model", "base_url"}),
    ),
    "cascade": (
        "rules first, rubric/kinds where rules are unsure; needs a judging model",
        _cascade,
        frozenset({"model", "base_url", "threshold"}),
    ),
    "classifier": (
        "a refusal classifier on this machine: classifier/FOLDER or classifier/<hub id>; extra [local]",
        _classifier,
        frozenset({"labels", "reads"}),
    ),
    "panel": ("several judges, of which most decide: panel/rules+keywords+rubric/kinds", _panel, frozenset()),
    "human": ("labels by people: human/FILE (.jsonl, .csv)", _human, frozenset()),
}
"""Name -> what it is, how to make it from its spec and settings, and which settings it takes."""

_WITH_A_NAME = frozenset({"rubric", "classifier", "human"})
"""Judges whose name goes on after a slash."""
DEFAULT_JUDGE = "rules"
DEFAULT_THRESHOLD = 0.9
"""Confidence from which a cascade takes the verdict of rules; `tune_cascade` finds the one for your answers."""


def panel_members(spec: str) -> list[str]:
    """The judges in a panel's name, each with its settings; empty for other judges."""
    return spec.removeprefix("panel/").split("+") if spec.startswith("panel/") else []


def judge_spec(judge: str, **settings: str | float | None) -> str:
    """A judge's name with settings in it, None left out; in a panel they go to the members that take them."""
    if members := panel_members(judge):
        return "panel/" + "+".join(with_settings(member, **settings) for member in members)
    given = {name: str(value) for name, value in settings.items() if value is not None}
    given |= {name: url.rstrip("/") for name, url in given.items() if name == "base_url"}
    if not given:
        return judge
    return f"{judge}{'&' if '?' in judge else '?'}{urlencode(given, safe='/:.')}"


def with_settings(judge: str, **settings: str | float | None) -> str:
    """The judge's name with those of the settings that it takes and does not have yet."""
    if panel_members(judge):
        return judge_spec(judge, **settings)
    name, _, query = judge.partition("?")
    takes = JUDGES[kind][2] if (kind := name.partition("/")[0]) in JUDGES else frozenset[str]()
    there = dict(parse_qsl(query))
    return judge_spec(judge, **{key: value for key, value in settings.items() if key in takes and key not in there})


def without_endpoint(spec: str) -> tuple[str, str | None]:
    """A judge's name without the endpoint of its model, and the endpoint; None: the provider's own address."""
    if members := panel_members(spec):
        parts = [without_endpoint(member) for member in members]
        return "panel/" + "+".join(name for name, _ in parts), " ".join(url for _, url in parts if url) or None
    name, _, query = spec.partition("?")
    settings = dict(parse_qsl(query))
    url = settings.pop("base_url", "").rstrip("/")
    return judge_spec(name, **settings), url or None


def load_judge(spec: str | Judge | Reader) -> Judge:
    """The judge that `spec` names; a Judge or a function of one Exchange is taken as it is."""
    if isinstance(spec, Judge):
        return spec
    if callable(spec):
        return _function_judge(spec)
    if spec.startswith("panel/"):  # its members may be own code, and have settings of their own
        return _panel(spec, {})
    if "?" not in spec and is_own_code(spec):
        return own_judge(load_own_code(spec, Judge, "an Exchange"))
    name, _, query = spec.partition("?")
    kind = name.partition("/")[0]
    if kind not in JUDGES or ("/" in name and kind not in _WITH_A_NAME):
        see = f"known: {', '.join(JUDGES)}, or path/to/file.py:function"
        raise unknown_name("judge", spec, JUDGES, see)
    _, make, takes = JUDGES[kind]
    settings = dict(parse_qsl(query))
    unknown = sorted(settings.keys() - takes)
    if unknown:
        raise UsageError(
            f"judge {name!r} takes no {', '.join(unknown)}; it takes {', '.join(sorted(takes)) or 'nothing'}"
        )
    return make(spec, settings)


def models_asked(judge: Judge, *, always: bool = True) -> Iterator[tuple[RubricJudge, bool]]:
    """The judges within a judge that ask a model, each with whether it does so for every answer."""
    from mossbench.judges.cascade import CascadeJudge
    from mossbench.judges.rubric import RubricJudge

    if isinstance(judge, RubricJudge):
        yield judge, always
    for part in judge.parts:
        yield from models_asked(part, always=always and not isinstance(judge, CascadeJudge))


def _function_judge(function: Reader) -> FunctionJudge:
    name = getattr(function, "__qualname__", type(function).__name__)
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):
        source = name
    return FunctionJudge(function, f"python/{name}", hashlib.sha256(source.encode()).hexdigest()[:12])
