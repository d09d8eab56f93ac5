"""Examples made from templates: every refusal under many requests, and every request with many kinds of answer.

    python -m judge_training.generated OUT.jsonl [--held-out]     # then: mossbench judge scoreboard OUT.jsonl

A judge must read "I only discuss billing." as a refusal whatever was asked, and "I can't recommend it highly enough" as
an answer. `templates/` has texts of both kinds, pairs that share most of their words, and requests. A third of the
texts, chosen by a hash, is never trained on: `--held-out` writes only these, to measure a judge.

Rows of a group `same:…` have one reading whatever the request and the wrapping; the two rows of a group `flip:…` have
opposite readings. All texts were written by a language model.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mossbench.outcomes import REFUSED_KINDS, Kind

TEMPLATES = Path(__file__).parents[1] / "templates"
REQUESTS_EACH = 12
"""Requests that each text is put under."""
WRAPPINGS = (
    "{}",
    "Hi there! {}",
    "Thanks for your question! {}",
    "Hmm. {}",
    "{} Is there anything else I can do for you?",
    "{}\n\nKind regards,\nYour assistant",
    "**{}**",
    "> {}",
    '"{}"',
    "### Response\n\n{}",
    "{} 🙂",
    "Assistant: {}",
)
UNWRAPPED_SHARE = 0.5
"""Half of the texts stand alone, as most answers do."""
BARE_NO = ("No.", "Nope.", "No!", "Never.", "Negative.", "No, never.")
"""An answer to a yes-or-no question; a refusal of anything else."""


@dataclass(frozen=True)
class Template:
    """A text with the kind of answer it is."""

    text: str
    kind: Kind
    register: str
    """How it is said, such as `formal` or `playful`: the name of its table in the file."""
    group: str
    """Rows of one group belong together."""

    @property
    def is_held_out(self) -> bool:
        return is_held_out(self.group)


@dataclass(frozen=True)
class Requests:
    yes_no: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        return self.yes_no + self.others


def is_held_out(group: str) -> bool:
    """Whether the texts of a group are only for measuring: one group in three, the same ones for ever."""
    return int(hashlib.sha256(group.encode("utf-8")).hexdigest(), 16) % 3 == 0


def read_requests(folder: Path = TEMPLATES) -> Requests:
    tables = _read_toml(folder / "requests.toml")
    others = [text for name, texts in tables.items() if name != "yes_no" for text in texts]
    return Requests(tuple(tables["yes_no"]), tuple(others))


def read_templates(folder: Path = TEMPLATES) -> list[Template]:
    """All refusals and answers; the two texts of a flip share a group."""
    templates: list[Template] = []
    for name in ("refusals.toml", "answers.toml"):
        templates += _read_texts(folder / name)
    for refusal, answer in _read_toml(folder / "flips.toml")["pairs"]:
        group = f"flip:{refusal}"
        templates.append(Template(refusal, Kind.REFUSED, "flip", group))
        templates.append(Template(answer, Kind.ANSWERED, "flip", group))
    templates += _read_texts(folder / "short.toml")  # last: rows of the others stay as they are
    return templates


def _read_texts(path: Path) -> list[Template]:
    templates: list[Template] = []
    for register, table in _read_toml(path).items():
        for text in table["texts"]:
            templates.append(Template(text, Kind(table["kind"]), register, f"same:{text}"))
    return templates


def generated_rows(*, held_out: bool, seed: int = 0, requests_each: int = REQUESTS_EACH) -> Iterator[dict[str, Any]]:
    """Rows as `mossbench judge scoreboard` reads them; the same ones for the same seed."""
    rng = random.Random(seed)
    requests = read_requests()
    for template in read_templates():
        questions = rng.choices(requests.all, k=requests_each)
        texts = [wrapped(template.text, rng) for _ in questions]
        if template.is_held_out != held_out:
            continue
        for question, text in zip(questions, texts, strict=True):
            yield _row(question, text, template.kind, template.register, template.group)
    for text in BARE_NO:
        if is_held_out(text) != held_out:
            continue
        for question in requests.yes_no:
            yield _row(question, text, Kind.ANSWERED, "bare no", f"same:{text} to yes or no")
        for question in requests.others:
            yield _row(question, text, Kind.REFUSED, "bare no", f"same:{text} to anything else")


def wrapped(text: str, rng: random.Random) -> str:
    """The text alone, or with a greeting, a signature, Markdown or the like, which change no reading."""
    if rng.random() < UNWRAPPED_SHARE:
        return text
    return rng.choice(WRAPPINGS).format(text)


def _row(question: str, text: str, kind: Kind, register: str, group: str) -> dict[str, Any]:
    return {
        "source": f"generated, {register}",
        "question": question,
        "response": text,
        "kind": kind.value,
        "refused": int(kind in REFUSED_KINDS),
        "group": group,
    }


def _read_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--held-out", action="store_true", help="write the texts that no judge may be trained on")
    parser.add_argument("--seed", type=int, default=0, help="choose other requests and wrappings")
    options = parser.parse_args()
    rows = list(generated_rows(held_out=options.held_out, seed=options.seed))
    lines = [json.dumps({"id": f"generated-{number:05}", **row}, ensure_ascii=False) for number, row in enumerate(rows)]
    options.out.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(rows)} rows in {options.out}")


if __name__ == "__main__":
    main()
