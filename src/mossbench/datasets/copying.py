"""What may be passed on of a dataset: a flag beside its licence."""

from enum import StrEnum


class Copying(StrEnum):
    """What of the samples others may be given. Its values are written into dataset.json and run.json."""

    ALL = "all"
    REQUESTS = "requests"
    """The texts, and no images."""
    NOTHING = "nothing"


def copying_of(stated: Copying | str | None, licence: str) -> Copying:
    """What is stated; of data that state nothing, and of older records, what the words of the licence forbid."""
    if stated is not None:
        return Copying(stated)
    if "no copies" not in licence:
        return Copying.ALL
    return Copying.REQUESTS if "copies of requests" in licence else Copying.NOTHING
