"""RunInputs: the model and the data of a request, loaded, and its config with everything resolved."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, cast

from pydantic import ValidationError

from mossbench.datasets import DATASETS, AnyData, Dataset, NamedData, as_dataset, as_named
from mossbench.errors import UsageError, bad_option, unknown_name
from mossbench.models import Model, load_model
from mossbench.models.model import AnyModel
from mossbench.models.parameters import check_parameters, fault_of_params
from mossbench.models.presets import check_has_api, expand
from mossbench.plumbing.untrusted_files import fault_words
from mossbench.protocols import RECORDED
from mossbench.store.config import RunConfig, RunOptions, provider_of
from mossbench.store.prices import AnyPrices, Prices, load_prices, prices_given
from mossbench.ways_out import OmitOption, SetOption


@dataclass(frozen=True)
class RunInputs:
    """The config, the model and the data of a run that has not started."""

    config: RunConfig
    model: Model
    data: Dataset
    """Both sides, all samples."""


class ModelOptions(TypedDict, total=False):
    """The keywords of `load_model` that make another model of the same name."""

    base_url: str
    as_published: bool
    safety: str
    batch_size: int
    trust_remote_code: bool
    model_name: str


_MODEL_OPTIONS = ("base_url", "as_published", "google_safety", "batch_size", "trust_remote_code", "model_name")
"""Options of a run that make another model of the same name."""


def load_inputs(model: AnyModel, data: AnyData, options: RunOptions, judge: str | None = None) -> RunInputs:
    """Loads the model and the data, and records what they were really made with; `judge` is the judge's name.

    Raises:
        UsageError: An unknown name, or an option that does not exist or does not fit the model.
    """
    data = as_named(data, columns=options.get("columns"))
    if isinstance(model, str):  # what a preset stands for is what a run records
        check_has_api(model, name_of_data(data))
        model, expanded = expand(model, options)
    else:
        expanded = dict(options)
    loaded_model = load_model(model, **model_options(expanded))
    _check_model_name(loaded_model, expanded)
    resolved = {**expanded, **resolved_options(loaded_model, expanded)}
    fault = fault_of_params(resolved.get("params") or {})
    if fault:  # before the config says it, which would repeat the value
        raise bad_option("params", fault)
    if isinstance(data, Dataset):
        resolved["columns"] = dict(data.columns)
        vars(data).pop("_hashes", None)  # made again: images may have changed since it was loaded
    config = _make_config(loaded_model.name, name_of_data(data), judge, resolved)
    check_parameters(provider_of(config.model), config.model, config.effort, config.params, config.max_tokens)
    loaded_data = as_dataset(data, columns=config.columns)
    loaded_model.read_data(loaded_data.samples, loaded_data.columns)
    return RunInputs(config, loaded_model, loaded_data)


def _check_model_name(model: Model, options: Mapping[str, Any]) -> None:
    if options.get("model_name") is not None and not model.name.startswith(f"{RECORDED}/"):
        problem = f"is for recorded answers (replay/FILE), not for {model.name!r}"
        raise bad_option("model_name", problem, OmitOption("model_name"))


def _make_config(model: str, data: str, judge: str | None, options: Mapping[str, Any]) -> RunConfig:
    """The config; a UsageError where an option does not exist or has a value that it cannot have."""
    try:
        return RunConfig(model=model, data=data, judge=judge, **options)
    except ValidationError as error:
        unknown = [str(fault["loc"][0]) for fault in error.errors() if fault["type"] == "extra_forbidden"]
        if unknown:
            hint = "options are those of mossbench run, with _ for -"
            raise unknown_name("option", unknown[0], RunConfig.model_fields, hint) from error
        faults = [f"{'.'.join(map(str, fault['loc']))} {fault_words(fault)}" for fault in error.errors()]
        names = dict.fromkeys(str(fault["loc"][0]) for fault in error.errors() if fault["loc"])
        ways_out = tuple(SetOption(name, to="correct it") for name in names) if len(names) == 1 else ()
        raise UsageError(f"the run cannot start: {'; '.join(faults)}", way_out=ways_out) from error


def name_of_data(data: NamedData) -> str:
    """What would load the data again, on resume or by a user."""
    if not isinstance(data, Dataset):
        return str(data)
    if data.code:
        return data.code
    if data.name in DATASETS and data.file is None:
        return data.name
    if data.file is None or data.file.stem == "metadata":
        return str(data.root)
    return str(data.file)


def model_options(options: Mapping[str, Any]) -> ModelOptions:
    """Those options of a run that make another model of the same name, as `load_model` calls them."""
    chosen = {name: options[name] for name in _MODEL_OPTIONS if options.get(name) not in (None, False)}
    if "google_safety" in chosen:
        chosen["safety"] = chosen.pop("google_safety")
    return cast(ModelOptions, chosen)


def resolved_options(model: Model, options: Mapping[str, Any]) -> dict[str, Any]:
    """What the model was really made with: from a preset, an environment variable, or by whoever loaded it.

    A UsageError where that is not what was asked for.
    """
    resolved = {name: value for name, value in model.options.items() if name != "batch_size"}
    if "safety" in resolved:
        resolved["google_safety"] = resolved.pop("safety")
    resolved["base_url"] = model.base_url
    wanted_url = (options.get("base_url") or "").rstrip("/") or None
    for name, value in resolved.items():
        wanted_value = wanted_url if name == "base_url" else options.get(name)
        if wanted_value not in (None, False, value):
            raise UsageError(
                f"{model.name} was loaded with {name} {value!r}, but you asked for {wanted_value!r}; "
                "load it with the value you want"
            )
    return resolved


def let_models_read(models: Iterable[Model], data: AnyData, columns: Mapping[str, str] | None = None) -> None:
    """Shows all models the data before the first is asked: a column that the last one lacks must not cost a run."""
    models_with_data = [model for model in models if type(model).read_data is not Model.read_data]
    if not models_with_data:
        return
    loaded_data = as_dataset(data, columns=columns)
    for model in models_with_data:
        model.read_data(loaded_data.samples, loaded_data.columns)


def read_prices(prices: AnyPrices | None) -> Prices | None:
    """Prices by model name, read from their file where one is named."""
    if isinstance(prices, (str, Path)):
        return load_prices(prices)
    return None if prices is None else prices_given(prices)
