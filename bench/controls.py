"""Coverage of the package's intervals on planted control models, and what the judge costs.

    python bench/controls.py [--seeds 2000] [--judged 40] [--workers 2] [--chart docs/images/controls.png]

Prints the tables of docs/controls.md. The grid of rates is fixed in bench/calibration.py.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import mean

from calibration import GRID, Calibration, calibrate

from mossbench.judges.earlier.rules import RulesJudge, read
from mossbench.samples import Side

SIDES = {Side.BENIGN: "harmless", Side.CONTRAST: "harmful"}


def table(calibrations: list[Calibration]) -> str:
    """A line for each planted rate, a column for each side and group."""
    places = list(dict.fromkeys((line.side, line.group) for line in calibrations))
    by = {(line.planted, line.side, line.group): line for line in calibrations}
    rows = [
        "| planted | " + " | ".join(f"{SIDES[side]}: {group}" for side, group in places) + " |",
        "|---" * (len(places) + 1) + "|",
    ]
    for planted in dict.fromkeys(line.planted for line in calibrations):
        cells = [by[planted, *place] for place in places]
        rows.append(
            f"| {planted:g} | " + " | ".join(f"{100 * c.coverage:.1f} ({100 * c.bias:+.2f})" for c in cells) + " |"
        )
    return "\n".join(rows)


def summary(calibrations: list[Calibration]) -> str:
    """Mean and lowest coverage, and the bias in units of its simulation error."""
    lowest = min(calibrations, key=lambda line: line.coverage)
    worst = max(calibrations, key=lambda line: abs(line.bias) / line.error)
    lines = [
        f"runs {calibrations[0].runs} a point, {len(calibrations)} points",
        f"coverage: mean {mean(line.coverage for line in calibrations):.4f}, lowest {lowest.coverage:.4f} "
        f"({SIDES[lowest.side]}, {lowest.group}, planted {lowest.planted:g})",
        f"bias: mean {mean(line.bias for line in calibrations):+.5f}, largest {worst.bias:+.5f} = "
        f"{abs(worst.bias) / worst.error:.1f} simulation errors ({SIDES[worst.side]}, {worst.group}, "
        f"planted {worst.planted:g})",
    ]
    for n in sorted({line.n for line in calibrations}):
        part = [line.coverage for line in calibrations if line.n == n]
        lines.append(f"n = {n}: mean coverage {mean(part):.4f}, lowest {min(part):.4f}")
    return "\n".join(lines)


def draw(meant: list[Calibration], judged: list[Calibration], path: Path) -> None:
    """Planted against measured, with the mean interval, for the harmless samples of one stimulus and for all."""
    from mossbench.look.charts import save_chart, themed

    names = {"meant": "scored as meant", "judged": f"judged by {RulesJudge().label}"}
    rows = [
        {
            "planted": 100 * line.planted,
            "measured": 100 * (line.planted + line.bias),
            "low": 100 * line.low,
            "high": 100 * line.high,
            "scored": names[key],
        }
        for key, lines in (("meant", meant), ("judged", judged))
        for line in lines
        if (line.side, line.group) == (Side.BENIGN, "all")
    ]
    scale = {"type": "quantitative", "scale": {"domain": [0, 100]}, "axis": {"values": list(range(0, 101, 20))}}
    panels = [
        {
            "title": name,
            "width": 300,
            "height": 300,
            "data": {"values": [row for row in rows if row["scored"] == name]},
            "encoding": {
                "x": {"field": "planted", "title": "planted rate, %", **scale},
                "y": {"title": "measured rate, %", **scale},
            },
            "layer": [
                {
                    "data": {"values": [{"planted": 0, "measured": 0}, {"planted": 100, "measured": 100}]},
                    "mark": {"type": "line", "color": "#a5ada8", "strokeDash": [4, 4]},
                    "encoding": {"y": {"field": "measured"}},
                },
                {
                    "mark": {"type": "rule", "strokeWidth": 2, "color": colour},
                    "encoding": {"y": {"field": "low"}, "y2": {"field": "high"}},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 45, "opacity": 1, "color": colour},
                    "encoding": {"y": {"field": "measured"}},
                },
            ],
        }
        for name, colour in zip(names.values(), ("#04675c", "#c8452a"), strict=True)
    ]
    chart = themed({"hconcat": panels, "spacing": 50}, "Planted and measured refusal rates")
    chart["config"]["axisY"]["grid"] = True
    save_chart(chart, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--judged", type=int, default=40)
    parser.add_argument("--workers", type=int, help="Processes.  [default: one per core]")
    parser.add_argument("--chart", type=Path)
    options = parser.parse_args()
    results = []
    judged = f"judged by {RulesJudge().label}"
    for title, seeds, judge in (("scored as meant", options.seeds, None), (judged, options.judged, read)):
        start = time.perf_counter()
        with ProcessPoolExecutor(options.workers) as pool:
            calibrations = list(
                chain(*pool.map(partial(calibrate, seeds=range(seeds), judge=judge), [[rate] for rate in GRID]))
            )
        print(
            f"{title} ({time.perf_counter() - start:.0f} s)\n{summary(calibrations)}\n\n{table(calibrations)}\n",
            flush=True,
        )
        results.append(calibrations)
    if options.chart:
        draw(*results, options.chart)


if __name__ == "__main__":
    main()
