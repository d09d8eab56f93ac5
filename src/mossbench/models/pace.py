"""How many requests may be in flight: more while answers come, fewer when a provider says that it is too busy.

A busy sign is a reply that the provider is too busy (429, 503, 529).

- A pace starts low. While at most one of the last 32 outcomes was a busy sign or a timeout, every answer adds a
  connection, so that they double with each round; otherwise it takes about thirty answers.
- Each busy sign removes half a connection: a round in which every request got one halves them, and one sign in a
  hundred answers is soon made up for.
- Several signs in a short time show the provider's limit: up to it the connections double again, and then grow slowly,
  until there has been no sign for long.
- Signs and timeouts in a cluster mean that the provider is really overloaded: they halve the connections, once for all
  requests that were in flight together (in one `round`).

Other server errors, and lost connections, do not change the pace.
"""

import math
from collections import deque

_BUSY_SIGNS = ("rate_limit", "overload")
"""Kinds of failures that are busy signs."""
_WINDOW = 32
"""Outcomes that are remembered; also the answers since the last sign after which the time counts as quiet."""
_FEW = 2
"""With fewer signs in the window, every answer adds a connection."""
_SEVERAL = 7
"""From so many signs in the window on, the limit of the provider is reached."""
_CLUSTER = 11
"""From so many signs in the window on, the provider is overloaded."""
_LONG = 256
"""Answers since the last sign after which the limit that was reached is forgotten."""
_LOST_PER_SIGN = 0.5
"""Connections."""
_GAINED_PER_ANSWER = 0.03
"""Connections, after a sign: the pace holds its own against 0.03 / 0.5 = 6 signs in 100 answers."""


class Pace:
    """At most `most` connections, `limit` of them in use; a fraction of one waits for the rest of it."""

    def __init__(self, most: int, start: int) -> None:
        self.most = most
        self.limit = float(min(start, most))
        self.round = 0
        """Is increased when the connections are halved: requests that began in an earlier round do not halve again."""
        self._recent = deque[bool](maxlen=_WINDOW)
        """Whether each of the last outcomes was a busy sign or a timeout."""
        self._n_answers_since_sign = _LONG
        self._known_limit = math.inf
        """Connections at which several signs came; inf: none did, or long ago."""
        self._worst = 0
        """The worst since the last quiet time; 0: single signs, 1: several, 2: a cluster."""

    def answered(self, *, busy: bool) -> None:
        """An answer came; connections that nobody used (not `busy`) prove nothing."""
        self._recent.append(False)
        self._n_answers_since_sign += 1
        if self._n_answers_since_sign == _WINDOW:
            self._worst = 0
        if self._n_answers_since_sign == _LONG:
            self._known_limit = math.inf
        if busy:
            may_double = sum(self._recent) < _FEW and self.limit < self._known_limit
            self.limit = min(self.most, self.limit + (1.0 if may_double else _GAINED_PER_ANSWER))

    def troubled(self, kind: str, began_in: int) -> None:
        """No answer came, for a reason of this kind, to a request that was sent in that `round`."""
        is_busy_sign = kind in _BUSY_SIGNS
        is_sign_or_timeout = is_busy_sign or kind == "timeout"
        self._recent.append(is_sign_or_timeout)
        n_recent = sum(self._recent)
        if n_recent >= _CLUSTER and is_sign_or_timeout:
            if began_in == self.round:
                self.round += 1
                self.limit = max(1.0, self.limit / 2)
                self._slow_down(2)
            else:
                self._slow_down(0)
        elif is_busy_sign:
            self.limit = max(1.0, self.limit - _LOST_PER_SIGN)
            self._slow_down(1 if n_recent >= _SEVERAL else 0)

    def _slow_down(self, how_bad: int) -> None:
        """Notes a sign. The first that is so bad gives the known limit: in an outage the next come far below it."""
        if how_bad > self._worst:
            self._worst = how_bad
            self._known_limit = self.limit
        self._n_answers_since_sign = 0
