"""How many requests may be in flight: more while answers come, fewer when a provider says that it is too busy.

A pace starts low. While at most one busy sign (429, 503, 529) was seen recently every answer adds a connection, so that
they double with each round; otherwise it takes about thirty answers. Each sign removes half a connection: a round in
which every request got one halves them, and one sign in a hundred answers is soon made up for. Several signs in a short
time show the limit: up to it the connections double again, and then grow slowly, until there has been no sign for long.
Signs and timeouts in a cluster mean that the provider is really overloaded: they halve the connections, once for all
requests that were in flight together. Other server errors, and lost connections, do not change the pace.
"""

import math
from collections import deque

_SIGNS = ("rate_limit", "overload")
_WINDOW = 32
_FEW = 2
_SEVERAL = 7
_CLUSTER = 11  # of the last 32 outcomes
_LONG = 256  # outcomes
_PER_SIGN = 0.5
_PER_ANSWER = 0.03  # after a sign; the pace holds its own against 0.03 / 0.5 = 6 signs in 100 answers


class Pace:
    """At most `most` connections, `limit` of them in use; a fraction of one waits for the rest of it."""

    def __init__(self, most: int, start: int) -> None:
        self.most = most
        self.limit = float(min(start, most))
        self.round = 0
        self._recent = deque[bool](maxlen=_WINDOW)
        self._quiet = _LONG
        self._ceiling = math.inf
        self._worst = 0  # since the last quiet time; 1: several signs, 2: a cluster

    def answered(self, *, busy: bool) -> None:
        """An answer came; connections that nobody used (not `busy`) prove nothing."""
        self._recent.append(False)
        self._quiet += 1
        if self._quiet == _WINDOW:
            self._worst = 0
        if self._quiet == _LONG:
            self._ceiling = math.inf
        if busy:
            fast = sum(self._recent) < _FEW and self.limit < self._ceiling
            self.limit = min(self.most, self.limit + (1.0 if fast else _PER_ANSWER))

    def troubled(self, kind: str, began_in: int) -> None:
        """No answer came, for a reason of this kind, to a request that was sent in that `round`."""
        sign = kind in _SIGNS
        self._recent.append(sign or kind == "timeout")
        n = sum(self._recent)
        if n >= _CLUSTER and self._recent[-1]:
            if began_in == self.round:
                self.round = self.round + 1
                self.limit = max(1.0, self.limit / 2)
                self._slow_down(2)
        elif sign:
            self.limit = max(1.0, self.limit - _PER_SIGN)
            self._slow_down(1 if n >= _SEVERAL else 0)

    def _slow_down(self, how_bad: int) -> None:
        if how_bad > self._worst:  # once for signs that come together: an outage takes the limit far below
            self._worst = how_bad
            self._ceiling = self.limit
        self._quiet = 0
