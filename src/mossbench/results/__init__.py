"""Results: the rows of a run as they count, and all that is counted from them.

rows            `table` (a run's Results), from `row_reading`; as a data frame: `tidy`; which are missing: `missing`,
                `unfinished`, `uncounted_arms`, `failing`; what a rehearsal planted: `rehearsal`
rates           `rates`, with labels (`labels`) and the judge's errors (`correction`, `corrected_rates`); `twins`;
                `answerers` (rows that another model answered)
several runs    `comparisons` of two (`comparability`, `differences`, `comparison_notes`), `changes` since the last one,
                `current` (which one stands for a model), `sets` (on several datasets), `scoreboard` (judges)
decisions       `gates` (`gate_checks`, `gate_reasons`), `readiness` (why a run cannot be counted yet)
lists           `listing`, `index`, `search`
"""
