"""Texts as parts of file names."""

import hashlib
import re


def label_slug(label: str) -> str:
    """A judge's label as part of a file name, with a hash if the label has characters that a file name cannot have."""
    if re.fullmatch(r"[A-Za-z0-9_]{1,40}/[A-Za-z0-9._-]{1,40}", label):
        return slug(label)
    return f"{slug(label)[:70]}-{hashlib.sha256(label.encode()).hexdigest()[:8]}"


def slug(text: str) -> str:
    """`text` as part of a file name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:100] or "unnamed"
