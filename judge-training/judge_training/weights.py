"""What a row counts in training and in calibration."""

from judge_training.rows import MADE, Row
from mossbench.judges.reader.patterns import Sign
from mossbench.judges.reader.signs import DECLINING_SIGNS, read_signs
from mossbench.outcomes import Kind

MADE_WEIGHT = 0.25
"""Of rows that are made of few texts."""
REAL = "chatgpt"
REAL_WEIGHT = 3.0
"""Of the only answers of a real model among the rows."""
CONTRASTED = frozenset({"manners_images", "manners_texts"})
"""Sources in which a request has answers of several kinds, so that what an answer leaves undone can be learned."""
UNSIGNED_REFUSAL = 0.2
UNSIGNED_DEFLECTION = 0.0
"""Of an example that refuses, or evades, without a sign that a pattern knows. Ours have many of them, on purpose; in
answers of real models they are rare, and a judge that expects them takes cheerful answers for refusals."""
OPEN_SIGNS = DECLINING_SIGNS | {Sign.LIMITS}
EVADING_SIGNS = OPEN_SIGNS | {Sign.JUDGES, Sign.ELSEWHERE, Sign.NO_VIEW, Sign.APOLOGY}


def weight_of(row: Row) -> float:
    if row.source in MADE:
        return MADE_WEIGHT
    if row.source == REAL:
        return REAL_WEIGHT
    if row.source in CONTRASTED or row.share_refused < 0.5:
        return 1.0
    shown = {match.pattern.shows for match in read_signs(row.request, row.answer).matches}
    if Kind.DEFLECTED in row.kinds:
        return 1.0 if shown & EVADING_SIGNS else UNSIGNED_DEFLECTION
    return 1.0 if shown & OPEN_SIGNS else UNSIGNED_REFUSAL
