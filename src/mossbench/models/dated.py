"""Facts that vendors change: states of models, prices, limits on images. Each has the month in which it was read.

After 90 days a fact is stale. It is still used, and whoever shows it says so.
"""

from datetime import UTC, date, datetime, timedelta

STALE_AFTER = timedelta(days=90)
CHECK = "check"
"""In place of a month: the fact is remembered, and was not looked up."""


def today() -> date:
    return datetime.now(UTC).date()


def stale(month: str, day: date | None = None) -> bool:
    """Whether a month such as 2026-11 began more than 90 days before a day (today); False where it is no month."""
    try:
        first_of_month = date.fromisoformat(f"{month}-01")
    except ValueError:  # what a user wrote beside a price of their own, such as "today"
        return False
    return (day or today()) - first_of_month > STALE_AFTER


def dated(month: str, day: date | None = None) -> str:
    """The month as it is shown: `2026-11`, `2026-05 (stale)`."""
    return f"{month} (stale)" if stale(month, day) else month
