"""Logs of an application: read, redacted, sorted into harmless and harmful, counted, and turned into samples.

    log files ──> formats ──> redaction ──> traces.jsonl ──> sorting ──> rates
                                                 └─────────────────────> cases ──> a dataset

Nothing leaves the machine unless a judging model is named, and nothing is stored before it is redacted.
"""
