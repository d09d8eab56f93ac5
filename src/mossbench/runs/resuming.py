"""A folder that holds a run already: whether this request goes on with it, and what run.json then keeps."""

from mossbench.errors import UsageError
from mossbench.judges import DEFAULT_JUDGE
from mossbench.models.model import AnyModel
from mossbench.models.notices import NoticeTopic
from mossbench.models.presets import expand, preset_endpoint
from mossbench.protocols import IMPORTED_VERDICTS, SentSettings
from mossbench.store.config import RunOptions
from mossbench.store.damage import planned_rows
from mossbench.store.prices import price_to_keep
from mossbench.store.run_folder import ANOTHER_FOLDER, RunFolder
from mossbench.store.run_info import RunInfo
from mossbench.ways_out import JudgeRun, SetOption, WayToResume


def info_to_write(folder: RunFolder, info: RunInfo, *, resume: bool, again: WayToResume) -> RunInfo:
    """run.json for this session: as described, with what the run in the folder has already.

    Raises:
        UsageError: Something else is in the folder, or the run there was started with other options.
    """
    if not folder.info_path.exists():
        if not folder.is_free():
            raise UsageError(f"folder {str(folder.path)!r} is not empty and contains no run", way_out=ANOTHER_FOLDER)
        return info
    saved = folder.info()
    if not resume:
        raise UsageError(
            f"folder {str(folder.path)!r} already contains a run of {saved.model}", way_out=(again, ANOTHER_FOLDER)
        )
    _check_same_settings(folder, saved, info)
    if folder.samples_path.exists():  # one that is gone is written again: the data are the same, by hash
        planned_rows(folder, saved)
    return _joined(saved, info)


def _check_same_settings(folder: RunFolder, saved: RunInfo, info: RunInfo) -> None:
    differences = saved.differences(info)
    if saved.config.model_name is None:  # written before recorded models had names: it gets its name now
        differences.pop("model_name", None)
    if not differences:
        return
    listed = "\n  ".join(differences.values())
    unset = ", unset the variable that names another endpoint (…_BASE_URL)" if _is_endpoint_among(differences) else ""
    own_options = "its own options"
    if all(name.startswith("data") for name in differences):
        own_options = "its own data (what was a part of a dataset in Python: resume_run(folder, data=part))"
    raise UsageError(
        f"the run in {str(folder.path)!r} was started with other options:\n  {listed}",
        way_out=SetOption("out", to=f"resume it with {own_options}{unset}, or start a new run in another folder"),
    )


def _is_endpoint_among(differences: dict[str, str]) -> bool:
    return any(name.startswith("base_url") for name in differences)


def _joined(saved: RunInfo, info: RunInfo) -> RunInfo:
    """run.json of a run that goes on: as described now, with what earlier sessions left there."""
    settled_notices = _settled_notices(saved, info)
    kept_notices = [text for text in saved.notices if text not in settled_notices]
    kept_facts = [fact for fact in saved.notice_facts if fact.text not in settled_notices]
    judge = info.config.judge or saved.config.judge  # a session that judges nothing leaves the run its judge
    update = {
        "config": info.config.model_copy(update={"judge": judge}),
        # as it was
        "one_format": saved.one_format,
        "is_partial_import": saved.is_partial_import,
        "started": saved.started,
        "traffic": saved.traffic,
        "judge_prices": saved.judge_prices,
        "verdicts": saved.verdicts,
        "engines": saved.engines,
        # as it is now, where that is known
        "price": price_to_keep(saved.price, info.price),
        "suite": info.suite or saved.suite,
        "sent": saved.sent if SentSettings.read(saved.sent).rejected else info.sent,
        # both
        "notices": tuple(dict.fromkeys((*kept_notices, *info.notices))),
        "notice_facts": tuple(dict.fromkeys((*kept_facts, *info.notice_facts))),
    }
    return info.model_copy(update=update)


def _settled_notices(saved: RunInfo, info: RunInfo) -> set[str]:
    """The notices that no longer hold when a run goes on: the question who answered, where it is answered now."""
    if info.config.model_name is None:
        return set()
    return {fact.text for fact in saved.notice_facts if fact.topic is NoticeTopic.UNKNOWN_MODEL}


def check_endpoint_is_known(folder: RunFolder, model: AnyModel, options: RunOptions) -> None:
    """A UsageError when a run is resumed whose folder does not say which endpoint it asked, and nobody else does."""
    if not folder.info_path.exists():
        return
    saved = folder.info()
    if not saved.endpoint_unknown:
        return
    if isinstance(model, str):
        _, expanded = expand(model, options)
        endpoint = expanded.get("base_url")
    else:
        endpoint = getattr(model, "base_url", None)
    if endpoint is None:
        preset_url = preset_endpoint(saved.config.model)
        hint = f" (the preset uses {preset_url})" if preset_url else ""
        raise UsageError(
            f"{folder.info_path} does not record the endpoint of {saved.config.model}{hint}",
            way_out=SetOption("base_url", to="resume it"),
        )


def check_can_be_asked(info: RunInfo, folder: RunFolder, *, has_own_judge: bool) -> None:
    """A UsageError where a run was imported: nobody can be asked again, and its verdicts are those of the file."""
    is_on_data = bool(info.dataset.hashes)
    has_verdicts_of_the_file = info.config.judge == IMPORTED_VERDICTS
    if is_on_data and (has_own_judge or not has_verdicts_of_the_file):
        return
    path = str(folder.path)
    file = info.recorded_file or info.dataset.name
    raise UsageError(
        f"the run in {path!r} was imported from {file}, so its samples cannot be asked again",
        way_out=JudgeRun(
            folder.path,
            DEFAULT_JUDGE,
            to="complete the file and import it into another folder, or judge its answers",
        ),
    )
