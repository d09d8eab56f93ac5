"""Recorded answers from files, without the residue of web pages."""

from mossbench.transcripts.reading import TranscriptRow, read_id, read_response, read_transcript, stream_records
