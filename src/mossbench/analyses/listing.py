"""The pages that analyses have written beside runs, in a list; what each found is in the JSON beside it."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from mossbench.analyses.folders import PAGE, read_analysis, was_skipped


@dataclass(frozen=True)
class Finding:
    """What one analysis found about one model, or across models (then `model` is empty)."""

    analysis: str
    model: str
    text: str
    is_done: bool = True
    """Whether there was what it takes; else `text` says what there was not."""


@dataclass(frozen=True)
class AnalysisPage:
    """A page of analyses in a folder of a run, or of the runs of several models."""

    path: Path
    written: str
    """UTC, to the minute."""
    models: tuple[str, ...]
    findings: tuple[Finding, ...]
    """None where its JSON is not there."""

    @property
    def folder(self) -> str:
        return self.path.parent.name

    @property
    def stem(self) -> str:
        return self.path.stem


def list_analyses(runs: str | Path = "runs") -> list[AnalysisPage]:
    """The pages in the folders of `runs`, the newest first; links that lead out of it are none."""
    found = []
    with suppress(OSError):
        root = Path(runs).resolve()
        for path in Path(runs).glob(f"*/{PAGE}*.html"):
            with suppress(OSError, RuntimeError):  # a loop of links, or gone since
                if path.is_file() and path.resolve().is_relative_to(root):
                    found.append((path.stat().st_mtime_ns, path))
    return [_page(path, changed) for changed, path in sorted(found, reverse=True)]


@lru_cache(maxsize=1000)
def _page(path: Path, changed: int) -> AnalysisPage:
    told = read_analysis(path.with_suffix(".json"))
    parts = [part for part in told.get("parts", ()) if isinstance(part, dict)]
    written = datetime.fromtimestamp(changed / 1e9, UTC).strftime("%Y-%m-%d %H:%M")
    models = tuple(str(run.get("model", "")) for run in told.get("runs", ()) if isinstance(run, dict))
    return AnalysisPage(path, written, models, tuple(_finding(part) for part in parts))


def _finding(part: dict[str, Any]) -> Finding:
    return Finding(
        analysis=str(part.get("name", "")),
        model=str(part.get("model", "")),
        text=str(part.get("finding", "")),
        is_done=not was_skipped(part),
    )
