"""Why a gate cannot be decided, in a sentence each; empty where it can. What cannot be decided is no pass."""

import math
from dataclasses import replace

from mossbench.messages import NOTHING, Message
from mossbench.outcomes import Layer
from mossbench.results.rates import Rate, layers_of
from mossbench.results.row_columns import of_side, outcomes_of
from mossbench.results.table import Results, too_many_failed
from mossbench.results.unfamiliar import UnfamiliarAnswers, label_answers
from mossbench.results.unread import with_most_common_reason
from mossbench.samples import Side
from mossbench.statistics import Estimate
from mossbench.ways_out import Command, Resume, SetOption


def side_not_decidable(results: Results, side: Side, max_failed: float) -> Message:
    """Why nothing can be decided on this side of the run."""
    shard = results.info.config.shard
    if shard:
        merge = Command("mossbench runs merge SHARDS --out RUN", to="merge all shards first")
        return Message(f"the run is only shard {shard}", (merge,))
    rows = of_side(results.rows, side)
    if not rows:
        return Message(f"the run has no {side.adjective} rows")
    n_open = layers_of(rows)[Layer.NOT_ASKED]
    if n_open:
        return Message(f"{n_open} of {len(rows)} rows were not asked yet", (Resume(results.folder),))
    too_many = too_many_failed(outcomes_of(rows).counts(), max_failed)
    return with_most_common_reason(results, rows, too_many) if too_many else NOTHING


def rate_without_interval(estimate: Estimate) -> Message:
    if estimate.n == 0:
        return Message("no row counts")
    if math.isnan(estimate.low):
        return Message("all rows are of one scene, which says nothing about other scenes")
    return NOTHING


def pairs_without_interval(estimate: Estimate) -> Message:
    if not math.isnan(estimate.low):
        return NOTHING
    return Message("no pair counts" if estimate.n == 0 else "all pairs are of one scene")


def unfamiliar_rate(results: Results, rate: Rate) -> Message:
    """That too many of the answers behind a rate are unfamiliar to the judge."""
    n_judged = rate.layers[Layer.JUDGED]
    answers = UnfamiliarAnswers(results.name, rate.side, str(results.judge), rate.n_unfamiliar, n_judged)
    return rate_unknown(results, answers)


def rate_unknown(results: Results, answers: UnfamiliarAnswers) -> Message:
    """The same of answers that are counted."""
    return replace(answers.message(), ways_out=(label_answers(results),))


def errors_not_measured(results: Results, why_not: str) -> Message:
    """That nobody knows how the judge errs on these answers; `why_not` says why."""
    as_read = SetOption("as_read", True, to="decide on the rate as the judge read it")
    return Message(why_not, (label_answers(results), as_read))
