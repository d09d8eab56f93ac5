"""Numbers in, estimates out; nothing here knows about refusals. docs/method.md says which to use when."""

from mossbench.statistics.agreement import Confusion, agreement, macro_f1
from mossbench.statistics.clusters import cluster_rate, design_effect, macro_rate, row_rate
from mossbench.statistics.detection import CostCurve, CostPoint, Detection, cost_curve, detection
from mossbench.statistics.estimates import Estimate, Significance, wilson, wilson_interval
from mossbench.statistics.judge_error import PpiRate, ppi_rate, random_choice, rogan_gladen
from mossbench.statistics.looks import LookScores, look_scores, shuffle_test, shuffle_test_at_worst
from mossbench.statistics.paired import (
    cochran_q,
    holm,
    mcnemar_mid_p,
    paired_difference,
    sign_flip_test,
    sign_flip_test_at_worst,
)
from mossbench.statistics.planning import n_paired, shown_between
from mossbench.statistics.ranking import Ranked, corrected_spearman, front, front_shares, rank, spearman, spearman_test
from mossbench.statistics.raters import cohen_kappa, fleiss, gwet_ac1, krippendorff_alpha
from mossbench.statistics.repeated import Effect, repeated_contrast, slope
from mossbench.statistics.stratified import stratified_share
from mossbench.statistics.unpaired import n_shares_apart, rank_shares, strata_rate
