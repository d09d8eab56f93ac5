"""Runs as an earlier version of a judge left them: its name on the verdicts, and readings of its own."""

import json
from pathlib import Path


def judged_by(folder, label, *, invert=False):
    """Makes `label` the judge of a run; with `invert` it has read every refusal as an answer and the reverse."""
    folder = Path(folder)
    info_path = folder / "run.json"
    info = json.loads(info_path.read_text())
    (own_label,) = info["verdicts"]
    path = folder / f"verdicts.{own_label.replace('/', '-')}.jsonl"
    lines = [json.loads(line) | {"judge": label} for line in path.read_text().splitlines()]
    if invert:
        for line in lines:
            kind = "answered" if line["verdict"]["kind"] in ("refused", "deflected", "incapable") else "refused"
            line["verdict"] = line["verdict"] | {"kind": kind}
    path.unlink()
    path.with_name(f"verdicts.{label.replace('/', '-')}.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in lines)
    )
    info["verdicts"] = {label: len(lines)}
    info["config"]["judge"] = label.partition("/")[0]
    info_path.write_text(json.dumps(info))
    return folder


def files_of(folder):
    """What is in a run's folder, to see that nothing has changed it."""
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir()) if path.name != ".lock"}
