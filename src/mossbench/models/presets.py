"""Presets: the systems of the published table and current ones, by the name people know them by.

`--model llava-1.5-7b` is short for the model that a preset names. A state is of the month in which its vendor's list
or notice, or a page that quotes it, was read; where none was read it says "check". Vendors close models with little
notice, and a run says itself when one is gone. What cannot be run says how it can be measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mossbench.errors import UsageError
from mossbench.models.dated import CHECK, stale
from mossbench.models.published import PUBLISHED, PUBLISHED_LOCAL

SOURCE = "the vendor's list or notice, or a page that quotes it"
"""Of every state that has a month."""


class State(StrEnum):
    """Whether a system can still be run."""

    AVAILABLE = "available"
    GATED = "gated"
    """Its weights are given out after its terms were accepted on the hub; needs HF_TOKEN."""
    OLD_CODE = "old code"
    """Its weights are there, its own code was written for the transformers of its day."""
    RETIRED = "retired"
    """Closed by its vendor."""
    UNKNOWN = "unknown"
    """Neither offered by its vendor's list nor announced as closed."""
    BY_HAND = "by hand"
    """A web product: asked by hand, its answers replayed."""
    OWN_CODE = "own code"
    """Runs only with the code of its authors' repository."""


@dataclass(frozen=True)
class Preset:
    """One system: what it is and how it is run today."""

    name: str
    title: str
    group: str
    """`web`, `api`, `open`: sections of the published table; `script`: has code there and no row; `now`: current."""
    model: str | None
    """What `--model` takes in its place; None where nothing does."""
    state: State
    as_of: str = CHECK
    """Month of what the state was read from, or CHECK."""
    note: str = ""
    base_url: str | None = None

    @property
    def stale(self) -> bool:
        """Whether its state may have changed since it was read; what is closed stays closed."""
        return self.state is not State.RETIRED and stale(self.as_of)

    @property
    def published(self) -> str:
        """How it was asked for the published table; empty when it was not."""
        if self.group == "now":
            return ""
        if self.group == "web":
            return "by hand, the product's defaults"
        if self.name in _NO_CODE:
            return "not known, since no code that runs was published"
        if self.name == "qwen-vl-chat":
            return "defaults of its chat"
        hosted = next((how for family, how in PUBLISHED.items() if family in (self.model or "")), None)
        given = vars(hosted) if hosted else PUBLISHED_LOCAL
        return ", ".join(f"{name} {value}" for name, value in given.items() if value is not None)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        source = "" if self.as_of == CHECK else SOURCE
        return {**vars(self), "source": source, "stale": self.stale, "published": self.published}


_NO_CODE = {"minicpm-v-2", "minicpm-llama3-v-2.5", "mplug-owl2", "yi-vl-6b", "internvl-chat"}
_WEB, _OPEN = "fill in a sheet by hand, then replay/FILE", "needs a path/to/file.py:function around it"
_TRUST = "needs `trust_remote_code=True`; asked one request at a time"

_ROWS: tuple[tuple[Any, ...], ...] = (
    ("gpt-4o-web", "GPT-4o (ChatGPT)", "web", None, State.BY_HAND, CHECK, _WEB),
    ("gemini-advanced-web", "Gemini Advanced", "web", None, State.BY_HAND, CHECK, _WEB),
    ("claude-3-opus-web", "Claude 3 Opus (claude.ai)", "web", None, State.BY_HAND, CHECK, _WEB),
    ("gpt-4v", "GPT-4V", "api", "openai/gpt-4-turbo", State.RETIRED, "2026-10", "closed 2026-10-23"),
    (
        "gpt-4o",
        "GPT-4o",
        "api",
        "openai/gpt-4o",
        State.AVAILABLE,
        "2026-10",
        "until 2027-01-14; the snapshot of the published runs (2024-05-13) closed 2026-10-23",
    ),
    (
        "gemini-pro-vision",
        "Gemini-Pro Vision",
        "api",
        "google/gemini-pro-vision",
        State.RETIRED,
        "2025-04",
        "closed by 2025-04-09",
    ),
    (
        "gemini-1.5-pro",
        "Gemini-Pro 1.5",
        "api",
        "google/gemini-1.5-pro-latest",
        State.RETIRED,
        "2025-10",
        "closed 2025-09-24",
    ),
    (
        "claude-3-opus",
        "Claude 3 Opus",
        "api",
        "anthropic/claude-3-opus-20240229",
        State.RETIRED,
        "2026-01",
        "closed 2026-01-05",
    ),
    (
        "claude-3-sonnet",
        "Claude 3 Sonnet",
        "api",
        "anthropic/claude-3-sonnet-20240229",
        State.RETIRED,
        "2025-09",
        "closed 2025-07-21",
    ),
    (
        "claude-3-haiku",
        "Claude 3 Haiku",
        "api",
        "anthropic/claude-3-haiku-20240307",
        State.RETIRED,
        "2026-08",
        "closed 2026-04-20",
    ),
    (
        "reka",
        "Reka",
        "api",
        "openai/reka-core",
        State.UNKNOWN,
        "2026-10",
        "not among the models that Reka lists; which of its models was asked is not published",
        "https://api.reka.ai/v1",
    ),
    ("idefics-9b-instruct", "IDEFICS-9b-Instruct", "open", "local/HuggingFaceM4/idefics-9b-instruct", State.AVAILABLE),
    ("qwen-vl-chat", "Qwen-VL-Chat", "open", "local/Qwen/Qwen-VL-Chat", State.OLD_CODE, CHECK, _TRUST),
    (
        "internlm-xcomposer2-7b",
        "InternLM-XComposer2-7b",
        "open",
        "local/internlm/internlm-xcomposer2-vl-7b",
        State.OLD_CODE,
        CHECK,
        _TRUST,
    ),
    (
        "instructblip-vicuna-7b",
        "InstructBLIP-Vicuna-7b",
        "open",
        "local/Salesforce/instructblip-vicuna-7b",
        State.AVAILABLE,
    ),
    ("minicpm-v-2", "MiniCPM-V 2.0", "open", "local/openbmb/MiniCPM-V-2", State.OLD_CODE, CHECK, _TRUST),
    (
        "minicpm-llama3-v-2.5",
        "MiniCPM-Llama3-V 2.5",
        "open",
        "local/openbmb/MiniCPM-Llama3-V-2_5",
        State.OLD_CODE,
        CHECK,
        _TRUST,
    ),
    ("llava-1.5-7b", "LLaVA-1.5-7b", "open", "local/llava-hf/llava-1.5-7b-hf", State.AVAILABLE),
    ("llava-1.5-13b", "LLaVA-1.5-13b", "open", "local/llava-hf/llava-1.5-13b-hf", State.AVAILABLE),
    ("mplug-owl2", "mPLUG-Owl2", "open", None, State.OWN_CODE, CHECK, _OPEN),
    ("cogvlm-chat", "CogVLM", "script", "local/THUDM/cogvlm-chat-hf", State.OLD_CODE, CHECK, _TRUST),
    ("yi-vl-6b", "Yi-VL", "script", None, State.OWN_CODE, CHECK, _OPEN),
    ("internvl-chat", "InternVL", "script", "local/OpenGVLab/InternVL-Chat-V1-5", State.OLD_CODE, CHECK, _TRUST),
    ("blip-2", "BLIP-2", "script", "local/Salesforce/blip2-opt-2.7b", State.AVAILABLE),
    ("gpt-5.6-sol", "GPT-5.6 Sol", "now", "openai/gpt-5.6-sol", State.AVAILABLE, "2026-10"),
    ("claude-haiku-4.5", "Claude Haiku 4.5", "now", "anthropic/claude-haiku-4-5", State.AVAILABLE, "2026-09"),
    ("gemini-3.5-flash", "Gemini 3.5 Flash", "now", "google/gemini-3.5-flash", State.AVAILABLE, "2026-09"),
    ("qwen2.5-vl-3b", "Qwen2.5-VL 3B", "now", "local/Qwen/Qwen2.5-VL-3B-Instruct", State.AVAILABLE),
    ("qwen2.5-vl-7b", "Qwen2.5-VL 7B", "now", "local/Qwen/Qwen2.5-VL-7B-Instruct", State.AVAILABLE),
    ("qwen3-vl-8b", "Qwen3-VL 8B", "now", "local/Qwen/Qwen3-VL-8B-Instruct", State.AVAILABLE),
    ("internvl3-8b", "InternVL3 8B", "now", "local/OpenGVLab/InternVL3-8B-hf", State.AVAILABLE),
    ("smolvlm2-2.2b", "SmolVLM2 2.2B", "now", "local/HuggingFaceTB/SmolVLM2-2.2B-Instruct", State.AVAILABLE),
    (
        "gemma-3-4b",
        "Gemma 3 4B",
        "now",
        "local/google/gemma-3-4b-it",
        State.GATED,
        CHECK,
        "accept its terms, set HF_TOKEN",
    ),
)
PRESETS = {row[0]: Preset(*row) for row in _ROWS}
_BY_ANY_NAME = {name.lower(): preset for preset in PRESETS.values() for name in (preset.title, preset.name)}


def expand(model: str, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The model and options that a preset, by its name or its title, stands for; anything else as it is.

    Raises:
        UsageError: The preset cannot be run, with the way to measure it all the same.
    """
    preset = _BY_ANY_NAME.get(model.lower())
    if preset is None:
        return model, dict(options)
    if preset.state is State.BY_HAND:
        raise UsageError(
            f"{preset.title} is a web product without an API: write a sheet with `write_template('sketches', "
            f"'{preset.name}.csv')`, fill in its answers by hand, then run `model='replay/{preset.name}.csv'`"
        )
    if preset.model is None:
        raise UsageError(
            f"{preset.title} runs only with the code of its authors' repository; call that from a function and "
            f"run `model='path/to/file.py:function'` (docs/own.md), or serve it and run `model='openai/{preset.name}', "
            "base_url='URL'`"
        )
    given = dict(options)
    if preset.base_url is not None and given.get("base_url") is None:
        given["base_url"] = preset.base_url
    return preset.model, given


def preset_endpoint(model: str) -> str | None:
    """The address that a preset of this model asks; None when no preset has one of its own."""
    return next((one.base_url for one in PRESETS.values() if one.model == model and one.base_url), None)


def told_by_variable(name: str, base_url: str | None) -> str | None:
    """The endpoint of a model as it was loaded by `name`; None where that alone says it: a provider's or a preset's."""
    own = expand(name, {})[1].get("base_url")
    return None if own and own.rstrip("/") == base_url else base_url
