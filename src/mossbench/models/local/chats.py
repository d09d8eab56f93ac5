"""Families that bring code of their own with a `chat` method; it runs only where it is trusted by name.

Each takes one question at a time, in its own way. How many tokens an answer had, and whether it was cut off, they do
not say. Their code was written for the transformers of its day.
"""

import inspect
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mossbench.errors import UsageError
from mossbench.models.local.checkpoint import TELLING, Checkpoint, check_whole, facts_of, import_torch, inference
from mossbench.models.local.engine import Engine
from mossbench.models.local.families import decoded, no_system, one_image
from mossbench.models.local.grouping import seed_of
from mossbench.models.model import Prompt
from mossbench.models.replies import Reply
from mossbench.ways_out import SetOption

ChatCall = Callable[[Any, Any, Prompt, dict[str, Any]], str]
"""Model, tokenizer, prompt and generation settings to the answer's text."""


def _qwen_vl(model: Any, tokenizer: Any, prompt: Prompt, generation: dict[str, Any]) -> str:
    with _picture_file(prompt) as path:
        parts = [*([{"image": str(path)}] if path else []), {"text": prompt.request}]
        system = {"system": prompt.system} if prompt.system is not None else {}
        reply, _ = model.chat(tokenizer, query=tokenizer.from_list_format(parts), history=None, **system, **generation)
    return str(reply)


def _minicpm_v(model: Any, tokenizer: Any, prompt: Prompt, generation: dict[str, Any]) -> str:
    takes = inspect.signature(model.chat).parameters
    reply = model.chat(
        image=decoded(prompt.picture) if prompt.picture is not None else None,
        msgs=[{"role": "user", "content": prompt.request}],
        tokenizer=tokenizer,
        sampling=generation.pop("do_sample", False),
        **({"context": None} if "context" in takes else {}),
        **({"system_prompt": prompt.system} if prompt.system is not None else {}),
        **generation,
    )
    return str(reply[0] if isinstance(reply, tuple) else reply)


def _xcomposer2(model: Any, tokenizer: Any, prompt: Prompt, generation: dict[str, Any]) -> str:
    system = {"meta_instruction": prompt.system} if prompt.system is not None else {}
    mark = "<ImageHere>" if prompt.picture is not None else ""
    with _picture_file(prompt) as path:
        image = {"image": str(path)} if path else {}
        reply, _ = model.chat(tokenizer, query=mark + prompt.request, history=[], **image, **system, **generation)
    return str(reply)


def _internvl(model: Any, tokenizer: Any, prompt: Prompt, generation: dict[str, Any]) -> str:
    mark = "<image>\n" if prompt.picture is not None else ""
    pixels = _internvl_pixels(model, prompt) if prompt.picture is not None else None
    return str(model.chat(tokenizer, pixels, mark + prompt.request, generation))


def _internvl_pixels(model: Any, prompt: Prompt) -> Any:
    """One tile of 448 pixels a side, with the mean and spread of ImageNet."""
    import numpy as np

    torch, _ = import_torch()
    assert prompt.picture is not None
    side = getattr(model.config, "force_image_size", None) or 448
    pixels = np.asarray(decoded(prompt.picture).resize((side, side)), dtype=np.float32) / 255
    pixels = (pixels - np.array([0.485, 0.456, 0.406])) / np.array([0.229, 0.224, 0.225])
    return torch.tensor(pixels).permute(2, 0, 1).unsqueeze(0).to(model.device, model.dtype)


def _cogvlm(model: Any, tokenizer: Any, prompt: Prompt, generation: dict[str, Any]) -> str:
    images = [decoded(prompt.picture)] if prompt.picture is not None else []
    built = model.build_conversation_input_ids(tokenizer, query=prompt.request, history=[], images=images)
    inputs = {
        name: built[name].unsqueeze(0).to(model.device) for name in ("input_ids", "token_type_ids", "attention_mask")
    }
    inputs["images"] = [[image.to(model.device, model.dtype) for image in built["images"]]] if images else None
    new_tokens = model.generate(**inputs, **generation)[0][inputs["input_ids"].shape[1] :]
    return str(tokenizer.decode(new_tokens, skip_special_tokens=True))


CHATS: dict[str, ChatCall] = {
    "QWenLMHeadModel": _qwen_vl,
    "MiniCPMV": _minicpm_v,
    "InternLMXComposer2ForCausalLM": _xcomposer2,
    "InternVLChatModel": _internvl,
    "CogVLMForCausalLM": _cogvlm,
}
"""By the architecture that config.json names."""


_NO_PLACE = {
    "InternVLChatModel": "its system message is fixed in its code",
    "CogVLMForCausalLM": "its prompt has only a request and an answer",
}
"""Why a chat takes no system prompt."""


def has_chat(checkpoint: Checkpoint, *, trust_remote_code: bool) -> bool:
    """Whether a checkpoint is asked through code of its own; a UsageError where that is not trusted."""
    names = checkpoint.config.get("architectures") or [""]
    if not checkpoint.config.get("auto_map") or names[0] not in CHATS:
        return False
    if not trust_remote_code:
        raise UsageError(
            f"{checkpoint.name!r} ({names[0]}) comes with its own Python code",
            way_out=SetOption("trust_remote_code", True, to="read it, and if you trust it, let it run"),
        )
    return True


class ChatEngine(Engine):
    """A model asked through its own `chat`, one question at a time; the one that it is at cannot be interrupted."""

    def __init__(self, checkpoint: Checkpoint, device: Any, dtype: str) -> None:
        _, transformers = import_torch()
        self._name = f"local/{checkpoint.name}"
        self._architecture = checkpoint.config["architectures"][0]
        auto_map = checkpoint.config.get("auto_map") or {}
        kind = transformers.AutoModel if "AutoModelForCausalLM" not in auto_map else transformers.AutoModelForCausalLM
        model, loaded = kind.from_pretrained(checkpoint.name, dtype=dtype, trust_remote_code=True, **TELLING)
        check_whole(checkpoint, loaded)
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint.name, trust_remote_code=True)
        self._model = model.to(device).eval()
        self.facts = facts_of(self._model, "the checkpoint's own chat", str(self._model.device))

    def check_system(self, system: str) -> None:
        why = _NO_PLACE.get(self._architecture)
        if self._architecture == "MiniCPMV" and "system_prompt" not in inspect.signature(self._model.chat).parameters:
            why = "its chat has no place for one"  # that of MiniCPM-V 2.0
        if why is not None:
            raise no_system(self._name, why)

    def draw(self, prompts: list[Prompt], generation: dict[str, Any]) -> list[Reply]:
        torch, _ = import_torch()
        replies = []
        for prompt in prompts:
            if prompt.system is not None:
                self.check_system(prompt.system)
            if prompt.more_pictures:
                raise ValueError(one_image(self._name, [prompt]))
            torch.manual_seed(seed_of([prompt]))
            with inference():
                text = CHATS[self._architecture](self._model, self._tokenizer, prompt, dict(generation)).strip()
            replies.append(Reply(text=text, finish="stop"))
        return replies


@contextmanager
def _picture_file(prompt: Prompt) -> Iterator[Path | None]:
    """The picture as a file, for code that takes only paths; gone afterwards."""
    if prompt.picture is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"picture.{prompt.picture.media_type.rpartition('/')[2]}"
        path.write_bytes(prompt.picture.data)
        yield path
