"""Counts what a dataset holds: by stimulus, harm class and flag; its questions, scenes and empty fields."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from mossbench.datasets.dataset import AnyData
from mossbench.datasets.files import ABOUT_FIELDS
from mossbench.datasets.recognition import Copy, name_on_record, why_not_published
from mossbench.plumbing.frames import html_table
from mossbench.samples import FLAGS, Harm, Record, Sample, Side, data_label, value_text

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_TEXTS = ("question", "short_description", "description")


class Counts(Record):
    """One row of a table: how many samples, in all and by stimulus (only the stimuli that occur)."""

    total: int
    by_stimulus: dict[str, int]


class Questions(Record):
    """The wording of a side's questions. Words are what blanks separate; word types are distinct, case aside."""

    n_distinct: int
    n_repeated: int
    """Distinct questions that more than one sample asks."""
    n_word_types: int
    words_min: int
    words_max: int
    words_mean: float
    words_mean_by_stimulus: dict[str, float]


class Scenes(Record):
    """How many samples share a source scene; samples without a cluster are not counted here."""

    n_scenes: int
    n_samples: int
    sizes: dict[int, int]
    """Number of samples -> number of scenes with so many."""
    pair_sizes: dict[int, int]
    """The same for distinct pairs of question and description, both as written."""


class Column(Record):
    n_values: int
    most: dict[str, int]
    """Value -> samples that have it; at most eight values, the most frequent first."""


class SideDescription(Record):
    side: Side
    n: int
    n_twins: int
    stimulus: dict[str, int]
    harm: dict[int, Counts]
    """By code; all seven codes, or none when no sample has one."""
    flags: dict[str, Counts]
    """Flag -> samples that have it set; without flags that no sample states."""
    questions: Questions | None
    """None when there is no sample."""
    scenes: Scenes
    empty: dict[str, int]
    """Field -> samples in which it is blank; only texts and images, and only fields that are blank somewhere."""
    columns: dict[str, Column] = {}
    """Columns of one's own."""


class Description(Record):
    """A dataset in counts, with the licence, warning and notes to show with it."""

    name: str
    version: str
    source: str
    revision: str | None
    licence: str
    warning: str
    citation: str
    copies: dict[Side, Copy] = {}
    """Side -> which copy of the published set it is; without sides that are not published."""
    notes: tuple[str, ...] = ()
    """What limits results on it."""
    sides: tuple[SideDescription, ...]

    def __repr__(self) -> str:
        return f"<Description of {self.version}>"

    def _repr_html_(self) -> str:
        lines = []
        for side in self.sides:
            lines.append({"side": str(side.side), "samples": side.n, "with a twin": side.n_twins, **side.stimulus})
        return html_table(f"{self.version}; {self.licence or 'no licence stated'}", lines)


def describe_dataset(dataset: AnyData) -> Description:
    """The counts of every side that the dataset has."""
    from mossbench.datasets import as_dataset

    dataset = as_dataset(dataset)
    about = {field: getattr(dataset, field) for field in ABOUT_FIELDS}
    about["name"] = name_on_record(dataset)
    return Description(
        **about,
        version=data_label(about["name"], dataset.hashes),
        copies=dataset.copies,
        notes=(*dataset.notes, *why_not_published(dataset)),
        sides=tuple(_describe_side(side, dataset.select(side).samples) for side in dataset.sides),
    )


def _describe_side(side: Side, samples: Sequence[Sample]) -> SideDescription:
    has_harm = any(sample.harm is not None for sample in samples)
    return SideDescription(
        side=side,
        n=len(samples),
        n_twins=sum(sample.twin is not None for sample in samples),
        stimulus=_by_stimulus(samples),
        harm={int(harm): _counts(s for s in samples if s.harm is harm) for harm in Harm} if has_harm else {},
        flags={
            flag: _counts(s for s in samples if getattr(s, flag))
            for flag in FLAGS
            if any(getattr(s, flag) is not None for s in samples)
        },
        questions=_questions(samples) if samples else None,
        scenes=_scenes(samples),
        empty=_count_empty_fields(samples),
        columns=_columns(samples),
    )


def _columns(samples: Sequence[Sample]) -> dict[str, Column]:
    counts: dict[str, Counter[str]] = {}
    for sample in samples:
        for name, value in sample.metadata.items():
            counts.setdefault(name, Counter())[value_text(value)] += 1
    return {name: Column(n_values=len(values), most=dict(values.most_common(8))) for name, values in counts.items()}


def _stimulus(sample: Sample) -> str:
    return sample.stimulus.value if sample.stimulus is not None else "none"


def _by_stimulus(samples: Iterable[Sample]) -> dict[str, int]:
    return dict(Counter(_stimulus(sample) for sample in samples))


def _counts(samples: Iterable[Sample]) -> Counts:
    by_stimulus = _by_stimulus(samples)
    return Counts(total=sum(by_stimulus.values()), by_stimulus=by_stimulus)


def _questions(samples: Sequence[Sample]) -> Questions:
    counts = Counter(sample.question for sample in samples)
    words: set[str] = set()
    for question in counts:
        words.update(_WORD.findall(question.lower()))
    lengths = [len(sample.question.split()) for sample in samples]
    by_stimulus: dict[str, list[int]] = {}
    for sample, length in zip(samples, lengths, strict=True):
        by_stimulus.setdefault(_stimulus(sample), []).append(length)
    return Questions(
        n_distinct=len(counts),
        n_repeated=sum(n > 1 for n in counts.values()),
        n_word_types=len(words),
        words_min=min(lengths),
        words_max=max(lengths),
        words_mean=sum(lengths) / len(lengths),
        words_mean_by_stimulus={name: sum(values) / len(values) for name, values in by_stimulus.items()},
    )


def _scenes(samples: Sequence[Sample]) -> Scenes:
    clustered = [sample for sample in samples if sample.cluster is not None]
    sizes = _count_group_sizes(sample.cluster for sample in clustered)
    pairs = _count_group_sizes((sample.question, sample.description) for sample in clustered)
    return Scenes(n_scenes=sum(sizes.values()), n_samples=len(clustered), sizes=sizes, pair_sizes=pairs)


def _count_group_sizes(items: Iterable[Hashable]) -> dict[int, int]:
    """Number of equal items -> number of groups with so many."""
    group_sizes = Counter(items).values()
    return dict(sorted(Counter(group_sizes).items()))


def _count_empty_fields(samples: Sequence[Sample]) -> dict[str, int]:
    counts = {field: sum(not getattr(sample, field).strip() for sample in samples) for field in _TEXTS}
    counts["image"] = sum(sample.image is None for sample in samples)
    return {field: n for field, n in counts.items() if n}
