"""Two readings or two systems on the same rows."""

from __future__ import annotations

import math


def mcnemar_mid_p(only_first: int, only_second: int) -> float:
    """Two-sided mid-p of McNemar's exact test from the two discordant counts; 1 when there are none.

    Fagerland, Lydersen and Laake (2013), BMC Med. Res. Methodol. 13:91. Worked number: 1 and 7 give 0.0391.
    """
    n, k = only_first + only_second, min(only_first, only_second)
    if n == 0:
        return 1.0
    log_half = n * math.log(0.5)

    def chance(i: int) -> float:
        return math.exp(math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) + log_half)

    if only_first == only_second:
        return 1.0 - 0.5 * chance(k)
    return min(1.0, 2 * sum(chance(i) for i in range(k + 1)) - chance(k))
