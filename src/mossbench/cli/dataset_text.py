"""What `mossbench data` says of a dataset, beside its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mossbench.datasets import Dataset
    from mossbench.datasets.describe import Column, Description, Questions, Scenes, SideDescription

LONGEST_VALUE = 40
"""Characters of a value in a column of the user's own."""
COPIES = {
    "release": "the files of the release",
    "reduced": "a copy with smaller images",
    "other": "a copy whose images were re-encoded",
}
"""What the images of a published side are."""


def written_text(dataset: Dataset, what_was_done: str) -> str:
    """What was done, with what has to be said wherever the data go."""
    return "\n".join([f"{dataset.version}: {what_was_done}", *_terms(dataset)])


def description_text(description: Description) -> str:
    """Name, origin and terms of a dataset."""
    revision = f"revision {description.revision}" if description.revision else ""
    origin = ", ".join(filter(None, [description.source, revision]))
    lines = [f"{description.version} ({origin})" if origin else description.version]
    for side, copy in description.copies.items():
        lines.append(f"The {side} side is the published one: {COPIES[copy]}.")
    return "\n".join([*lines, *_terms(description)])


def _terms(data: Dataset | Description) -> list[str]:
    lines = []
    if data.licence:
        lines.append(f"Licence: {data.licence}")
    if data.warning:
        lines.append(f"Content warning: {data.warning}")
    return lines + [f"Note: {note}" for note in data.notes]


def side_text(side: SideDescription) -> str:
    """Requests, scenes, empty fields and own columns of a side; empty where there is nothing to say."""
    lines = []
    if side.questions:
        lines.append(_requests(side.questions))
    if side.scenes.n_scenes:
        lines.append(_scenes(side.scenes))
    if side.empty:
        fields = [f"{field} in {n}" for field, n in side.empty.items()]
        lines.append(f"Empty: {', '.join(fields)}.")
    if side.columns:
        lines.append("Your own columns, for --by:")
    lines += [f"  {name}: {_values(column)}" for name, column in side.columns.items()]
    return "\n".join(lines)


def _requests(questions: Questions) -> str:
    words = str(questions.words_min)
    if questions.words_max > questions.words_min:
        words += f" to {questions.words_max}"
    return (
        f"Requests of {words} word{_s(questions.words_max)}; {questions.n_distinct} distinct, "
        f"{questions.n_repeated} of them asked more than once; "
        f"{questions.n_word_types} word type{_s(questions.n_word_types)}."
    )


def _scenes(scenes: Scenes) -> str:
    sizes = ", ".join(f"{n} of {size}" for size, n in scenes.sizes.items())
    has_shared_scenes = max(scenes.sizes) > 1
    caution = "; samples of one scene are not independent" if has_shared_scenes else ""
    return (
        f"{scenes.n_samples or 'no'} sample{_s(scenes.n_samples)} from {scenes.n_scenes} scene{_s(scenes.n_scenes)} "
        f"(scenes of a size: {sizes}){caution}."
    )


def _values(column: Column) -> str:
    """The most frequent values of a column, and how many more there are."""
    values = [f"{_shortened(value)} ({n})" for value, n in column.most.items()]
    n_more = column.n_values - len(column.most)
    and_more = f" and {n_more} more" if n_more > 0 else ""
    return f"{', '.join(values)}{and_more}"


def _shortened(value: str) -> str:
    return value if len(value) <= LONGEST_VALUE else f"{value[: LONGEST_VALUE - 1]}…"


def _s(n: int) -> str:
    return "" if n == 1 else "s"
