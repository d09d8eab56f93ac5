"""What a judge is: something that reads an exchange and gives a verdict."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable
from itertools import chain
from typing import NamedTuple

from mossbench.errors import DataError, ImageError, MossbenchError
from mossbench.images.preparing import Picture
from mossbench.models.keys import redacted
from mossbench.models.model import called
from mossbench.outcomes import Exchange, Judgement, Key, Kind, Unread, Usage, Verdict
from mossbench.plumbing.own_code import OwnCode, own_traceback

_RULES = frozenset({"rules_examples", "rules_awkward", "published", "chatgpt", "dna", "orfuzz"})
_ENCODER = frozenset(
    "careful_manner chat_manner cheerful_tasks forms images_and_statements long_ordinary ordinary sensitive "
    "vision_manner".split()
)
_OUR_EXAMPLES = frozenset(
    "careful_manner chat_manner cheerful_tasks forms haiku_manner images_and_statements long_mixed long_ordinary "
    "long_texts open_models ordinary registers risky_chat risky_long sensitive stiff_chat vision_careful vision_long "
    "vision_manner vision_plain rules_awkward rules_examples generated pairs".split()
)
FITTED_ON = {
    "rules": _RULES | _ENCODER,
    "tandem": _RULES | _ENCODER,
    "reader": _OUR_EXAMPLES | {"published", "chatgpt", "dna", "orfuzz"},
}
"""Judge -> the sources of labelled answers that it was written or fitted with in view. `published` are the published
answers, `chatgpt`, `dna` and `orfuzz` public sets of answers to text requests; the others are our own examples."""


class Bill(NamedTuple):
    """The tokens that a judge's model has used so far; None where the provider gave no count."""

    model: str
    base_url: str | None
    usage: Usage | None


class Judge:
    """Base of all judges: give it a name, a version and a `verdict` (plain or async)."""

    name: str
    version: str
    """Moves when its verdicts can; part of every published number."""
    older_versions: tuple[str, ...] | None = None
    """Versions before `version` that can still be asked, by name and version: `rules/3`. None: a judge that is not
    asked by version."""
    needs_picture = False
    """Whether `verdict` wants the picture that the model saw; of several the first, which has the others in `more`."""
    parts: tuple[Judge, ...] = ()
    """The judges that it asks."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.label}>"

    @classmethod
    def from_spec(cls, spec: str, settings: dict[str, str]) -> Judge:
        """The judge of that name; `settings` are those in the name."""
        return cls()

    @classmethod
    def versions(cls) -> tuple[str, ...]:
        """The versions that can be asked, the newest first; empty for a judge that is not asked by version."""
        return () if cls.older_versions is None else (cls.version, *cls.older_versions)

    @property
    def label(self) -> str:
        return f"{self.name}/{self.version}"

    @property
    def spec(self) -> str:
        """The name that loads this judge again: with its version where that is not the newest."""
        return self.label if self.version in (self.older_versions or ()) else self.name

    @property
    def fitted_on(self) -> frozenset[str]:
        """The sources of labelled answers that it was fitted on; figures on them say nothing of other answers."""
        return FITTED_ON.get(self.name, frozenset[str]()).union(*(part.fitted_on for part in self.parts))

    def bills(self) -> tuple[Bill, ...]:
        """What its models have used; none for a judge that asks no model."""
        return tuple(chain.from_iterable(part.bills() for part in self.parts))

    def verdict(self, exchange: Exchange, picture: Picture | None = None) -> Verdict | Awaitable[Verdict]:
        raise NotImplementedError

    def early(self, exchange: Exchange) -> Verdict | None:
        """A verdict that needs neither picture nor call, where the judge can give one at once."""
        return None

    def expect(self, keys: Iterable[Key]) -> None:
        """Called before the first verdict with the keys of all rows; a judge that cannot read them raises."""

    async def close(self) -> None:
        """Called once after the last verdict."""


Reader = Callable[[Exchange], "Verdict | Kind | str | bool | None | Awaitable[Verdict | Kind | str | bool | None]"]
AnyJudge = str | Judge | Reader
"""A judge as users name it: `rules`, `rubric/…`, `human/FILE`, `file.py:function`, a Judge, or a function."""


class FunctionJudge(Judge):
    """A function of the user's as a judge: it returns a Verdict, a kind, refused yes / no, or None for no verdict."""

    def __init__(self, function: Reader, name: str, version: str) -> None:
        self.name = name
        self.version = version
        self._function = function

    def bills(self) -> tuple[Bill, ...]:
        return (Bill(self.name, None, None),)  # it may ask anybody

    async def verdict(self, exchange: Exchange, picture: Picture | None = None) -> Verdict:
        reply = await called(self._function, exchange)
        if isinstance(reply, Verdict):
            return reply
        if reply is None:
            return Verdict(reason=f"{self.name} gave no verdict")
        if reply in (0, 1):
            return Verdict(refused=bool(reply))
        return Verdict(kind=Kind(str(reply).strip().lower()))


def own_judge(own: OwnCode) -> Judge:
    """A judge from a user's file; a Judge stays as it is, except for its name and version."""
    if not isinstance(own.value, Judge):
        return FunctionJudge(own.value, own.name, own.version)
    vars(own.value).update(name=own.name, version=own.version)
    return own.value


async def judge_exchange(judge: Judge, exchange: Exchange, picture: Picture | None = None) -> Judgement:
    """The judge's verdict on one exchange; a judge that fails leaves the row unjudged and says why."""
    await asyncio.sleep(0)  # most judges never suspend: between two answers Ctrl-C is heard, and others have their turn
    try:
        verdict = judge.verdict(exchange, picture)
        verdict = await verdict if inspect.isawaitable(verdict) else verdict
        if not isinstance(verdict, Verdict):
            raise TypeError(f"it returned {type(verdict).__name__}, expected a Verdict")
    except MossbenchError:
        raise
    except (Exception, SystemExit) as error:  # the item boundary: a judge's fault is no verdict, not a refusal
        reason = redacted(f"judge failed: {type(error).__name__}: {error}")[:1000]
        verdict = Verdict(reason=reason, code=Unread.JUDGE_FAILED, trace=own_traceback(error))
    return judgement_of(judge, exchange, verdict)


async def judge_shown(
    judge: Judge, exchange: Exchange, find_picture: Callable[[], Awaitable[Picture | None]]
) -> Judgement:
    """The judge's verdict, with the picture where it needs one; no verdict where the picture cannot be shown."""
    await asyncio.sleep(0)  # also where there is no verdict to wait for
    early = judge.early(exchange)
    if early is not None:
        return judgement_of(judge, exchange, early)
    try:
        picture = await find_picture() if judge.needs_picture else None
    except (ImageError, DataError) as error:
        reason = f"the image cannot be shown to the judge: {error}"
        return judgement_of(judge, exchange, Verdict(reason=reason, code=Unread.IMAGE_NOT_SHOWN))
    return await judge_exchange(judge, exchange, picture)


def judgement_of(judge: Judge, exchange: Exchange, verdict: Verdict) -> Judgement:
    """The line of a verdicts file, with no key that a judge repeats."""
    verdict = redacted(verdict)
    side, sample, arm, epoch = exchange.key
    return Judgement(
        side=side, sample=sample, arm=arm, epoch=epoch, judge=judge.label, digest=exchange.digest(), verdict=verdict
    )
