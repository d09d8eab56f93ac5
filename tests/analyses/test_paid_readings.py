"""What a model says of answers is paid for: replies on their way are kept when another one ends the reading."""

import asyncio

import pytest

import mossbench as mb
from answered import answered, samples
from mossbench.analyses.answer_readings import AnswerReader, Reading, read_answers
from mossbench.errors import RunError
from mossbench.models.model import Denied, Model
from mossbench.outcomes import Answer
from mossbench.plumbing.lines import read_lines
from mossbench.samples import Side


class DeniesOne(Model):
    """Denies the first question, once all others are under way, which are answered after that."""

    name = "denies/one"

    def __init__(self, n):
        self.all_under_way = asyncio.Barrier(n)

    async def answer(self, prompt):
        await self.all_under_way.wait()
        if prompt.key.sample == "1":
            raise Denied("you shall not pass", "check the key", type="Denied", sure=True)
        await asyncio.sleep(0.05)
        return Answer(text="It helps.")


def test_replies_under_way_are_kept_when_another_question_is_denied(tmp_path):
    answered(samples(tmp_path / "data", 4), tmp_path / "r")
    results = mb.load_results(tmp_path / "r")
    rows = [row for row in results.rows if row.key.side is Side.BENIGN]
    path = tmp_path / "r" / "tags.jsonl"

    def reading(row, exchange, reply):
        return Reading(sample=row.key.sample, digest=exchange.digest(), reply=reply)

    reader = AnswerReader(DeniesOne(4), None, path, lambda row, exchange: f"read {row.key.sample}", reading)
    with pytest.raises(RunError, match="you shall not pass"):
        read_answers(reader, results, rows, [])
    assert {line.sample for line in read_lines(path, Reading)} == {"2", "3", "4"}
