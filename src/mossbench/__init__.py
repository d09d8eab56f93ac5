"""Measures how often multimodal models turn down harmless image+text requests.

Everything the command line does, from Python:

    import mossbench as mb

    data = mb.load_dataset("sketches")
    results = mb.run(model="control/candid", data=data)
    results.rates()

Names are imported when they are first used, so that `import mossbench` and `mossbench --help` are quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from mossbench.analyses import analyse, analyse_runs
    from mossbench.datasets import (
        Dataset,
        Description,
        Finding,
        check_dataset,
        describe_dataset,
        export_dataset,
        fetch_dataset,
        import_dataset,
        load_dataset,
    )
    from mossbench.datasets.sheets import write_template
    from mossbench.errors import (
        DataError,
        ImageError,
        Interrupted,
        MissingExtra,
        ModelError,
        MossbenchError,
        RunError,
        StorageError,
        SubmissionError,
        UsageError,
    )
    from mossbench.judges import Judge, load_judge
    from mossbench.judges.files import apply_judge, check_pictures, save_baseline, tune_cascade, validate_judge
    from mossbench.judges.validation import Validation
    from mossbench.leaderboard import (
        add_submission,
        check_submission,
        load_board,
        make_boards,
        make_submission,
        published_boards,
        write_submission,
    )
    from mossbench.models import Model, Prompt, load_model
    from mossbench.outcomes import Answer, Exchange, Kind, Rule, Verdict
    from mossbench.published import check_published, published_findings, published_rates
    from mossbench.published.results_json import export_results, import_results, write_results
    from mossbench.reports.analyses import write_analysis
    from mossbench.reports.build import make_report
    from mossbench.reports.record import Report
    from mossbench.reports.writing import write_report
    from mossbench.results import Results, load_results
    from mossbench.results.comparisons import Comparison, compare
    from mossbench.results.gates import Gate, gate
    from mossbench.results.listing import RunLine, list_runs
    from mossbench.results.scoreboard import score_judges
    from mossbench.runs.forecast import Forecast, forecast_run
    from mossbench.runs.judging import check_drift, judge_run
    from mossbench.runs.running import resume_run, run
    from mossbench.runs.several import arun
    from mossbench.runs.suite_files import load_suite
    from mossbench.runs.suites import forecast_suite, run_suite
    from mossbench.runs.trial import Trial, try_sample
    from mossbench.samples import Harm, Sample, Side, Stimulus

_HOME = {
    "analyses": ("analyse", "analyse_runs"),
    "datasets": (
        "Dataset",
        "Description",
        "Finding",
        "check_dataset",
        "describe_dataset",
        "export_dataset",
        "fetch_dataset",
        "import_dataset",
        "load_dataset",
    ),
    "datasets.sheets": ("write_template",),
    "errors": (
        "DataError",
        "ImageError",
        "Interrupted",
        "MissingExtra",
        "ModelError",
        "MossbenchError",
        "RunError",
        "StorageError",
        "SubmissionError",
        "UsageError",
    ),
    "judges": ("Judge", "load_judge"),
    "judges.files": ("apply_judge", "check_pictures", "save_baseline", "tune_cascade", "validate_judge"),
    "judges.validation": ("Validation",),
    "leaderboard": (
        "add_submission",
        "check_submission",
        "load_board",
        "make_boards",
        "make_submission",
        "published_boards",
        "write_submission",
    ),
    "models": ("Model", "Prompt", "load_model"),
    "outcomes": ("Answer", "Exchange", "Kind", "Rule", "Verdict"),
    "published": ("check_published", "published_findings", "published_rates"),
    "published.results_json": ("export_results", "import_results", "write_results"),
    "reports.analyses": ("write_analysis",),
    "reports.build": ("make_report",),
    "reports.record": ("Report",),
    "reports.writing": ("write_report",),
    "results": ("Results", "load_results"),
    "results.comparisons": ("Comparison", "compare"),
    "results.gates": ("Gate", "gate"),
    "results.listing": ("RunLine", "list_runs"),
    "results.scoreboard": ("score_judges",),
    "runs.forecast": ("Forecast", "forecast_run"),
    "runs.judging": ("check_drift", "judge_run"),
    "runs.running": ("resume_run", "run"),
    "runs.several": ("arun",),
    "runs.suite_files": ("load_suite",),
    "runs.suites": ("forecast_suite", "run_suite"),
    "runs.trial": ("Trial", "try_sample"),
    "samples": ("Harm", "Sample", "Side", "Stimulus"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "Answer",
    "Comparison",
    "DataError",
    "Dataset",
    "Description",
    "Exchange",
    "Finding",
    "Forecast",
    "Gate",
    "Harm",
    "ImageError",
    "Interrupted",
    "Judge",
    "Kind",
    "MissingExtra",
    "Model",
    "ModelError",
    "MossbenchError",
    "Prompt",
    "Report",
    "Results",
    "Rule",
    "RunError",
    "RunLine",
    "Sample",
    "Side",
    "Stimulus",
    "StorageError",
    "SubmissionError",
    "Trial",
    "UsageError",
    "Validation",
    "Verdict",
    "add_submission",
    "analyse",
    "analyse_runs",
    "apply_judge",
    "arun",
    "check_dataset",
    "check_drift",
    "check_pictures",
    "check_published",
    "check_submission",
    "compare",
    "describe_dataset",
    "export_dataset",
    "export_results",
    "fetch_dataset",
    "forecast_run",
    "forecast_suite",
    "gate",
    "import_dataset",
    "import_results",
    "judge_run",
    "list_runs",
    "load_board",
    "load_dataset",
    "load_judge",
    "load_model",
    "load_results",
    "load_suite",
    "make_boards",
    "make_report",
    "make_submission",
    "published_boards",
    "published_findings",
    "published_rates",
    "resume_run",
    "run",
    "run_suite",
    "save_baseline",
    "score_judges",
    "try_sample",
    "tune_cascade",
    "validate_judge",
    "write_analysis",
    "write_report",
    "write_results",
    "write_submission",
    "write_template",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'mossbench' has no attribute {name!r}")
    return getattr(import_module(f"mossbench.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
