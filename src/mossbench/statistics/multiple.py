"""Several arms at once, and several tests at once."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from mossbench.statistics.estimates import Array, Clusters, Significance, as_codes, as_rows, recode


def cochran_q(
    table: ArrayLike,
    clusters: Clusters | None = None,
    *,
    rng: np.random.Generator | None = None,
    n_draws: int = 10_000,
) -> Significance:
    """Do the arms of a table of rows × arms have the same rate? Rows that do not count in every arm are left out.

    Cochran (1950), Biometrika 37:256: with independent rows p comes from chi-square with arms - 1 degrees of freedom.
    With clusters the arms are shuffled in whole clusters instead, which needs `rng`. p is 1 when no row differs.
    """
    from scipy.special import chdtrc

    rows = as_rows(table)
    if rows.ndim != 2 or rows.shape[1] < 2:
        raise ValueError(f"a table of rows × two or more arms is needed, got shape {rows.shape}")
    counts = np.asarray(~np.isnan(rows).any(axis=1))
    rows, n_left_out, n_arms = rows[counts], int((~counts).sum()), rows.shape[1]
    method = "cochran q" if clusters is None else "cochran q, arms shuffled in clusters"
    if not len(rows):
        return Significance(math.nan, math.nan, 0, n_left_out, method)
    in_row = rows.sum(axis=1)
    spread = float((in_row * (n_arms - in_row)).sum())
    if spread == 0:
        return Significance(1.0, 0.0, len(rows), n_left_out, method)
    scale = n_arms * (n_arms - 1) / spread
    q = scale * _spread(rows.sum(axis=0))
    if clusters is None:
        return Significance(float(chdtrc(n_arms - 1, q)), q, len(rows), n_left_out, method)
    if rng is None:
        raise ValueError("with clusters rng is needed: the arms are shuffled")
    codes = recode(as_codes(clusters, len(counts))[counts])
    totals = np.stack([np.bincount(codes, arm) for arm in rows.T], axis=1)
    n_as_far = sum(_spread(rng.permuted(totals, axis=1).sum(axis=0)) * scale >= q * (1 - 1e-12) for _ in range(n_draws))
    return Significance((n_as_far + 1) / (n_draws + 1), q, len(rows), n_left_out, method)


def holm(p_values: ArrayLike) -> Array:
    """The p-values adjusted so that all claims under 0.05 hold together with 95 %; NaN stays and does not count.

    Holm (1979), Scand. J. Stat. 6:65; no assumption on how the tests depend. Worked number: 0.01 0.04 0.03 become
    0.03 0.06 0.06.
    """
    p = np.array(p_values, dtype=float)
    places = np.flatnonzero(~np.isnan(p))
    places = places[np.argsort(p[places], kind="stable")]
    p[places] = np.minimum(np.maximum.accumulate(p[places] * np.arange(len(places), 0, -1)), 1.0)
    return p


def _spread(totals: Array) -> float:
    return float(np.square(totals - totals.mean()).sum())
