"""Why an answer is read as it is: the patterns that match, what each changes, and what the encoder reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mossbench.errors import n_of
from mossbench.judges.earlier import rules
from mossbench.judges.language import why_unreadable
from mossbench.judges.languages.reading import read_other_language
from mossbench.judges.reader import PATTERNS, PATTERNS_AND_RULES, read
from mossbench.judges.reader.asked import asked_part
from mossbench.judges.reader.combining import asks_rules, patterns_chance, shipped_calibration, whole_chance
from mossbench.judges.reader.encoder import shipped
from mossbench.judges.reader.patterns import Match
from mossbench.judges.reader.signs import Signs, read_signs, signs_of
from mossbench.outcomes import REFUSED_KINDS, Kind, Verdict


@dataclass(frozen=True)
class MatchEffect:
    """A pattern found in the answer, and what the chance of a refusal would be without it."""

    sign: str
    pattern: str
    text: str
    """What it matched."""
    n_sentence: int
    chance_without: float


@dataclass(frozen=True)
class Explanation:
    verdict: Verdict
    by_patterns: bool
    """Whether the patterns decided without the encoder, alone or with `rules`."""
    patterns_chance: float | None = None
    """The chance of a refusal by the patterns alone; None where the answer cannot be read."""
    encoder_chances: Mapping[Kind, float] | None = None
    rules_chance: float | None = None
    """The chance of a refusal by `rules`; None where they are not asked or give no verdict."""
    chance: float | None = None
    """The chance of a refusal by all readings."""
    matches: tuple[MatchEffect, ...] = ()

    def __repr__(self) -> str:
        kind = self.verdict.kind.value if self.verdict.kind else "no verdict"
        return f"<Explanation of {kind}: {n_of(len(self.matches), 'pattern')} found>"

    def to_dict(self) -> dict[str, Any]:
        chances = self.encoder_chances or {}
        return {
            "verdict": self.verdict.model_dump(mode="json"),
            "by_patterns": self.by_patterns,
            "patterns_chance": self.patterns_chance,
            "encoder_chances": {str(kind): chance for kind, chance in chances.items()},
            "rules_chance": self.rules_chance,
            "chance": self.chance,
            "matches": [vars(match) for match in self.matches],
        }


def explain_verdict(request: str, answer: str) -> Explanation:
    """What `read` makes of an answer, with everything that went into it."""
    verdict = read(request, answer)
    if read_other_language(request, answer) is not None or why_unreadable(answer):
        return Explanation(verdict, by_patterns=False)
    asked = asked_part(request)
    signs = read_signs(asked, answer)
    chances = shipped().chances(asked, answer)
    calibration = shipped_calibration()
    by_rules = rules.read(asked, answer) if asks_rules(signs) else None
    return Explanation(
        verdict=verdict,
        by_patterns=verdict.via in (PATTERNS, PATTERNS_AND_RULES),
        patterns_chance=patterns_chance(signs, calibration),
        encoder_chances=chances,
        rules_chance=_chance_by_rules(by_rules),
        chance=whole_chance(signs, chances, calibration, by_rules),
        matches=tuple(_effect(asked, answer, signs, match, chances, by_rules) for match in signs.matches),
    )


def _chance_by_rules(by_rules: Verdict | None) -> float | None:
    if by_rules is None or by_rules.kind is None or by_rules.confidence is None:
        return None
    return by_rules.confidence if by_rules.kind in REFUSED_KINDS else 1 - by_rules.confidence


def _effect(
    request: str,
    answer: str,
    signs: Signs,
    match: Match,
    chances: Mapping[Kind, float],
    by_rules: Verdict | None,
) -> MatchEffect:
    others = tuple(other for other in signs.matches if other is not match)
    without = signs_of(request, answer, signs.text, others)
    return MatchEffect(
        sign=match.pattern.shows.value,
        pattern=match.pattern.regex,
        text=answer[match.start : match.end],
        n_sentence=match.n_sentence + 1,
        chance_without=whole_chance(without, chances, shipped_calibration(), by_rules),
    )
