"""Python calls and keywords in a message, as a user of the command line writes them.

Messages of the library name `max_tokens` and `resume_run('runs/x')` in backticks, which is right in a notebook. The
command line and the web app show --max-tokens and mossbench run --resume runs/x.
"""

from __future__ import annotations

import ast
import re
import shlex

OPTIONS = frozenset(
    "again against allow_host annotations archived arm as_published availability base_url baseline baseline_prompt "
    "batch_size board boxes build by caption_model check data demo descending domain dry_run epochs fitted_on flips "
    "format from google_safety host html id ids images_at judge judge_base_url judge_model junit labels latency "
    "limit map mark max_connections max_cost max_failed max_harmfulness max_increase max_refusal max_tokens "
    "min_naturalness min_safety mode model n name no_judge no_report not_source ocr offset only oracle out "
    "overwrite own_prompts_only paraphrases photos picture_check plot port prices print probe prompts published "
    "quiet read reason resume retries review reviewer reviewers revision rule run runs sample save seed sheet short "
    "side size sort stand_ins start_connections state stimulus style summary system tagger_model target temperature "
    "threshold timeout token trust_remote_code version with_answers worst yes".split()
)
"""All options of the command line by their Python names."""
OTHER_NAMES = {
    "models": "--model",
    "folders": "--run",
    "columns": "--map",
    "arms": "--by arm",
    "DATASETS": "mossbench data list",
    "JUDGES": "mossbench judge list",
    "ANALYSES": "mossbench analyse --help",
    "PRESETS": "mossbench models",
    "PROVIDERS": "mossbench models",
}
"""Python keywords whose flag is not simply their name, and tables that a command lists."""
CALLS = {
    "add_submission": ("mossbench leaderboard add", "", "--board"),
    "analyse": ("mossbench analyse", "", "--model", "--data"),
    "analyse_runs": ("mossbench analyse", "", "--run"),
    "apply_judge": ("mossbench judge apply", "", "--judge"),
    "check_dataset": ("mossbench data check", ""),
    "check_drift": ("mossbench judge drift", "--judge"),
    "check_published": ("mossbench leaderboard check",),
    "compare": ("mossbench compare", ""),
    "describe_dataset": ("mossbench data describe", ""),
    "export_dataset": ("mossbench data export", "", "", "--format"),
    "fetch_dataset": ("mossbench data fetch", ""),
    "forecast_run": ("mossbench run --dry-run", "--model", "--data"),
    "gate": ("mossbench gate", ""),
    "import_dataset": ("mossbench data import", "", "--out"),
    "import_results": ("mossbench results import", "", "--out"),
    "judge_run": ("mossbench judge apply", "", "--judge"),
    "load_board": ("mossbench leaderboard show", "--board"),
    "load_dataset": ("", "--data", "--side"),
    "load_judge": ("", "--judge"),
    "load_model": ("", "--model"),
    "load_results": ("mossbench results show", ""),
    "make_submission": ("mossbench submit", ""),
    "published_findings": ("mossbench published",),
    "resume_run": ("mossbench run", "--resume"),
    "run": ("mossbench run", "--model", "--data"),
    "save_baseline": ("mossbench judge drift", "--judge", "--save"),
    "score_judges": ("mossbench judge scoreboard", "", "--judge"),
    "try_sample": ("mossbench try", "--model", "--data"),
    "tune_cascade": ("mossbench judge tune", ""),
    "validate_judge": ("mossbench judge validate", "", "--judge"),
    "write_report": ("mossbench report", "", "--out"),
    "write_results": ("mossbench results export", "", "--out"),
    "write_template": ("mossbench transcript template", "--data", "--out"),
}
"""Python call -> its command, and the flag of each positional argument; further ones are as the last."""
_IN_BACKTICKS = re.compile(r"`([^`\n]+)`(?! (?:column|field|key))")


def as_commands(text: str) -> str:
    """The text with options and calls in backticks as flags and commands; what is neither stays as it is."""
    return _IN_BACKTICKS.sub(lambda found: _command(found[1]) or found[0], text)


def _command(code: str) -> str | None:
    if code in OPTIONS or code in OTHER_NAMES:
        return _flag(code)
    try:
        call: ast.expr | None = ast.parse(code.replace("…", "..."), mode="eval").body
    except SyntaxError:
        call = _keywords(code)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in CALLS:
        return None
    command, *flags = CALLS[call.func.id]
    words = [command]
    for number, value in enumerate(call.args):
        words.append(_words(flags[min(number, len(flags) - 1)] if flags else "", value))
    words += [_words(_flag(keyword.arg or ""), keyword.value) for keyword in call.keywords]
    return " ".join(filter(None, words))


def _keywords(code: str) -> ast.expr | None:
    """`side='benign'` as a call of nothing with that keyword."""
    try:
        call = ast.parse(f"load_model({code})", mode="eval").body
    except SyntaxError:
        return None
    known = isinstance(call, ast.Call) and all(keyword.arg in OPTIONS | OTHER_NAMES.keys() for keyword in call.keywords)
    return call if known and not call.args else None  # type: ignore[attr-defined]


def _flag(name: str) -> str:
    return OTHER_NAMES.get(name, f"--{name.replace('_', '-')}")


def _words(flag: str, value: ast.expr) -> str:
    """A flag with its value, once for each of several."""
    if isinstance(value, ast.List | ast.Tuple):
        return " ".join(_words(flag, one) for one in value.elts)
    if isinstance(value, ast.Constant) and value.value is ...:
        return "…"
    if flag == OTHER_NAMES["arms"] or (isinstance(value, ast.Constant) and value.value is True):
        return flag
    if isinstance(value, ast.Dict):
        pairs = zip(value.keys, value.values, strict=True)
        return f"{flag} {shlex.quote(','.join(f'{ast.literal_eval(k)}={ast.literal_eval(v)}' for k, v in pairs if k))}"
    shown = shlex.quote(str(value.value)) if isinstance(value, ast.Constant) else ast.unparse(value)
    return f"{flag} {shown}".strip()
