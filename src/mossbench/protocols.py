"""Subject and Protocol: which model was asked, and how. Numbers of subjects are comparable under the same protocol.

A subject is a model as it was resolved: the same name at another address is another subject. It is written into
run.json and compared on resume, so that no run continues with another model. A protocol is everything else that changes
a rate; `Protocol.differences` lists the settings in which two of them differ. Another seed is the same protocol: it
draws other answers from the same distribution. A setting that a record does not state is UNKNOWN, and equals only
itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import PureWindowsPath
from types import MappingProxyType
from typing import Any

from mossbench.plumbing.json_values import value_words
from mossbench.plumbing.own_code import is_own_code, without_its_folders
from mossbench.samples import Record, Side

ANSWERS_COME_FROM = "answers come from "
"""How a run's notice about an endpoint begins that is not the provider's own."""
OWN_ADDRESS = "the provider's own address"
HAVE_ADDRESSES = ("openai", "anthropic", "google", "inspect")
"""Providers whose models are asked at the provider's own address, unless another one is given."""
RECORDED = "replay"
"""The provider of answers that were recorded before and are read from a file: no model was called."""
IMPORTED_VERDICTS = "published"
"""The judge of imported results: whoever gave the verdicts in their file."""
FILE_VERDICTS = f"{IMPORTED_VERDICTS}/1"
"""The label of that judge, with its version."""
RECORDED_ANSWERS = "recorded answers"
UNKNOWN = "unknown"
AS_PUBLISHED = "as published"
_LONGEST_STATED = 80
_MOST_STATED = 40


class Topic(StrEnum):
    """A setting of a protocol. Its value is its name for people and in JSON."""

    HARMLESS = "harmless samples"
    HARMFUL = "harmful samples"
    ARM = "arm"
    SYSTEM = "system prompt"
    TEMPERATURE = "temperature"
    MAX_TOKENS = "max tokens"
    EFFORT = "thinking effort"
    PARAMS = "parameters"
    EPOCHS = "epochs"
    SEED = "seed"
    COPIES = "copy of the images"
    NOT_TAKEN = "settings not taken"
    JUDGE = "judge"
    RULE = "rule"


SAMPLES = {Side.BENIGN: Topic.HARMLESS, Side.CONTRAST: Topic.HARMFUL}
NOT_COMPARED = frozenset({Topic.HARMLESS, Topic.HARMFUL, Topic.JUDGE, Topic.RULE})
"""Topics in which runs must agree to be compared: otherwise a difference of rates could come from these."""
SAMPLING = frozenset({Topic.TEMPERATURE, Topic.MAX_TOKENS, Topic.SEED, Topic.EFFORT, Topic.PARAMS})
"""Topics that say how answers were drawn."""
HOW_ASKED = SAMPLING | {Topic.SYSTEM, Topic.NOT_TAKEN}
"""Topics that are unknown of recorded answers: what their run states is what a new request would have sent."""


class Subject(Record):
    """The model that was asked: its name, its address, and the options that make another model of it."""

    model: str
    version: str | None = None
    endpoint: str | None = None
    """None: the provider's own address, or no address at all; `provider` says which."""
    provider: str | None = None
    """The first part of the model's name; None: the user's own code, or not recorded."""
    as_published: bool = False
    google_safety: str | None = None
    trust_remote_code: bool = False

    def public(self) -> Subject:
        """Without folders, and with a digest in place of the endpoint, which distinguishes two without naming them."""
        endpoint = digest(self.endpoint) if self.endpoint else None
        version = without_folders(self.version) if self.version else None
        public_values = {"model": without_folders(self.model), "version": version, "endpoint": endpoint}
        return self.model_copy(update=public_values)

    @property
    def address(self) -> str:
        """Where the answers came from, in words; empty where there was no address: own code, a file, this machine."""
        if self.endpoint:
            return f"endpoint {self.endpoint}"
        if self.provider == RECORDED:
            return RECORDED_ANSWERS
        return OWN_ADDRESS if self.provider in HAVE_ADDRESSES else ""

    def words(self) -> str:
        """What distinguishes it from another model of the same name; empty where nothing is known."""
        parts = [self.address]
        if self.version:
            parts.append(f"version {without_folders(self.version)}")
        if self.google_safety:
            parts.append(f"Google's filters {self.google_safety}")
        return ", ".join(part for part in parts if part)


def without_folders(name: str) -> str:
    """The name of a model, or a path, without the folders of this machine, which are private."""
    if _is_absolute(name):
        return f"…/{without_its_folders(name) if is_own_code(name) else _last(name)}"
    # A server on one's own machine may call its model by a path: openai//home/me/llama.
    starts = (slash.end() for slash in re.finditer(r"(?<!:)/", name))
    path_start = next((start for start in starts if _is_absolute(name[start:])), None)
    return name if path_start is None else name[:path_start] + _last(name[path_start:])


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "~")) or PureWindowsPath(path).is_absolute()


def _last(path: str) -> str:
    return PureWindowsPath(path).name  # knows both slashes


@dataclass(frozen=True)
class Asked:
    hash: str
    """Of the whole side, whatever part of it was asked; empty: not known."""
    n: int
    ids: str
    whole: bool = field(compare=False)
    """Whether the whole side was asked; only for words."""

    def words(self) -> str:
        return f"all {self.n}" if self.whole else f"{self.n} chosen (ids {self.ids})"

    def differs_from(self, other: Asked) -> bool:
        """Whether other samples were asked. Two whole sides differ by their size alone: one may have no hash."""
        if self == other:
            return False
        if self.whole and other.whole:
            return self.n != other.n
        if self.whole or other.whole:
            return True
        return (self.n, self.ids) != (other.n, other.ids)


Setting = Asked | float | str | tuple[str, ...] | None
"""What a protocol has under one topic."""
_WHERE_ASKED_FOR: dict[Topic, Setting] = {Topic.EFFORT: None, Topic.PARAMS: ()}
"""Settings that most protocols do not have, and what that means."""


def setting_words(topic: Topic, value: Setting) -> str:
    """A setting as people read it."""
    if isinstance(value, Asked):
        return value.words()
    if isinstance(value, tuple):
        return " and ".join(value) if topic is Topic.COPIES else ", ".join(value) or "none"
    if topic is Topic.SYSTEM:
        return _short(None if value is None else str(value))
    return _number(value)


@dataclass(frozen=True)
class SettingDifference:
    """One setting in which two protocols differ."""

    topic: Topic
    first: Setting
    second: Setting

    def words(self) -> str:
        """`temperature: 0 and 0.7`."""
        return f"{self.topic}: {setting_words(self.topic, self.first)} and {setting_words(self.topic, self.second)}"


@dataclass(frozen=True)
class Protocol:
    """How subjects were asked and judged. Sampling is what was asked for, not what a provider did with it."""

    benign: Asked | None
    contrast: Asked | None
    arm: str
    system: str | None
    temperature: float | str | None
    max_tokens: float | str | None
    epochs: int
    seed: float | str | None
    judge: str
    rule: str
    not_taken: tuple[str, ...] = ()
    """Settings that the provider did not accept; without the seed, which does not change the protocol."""
    effort: str | None = field(default=None, repr=False)  # names of files on a board are made of the repr
    """How much the model was asked to think; None: it was not asked."""
    params: tuple[str, ...] = field(default=(), repr=False)
    """Further parameters that were asked for, each as name=value."""
    copies: tuple[str, ...] = ()
    """Which copies of the published images were sent, such as `release`; none for other data."""

    def settings(self) -> dict[Topic, Setting]:
        """All settings by topic, without a side that was not asked, and without those that only some protocols have:
        copies, effort and parameters.
        """
        settings: dict[Topic, Setting] = {
            Topic.HARMLESS: self.benign,
            Topic.HARMFUL: self.contrast,
            Topic.ARM: self.arm,
            Topic.SYSTEM: self.system,
            Topic.TEMPERATURE: self.temperature,
            Topic.MAX_TOKENS: self.max_tokens,
            Topic.EFFORT: self.effort,
            Topic.PARAMS: self.params,
            Topic.EPOCHS: self.epochs,
            Topic.SEED: self.seed,
            Topic.COPIES: self.copies,
            Topic.NOT_TAKEN: self.not_taken,
            Topic.JUDGE: self.judge,
            Topic.RULE: self.rule,
        }
        for topic in SAMPLES.values():
            if settings[topic] is None:
                del settings[topic]
        for topic in (Topic.COPIES, *_WHERE_ASKED_FOR):
            if not settings[topic]:
                del settings[topic]
        return settings

    def words(self) -> dict[str, str]:
        """All settings by topic, as people read them."""
        return {str(topic): setting_words(topic, value) for topic, value in self.settings().items()}

    def differences(self, other: Protocol) -> dict[Topic, SettingDifference]:
        """The settings in which the two differ, by topic; a topic that only one of them has is no difference."""
        differences = {}
        ours = {**_WHERE_ASKED_FOR, **self.settings()}
        theirs = {**_WHERE_ASKED_FOR, **other.settings()}
        for topic, value in ours.items():
            if topic in theirs and _differ(topic, value, theirs[topic]):
                differences[topic] = SettingDifference(topic, value, theirs[topic])
        return differences

    def ranked(self) -> Protocol:
        """The part that all rows of a board share: a board ranks the harmless side, under any seed.

        It shows with each row which settings were not accepted, and which copy of the images was sent.
        """
        return replace(self, contrast=None, seed=None, not_taken=(), copies=())


def _differ(topic: Topic, first: Setting, second: Setting) -> bool:
    """Whether a reader would see a difference: 0.1 + 0.2 and 0.3 are the same temperature."""
    if isinstance(first, Asked) and isinstance(second, Asked):
        return first.differs_from(second)
    return setting_words(topic, first) != setting_words(topic, second)


def make_protocol(
    *,
    ids: Mapping[Side, Sequence[str]],
    hashes: Mapping[Side, str],
    whole: bool,
    arms: Iterable[str],
    system: str | None,
    sampling: Mapping[str, Any],
    epochs: int,
    judge: str,
    rule: str,
    sent: Mapping[str, Any] = MappingProxyType({}),
    copies: Mapping[Side, str] = MappingProxyType({}),
) -> Protocol:
    """The protocol of rows on samples with these ids, by side, each once and in order.

    `sampling` states temperature, max_tokens, seed and as_published, as far as known.
    """
    numbers = {name: _known(sampling.get(name, UNKNOWN)) for name in ("temperature", "max_tokens", "seed")}
    if sampling.get("as_published") is True:  # each family has settings of its own
        numbers |= {"temperature": AS_PUBLISHED, "max_tokens": AS_PUBLISHED}
    plain_arms = dict.fromkeys("plain" if name == "system" else name.removesuffix("-system") for name in arms)
    return Protocol(
        benign=_asked(ids.get(Side.BENIGN, ()), hashes.get(Side.BENIGN, ""), whole=whole),
        contrast=_asked(ids.get(Side.CONTRAST, ()), hashes.get(Side.CONTRAST, ""), whole=whole),
        arm=" ".join(plain_arms) or "plain",
        system=system,
        effort=_text_or_none(sampling.get("effort")),
        params=_stated_params(sampling.get("params")),
        epochs=epochs,
        judge=judge,
        rule=rule,
        not_taken=tuple(name for name in not_taken(sent) if name != "seed"),
        copies=tuple(dict.fromkeys(copies[side] for side in Side if side in copies and ids.get(side))),
        **numbers,
    )


def _asked(ids: Sequence[str], hash: str, *, whole: bool) -> Asked | None:
    """Which samples of a side were asked, from their sorted ids; None where none were."""
    return Asked(hash, len(ids), digest("\x00".join(ids)), whole) if ids else None


@dataclass(frozen=True)
class SentSettings:
    """The settings that were sent to the provider: `sent` of a run, `settings` of a submission."""

    by_name: Mapping[str, Any]
    rejected: tuple[str, ...]
    """Settings that the provider did not accept under the first name that was tried."""

    @classmethod
    def read(cls, sent: Mapping[str, Any]) -> SentSettings:
        """From a record, which may be anybody's."""
        by_name = sent.get("asked_of_inspect", sent)
        if not isinstance(by_name, Mapping):
            return cls({}, ())
        rejected = by_name.get("not_taken")
        if not isinstance(rejected, (dict, list)):
            return cls(by_name, ())
        return cls(by_name, tuple(str(name)[:40] for name in list(rejected)[:10]))

    @property
    def not_taken(self) -> tuple[str, ...]:
        """Settings that the provider did not accept under any name."""
        was_renamed = "max_completion_tokens" in self.by_name
        return tuple(name for name in self.rejected if not (name == "max_tokens" and was_renamed))


def not_taken(sent: Mapping[str, Any]) -> tuple[str, ...]:
    """Settings of a run or a submission that the provider did not accept under any name."""
    return SentSettings.read(sent).not_taken


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _text_or_none(value: Any) -> str | None:
    return value[:_LONGEST_STATED] if isinstance(value, str) and value else None


def _stated_params(value: Any) -> tuple[str, ...]:
    """The parameters of a run or of a submission, which may be anybody's, each as name=value."""
    if not isinstance(value, Mapping):
        return ()
    texts = []
    for name, part in sorted(value.items(), key=lambda item: str(item[0])):
        text = value_words(part)
        if len(text) > _LONGEST_STATED:
            text = f"{text[:_LONGEST_STATED]}… ({digest(text)[:8]})"
        texts.append(f"{str(name)[:_LONGEST_STATED]}={text}")
    return tuple(texts[:_MOST_STATED])


def _known(value: Any) -> float | str | None:
    """A number, or None for the provider's default; UNKNOWN for anything else."""
    if value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)):
        return value
    return UNKNOWN


def _number(value: float | str | None) -> str:
    if value is None:
        return "the provider's default"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _short(system: str | None) -> str:
    """The beginning of a system prompt, and a hash that tells two with the same beginning apart."""
    if system is None:
        return "none"
    line = " ".join(system.split())
    if len(line) > 40:
        line = f"{line[:39]}…"
    return f"“{line}” ({digest(system)[:8]})"
