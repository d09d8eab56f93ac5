"""Results: the rows of a run as they count (`table`), their `rates`, `twins`, `comparisons` and `gates`.

`calibration` says how often the intervals hold what was planted in a control model.
"""
