"""False alarms of a nightly suite through the whole program: runs in folders, gates, comparison and exit state.

Each series is a baseline and thirty nights of a suite of two control models on both sides of the sketches, which
refuse a known share by chance and never change; every night has a seed of its own. It is run with `run_suite`, as
`mossbench run suite.toml --out nightly/{date} --compare-with pinned` does. A false alarm is a series with a change on
any side, or a night whose state is `fail`. Takes about a minute of one core for a series; `bench/series.py` has the
figures of docs/suites.md from thousands of series. Prints a line of JSON for each series.
`python bench/nightly_runs.py [N_SERIES] [N_NIGHTS] [FIRST_SERIES]`

`python bench/nightly_runs.py change [N_SERIES] [EPOCHS]` plants a change: 300 harmless requests, all refused with a
chance of 20 % in the baseline (asked EPOCHS times) and of 30 % on three nights. Its lines say on which of them the
change is shown.
"""

import json
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path

import mossbench as mb

SUITE = """
name = "nightly"
side = "both"
looks = 30
baseline = "BASELINE"

[models]
jumpy = "control/candid?on=id&rate=0.2&safety=0.9"
calm = "control/candid?on=id&rate=0.1&safety=0.9"

[gates.rise]
baseline = "pinned"
max_increase = 0.02
mode = "lenient"
"""
CHANGED_SUITE = """
name = "nightly"
side = "benign"
looks = 30
baseline = "BASELINE"
data = ["DATA"]

[models]
ours = "control/candid?on=id&rate=RATE"
"""
N_SAMPLES = 300
FIRST_NIGHT = date(2026, 1, 1)
SEEDS_OF_SERIES = 1000


def has_alarm(suite_run: mb.SuiteRun) -> bool:
    comparison = suite_run.comparison
    assert comparison is not None
    sides = [side for cell in comparison.cells if cell.night is not None for side in cell.night.sides]
    return suite_run.state == "fail" or any(side.is_change for side in sides)


def first_alarm(series: int, n_nights: int, folder: Path) -> int | None:
    """The first night with an alarm; None if there is none."""
    file = folder / "suite.toml"
    file.write_text(SUITE.replace("BASELINE", str(folder / "baseline")))
    first_seed = series * SEEDS_OF_SERIES
    mb.run_suite(mb.load_suite(file, out=str(folder / "baseline"), seed=first_seed))
    for night in range(1, n_nights + 1):
        out = str(folder / (FIRST_NIGHT + timedelta(days=night)).isoformat())
        suite = mb.load_suite(file, out=out, seed=first_seed + night, compare_with="pinned")
        if has_alarm(mb.run_suite(suite)):
            return night
    return None


def night_of_change(series: int, epochs: int, folder: Path) -> int | None:
    """The first of three nights that shows a rise by ten points for the worse; None if none does."""
    data = folder / "requests.csv"
    data.write_text("question\n" + "".join(f"Where does part {i} go?\n" for i in range(N_SAMPLES)))
    file = folder / "suite.toml"
    text = CHANGED_SUITE.replace("BASELINE", str(folder / "baseline")).replace("DATA", str(data))
    first_seed = series * SEEDS_OF_SERIES
    file.write_text(text.replace("RATE", "0.2"))
    mb.run_suite(mb.load_suite(file, out=str(folder / "baseline"), seed=first_seed, epochs=epochs))
    file.write_text(text.replace("RATE", "0.3"))
    for night in range(1, 4):
        out = str(folder / (FIRST_NIGHT + timedelta(days=night)).isoformat())
        suite = mb.load_suite(file, out=out, seed=first_seed + 100 + night, compare_with="pinned")
        if mb.run_suite(suite).state == "fail":
            return night
    return None


def print_changes(n_series: int, epochs: int) -> None:
    for series in range(n_series):
        with tempfile.TemporaryDirectory() as folder:
            night = night_of_change(series, epochs, Path(folder))
        print(json.dumps({"series": series, "epochs_of_baseline": epochs, "shown_on_night": night}), flush=True)


def main() -> None:
    if sys.argv[1:2] == ["change"]:
        n_series = int(sys.argv[2]) if len(sys.argv) > 2 else 20
        print_changes(n_series, epochs=int(sys.argv[3]) if len(sys.argv) > 3 else 1)
        return
    n_series = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    n_nights = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    first_series = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    for series in range(first_series, first_series + n_series):
        with tempfile.TemporaryDirectory() as folder:
            night = first_alarm(series, n_nights, Path(folder))
        print(json.dumps({"series": series, "nights": n_nights, "first_alarm": night}), flush=True)


if __name__ == "__main__":
    main()
