"""Recorded answers from files (`reading`), without the residue of web pages (`residue`)."""

from mossbench.transcripts.reading import TranscriptRow, read_id, read_response, read_transcript, stream_records
