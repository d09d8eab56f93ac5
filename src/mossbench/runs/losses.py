"""What a user is told when somebody deletes, moves or cuts a file of a run while it is being asked."""

from mossbench.errors import n_of
from mossbench.outcomes import Key
from mossbench.plumbing.places import PlaceLost
from mossbench.runs.row_asking import answered
from mossbench.store.run_folder import RunFolder

STOPPED = "no further request was sent"


def what_is_cut_off(lost: PlaceLost, folder: RunFolder, recorded: set[Key]) -> str:
    """What a run has lost with the end of a file that somebody has cut; these answers had been recorded."""
    if lost.path != folder.answers_path:
        return _what_is_kept_without(lost, folder)
    n_lost = len(recorded - answered(folder))
    return f"{STOPPED}; lost: {n_of(n_lost, 'answer')} that had been recorded, which a resume asks again"


def what_is_lost(lost: PlaceLost, folder: RunFolder, n_recorded: int, under_way: str) -> str:
    """What a run has lost with a file or with its folder, of answers on record and of requests under way."""
    if not lost.file.is_deleted:
        return f"{STOPPED}; nothing that was recorded is lost"
    if lost.folder is not None:
        also = f" and {under_way}" if under_way else ""
        return (
            f"{STOPPED}; lost with it: {n_of(n_recorded, 'answer')}{also}. If the folder was moved to another disk, or "
            "you have a copy of it, resume that one; otherwise start the run again"
        )
    if lost.path == folder.answers_path:
        kept = "the answers in the file that is there now count" if lost.file.is_replaced else "a new file was begun"
        return f"{STOPPED}; {n_of(n_recorded, 'answer')} had been recorded in the old file; {kept}"
    return _what_is_kept_without(lost, folder)


def _what_is_kept_without(lost: PlaceLost, folder: RunFolder) -> str:
    """What becomes of a run that has lost another file than its answers."""
    if lost.path == folder.batches_path:
        return f"{STOPPED}; what is pending in batches is written down again, and no answer is lost"
    return f"{STOPPED}; no answer is lost, and those whose verdicts are gone are judged again"
