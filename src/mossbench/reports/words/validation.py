"""What is said of a judge that was compared with labels."""

import math

from mossbench.judges.validation import Comparison, Confidence, Validation


def what_was_read(validation: Validation) -> str:
    """The judge, the rule and the rows in one line."""
    line = f"judge {validation.judge} · rule {validation.rule} · {validation.n_rows} rows"
    if validation.set_aside:
        line += ", left out: " + ", ".join(f"{n} {why}" for why, n in validation.set_aside.items())
    return line


def macro_f1(value: float) -> str:
    return f"macro-F1 over answered-like, partial, refused-like: {value:.3f}"


def errors_if_confident(confidence: Confidence) -> str:
    share = confidence.errors / confidence.n if confidence.n else math.nan
    return (
        f"errors among the most confident {confidence.coverage:.0%} of verdicts, hard rows left out: "
        f"{confidence.errors} of {confidence.n} ({share:.2%})"
    )


def comparison_with_another(comparison: Comparison) -> str:
    return (
        f"compared with {comparison.other} on {comparison.n} rows: this judge alone is right on "
        f"{comparison.only_this_right}, {comparison.other} alone on {comparison.only_other_right}; "
        f"McNemar's mid-p = {comparison.p:.4f}"
    )
