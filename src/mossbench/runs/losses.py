"""What a user is told when somebody deletes, moves or cuts a file of a run while it is being asked."""

from mossbench.errors import n_of
from mossbench.plumbing.places import PlaceLost
from mossbench.runs.row_asking import answered_keys
from mossbench.store.key_set import KeySet
from mossbench.store.run_folder import RunFolder

NOTHING_SENT = "no further request was sent"


def describe_cut(lost: PlaceLost, folder: RunFolder, recorded: KeySet) -> str:
    """What a run has lost with the end of a file that somebody has cut; these answers had been recorded."""
    if lost.path != folder.answers_path:
        return _describe_other_file(lost, folder)
    n_lost = recorded.n_not_in(answered_keys(folder))
    return f"{NOTHING_SENT}; lost: {n_of(n_lost, 'recorded answer')}, requested again on resume"


def describe_loss(lost: PlaceLost, folder: RunFolder, n_recorded: int, under_way: str) -> str:
    """What a run has lost with a file or with its folder, of answers on record and of requests under way."""
    if not lost.file.is_deleted:
        return f"{NOTHING_SENT}; no recorded answer is lost"
    if lost.folder is not None:
        and_requests = f" and {under_way}" if under_way else ""
        return (
            f"{NOTHING_SENT}; lost with it: {n_of(n_recorded, 'answer')}{and_requests}. If the folder was moved to "
            "another disk, or you have a copy of it, resume that one; otherwise start the run again"
        )
    if lost.path == folder.answers_path:
        what_counts = "the answers in the current file count" if lost.file.is_replaced else "a new file was started"
        return f"{NOTHING_SENT}; {n_of(n_recorded, 'answer')} had been recorded in the old file; {what_counts}"
    return _describe_other_file(lost, folder)


def _describe_other_file(lost: PlaceLost, folder: RunFolder) -> str:
    """What becomes of a run that has lost another file than its answers."""
    if lost.path == folder.batches_path:
        return f"{NOTHING_SENT}; no answer is lost, and the pending batches are recorded again"
    return f"{NOTHING_SENT}; no answer is lost; answers without a verdict are judged again"
