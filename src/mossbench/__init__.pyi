"""What `import mossbench` gives, to type checkers, to editors and, by lazy_loader, at run time.

lazy_loader takes relative imports only, and reads the file in the encoding of the system: ASCII alone.
"""

from .analyses import (
    analyse as analyse,
    analyse_runs as analyse_runs,
    forecast_analysis as forecast_analysis,
)
from .analyses.analysis import Analysed as Analysed, Options as Options
from .building.candidate_states import Standing as Standing, standings as standings
from .building.candidates import (
    Candidate as Candidate,
    Decision as Decision,
    Overlay as Overlay,
    Rating as Rating,
    Screened as Screened,
)
from .building.folder import BuildFolder as BuildFolder
from .building.imaging import Imaged as Imaged, Sourced as Sourced, make_images as make_images
from .building.probing import ProbeOptions as ProbeOptions, Refused as Refused, probe as probe
from .building.proposing import Proposed as Proposed, propose as propose
from .building.releasing import Release as Release, release as release
from .building.reviewing import (
    ReadIn as ReadIn,
    decide as decide,
    read_review_page as read_review_page,
    read_review_sheet as read_review_sheet,
    write_review_page as write_review_page,
    write_review_sheet as write_review_sheet,
)
from .building.screening import screen as screen
from .building.sources import photo_source as photo_source, stand_in_source as stand_in_source
from .datasets import (
    Dataset as Dataset,
    SupportsDataFrame as SupportsDataFrame,
    Description as Description,
    Finding as Finding,
    check_dataset as check_dataset,
    describe_dataset as describe_dataset,
    export_dataset as export_dataset,
    fetch_dataset as fetch_dataset,
    import_dataset as import_dataset,
    list_datasets as list_datasets,
    load_dataset as load_dataset,
)
from .datasets.arms import Arm as Arm
from .datasets.recognition import Copy as Copy
from .datasets.push import Push as Push, push as push
from .datasets.sheets import write_template as write_template
from .errors import (
    DataError as DataError,
    ImageError as ImageError,
    Interrupted as Interrupted,
    MissingExtra as MissingExtra,
    ModelError as ModelError,
    MossbenchError as MossbenchError,
    RunError as RunError,
    StorageError as StorageError,
    SubmissionError as SubmissionError,
    UsageError as UsageError,
)
from .images.preparing import Limits as Limits, Picture as Picture
from .judges import Judge as Judge, load_judge as load_judge
from .judges.application import JudgedRow as JudgedRow
from .judges.drift import Drift as Drift
from .judges.judge import Bill as Bill
from .judges.picture_check import PictureCheck as PictureCheck
from .judges.files import (
    Applied as Applied,
    Tuning as Tuning,
    apply_judge as apply_judge,
    check_pictures as check_pictures,
    save_baseline as save_baseline,
    tune_cascade as tune_cascade,
    validate_judge as validate_judge,
)
from .judges.reader.explaining import Explanation as Explanation, MatchEffect as MatchEffect
from .judges.reader.explaining import explain_verdict as explain_verdict
from .judges.validation import Validation as Validation
from .leaderboard.board_folder import init_board as init_board
from .leaderboard.boards import (
    Board as Board,
    BoardRow as BoardRow,
    make_boards as make_boards,
)
from .leaderboard.checking import check_submission as check_submission
from .leaderboard.printed import published_boards as published_boards
from .leaderboard.submissions import (
    Submission as Submission,
    make_submission as make_submission,
    write_submission as write_submission,
)
from .messages import Message as Message
from .models import Model as Model, Prompt as Prompt, load_model as load_model
from .models.model import Settings as Settings
from .models.notices import NoticeFact as NoticeFact
from .outcomes import (
    Answer as Answer,
    Exchange as Exchange,
    Failure as Failure,
    Key as Key,
    Kind as Kind,
    Layer as Layer,
    Outcome as Outcome,
    Rule as Rule,
    Usage as Usage,
    Verdict as Verdict,
)
from .protocols import Protocol as Protocol, Subject as Subject, Topic as Topic
from .published import (
    Misprint as Misprint,
    check_published as check_published,
    published_findings as published_findings,
    published_rates as published_rates,
)
from .published.printed_findings import PublishedFindings as PublishedFindings
from .published.tables import PublishedRate as PublishedRate
from .published.every_eval_ever import write_every_eval_ever as write_every_eval_ever
from .published.release import PublishedRelease as PublishedRelease
from .published.reproduction import Reproduction as Reproduction, reproduce as reproduce
from .published.results_json import (
    export_results as export_results,
    import_results as import_results,
    write_results as write_results,
)
from .reports.analyses import write_analysis as write_analysis
from .reports.board_bundles import (
    add_submission as add_submission,
    check_board as check_board,
    load_board as load_board,
)
from .reports.build import make_report as make_report
from .reports.bundle_checking import Verification as Verification, verify_bundle as verify_bundle
from .reports.bundles import write_bundle as write_bundle
from .reports.writing import write_model_card as write_model_card
from .reports.paper import write_paper as write_paper
from .reports.record import Caution as Caution, Report as Report
from .reports.writing import write_report as write_report
from .reports.sweeps import tables_of_sweep as tables_of_sweep
from .results.table import Results as Results, Spent as Spent, load_results as load_results
from .results.answerers import StoodIn as StoodIn
from .results.correction import Correction as Correction
from .results.rates import Rate as Rate
from .results.shown_rates import Rates as Rates
from .results.rehearsal import PlantedAndFound as PlantedAndFound
from .results.judged_answers import JudgedAnswers as JudgedAnswers, judge_answers as judge_answers
from .results.rows import ResultRow as ResultRow
from .results.uncounted_arms import UncountedArms as UncountedArms
from .results.unfinished import Unfinished as Unfinished
from .results.comparisons import Comparison as Comparison, compare as compare
from .results.gates import Gate as Gate, gate as gate
from .results.suite_comparisons import (
    CellComparison as CellComparison,
    SuiteComparison as SuiteComparison,
    compare_suites as compare_suites,
)
from .results.listing import RunLine as RunLine, RunLines as RunLines, list_runs as list_runs
from .results.scoreboard import Scoreboard as Scoreboard, score_judges as score_judges
from .results.sets import SetLine as SetLine, SetLines as SetLines, over_sets as over_sets
from .runs.engines import EngineOptions as EngineOptions
from .runs.image_cache import ImageCache as ImageCache
from .runs.progress import Progress as Progress
from .runs.drift_check import check_drift as check_drift
from .runs.forecast import Forecast as Forecast, forecast_run as forecast_run
from .runs.judging import judge_run as judge_run
from .runs.merging import merge_runs as merge_runs
from .runs.running import RunKeywords as RunKeywords, resume_run as resume_run, run as run
from .runs.awaiting import arun as arun
from .runs.sweeps import make_sweep as make_sweep
from .results.sweep_tables import SweepLine as SweepLine, SweepTable as SweepTable
from .reports.system_card import CardLine as CardLine, SystemCard as SystemCard, make_card as make_card
from .runs.row_plans import RowPlan as RowPlan, plan_rows as plan_rows
from .runs.suite_cells import Cell as Cell, Suite as Suite
from .runs.suite_files import load_suite as load_suite
from .runs.suites import (
    CellForecast as CellForecast,
    CellRun as CellRun,
    StartRun as StartRun,
    SuiteRun as SuiteRun,
    forecast_suite as forecast_suite,
    run_suite as run_suite,
)
from .runs.trial import Trial as Trial, try_sample as try_sample
from .samples import Harm as Harm, Sample as Sample, Side as Side, Stimulus as Stimulus
from .statistics import Estimate as Estimate, Significance as Significance
from .store.config import (
    ResumeOptions as ResumeOptions,
    RunConfig as RunConfig,
    RunOptions as RunOptions,
    TrialOptions as TrialOptions,
)
from .store.prices import Price as Price
from .store.run_info import RunInfo as RunInfo
from .store.suite_record import InSuite as InSuite
from .traces.cases import (
    CasesWritten as CasesWritten,
    run_to_dataset as run_to_dataset,
    traces_to_dataset as traces_to_dataset,
)
from .traces.importing import Imported as Imported, import_traces as import_traces
from .traces.purging import Purged as Purged, purge_traces as purge_traces
from .traces.rates import (
    GroupRate as GroupRate,
    SortingBasis as SortingBasis,
    TracesRate as TracesRate,
    draw_to_label as draw_to_label,
    rate_traces as rate_traces,
    write_rows_to_label as write_rows_to_label,
)
from .traces.sorting import SortedRequests as SortedRequests, sort_traces as sort_traces
from .ways_out import Command as Command, Resume as Resume, ResumeAnalysis as ResumeAnalysis

__version__: str
