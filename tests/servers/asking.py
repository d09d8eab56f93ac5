"""Ask models by name through a loopback server, and say in a word what came of it."""

import asyncio
import json
import re
from contextlib import contextmanager

import pytest

from mossbench.errors import RunError
from mossbench.models import Overloaded, load_model
from mossbench.models.model import Prompt, Settings
from mossbench.outcomes import Stop, layer_without_verdict
from servers.loopback import serve
from waiting import LONG

ROOTS = {"openai": "/v1", "anthropic": "", "google": ""}
INSPECT = {"openai": "openai-api/openai", "anthropic": "anthropic", "google": "google"}
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "google": "GEMINI_API_KEY"}


def name_of(wire, route="ours", model="some-model"):
    return f"{wire}/{model}" if route == "ours" else f"inspect/{INSPECT[wire]}/{model}"


def ask(wire, reply, *prompts, route="ours", model="some-model", timeout=LONG, **options):
    """What came of each prompt in turn (an Answer or the exception), the requests, and the settings on record.

    `reply` is as for `serve`, or one thing to say always.
    """

    async def work(base_url):
        loaded = load_model(name_of(wire, route, model), base_url=base_url, **options)
        try:
            asked = prompts or (Prompt("Hello?", settings=Settings(timeout=timeout)),)
            return [await _outcome(loaded, prompt) for prompt in asked], loaded.settings_sent(asked[0].settings)
        finally:
            await loaded.close()

    say = reply if callable(reply) else lambda body, headers: reply
    with serve(say, ROOTS[wire]) as (base_url, requests), without_drawn_failures(route):
        came, sent = asyncio.run(work(base_url))
    return came[-1], requests, sent


def ask_many(wire, replies, *, route="ours"):
    """What came of each reply, all asked at once by one model: a list of (outcome, number of requests)."""

    def number(body):
        return int(re.search(r"number (\d+)\?", json.dumps(body))[1])

    def reply(body, headers):
        said = replies[number(body)]
        return said(body, headers) if callable(said) else said

    async def work(base_url):
        loaded = load_model(name_of(wire, route), base_url=base_url)
        prompts = [Prompt(f"What is number {i}?", settings=Settings(timeout=LONG)) for i in range(len(replies))]
        try:
            return await asyncio.gather(*(_outcome(loaded, prompt) for prompt in prompts))
        finally:
            await loaded.close()

    with serve(reply, ROOTS[wire]) as (base_url, requests), without_drawn_failures(route):
        came = asyncio.run(work(base_url))
    asked = [number(body) for _, _, body in requests]
    return [(outcome, asked.count(i)) for i, outcome in enumerate(came)]


@contextmanager
def without_drawn_failures(route):
    """Inspect draws each failure for a log that nobody reads, for half a second."""
    with pytest.MonkeyPatch.context() as patch:
        if route == "inspect":
            patch.setattr("inspect_ai._util.rich.rich_traceback", lambda *_, **__: "", raising=False)
        yield


async def _outcome(model, prompt):
    try:
        return await model.answer(prompt)
    except (RunError, Overloaded) as error:
        return error


def outcome_word(came):
    """`answer`, `cut off`, `blocked`, `empty`, `failed`, `stops the run`, or `later: <kind>`."""
    if isinstance(came, RunError):
        return "stops the run"
    if isinstance(came, Overloaded):
        return f"later: {came.kind}"
    layer = layer_without_verdict(came)
    return layer.value if layer else {Stop.LENGTH: "cut off", Stop.END: "answer"}[came.stop]
