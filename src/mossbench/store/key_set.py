"""A set of keys of rows of which only digests are in memory: less than half of what the keys take."""

from collections.abc import Iterable

from mossbench.outcomes import Key
from mossbench.plumbing.key_places import key_digest


class KeySet:
    """A set of keys that is asked whether a key is in it; it does not give its keys back."""

    def __init__(self, keys: Iterable[Key] = ()) -> None:
        self._digests = {_digest(key) for key in keys}

    def __len__(self) -> int:
        return len(self._digests)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, Key) and _digest(key) in self._digests

    def add(self, key: Key) -> None:
        self._digests.add(_digest(key))

    def n_not_in(self, keys: Iterable[Key]) -> int:
        """How many of its keys are not among these."""
        return len(self._digests - {_digest(key) for key in keys})


def _digest(key: Key) -> int:
    """As a number: a set of whole numbers takes less memory than one of bytes."""
    return int.from_bytes(key_digest(*map(str, key)), "big")
