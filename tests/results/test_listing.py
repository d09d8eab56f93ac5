"""A run in a list says what the run's own results say."""

import mossbench as mb
from answered import answered, samples
from mossbench.results.listing import line_of


def test_a_line_counts_answers_failures_and_refusals_as_the_results_do(tmp_path):
    data = samples(tmp_path / "data", 6)
    answered(data, tmp_path / "run", refused=(1, 2), failed=(3,))
    results = mb.load_results(tmp_path / "run")
    for _ in range(2):  # counted, then read from the file that was kept
        line = line_of(tmp_path / "run")
        assert line.state == "finished" and line.n_rows == len(results)
        assert line.summary.n_answers == len(results)
        assert line.summary.n_failed == sum(results.failures().values()) > 0
        for rate in results.rates(by=None):
            side = line.summary.rates[rate.side]
            assert (side.value, side.low, side.high) == (rate.estimate.value, rate.estimate.low, rate.estimate.high)
            assert (side.n, side.refused) == (rate.estimate.n, rate.refused)
