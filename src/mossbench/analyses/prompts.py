"""prompts: what a system prompt changes on harmless requests, and what it costs or gains on their harmful twins.

Each prompt is an arm of its own beside the plain one, which sends none, and is compared with it pair by pair, or with
the prompt that the user names, such as the one in production. Three prompts come with the package, in our own words:
helpfulness, scrutiny and safety; others are the user's files.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain
from pathlib import Path

import numpy as np

from mossbench.analyses.analysis import NotPossible, Options
from mossbench.analyses.fields import Field, field_of
from mossbench.analyses.rows import partners, plain_arm, rows_of
from mossbench.datasets import Dataset
from mossbench.datasets.arms import Arm
from mossbench.errors import UsageError, bad_option, unknown_name
from mossbench.outcomes import Rule
from mossbench.protocols import SAMPLES
from mossbench.results.differences import Difference, adjust_p_values, differences_of
from mossbench.results.pairs import Pair
from mossbench.results.rates import clusters_of, rate_of, yes
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.results.twins import detection_of, twins_of
from mossbench.samples import Side
from mossbench.statistics import Estimate
from mossbench.statistics.clusters import cluster_draws, drawn_rates
from mossbench.statistics.estimates import as_codes
from mossbench.ways_out import SetOption

NONE = "none"
CONDITIONS = ("helpfulness", "scrutiny", "safety")
PREFIX = "prompt-"
"""How the names of these arms begin."""


@dataclass(frozen=True)
class Condition:
    name: str
    system: str | None
    harmless_refused: Estimate
    harmful_refused: Estimate
    d_prime: Estimate
    criterion: Estimate


@dataclass(frozen=True)
class Effect:
    name: str
    differences: tuple[Difference, ...]
    """Prompt less baseline, on either side by stimulus and over all; p adjusted by Holm over prompts on each side."""
    price: Estimate
    """Points of harmful requests for each point of harmless ones; NaN where the latter are not shown to change."""

    def over_all(self, side: Side) -> Difference | None:
        """The difference over all stimuli, where that side was asked."""
        return next((d for d in self.differences if d.side is side and d.group == "all"), None)


@dataclass(frozen=True)
class Prompts:
    model: str
    conditions: tuple[Condition, ...]
    effects: tuple[Effect, ...]
    fields: tuple[Field, ...]
    """The prompts by both rates, by stimulus and over all, with the front."""
    notes: tuple[str, ...] = ()
    baseline: str = NONE
    """The first of the conditions, which the others are compared with."""


def arms(dataset: Dataset, options: Options) -> Sequence[Arm]:
    """One for each prompt: the three of the package, if they are wanted, and those in the user's folder."""
    if options.own_prompts_only and options.prompts is None:
        name_folder = SetOption("prompts", to="name their folder")
        raise bad_option("own_prompts_only", "needs prompts of your own", name_folder)
    prompts = system_prompts(options.prompts, built_in=not options.own_prompts_only)
    base = options.baseline_prompt
    allowed = (NONE, *prompts)
    if base is not None and base not in allowed:
        raise unknown_name("prompt", base, allowed, f"expected {', '.join(allowed)}")
    prompted = [Arm(name=PREFIX + name, system=text, epochs=options.times) for name, text in prompts.items()]
    return [*plain_arm(dataset, options), *prompted]


def system_prompts(folder: str | Path | None = None, *, built_in: bool = True) -> dict[str, str]:
    """The prompts by name: the package's, then the user's, one `.txt` or `.md` file each; none may be empty."""
    folder_of_package = files("mossbench.analyses") / "system_prompts"
    prompts: dict[str, str] = {}
    names_in_use = {NONE: "it means no prompt"}
    for name in CONDITIONS if built_in else ():
        prompts[name] = (folder_of_package / f"{name}.txt").read_text(encoding="utf-8").strip()
        names_in_use[name] = "a built-in prompt"
    for path in _prompt_files(Path(folder)) if folder is not None else []:
        name = path.stem
        if name in names_in_use:
            raise UsageError(f"prompt {path}: the name {name!r} is taken ({names_in_use[name]}); rename the file")
        names_in_use[name] = str(path)
        prompts[name] = _read_prompt(path)
    return prompts


def _read_prompt(path: Path) -> str:
    """The text of a user's prompt; a UsageError where it cannot be read, or is empty."""
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"prompt {path} cannot be read: {error}; it must be a text file in UTF-8") from error
    if not text:
        raise UsageError(f"prompt {path} is empty; write the system prompt into it, or remove it")
    return text


def _prompt_files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        expected = "give one with a .txt or .md file for each prompt"
        raise bad_option("prompts", f"{str(folder)!r} is not a folder; {expected}")
    paths = sorted(path for path in folder.iterdir() if path.suffix in (".txt", ".md") and path.is_file())
    if not paths:
        raise bad_option("prompts", f"{str(folder)!r} holds no .txt or .md file; put each prompt into one")
    return paths


def measure(results: Results, options: Options) -> Prompts:
    """What each prompt of the run changes, against the rows under the baseline: without one, by default."""
    rule = options.rule
    base = options.baseline_prompt or NONE
    texts = _texts_in(results, options)
    _check_prompts(results, list(texts), base)
    systems = _rows_by_prompt(results, texts)
    systems = {base: systems.pop(base), **systems}  # the baseline comes first
    missing_sides = [side for side in Side if not any(row.key.side is side for row in systems[base])]
    return Prompts(
        model=results.model,
        conditions=tuple(_condition(name, texts[name], rows, rule) for name, rows in systems.items()),
        effects=_effects(systems, base, rule),
        fields=field_of(systems, rule),
        notes=tuple(f"no {SAMPLES[side]} were asked, so the price of a prompt is not known" for side in missing_sides),
        baseline=base,
    )


def _check_prompts(results: Results, names: Sequence[str], base: str) -> None:
    """NotPossible where the run has no prompts, or not the one that the others are to be compared with."""
    if len(names) == 1:
        raise NotPossible(f"the run in {results.folder} was not asked with system prompts")
    if base not in names:
        raise NotPossible(
            f"the run in {results.folder} was not asked with the prompt {base!r}; it has {', '.join(names)}"
        )


def _effects(systems: dict[str, list[ResultRow]], base: str, rule: Rule) -> tuple[Effect, ...]:
    """Each prompt compared with the baseline; p is adjusted over all of them."""
    pairs_by_prompt = {name: partners(systems[base], rows) for name, rows in systems.items() if name != base}
    differences: list[Difference] = []
    for name, pairs in pairs_by_prompt.items():
        differences += differences_of(base, name, pairs, rule)
    adjusted_differences = adjust_p_values(differences)
    effects = []
    for name, pairs in pairs_by_prompt.items():
        own_differences = [difference for difference in adjusted_differences if difference.second == name]
        effects.append(_effect(name, own_differences, pairs, rule))
    return tuple(effects)


def _texts_in(results: Results, options: Options) -> dict[str, str | None]:
    """The prompts that the run was asked under, by name, without those that are left out; none is the first."""
    left_out = system_prompts() if options.own_prompts_only else {}
    texts: dict[str, str | None] = {NONE: None}
    for arm in results.info.arms:
        name = arm.name.removeprefix(PREFIX)
        if arm.name.startswith(PREFIX) and left_out.get(name) != arm.system:
            texts[name] = arm.system
    return texts


def _rows_by_prompt(results: Results, names: Iterable[str]) -> dict[str, list[ResultRow]]:
    """The rows under each prompt; those without one only in epochs in which others were asked too."""
    systems = {name: rows_of(results, PREFIX + name) for name in names if name != NONE}
    epochs = {row.key.epoch for row in chain.from_iterable(systems.values())}
    plain = [row for row in rows_of(results) if row.key.epoch in epochs]
    return {NONE: plain, **systems}


def _condition(name: str, text: str | None, rows: list[ResultRow], rule: Rule) -> Condition:
    discrimination = detection_of(twins_of(rows), rule)
    return Condition(
        name=name,
        system=text,
        harmless_refused=_rate(rows, Side.BENIGN, rule),
        harmful_refused=_rate(rows, Side.CONTRAST, rule),
        d_prime=discrimination.d_prime,
        criterion=discrimination.criterion,
    )


def _rate(rows: list[ResultRow], side: Side, rule: Rule) -> Estimate:
    return rate_of(side, "all", [row for row in rows if row.key.side is side], rule).estimate


def _effect(name: str, differences: list[Difference], pairs: Sequence[Pair], rule: Rule) -> Effect:
    is_significant = any(d.is_significant for d in differences if (d.side, d.group) == (Side.BENIGN, "all"))
    has_both_sides = {d.side for d in differences if d.estimate.n} == set(Side)
    if not has_both_sides:
        price = _no_price("one side has no pairs that count", differences)
    elif not is_significant:
        price = _no_price("no significant change on harmless requests", differences)
    else:
        price = price_of(pairs, rule)
    return Effect(name, tuple(differences), price)


def _no_price(reason: str, differences: list[Difference]) -> Estimate:
    n = sum(d.estimate.n for d in differences if d.group == "all")
    return Estimate(math.nan, math.nan, math.nan, n, 0, f"no price: {reason}")


def price_of(pairs: Sequence[Pair], rule: Rule, n_bootstrap: int = 4000) -> Estimate:
    """Change on harmful over change on harmless requests, with percentiles over scenes drawn with replacement."""
    plain = [row for row, _ in pairs]
    prompted = [row for _, row in pairs]
    gaps = np.array(yes(prompted, rule)) - np.array(yes(plain, rule))
    benign = np.array([row.key.side is Side.BENIGN for row in plain])
    codes = as_codes(clusters_of(plain, rule), len(plain))
    n_clusters = int(codes.max()) + 1
    n_left_out = int(np.isnan(gaps).sum())
    times = cluster_draws(n_clusters, n_bootstrap, np.random.default_rng(0))
    times = np.vstack([np.ones(n_clusters), times])  # the data themselves first
    changes = drawn_rates(np.stack([np.where(side, gaps, np.nan) for side in (benign, ~benign)]), codes, times)
    with np.errstate(invalid="ignore", divide="ignore"):
        prices = changes[:, 1] / changes[:, 0]
    low, high = np.nanquantile(prices[1:], (0.025, 0.975), method="nearest")  # some may be infinite
    if low == high:  # all scenes change alike: draws of them say nothing of others
        low = math.nan
        high = math.nan
    return Estimate(
        value=float(prices[0]),
        low=float(low),
        high=float(high),
        n=len(gaps) - n_left_out,
        n_left_out=n_left_out,
        method=f"ratio, cluster bootstrap over {n_clusters} clusters",
    )
