"""`replay/FILE`: a model whose answers were recorded before, by hand or by another program."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from mossbench.errors import UsageError, bad_option, n_of, some
from mossbench.models.model import Model, Prompt
from mossbench.models.notices import SAY_WHO_ANSWERED, NoticeFact, NoticeTopic
from mossbench.outcomes import Answer, Stop
from mossbench.plumbing.readable_names import model_name_wrong
from mossbench.plumbing.untrusted_files import read_file
from mossbench.samples import Sample, Side
from mossbench.transcripts import clean_response, read_transcript, removal_signal
from mossbench.transcripts.columns import split_columns
from mossbench.transcripts.recorded_answers import strip_residue
from mossbench.transcripts.stated import stated_model
from mossbench.ways_out import EITHER_SIDE

PUBLISHED_NAMES = {
    "gpt-4o-web": "GPT-4o (web)",
    "gemini-advanced-web": "Gemini Advanced (web)",
    "claude-3-opus-web": "Claude 3 opus (web)",
}
"""The web products by the names of their presets, as the published tables call them."""


class Replay(Model):
    """Looks answers up by side, id and epoch. What is not on record is FAILED, never an empty answer."""

    limits = None  # nothing is sent, so pictures need not be there

    def __init__(self, file: str | Path, model_name: str | None = None) -> None:
        path = Path(file)
        self.name = f"replay/{path}"
        answers_file, columns = split_columns(path)
        if model_name is not None:
            fault = model_name_wrong(model_name)
            if fault:
                raise bad_option("model_name", fault)
        rows = read_transcript(path)
        stated = stated_model(rows)
        answered_by = model_name or stated.name or _name_of_sheet(answers_file)
        self.options = {"model_name": answered_by} if answered_by else {}
        self._unclear_name = "" if answered_by else stated.unclear
        content = read_file(answers_file)
        if columns:  # others read other answers
            content += repr(sorted(columns.items())).encode()
        self.version = hashlib.sha256(content).hexdigest()[:12]
        self._path = answers_file
        self._sided = any(row.side for row in rows)
        self._n_stripped = sum(bool(strip_residue(row.response or "")[1]) for row in rows)
        self._n_unquoted = sum(bool(row.quoting) for row in rows)
        self._rows = {(row.side if self._sided else None, row.id, row.epoch): row for row in rows}

    def check(self, samples: Sequence[Sample]) -> tuple[str, ...]:
        sides = {sample.side for sample in samples}
        if len(sides) > 1 and not self._sided:
            raise UsageError(
                f"{self._path} does not say which side its rows belong to; add a column side to it",
                way_out=EITHER_SIDE,
            )
        asked_ids = {(sample.side if self._sided else None, sample.id) for sample in samples}
        recorded_ids = {(side, id) for side, id, _ in self._rows}
        notices = [
            *_notice_of_ids("not in the transcript", asked_ids - recorded_ids),
            *_notice_of_ids("in the transcript but not asked", recorded_ids - asked_ids),
            *(fact.text for fact in self.notice_facts()),
        ]
        if self._n_stripped:
            answers = n_of(self._n_stripped, "answer")
            notices.append(f"text of the web page around {answers} was removed")
        if self._n_unquoted:
            answers = n_of(self._n_unquoted, "answer")
            notices.append(
                f"quotation marks from a spreadsheet or JSON, or unclosed ones, around {answers} were removed"
            )
        return tuple(notices)

    def notice_facts(self) -> tuple[NoticeFact, ...]:
        if not self._unclear_name:
            return ()
        text = f"{self._unclear_name}; {SAY_WHO_ANSWERED}"
        return (NoticeFact(text=text, topic=NoticeTopic.UNKNOWN_MODEL),)

    async def answer(self, prompt: Prompt) -> Answer:
        if prompt.key is None:
            raise ValueError("replay needs the key of the row")
        side, sample, _, epoch = prompt.key
        row = self._rows.get((side if self._sided else None, sample, epoch))
        if row is None:
            return Answer.failed("record", f"no answer for this sample in {self._path}")
        if row.response is None:
            return Answer.failed("record", "the transcript has no answer here (null)")
        if row.question is not None and _plain(row.question) != _plain(prompt.request):
            return Answer.failed("record", f"the transcript has another request for this sample: {row.question!r}")
        text, residue = strip_residue(row.response)
        if residue and not text:
            return Answer.failed("record", f"the transcript has only text of the web page here: {', '.join(residue)}")
        text, removed = clean_response(row.response)
        signals = filter(None, (removed, removal_signal(row.quoting)))
        return Answer(text=text, stop=Stop.END, signal="; ".join(signals) or None)


def _notice_of_ids(problem: str, ids: Iterable[tuple[Side | None, str]]) -> list[str]:
    names = sorted(f"{side}:{id}" if side else id for side, id in ids)
    return [f"{n_of(len(names), 'id')} {problem}: {some(names, 5)}"] if names else []


def _name_of_sheet(path: Path) -> str | None:
    """The web product that a sheet was filled in for by hand, where the file is called as its preset is."""
    return PUBLISHED_NAMES.get(path.stem.lower())


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
