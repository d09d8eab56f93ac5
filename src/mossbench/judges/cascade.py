"""`cascade`: the embedded judge first, a judging model only where it is unsure."""

from __future__ import annotations

from mossbench.errors import UsageError
from mossbench.images.preparing import Picture
from mossbench.judges import DEFAULT_THRESHOLD
from mossbench.judges.earlier.rules import RulesJudge
from mossbench.judges.judge import Judge
from mossbench.judges.rubric import RubricJudge
from mossbench.outcomes import Exchange, Verdict


def _share(value: str | float) -> float:
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise UsageError(f"threshold is {value!r}, expected a number from 0 to 1")
    return share


class CascadeJudge(Judge):
    """`rules` where its confidence reaches the threshold and it knows the manner, else the rubric.

    `Verdict.via` says which.
    """

    needs_picture = True

    def __init__(self, second: RubricJudge, threshold: float, spec: str) -> None:
        self._first = RulesJudge()
        self._second = second
        self.threshold = threshold
        self.parts = (self._first, second)
        self.name = spec
        self.version = f"{self._first.version}-{second.version}"

    @classmethod
    def from_spec(cls, spec: str, settings: dict[str, str]) -> CascadeJudge:
        second = RubricJudge.from_spec(spec.replace("cascade", "rubric/kinds", 1), settings)
        name = second.name.replace("rubric/kinds", "cascade", 1)
        return cls(second, _share(settings.get("threshold", DEFAULT_THRESHOLD)), name)

    def early(self, exchange: Exchange) -> Verdict | None:
        first = self._first.verdict(exchange)
        sure = not first.is_none and not first.unfamiliar and (first.confidence or 0) >= self.threshold
        return first.model_copy(update={"via": self._first.label}) if sure else None

    async def verdict(self, exchange: Exchange, picture: Picture | None = None) -> Verdict:
        early = self.early(exchange)
        if early is not None:
            return early
        second = await self._second.verdict(exchange, picture)
        return second.model_copy(update={"via": self._second.label})

    async def close(self) -> None:
        await self._second.close()
