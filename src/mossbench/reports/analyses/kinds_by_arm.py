"""How the answers of each arm were read, as a table."""

from collections.abc import Iterable

from mossbench.analyses.misreading import VERY_SHORT, ArmReading
from mossbench.look.numbers import bare_percent
from mossbench.reports.analyses.section import Table
from mossbench.reports.words.runs import arm_title


def reading_table(readings: Iterable[ArmReading]) -> Table:
    """How the answers under each arm were read; empty where all were read, none is very short and all are alike."""
    rows = [
        (
            arm_title(arm.arm),
            f"{arm.n:,}",
            *map(bare_percent, (arm.missing, arm.unread, arm.very_short, arm.read_differently)),
        )
        for arm in readings
        if arm.missing or arm.very_short or arm.read_differently
    ]
    return Table(
        title="How answers were read",
        head=("Arm", "Rows", "Missing, %", "Unread, %", "Very short, %", "Same words read differently, %"),
        rows=tuple(rows),
        note=f"Missing: failed, not asked or unread. Very short: at most {VERY_SHORT} words. Read differently: in "
        "words that were read as a refusal in some rows of the run and not in others. Arms that differ here may differ "
        "in how they were read and not in what was answered: no claim is made that this could explain.",
    )
