"""Text-to-image models: endpoints with OpenAI's images API through its SDK, and diffusers on one's own machine."""

import base64
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mossbench.errors import ModelError, needing, unknown_name
from mossbench.models.faults import read_fault
from mossbench.models.hosted import checked_url, find_key
from mossbench.models.keys import redacted, secret
from mossbench.models.openai import key_names

PROVIDERS = ("openai", "diffusers")
_TIMEOUT = 180.0  # seconds; large images take a minute and more


@dataclass(frozen=True)
class ImageModel:
    """A text-to-image model. `draw(prompt, seed)` gives the file of an image, or raises a ModelError."""

    name: str
    base_url: str | None
    draw: Callable[[str, int], bytes]
    at_once: int
    """How many images may be asked for at a time."""


def load_image_model(name: str, *, base_url: str | None = None, size: str = "1024x1024") -> ImageModel:
    """The model of that name: `openai/MODEL`, or `diffusers/MODEL` for a folder or a name that diffusers knows.

    `base_url` is that of an endpoint other than OpenAI's, `size` the width and height in pixels.
    """
    provider, _, model = name.partition("/")
    if provider not in PROVIDERS or not model:
        raise unknown_name("image model", name, (f"{one}/" for one in PROVIDERS), "as in openai/MODEL, diffusers/MODEL")
    return _endpoint(model, base_url, size) if provider == "openai" else _diffusers(model, size)


def _endpoint(model: str, base_url: str | None, size: str) -> ImageModel:
    with needing("openai/<model>", "openai"):
        import openai
    base_url = checked_url(base_url or secret("OPENAI_BASE_URL"))
    names = key_names(base_url)
    key = find_key(f"openai/{model}", *names, needed=base_url is None or len(names) > 1)
    # Older models send an address unless they are asked for the image itself; newer ones do not know the question.
    ask: dict[str, Any] = {"response_format": "b64_json"}

    def draw(prompt: str, seed: int) -> bytes:
        try:
            # A client each: an image takes seconds, and nothing is left open.
            with openai.OpenAI(api_key=key or "none", base_url=base_url, timeout=_TIMEOUT, max_retries=2) as client:
                return _image_of(client.images.generate(model=model, prompt=prompt, size=size, n=1, **ask))
        except openai.OpenAIError as error:
            fault = read_fault(error)
            if ask and fault.rejects("response_format"):
                ask.clear()
                return draw(prompt, seed)
            raise ModelError(f"openai/{model} drew nothing: {redacted(fault.message)[:300]}") from error

    return ImageModel(f"openai/{model}", base_url, draw, at_once=4)


def _image_of(reply: Any) -> bytes:
    first = next(iter(getattr(reply, "data", None) or ()), None)
    encoded = getattr(first, "b64_json", None)
    if not encoded:
        what = "an address instead of an image" if getattr(first, "url", None) else "no image"
        raise ModelError(f"the endpoint sent {what}; expected `b64_json`, as OpenAI's images API has it")
    try:
        return base64.b64decode(encoded, validate=True)
    except ValueError as error:
        raise ModelError(f"the endpoint sent what is no base64: {encoded[:40]!r}") from error


def _diffusers(model: str, size: str) -> ImageModel:
    with needing("diffusers/<model>", "diffusers"):
        import torch
        from diffusers import AutoPipelineForText2Image
    device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        precision = torch.float16 if device == "cuda" else torch.float32
        pipeline = AutoPipelineForText2Image.from_pretrained(model, torch_dtype=precision).to(device)
    except (OSError, ValueError) as error:
        raise ModelError(f"diffusers/{model} cannot be loaded: {error}; name a folder or a known model") from error
    width, height = (int(side) for side in size.split("x"))

    def draw(prompt: str, seed: int) -> bytes:
        out, generator = io.BytesIO(), torch.Generator(device).manual_seed(seed)
        pipeline(prompt, width=width, height=height, generator=generator).images[0].save(out, "PNG")
        return out.getvalue()

    return ImageModel(f"diffusers/{model}", None, draw, at_once=1)
