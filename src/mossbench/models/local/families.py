"""How a question and a picture are put into the prompt of each family that transformers supports.

Current models come with a chat template for it. The older families have none, or only some of their checkpoints do, and
their formats are here. A system prompt for which a format has no place is an error, not dropped.
"""

import io
from itertools import chain
from typing import Any, NamedTuple

from mossbench.errors import ModelError, UsageError
from mossbench.images.preparing import Picture
from mossbench.models.model import Prompt
from mossbench.ways_out import OmitOption


def one_image(name: str, prompts: list[Prompt]) -> str:
    return f"{name} takes one image at a time; this sample has {max(len(prompt.pictures) for prompt in prompts)}"


def no_system(name: str, why: str) -> UsageError:
    message = f"{name} takes no system prompt: {why}, which may be put into the requests"
    return UsageError(message, way_out=OmitOption("system"))


def decoded(picture: Picture) -> Any:
    from PIL import Image

    return Image.open(io.BytesIO(picture.data)).convert("RGB")


def trial(system: str | None = None) -> Prompt:
    """A question about a small picture, to check whether questions can be asked at all."""
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(file, "PNG")
    return Prompt("What is this?", system, Picture(file.getvalue(), "image/png", 64, 64))


class Form(NamedTuple):
    what: str
    text: str = "{request}"
    needs_picture: bool = True
    several: bool = False
    """Whether it takes more than one picture."""
    no_place: str | None = "its prompt is the request alone"
    """Why it takes no system prompt; None where it takes one."""


class Family:
    """One text a prompt, with a mark where the picture goes."""

    def __init__(self, name: str, processor: Any, form: Form) -> None:
        self.name = name
        self.processor = processor
        self.form = form

    def text(self, prompt: Prompt) -> str:
        images = f"{self.processor.image_token}\n" * len(prompt.pictures) if self.form.several else ""
        system = f"{prompt.system} " if prompt.system is not None else ""
        return self.form.text.format(request=prompt.request, system=system, images=images)

    def check(self) -> None:
        """Raises whatever error a question runs into."""
        self.inputs([trial()])

    def check_system(self, system: str) -> None:
        if self.form.no_place is not None:
            raise no_system(self.name, self.form.no_place)

    def inputs(self, prompts: list[Prompt]) -> Any:
        """What `generate` takes; every prompt has the same number of pictures."""
        pictures = list(map(decoded, chain.from_iterable(prompt.pictures for prompt in prompts)))
        if not self.form.several and any(prompt.more_pictures for prompt in prompts):
            raise ValueError(one_image(self.name, prompts))
        if self.form.needs_picture and not pictures:
            raise ValueError(f"{self.name} cannot be asked without an image")
        texts = [self.text(prompt) for prompt in prompts]
        return self.processor(images=pictures or None, text=texts, padding=True, return_tensors="pt")

    def generation(self) -> dict[str, Any]:
        """What this family needs beside the run's settings."""
        return {}


class Idefics(Family):
    """IDEFICS takes a list of texts and pictures, and fetches a text that is a URL: none is passed alone."""

    _end = "<end_of_utterance>"

    def inputs(self, prompts: list[Prompt]) -> Any:
        end = self._end if self._id(self._end) is not None else ""
        turns = [
            [f"User: {prompt.request}", *map(decoded, prompt.pictures), f"{end}\nAssistant:"] for prompt in prompts
        ]
        return self.processor(text=turns, padding="longest", return_tensors="pt")

    def generation(self) -> dict[str, Any]:
        """It ends its turn by a token of its own, and may not write the marks of a picture."""
        marks = [self._id(token) for token in ("<image>", "<fake_token_around_image>")]
        end = self._id(self._end)
        return {
            "bad_words_ids": [[mark] for mark in marks if mark is not None] or None,
            **({"more_ends": [end]} if end is not None else {}),
        }

    def _id(self, token: str) -> int | None:
        return self.processor.tokenizer.get_vocab().get(token)  # type: ignore[no-any-return]


class Chat(Family):
    """The checkpoint's own chat template: one user turn with the picture and then the text."""

    def text(self, prompt: Prompt) -> str:
        turns = []
        if prompt.system is not None:
            turns.append({"role": "system", "content": [{"type": "text", "text": prompt.system}]})
        content = [*({"type": "image"} for _ in prompt.pictures), {"type": "text", "text": prompt.request}]
        turns.append({"role": "user", "content": content})
        return str(self.processor.apply_chat_template(turns, add_generation_prompt=True, tokenize=False))

    def inputs(self, prompts: list[Prompt]) -> Any:
        texts = [self.text(prompt) for prompt in prompts]
        begins = self.processor.tokenizer.bos_token  # most templates write it themselves: not a second time
        return self.processor(
            images=[list(map(decoded, prompt.pictures)) for prompt in prompts if prompt.pictures] or None,
            text=texts,
            add_special_tokens=not (begins and texts[0].startswith(begins)),
            padding=True,
            return_tensors="pt",
        )

    def check(self) -> None:
        way_out = "fix it (chat_template.jinja, or in tokenizer_config.json) or fetch the checkpoint again"
        try:
            text = self.text(trial())
        except Exception as error:  # the template is the checkpoint's code, and raises what it likes
            raise ModelError(f"the chat template of {self.name} is broken: {error}; {way_out}") from error
        if trial().request not in text:
            raise ModelError(f"the chat template of {self.name} leaves out the request; {way_out}")
        super().check()

    def check_system(self, system: str) -> None:
        """Templates without a place for a system prompt raise, or silently omit it."""
        try:
            has_system = system.strip() in self.text(trial(system))
        except Exception as error:  # the template is the checkpoint's code, and raises what it likes
            raise no_system(self.name, f"its chat template says: {error}") from error
        if not has_system:
            raise no_system(self.name, "its chat template leaves it out")


_VICUNA = Form("USER: <image> … ASSISTANT:", "{system}USER: {images}{request} ASSISTANT:", False, True, None)
OWN_FORMATS = {
    "blip-2": Form("Question: … Answer:", "Question: {request} Answer:"),
    "idefics": Form(
        "User: … <image><end_of_utterance> Assistant:", needs_picture=False, no_place="its turns are User and Assistant"
    ),
    "instructblip": Form("bare question"),
    "llava": _VICUNA,
    "vipllava": _VICUNA,
}
"""By `model_type`, for checkpoints without a chat template."""


def family_of(name: str, model_type: str, processor: Any) -> Family:
    """How this checkpoint is asked: by its own chat template where it has one."""
    if getattr(processor, "chat_template", None) or getattr(processor.tokenizer, "chat_template", None):
        return Chat(name, processor, Form("chat template", no_place=None))
    if model_type in OWN_FORMATS:
        return (Idefics if model_type == "idefics" else Family)(name, processor, OWN_FORMATS[model_type])
    raise UsageError(
        f"{name} is of the family {model_type!r}, which needs a chat template, and it has none; families that "
        f"need none: {', '.join(OWN_FORMATS)}. Serve it (vllm/{name}), or write path/to/file.py:function"
    )
