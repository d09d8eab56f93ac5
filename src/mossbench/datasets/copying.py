"""Which parts of a dataset may be given to others: a flag that goes with its licence."""

from enum import StrEnum


class Copying(StrEnum):
    """Which parts of the samples others may be given. Its values are written into dataset.json and run.json."""

    ALL = "all"
    REQUESTS = "requests"
    """The texts, and no images."""
    NOTHING = "nothing"


def copying_of(stated: Copying | str | None, licence: str) -> Copying:
    """What is stated; for data that state nothing, and for older records, what the licence text allows."""
    if stated is not None:
        return Copying(stated)
    if "no copies" not in licence:
        return Copying.ALL
    return Copying.REQUESTS if "copies of requests" in licence else Copying.NOTHING
