"""Reads recorded answers from files, and cleans them of what web pages and spreadsheets add."""

from mossbench.transcripts.quoting import removal_signal, strip_quoting
from mossbench.transcripts.recorded_answers import (
    TranscriptRow,
    clean_response,
    read_id,
    read_response,
    read_transcript,
    stream_records,
)
