"""Does a model go by single images: are requests with the same image refused alike, more than requests in general?

Where several requests are asked with one image, as under the arms about people, the refusal rates of images can be
compared with what requests differ by anyway. If some images are refused whatever is asked, and others never, then that
there is an image is not what makes the model refuse.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from mossbench.analyses.cells import Cells
from mossbench.statistics import Estimate
from mossbench.statistics.estimates import tails

LEVEL = 0.01
"""How small p has to be before it is taken as shown that single images decide."""
METHOD = "variance between images over that between requests with one image"


def share_of_images(cells: Cells, arms: Sequence[str]) -> tuple[Estimate, float] | None:
    """Of the variance of requests' refusal rates, the part that lies between images, and its p (one-way F test).

    Each arm has a mean of its own, so that what two arms differ by is in neither part. None where no image went with
    two requests. Worked numbers: images that are refused whatever is asked, or never, give 1 and p 0.
    """
    values: list[float] = []
    images: list[tuple[str, str]] = []
    for arm in arms:
        rates = _rates(cells, arm)
        mean = sum(rate for _, rate in rates) / max(len(rates), 1)
        for image, rate in rates:
            values.append(rate - mean)
            images.append((arm, image))
    groups = defaultdict[tuple[str, str], list[float]](list)
    for image_of_arm, value in zip(images, values, strict=True):
        groups[image_of_arm].append(value)
    n_arms = len({arm for arm, _ in images})
    return _one_way(list(groups.values()), len(groups) - n_arms, len(values) - len(groups))


def _rates(cells: Cells, arm: str) -> list[tuple[str, float]]:
    """Of each sample that was asked under the arm: its image, and the share of answers that refuse."""
    refusals, answers = cells.cell([arm])
    rates = []
    for sample, n_refused, n_asked in zip(cells.samples, refusals, answers, strict=True):
        image = cells.images.get((arm, sample.id))
        if image is not None and n_asked:
            rates.append((image, float(n_refused / n_asked)))
    return rates


def _one_way(groups: list[list[float]], df_between: int, df_within: int) -> tuple[Estimate, float] | None:
    from scipy.special import fdtrc, fdtri

    n = sum(map(len, groups))
    if df_between < 1 or df_within < 1:
        return None
    sizes: NDArray[np.float64] = np.array([len(group) for group in groups], dtype=float)
    sums = np.array([sum(group) for group in groups])
    squares = sum(value**2 for value in chain.from_iterable(groups))
    between = float((np.square(sums) / sizes).sum()) / df_between
    within = max(0.0, squares - float((np.square(sums) / sizes).sum())) / df_within
    if between == 0:
        return Estimate(0.0, math.nan, math.nan, n, 0, METHOD), 1.0
    if within <= 1e-12 * between:
        return Estimate(1.0, math.nan, math.nan, n, 0, METHOD), 0.0
    size = (n - float(np.square(sizes).sum()) / n) / max(len(groups) - 1, 1)
    ratio = between / within
    low, high = tails()
    least_ratio = ratio / float(fdtri(df_between, df_within, high))
    most_ratio = ratio / float(fdtri(df_between, df_within, low))
    estimate = Estimate(_share(ratio, size), _share(least_ratio, size), _share(most_ratio, size), n, 0, METHOD)
    return estimate, float(fdtrc(df_between, df_within, ratio))


def _share(ratio: float, size: float) -> float:
    """The part of the variance that lies between images, by the ratio of variances and the mean size of groups."""
    return max(0.0, (ratio - 1) / (ratio + size - 1))
