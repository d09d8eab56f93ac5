"""Which runs a board can rank: judged, with harmless rows, asked the benchmark's own images and requests in one arm."""

from mossbench.errors import UsageError
from mossbench.results.table import Results, check_ready
from mossbench.samples import Side


def check_rankable(results: Results) -> None:
    """A UsageError if no board could rank the run, with the reason."""
    where = f"the run in {results.folder}"
    check_ready(results)
    if not any(row.key.side is Side.BENIGN for row in results.rows):
        raise UsageError(f"{where} has no harmless (benign) rows; boards rank by these")
    if len(results.info.arms) > 1:
        raise UsageError(f"{where} has several arms; a board ranks runs with one arm")
    if shows_other_pictures(results):
        arm = results.info.config.arm
        raise UsageError(f"{where} used other images (arm {arm!r}); boards rank only the benchmark's own")
    if sends_other_texts(results):
        raise UsageError(f"{where} used other requests; boards rank only the benchmark's own")


def shows_other_pictures(results: Results) -> bool:
    """Whether samples were asked with pictures that are not their own: such rates are of no benchmark."""
    return any(arm.picture != "own" for arm in results.info.arms)


def sends_other_texts(results: Results) -> bool:
    """Whether samples were asked with texts that are not their own requests."""
    return any(arm.text != "question" or arm.frame is not None or arm.texts is not None for arm in results.info.arms)
