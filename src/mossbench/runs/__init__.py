"""Runs: one model on one dataset, asked and judged, in a folder.

`running` asks for a run or goes on with one: it takes a `config`, writes a `folder`, puts rows to the model
(`asking`) and their answers to the judge (`judging`). `trial` is one row, `forecast` none.
"""
