"""Results: the rows of a run as they count (`table`), their `rates`, `twins`, `comparisons` and `gates`."""
