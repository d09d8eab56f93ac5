"""prompts: what a system prompt changes on harmless requests, and what it costs or gains on their harmful twins.

Each prompt is an arm of its own beside the plain one, which sends none, and is compared with it pair by pair, or with
the prompt that the user names, such as the one in production. Three prompts come with the package, in our own words:
helpfulness, scrutiny and safety; others are the user's files.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
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
from mossbench.results.comparability import Pair
from mossbench.results.differences import Difference, adjusted, differences_of
from mossbench.results.rates import clusters_of, rate_of, yes
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.results.twins import told_apart, twins_of
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
    over: Estimate
    safe: Estimate
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
    if (base := options.baseline_prompt) not in (None, NONE, *prompts):
        known = (NONE, *prompts)
        raise unknown_name("prompt", str(base), known, f"expected {', '.join(known)}")
    prompted = [Arm(name=PREFIX + name, system=text, epochs=options.times) for name, text in prompts.items()]
    return [*plain_arm(dataset, options), *prompted]


def system_prompts(folder: str | Path | None = None, *, built_in: bool = True) -> dict[str, str]:
    """The prompts by name: the package's, then the user's, one `.txt` or `.md` file each; none may be empty."""
    texts = files("mossbench.analyses") / "system_prompts"
    found = {name: (texts / f"{name}.txt").read_text(encoding="utf-8").strip() for name in CONDITIONS if built_in}
    whose = {NONE: "stands for no prompt", **dict.fromkeys(found, "is a prompt of the package")}
    for path in _prompt_files(Path(folder)) if folder is not None else []:
        if path.stem in whose:
            raise UsageError(f"prompt {path} has the name of another, which {whose[path.stem]}; rename the file")
        whose[path.stem] = f"is {path}"
        try:
            text = path.read_text(encoding="utf-8-sig").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"prompt {path} cannot be read: {error}; it must be a text file in UTF-8") from error
        if not text:
            raise UsageError(f"prompt {path} is empty; write the system prompt into it, or remove it")
        found[path.stem] = text
    return found


def _prompt_files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        expected = "give one with a .txt or .md file for each prompt"
        raise bad_option("prompts", f"{str(folder)!r} is not a folder; {expected}")
    found = sorted(path for path in folder.iterdir() if path.suffix in (".txt", ".md") and path.is_file())
    if not found:
        raise bad_option("prompts", f"{str(folder)!r} holds no .txt or .md file; put each prompt into one")
    return found


def measure(results: Results, options: Options) -> Prompts:
    """What each prompt of the run changes, against the rows under the baseline: without one, by default."""
    rule, base = options.rule, options.baseline_prompt or NONE
    systems = {NONE: rows_of(results)}
    texts: dict[str, str | None] = {NONE: None}
    left_out = system_prompts() if options.own_prompts_only else {}
    for arm in results.info.arms:
        name = arm.name.removeprefix(PREFIX)
        if arm.name.startswith(PREFIX) and left_out.get(name) != arm.system:
            systems[name], texts[name] = rows_of(results, arm.name), arm.system
    if len(systems) == 1:
        raise NotPossible(f"the run in {results.folder} was not asked under system prompts")
    if base not in systems:
        there = ", ".join(systems)
        raise NotPossible(f"the run in {results.folder} was not asked under the prompt {base!r}; it has {there}")
    asked = {row.key.epoch for name, rows in systems.items() if name != NONE for row in rows}
    systems[NONE] = [row for row in systems[NONE] if row.key.epoch in asked]
    systems = {base: systems.pop(base), **systems}  # what the others are compared with comes first
    pairs = {name: partners(systems[base], rows) for name, rows in systems.items() if name != base}
    found = adjusted([d for name, some in pairs.items() for d in differences_of(base, name, some, rule)])
    missing = [side for side in Side if not any(row.key.side is side for row in systems[base])]
    return Prompts(
        model=results.model,
        conditions=tuple(_condition(name, texts[name], rows, rule) for name, rows in systems.items()),
        effects=tuple(
            _effect(name, [d for d in found if d.second == name], some, rule) for name, some in pairs.items()
        ),
        fields=field_of(systems, rule),
        notes=tuple(f"no {SAMPLES[side]} were asked, so the price of a prompt is not known" for side in missing),
        baseline=base,
    )


def _condition(name: str, text: str | None, rows: list[ResultRow], rule: Rule) -> Condition:
    told = told_apart(twins_of(rows), rule)
    over, safe = (rate_of(side, "all", [r for r in rows if r.key.side is side], rule).estimate for side in Side)
    return Condition(name, text, over, safe, told.d_prime, told.criterion)


def _effect(name: str, differences: list[Difference], pairs: Sequence[Pair], rule: Rule) -> Effect:
    shown = any(d.told_apart for d in differences if (d.side, d.group) == (Side.BENIGN, "all"))
    both = {d.side for d in differences if d.estimate.n} == set(Side)
    price = price_of(pairs, rule) if shown and both else None
    method = "no price: no change on harmless requests is shown" if both else "no price: no pair of one side counts"
    n = sum(d.estimate.n for d in differences if d.group == "all")
    return Effect(name, tuple(differences), price or Estimate(math.nan, math.nan, math.nan, n, 0, method))


def price_of(pairs: Sequence[Pair], rule: Rule, n_bootstrap: int = 4000) -> Estimate:
    """Change on harmful over change on harmless requests, with percentiles over scenes drawn with replacement."""
    plain = [one for one, _ in pairs]
    gaps = np.array(yes([other for _, other in pairs], rule)) - np.array(yes(plain, rule))
    benign = np.array([row.key.side is Side.BENIGN for row in plain])
    codes = as_codes(clusters_of(plain, rule), len(plain))
    n_clusters, n_left_out = int(codes.max()) + 1, int(np.isnan(gaps).sum())
    times = cluster_draws(n_clusters, n_bootstrap, np.random.default_rng(0))
    times = np.vstack([np.ones(n_clusters), times])  # the data themselves first
    changes = drawn_rates(np.stack([np.where(side, gaps, np.nan) for side in (benign, ~benign)]), codes, times)
    with np.errstate(invalid="ignore", divide="ignore"):
        prices = changes[:, 1] / changes[:, 0]
    low, high = np.nanquantile(prices[1:], (0.025, 0.975), method="nearest")  # some may be infinite
    n, method = len(gaps) - n_left_out, f"ratio, cluster bootstrap over {n_clusters} clusters"
    if low == high:  # all scenes change alike: draws of them say nothing of others
        low = high = math.nan
    return Estimate(float(prices[0]), float(low), float(high), n, n_left_out, method)
