"""Text-to-image models: endpoints with OpenAI's images API through its SDK, and diffusers on one's own machine."""

import base64
import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mossbench.errors import ModelError, needing, unknown_name
from mossbench.models.faults import Fault, answer_or_raise, read_fault
from mossbench.models.hosted import checked_url
from mossbench.models.keys import find_key, key_names, redacted, secret
from mossbench.models.model import Denied, Overloaded
from mossbench.models.wire import blocking_hooks, library_of, trusted_certificates

PROVIDERS = ("openai", "diffusers")
_TIMEOUT = 180.0  # seconds; large images take a minute and more
_RETRIES = 2
_FIRST_WAIT = 0.5  # seconds, doubled with each try
_LONGEST_WAIT = 60.0  # seconds


@dataclass(frozen=True)
class ImageModel:
    """A text-to-image model. `draw(prompt, seed)` gives the file of an image, or raises a ModelError."""

    name: str
    base_url: str | None
    draw: Callable[[str, int], bytes]
    max_at_once: int
    """How many images may be asked for at a time."""


def load_image_model(name: str, *, base_url: str | None = None, size: str = "1024x1024") -> ImageModel:
    """The model of that name: `openai/MODEL`, or `diffusers/MODEL` for a folder or a name that diffusers knows.

    `base_url` is that of an endpoint other than OpenAI's, `size` the width and height in pixels.
    """
    provider, _, model = name.partition("/")
    if provider not in PROVIDERS or not model:
        raise unknown_name(
            "image model", name, (f"{provider}/" for provider in PROVIDERS), "as in openai/MODEL, diffusers/MODEL"
        )
    return _endpoint(model, base_url, size) if provider == "openai" else _diffusers(model, size)


def _endpoint(model: str, base_url: str | None, size: str) -> ImageModel:
    with needing("openai/<model>", "openai"):
        import openai
    base_url = checked_url(base_url or secret("OPENAI_BASE_URL"))
    names = key_names("openai", base_url)
    key = find_key(f"openai/{model}", *names, needed=base_url is None or len(names) > 1)
    # Older models send an address unless they are asked for the image itself; newer ones do not accept the parameter.
    extra: dict[str, Any] = {"response_format": "b64_json"}
    trusted = trusted_certificates(library_of(openai.DefaultHttpxClient))

    def draw_once(prompt: str) -> bytes:
        # A client each: an image takes seconds, and nothing is left open.
        http = openai.DefaultHttpxClient(event_hooks=blocking_hooks(), verify=trusted, timeout=_TIMEOUT)
        settings: Any = {"api_key": key or "none", "base_url": base_url, "timeout": _TIMEOUT, "max_retries": 0}
        with openai.OpenAI(http_client=http, **settings) as client:
            return _image_of(client.images.generate(model=model, prompt=prompt, size=size, n=1, **extra))

    def draw(prompt: str, seed: int) -> bytes:
        n_tries = 0
        while True:
            try:
                return draw_once(prompt)
            except ModelError:
                raise
            except Exception as error:  # the SDK's, and those of its HTTP library
                fault = read_fault(error)
                failure = error
            if extra and fault.rejects("response_format"):
                extra.clear()
                continue
            n_tries += 1
            wait = _seconds_to_wait(fault, n_tries)
            if wait is None:
                way_out = f"; {fault.way_out}" if fault.way_out else ""
                raise ModelError(f"openai/{model} drew nothing: {redacted(fault.message)[:300]}{way_out}") from failure
            time.sleep(wait)

    return ImageModel(f"openai/{model}", base_url, draw, max_at_once=4)


def _seconds_to_wait(fault: Fault, n_tries: int) -> float | None:
    """How long to wait before the next try; None where another try would not help."""
    try:
        answer_or_raise(fault, "", way_out="")
    except Denied:
        return None
    except Overloaded as busy:
        if n_tries <= _RETRIES:
            own_wait = _FIRST_WAIT * 2.0 ** (n_tries - 1)
            return min(_LONGEST_WAIT, own_wait if busy.retry_after is None else busy.retry_after)
    return None


def _image_of(reply: Any) -> bytes:
    first = next(iter(getattr(reply, "data", None) or ()), None)
    encoded = getattr(first, "b64_json", None)
    if not encoded:
        sent = "an address instead of an image" if getattr(first, "url", None) else "no image"
        raise ModelError(f"the endpoint sent {sent}; expected b64_json, as in OpenAI's images API")
    try:
        return base64.b64decode(encoded, validate=True)
    except ValueError as error:
        raise ModelError(f"the endpoint sent an image that is not valid base64: {encoded[:40]!r}") from error


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
        out = io.BytesIO()
        generator = torch.Generator(device).manual_seed(seed)
        pipeline(prompt, width=width, height=height, generator=generator).images[0].save(out, "PNG")
        return out.getvalue()

    return ImageModel(f"diffusers/{model}", None, draw, max_at_once=1)
