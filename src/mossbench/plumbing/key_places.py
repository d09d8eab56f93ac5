"""Where a key stands among many, without the keys in memory: 16 bytes of each, in one array.

A dict of a million keys takes 200 MB. Two different keys among a million have the same 16 bytes with a probability of
one in 10^26.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


SIZE = 16
"""Bytes of a key's digest."""
Places: TypeAlias = "NDArray[np.int64]"


def key_digest(*parts: str) -> bytes:
    """What is kept of a key; a zero byte stands between its parts."""
    return hashlib.blake2b("\x00".join(parts).encode("utf-8", "surrogatepass"), digest_size=SIZE).digest()


def digest_array(digests: bytes | bytearray | Sequence[bytes]) -> NDArray[np.bytes_]:
    """The digests as an array: numpy leaves out zeros at the end, which makes no two digests of one length equal."""
    import numpy as np

    joined = digests if isinstance(digests, (bytes, bytearray)) else b"".join(digests)
    return np.frombuffer(joined, dtype=f"S{SIZE}")


class KeyPlaces:
    """The place of each key by its digest; of keys that are there twice, the first place."""

    def __init__(self, digests: NDArray[np.bytes_]) -> None:
        import numpy as np

        self._order = np.argsort(digests, kind="stable").astype(np.int32 if len(digests) < 2**31 else np.int64)
        self._sorted = digests[self._order]

    def find(self, digests: Iterable[bytes]) -> Places:
        """The places of these keys; -1 for those that are not there."""
        return self.find_all(digest_array(list(digests)))

    def find_all(self, digests: NDArray[np.bytes_]) -> Places:
        """The same of an array."""
        import numpy as np

        if not len(self._sorted):
            return np.full(len(digests), -1, dtype=np.int64)
        nearest = np.minimum(np.searchsorted(self._sorted, digests), len(self._sorted) - 1)
        return np.where(self._sorted[nearest] == digests, self._order[nearest], -1)


def first_codes(values: NDArray[np.generic]) -> NDArray[np.int32]:
    """Equal values as equal numbers, 0.. in the order in which they first appear."""
    import numpy as np

    _, first_places, codes = np.unique(values, return_index=True, return_inverse=True)
    rank = np.empty(len(first_places), dtype=np.int32)
    rank[np.argsort(first_places)] = np.arange(len(first_places), dtype=np.int32)
    return np.asarray(rank[codes], dtype=np.int32)
