"""Runs: one model on one dataset, asked and judged, in a folder.

`running` has the public functions: `run` and `resume_run`. They take three steps: `planning` decides everything before
the first request, `executing` puts rows to the model (`asking`, `engines`) and their answers to the judge (`judging`),
`finishing` closes the record and counts. Files are written through `store`. `trial` is one row, `forecast` none.
"""
