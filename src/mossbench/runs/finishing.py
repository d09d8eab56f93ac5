"""The third step of a run: write down that it has ended, and count its rows."""

from contextlib import nullcontext

from mossbench.plumbing.lines import parsed_once
from mossbench.results.rows import LARGE
from mossbench.results.table import Results, load_results
from mossbench.runs.describing import now
from mossbench.runs.executing import RunOutcome
from mossbench.runs.judging import with_verdicts
from mossbench.runs.stopping import noting_saved_answers


def finish(outcome: RunOutcome) -> Results:
    """Closes the record of a run that was asked, and counts it; its folder stays locked meanwhile."""
    folder = outcome.folder
    n_rows = outcome.info.n_rows
    # Answers are parsed for the counts and for the table; of a large run they are not kept in between.
    keeping_lines = parsed_once() if n_rows <= LARGE else nullcontext()
    with keeping_lines, noting_saved_answers(folder, outcome.way_to_resume, n_rows):
        if outcome.stopped_at_cost is not None:
            info = outcome.info.model_copy(update={"max_cost": outcome.stopped_at_cost})
        else:
            n_failed = folder.count_failed()
            info = outcome.info.model_copy(update={"ended": now(), "failed": n_failed})
        if outcome.judge is not None:
            info = with_verdicts(folder, info, outcome.judge)
        folder.write_info(info)
        return load_results(
            folder.path,
            judge=outcome.judge.label if outcome.judge else None,
            arms="all" if outcome.has_extra_arms else "own",
        )
