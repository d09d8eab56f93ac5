"""Recorded answers from files, without the residue of web pages and of spreadsheets."""

from mossbench.transcripts.quoting import removal_signal, strip_quoting
from mossbench.transcripts.recorded_answers import (
    TranscriptRow,
    clean_response,
    read_id,
    read_response,
    read_transcript,
    stream_records,
)
