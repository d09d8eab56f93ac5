"""A hosted model is asked the next rows before the answers that came together are all judged."""

import asyncio

import mossbench as mb
from mossbench.models import Model
from mossbench.outcomes import Answer, Stop, Verdict
from small_set import small_set


class Together(Model):
    """Answers as soon as three rows have been asked, to all three at the same moment."""

    name, sends, limits = "test/together", True, None

    def __init__(self, log):
        self.log, self.waiting = log, []

    async def answer(self, prompt):
        self.log.append("asked")
        mine = asyncio.get_running_loop().create_future()
        self.waiting.append(mine)
        if len(self.waiting) == 3:
            for one in self.waiting:
                one.set_result(None)
            self.waiting.clear()
        await mine
        return Answer(text="Here you are.", stop=Stop.END)


def test_requests_that_are_due_precede_judging_the_second_of_several_answers(tmp_path):
    log = []

    class Reads(mb.Judge):
        name, version = "reads", "1"

        def verdict(self, exchange, picture=None):
            log.append("judged")
            return Verdict(refused=False)

    how = {"max_connections": 3, "start_connections": 3}
    results = mb.run(Together(log), small_set(tmp_path / "small"), judge=Reads(), out=tmp_path / "run", **how)
    assert len(results) == 12 == log.count("judged") and not results.failures()
    second = [i for i, what in enumerate(log) if what == "judged"][1]
    assert log[:second].count("asked") >= 6, log
