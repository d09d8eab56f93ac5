"""Answers in other languages than English: which language (`detect.py`), and what they do (`reading.py`)."""
