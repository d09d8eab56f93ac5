"""Whether a judge still says what it said before, and noting in run folders that it does not."""

from collections.abc import Iterable
from pathlib import Path

from mossbench.errors import UsageError
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.judges.drift import Drift, compare, read_baseline, shipped_baseline, to_json
from mossbench.judges.files import probe_verdicts
from mossbench.judges.judge import AnyJudge
from mossbench.plumbing.storage import write_atomically
from mossbench.store.run_folder import RunFolder
from mossbench.ways_out import SetOption


def check_drift(
    judge: AnyJudge = DEFAULT_JUDGE,
    *,
    baseline: str | Path | None = None,
    save: str | Path | None = None,
    runs: Iterable[str | Path] = (),
) -> Drift:
    """Whether a judge says of the probes what it said before.

    Args:
        judge: The judge.
        baseline: File of `save_baseline` to compare with; by default what ships with the package (offline judges only).
        save: Where to write what it says now.
        runs: Run folders in which to note the finding; their tables then say when the judge has drifted.
    """
    reader = load_judge(judge)
    if baseline is None:
        before = shipped_baseline(reader.name, reader.version)
    else:
        before = read_baseline(Path(baseline))
    if before is None:
        raise UsageError(
            f"no earlier verdicts of judge {reader.name!r} to compare with",
            way_out=(
                SetOption("save", to="save the current ones to a file"),
                SetOption("baseline", to="compare with a file saved earlier"),
            ),
        )
    current = probe_verdicts(reader)
    if save is not None:
        write_atomically(Path(save), to_json(current))
    drift = compare(current, before, deterministic=not reader.needs_picture)
    note = f"{drift.summary()}\n" if drift.drifted else ""
    for run in runs:
        folder = RunFolder(Path(run))
        folder.info()  # raises where there is no run
        write_atomically(folder.drift_path(reader.label), note)
    return drift
