"""The pages that analyses have written beside runs, in a list; what each found is in the JSON beside it."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from mossbench.analyses.saved import PAGE, read_saved


@dataclass(frozen=True)
class Finding:
    """What one analysis found about one model, or across models (then `model` is empty)."""

    analysis: str
    model: str
    text: str


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
    pages: list[tuple[int, Path]] = []
    with suppress(OSError):
        root = Path(runs).resolve()
        for path in Path(runs).glob(f"*/{PAGE}*.html"):
            with suppress(OSError, RuntimeError):  # a loop of links, or gone since
                if path.is_file() and path.resolve().is_relative_to(root):
                    pages.append((path.stat().st_mtime_ns, path))
    return [_read_page(path, changed) for changed, path in sorted(pages, reverse=True)]


@lru_cache(maxsize=1000)
def _read_page(path: Path, changed: int) -> AnalysisPage:
    """The page as it was changed last, in nanoseconds: kept until it is written again."""
    saved = read_saved(path.with_suffix(".json"))
    return AnalysisPage(
        path=path,
        written=datetime.fromtimestamp(changed / 1e9, UTC).strftime("%Y-%m-%d %H:%M"),
        models=tuple(run.model for run in saved.runs),
        findings=tuple(Finding(part.name, part.model, part.finding) for part in saved.parts),
    )
