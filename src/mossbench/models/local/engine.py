"""A checkpoint in memory: loads it, asks it in batches, and reads its new tokens."""

import inspect
import threading
from collections.abc import Callable
from typing import Any

from mossbench.errors import ModelError, MossbenchError
from mossbench.models.local.checkpoint import (
    BIG,
    TELLING,
    Checkpoint,
    best_dtype,
    check_room,
    check_whole,
    facts_of,
    find_device,
    import_torch,
    inference,
    is_out_of_memory,
    not_loaded,
    quiet,
    with_config,
)
from mossbench.models.local.families import Family, family_of
from mossbench.models.local.grouping import seed_of
from mossbench.models.model import Prompt
from mossbench.models.replies import Reply
from mossbench.outcomes import Usage
from mossbench.ways_out import ask_at_address


class Engine:
    """Answers batches of prompts with the same settings."""

    facts: dict[str, Any]
    """The device, precision and versions, for the run's record."""

    def check_system(self, system: str) -> None:
        """A UsageError where it has no place for a system prompt."""
        raise NotImplementedError

    def draw(self, prompts: list[Prompt], generation: dict[str, Any]) -> list[Reply]:
        raise NotImplementedError

    def stop(self) -> None:
        """Ends what is being drawn at the next token, where it can be interrupted."""


class NativeEngine(Engine):
    """A model that transformers knows itself."""

    def __init__(self, model: Any, family: Family) -> None:
        self.model = model
        self.family = family
        self._stopped = threading.Event()
        tokenizer = family.processor.tokenizer
        tokenizer.padding_side = "left"  # new tokens follow the last token of every row
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        extra = family.generation()
        self._ends = _ids(model.generation_config.eos_token_id) or _ids(tokenizer.eos_token_id)
        self._ends += [end for end in extra.pop("more_ends", ()) if end not in self._ends]
        self._generation = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": self._ends or None, **extra}
        self.facts = facts_of(model, family.form.what, device_name(model.device))
        revision = getattr(model.config, "_commit_hash", None)
        if revision:
            self.facts["revision"] = revision

    def check_system(self, system: str) -> None:
        self.family.check_system(system)

    def inputs(self, prompts: list[Prompt]) -> Any:
        for system in {prompt.system for prompt in prompts if prompt.system is not None}:
            self.check_system(system)
        inputs = self.family.inputs(prompts)
        if "token_type_ids" in inputs and "token_type_ids" not in inspect.signature(self.model.forward).parameters:
            del inputs["token_type_ids"]
        return inputs.to(self.model.device, dtype=self.model.dtype)

    def draw(self, prompts: list[Prompt], generation: dict[str, Any]) -> list[Reply]:
        torch, transformers = import_torch()
        inputs = self.inputs(prompts)
        torch.manual_seed(seed_of(prompts))

        def stopped(ids: Any, scores: Any, **_: Any) -> Any:
            return torch.full((len(ids),), self._stopped.is_set(), device=ids.device, dtype=torch.bool)

        with inference():
            tokens = self.model.generate(
                **inputs,
                **self._generation,
                **generation,
                stopping_criteria=transformers.StoppingCriteriaList([stopped]),
            )
        input_ids = inputs["input_ids"]
        n_input = input_ids.shape[1]
        repeats_input = tokens.shape[1] >= n_input and torch.equal(tokens[:, :n_input], input_ids)
        if repeats_input:  # some families return only the new tokens
            tokens = tokens[:, n_input:]
        elif self.model.config.get_text_config().is_encoder_decoder:
            tokens = tokens[:, 1:]  # the token that a decoder starts from
        counts = inputs["attention_mask"].sum(dim=1).tolist()
        return [self._reply(row, count) for row, count in zip(tokens.tolist(), counts, strict=True)]

    def _reply(self, row: list[int], n_input: int) -> Reply:
        end = next((place for place, token in enumerate(row) if token in self._ends), None)
        new_tokens = row if end is None else row[:end]
        text = self.family.processor.tokenizer.decode(new_tokens, skip_special_tokens=True)
        return Reply(
            text=text.strip(),
            finish="length" if end is None else "stop",
            usage=Usage(input_tokens=int(n_input), output_tokens=len(new_tokens)),
        )

    def stop(self) -> None:
        self._stopped.set()


def device_name(device: Any) -> str:
    torch, _ = import_torch()
    if device.type == "cuda":
        return f"{device.type} ({torch.cuda.get_device_name(device)})"
    return str(device.type)


def load_engine(checkpoint: Checkpoint, *, trust_remote_code: bool) -> Engine:
    """The checkpoint in memory; a ModelError that says what is wrong with it."""
    from mossbench.models.local.chats import ChatEngine, has_chat

    device = find_device()
    checkpoint = with_config(checkpoint)
    dtype = best_dtype(device)
    check_room(checkpoint, device, dtype)
    load: Callable[..., Engine] = (
        ChatEngine if has_chat(checkpoint, trust_remote_code=trust_remote_code) else _load_native
    )
    problem: str | None = None
    try:
        with quiet():
            return load(checkpoint, device, dtype)
    except MossbenchError:
        raise
    except Exception as error:  # transformers, safetensors and the hub raise their own, Python's and each other's
        if not is_out_of_memory(error):
            problem = str(error) or type(error).__name__
    if problem is not None:
        raise not_loaded(checkpoint, problem)
    way_out = BIG.format(name=checkpoint.name)
    raise ModelError(f"{checkpoint.name!r} does not fit into the memory of {device}; {way_out}")


def _load_native(checkpoint: Checkpoint, device: Any, dtype: str) -> Engine:
    _, transformers = import_torch()
    config = find_config(checkpoint)
    processor = _processor(checkpoint, config)
    family = family_of(f"local/{checkpoint.name}", config.model_type, processor)
    family.check()
    check_room(checkpoint, device, dtype, n_parameters=_n_parameters(config))
    model, loaded = transformers.AutoModelForImageTextToText.from_pretrained(
        checkpoint.name, config=config, dtype=dtype, trust_remote_code=False, **TELLING
    )
    check_whole(checkpoint, loaded)
    return NativeEngine(model.to(device).eval(), family)


def _n_parameters(config: Any) -> int:
    """How many the config has, whatever is in the files; 0 where it makes no model, or a quantized one."""
    torch, transformers = import_torch()
    if getattr(config, "quantization_config", None):
        return 0
    try:
        with torch.device("meta"):
            model = transformers.AutoModelForImageTextToText.from_config(config, trust_remote_code=False)
    except Exception:  # the same config is about to be loaded, and what is wrong with it is said then
        return 0
    return sum(parameter.numel() for parameter in model.parameters())


def find_config(checkpoint: Checkpoint) -> Any:
    """The config as transformers reads it; a ModelError for a family that it cannot ask about pictures."""
    _, transformers = import_torch()
    try:
        config = transformers.AutoConfig.from_pretrained(checkpoint.name, trust_remote_code=False)
    except (ValueError, OSError, KeyError, TypeError) as error:
        if checkpoint.config.get("auto_map") or "model type" in str(error):
            raise unknown_family(checkpoint, checkpoint.config.get("model_type", "unknown"), str(error)) from error
        raise not_loaded(checkpoint, str(error)) from error
    if type(config) not in transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        raise ModelError(
            f"checkpoint {checkpoint.name!r} is of the family {config.model_type!r}, which transformers cannot ask "
            "about images; choose a model that takes images, or write path/to/file.py:function"
        )
    return config


def unknown_family(checkpoint: Checkpoint, family: str, why: str) -> ModelError:
    own = "it comes with its own code, which this package cannot call" if checkpoint.config.get("auto_map") else ""
    _, transformers = import_torch()
    reason = own or f"transformers {transformers.__version__} does not support it: {why.split('. ')[0]}"
    serve = f"write path/to/file.py:function, or serve it as vllm/{checkpoint.name}, or elsewhere"
    return ModelError(
        f"checkpoint {checkpoint.name!r} is of the family {family!r}: {reason}",
        way_out=ask_at_address(f"openai/{checkpoint.name}", to=serve),
    )


def _processor(checkpoint: Checkpoint, config: Any) -> Any:
    """The checkpoint's processor. Without torchvision those that also take videos are made for pictures alone."""
    _, transformers = import_torch()
    try:
        return transformers.AutoProcessor.from_pretrained(checkpoint.name, trust_remote_code=False)
    except ImportError as error:
        kind = transformers.PROCESSOR_MAPPING.get(type(config), None)
        if kind is None or "torchvision" not in str(error).lower():
            raise
    tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint.name, trust_remote_code=False)
    pictures = transformers.AutoImageProcessor.from_pretrained(checkpoint.name, trust_remote_code=False)
    parts = {"image_processor": pictures, "tokenizer": tokenizer, "video_processor": None}
    without_videos = type(kind.__name__, (kind,), {"check_argument_for_proper_class": lambda *_: None})
    return without_videos(**parts, chat_template=tokenizer.chat_template)


def _ids(tokens: int | list[int] | None) -> list[int]:
    if tokens is None:
        return []
    return [tokens] if isinstance(tokens, int) else list(tokens)
