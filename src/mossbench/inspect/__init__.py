"""Inspect: the benchmark as its tasks, and its logs in and out."""
