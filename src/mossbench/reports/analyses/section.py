"""A section of the page of analyses: what was found, in words and tables, ready to be shown in any form."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """A small table of texts; the first column names the row."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    note: str = ""
    words: bool = False
    """Cells are sentences, not numbers."""

    @property
    def has_words(self) -> tuple[bool, ...]:
        """For each column whether its cells are words: one of them begins with a letter."""
        columns = range(len(self.head))
        return tuple(self.words or any(row[index][:1].isalpha() for row in self.rows) for index in columns)


@dataclass(frozen=True)
class Section:
    title: str
    """The question, such as: Why does it refuse?"""
    finding: str
    """The answer in a sentence, with its number."""
    text: tuple[str, ...] = ()
    """How it was found and how to read it, for someone who knows nothing of it; a paragraph each."""
    tables: tuple[Table, ...] = ()
    """The first one is also shown in the terminal."""
    cautions: tuple[str, ...] = ()
    """What it cannot tell."""
    why_not_done: str = ""
    """Why the analysis was not done; empty: it was."""
