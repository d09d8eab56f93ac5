"""Bundles: runs packed so that a stranger can count them again.

    manifest.json    versions, of each run its judge and how its samples are given, SHA-256 of every other file
    README.md        what this is, how to verify it, what it cannot prove
    counts.json      rates, layers and protocol of every run, by judge and counting rule
    runs/NAME/       run.json, samples.jsonl, answers.jsonl, verdicts.*.jsonl, drift.*.txt, report.html

A run's files are copied byte by byte, but for run.json, which has no folder and no endpoint, and for data that may not
be copied: then a hash stands for every text of a sample. Files are stored, not compressed, in one order and with one
date: equal runs give equal bytes, and nothing else has room in the file.
"""

from __future__ import annotations

import hashlib
import platform
import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

import mossbench
from mossbench.datasets.copying import Copying
from mossbench.errors import DataError, UsageError
from mossbench.leaderboard.names import public_name
from mossbench.models.notices import NoticeFact, NoticeTopic, endpoint_notice
from mossbench.outcomes import Exchange, Judgement, Key, Rule
from mossbench.plumbing.file_names import slug
from mossbench.plumbing.json_values import to_json
from mossbench.plumbing.lines import lines_of, read_lines
from mossbench.plumbing.storage import check_may_write, write_atomically
from mossbench.plumbing.untrusted_files import read_file
from mossbench.protocols import digest, without_folders
from mossbench.reports.build import make_report
from mossbench.reports.html import report_page
from mossbench.results.table import Results, check_ready, load_results
from mossbench.samples import Record, Sample
from mossbench.store.config import RunConfig
from mossbench.store.run_folder import RunFolder
from mossbench.store.run_info import DatasetInfo, RunInfo
from mossbench.ways_out import SetOption

if TYPE_CHECKING:
    from mossbench.reports.bundle_checking import Verification

SampleForm = Literal["copies", "hashes"]
README = Path(__file__).with_name("bundle.md")
HIDDEN = "sha256:"
COPYABLE_LICENCES = re.compile(r"(?:cc0|cc[ -]by|apache|mit\b|bsd|odc[ -]by|public domain)", re.IGNORECASE)
"""How licences begin under which samples may be passed on: for data that do not state it as a field (`copying`)."""


class BundledRun(Record):
    judge: str
    """Whose verdicts the report shows."""
    samples: SampleForm


class Manifest(Record):
    format: Literal["mossbench bundle 1"] = "mossbench bundle 1"
    mossbench: str
    python: str
    runs: Annotated[dict[str, BundledRun], Field(min_length=1)]
    files: dict[str, str]
    """SHA-256 of every file but this one."""


def write_bundle(
    runs: Sequence[str | Path], out: str | Path, *, samples: SampleForm | None = None, overwrite: bool = False
) -> Verification:
    """Writes these run folders as a bundle; a UsageError where one is not finished, or its samples may not be copied.

    What comes back is what `verify_bundle` finds in it: its SHA-256, to be published where nobody can change it, the
    runs and how their samples are given, and no difference: runs that do not agree with themselves are refused.

    `samples` is "copies" or "hashes" of their texts; by default copies where the data's licence allows them.
    """
    from mossbench.reports.bundle_checking import difference_lines, verify_bytes

    check_may_write(Path(out), overwrite=overwrite)
    folders = [RunFolder(Path(run).resolve()) for run in runs]
    if not folders:
        raise UsageError("no run to bundle; pass one or more run folders")
    if len(set(folders)) < len(folders):
        raise UsageError("a run is given twice; pass each run once")
    files, bundled_runs = _run_files(folders, samples)
    files["README.md"] = README.read_bytes()
    with laid_out(files) as place:
        files |= counted_files(place, bundled_runs)
    manifest = Manifest(
        mossbench=mossbench.__version__,
        python=platform.python_version(),
        runs=bundled_runs,
        files={name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)},
    )
    files["manifest.json"] = to_json(manifest).encode()
    content = packed(files)
    verification = verify_bytes(content)
    if verification.differences:
        reasons = ["no bundle was written: the runs contradict themselves", *difference_lines(verification)]
        raise DataError("\n".join(reasons))
    write_atomically(Path(out), content)
    return verification


def _run_files(
    folders: Sequence[RunFolder], samples: SampleForm | None
) -> tuple[dict[str, bytes], dict[str, BundledRun]]:
    """The runs' own files as they go into a bundle, and the runs by the names that they have there."""
    files: dict[str, bytes] = {}
    bundled_runs: dict[str, BundledRun] = {}
    for number, folder in enumerate(folders, start=1):
        results = load_results(folder.path)
        check_ready(results)
        name = slug(results.name)
        while name in bundled_runs:
            name = f"{name}-{number}"
        form = _form(results.info, samples)
        bundled_runs[name] = BundledRun(judge=str(results.judge), samples=form)
        contents = _hashed_files(folder) if form == "hashes" else _copied_files(folder)
        for file, content in contents.items():
            files[f"runs/{name}/{file}"] = content
    return files, bundled_runs


def packed(files: dict[str, bytes]) -> bytes:
    """The zip of these files: the same bytes wherever and whenever it is written."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name)  # of 1980
            info.create_system = 3  # Unix
            info.external_attr = 0o100644 << 16
            archive.writestr(info, files[name])
    return out.getvalue()


@contextmanager
def laid_out(files: dict[str, bytes]) -> Iterator[Path]:
    """A folder that has the runs among the files as folders, for a while."""
    with tempfile.TemporaryDirectory() as place:
        for name in (name for name in files if name.startswith("runs/")):
            path = Path(place, name.removeprefix("runs/"))
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(files[name])
        yield Path(place)


def counted_files(place: Path, runs: dict[str, BundledRun]) -> dict[str, bytes]:
    """counts.json and the reports, made from the rows of the runs in a folder."""
    counts: dict[str, dict[str, dict[str, object]]] = {}
    texts: dict[str, str] = {}
    for name, run in runs.items():
        counts[name] = {}
        for judge in sorted({*RunFolder(place / name).judges(), run.judge}):
            results = load_results(place / name, judge=judge)
            counts[name][judge] = _counts(results)
            if judge == run.judge:
                check_ready(results)
                page = report_page([make_report(results)], [({}, "Images are not part of a bundle.")])
                texts[f"runs/{name}/report.html"] = page
    texts["counts.json"] = to_json(counts)
    return {name: text.replace(f"{place}/", "").encode("utf-8", "replace") for name, text in texts.items()}


def _counts(results: Results) -> dict[str, object]:
    """What counts.json has of a run under one judge: its protocol, and what each rule counts."""
    counts: dict[str, object] = {"protocol": results.protocol().words()}
    for rule in Rule:
        counts[rule] = results.to_dict(rule=rule)
    return counts


def _form(info: RunInfo, chosen_form: SampleForm | None) -> SampleForm:
    """Copies or hashes; a UsageError where copies are asked for and the data's licence does not allow them."""
    dataset = info.dataset
    may_copy = _may_copy_requests(dataset)
    if chosen_form == "copies" and not may_copy and (dataset.licence or dataset.copying is not None):
        if dataset.copying is Copying.NOTHING:
            reason = f"the dataset says so (copying: {dataset.copying})"
        else:
            reason = (
                f"their licence is {dataset.licence!r}, and samples are copied only under CC0, CC BY, ODC-BY, Apache, "
                "MIT and BSD"
            )
        raise UsageError(
            f"the samples of {dataset.name} may not be copied: {reason}",
            way_out=SetOption("samples", "hashes", to="include hashes instead"),
        )
    return chosen_form or ("copies" if may_copy else "hashes")


def _may_copy_requests(dataset: DatasetInfo) -> bool:
    """What the dataset states, or else what the words of its licence allow."""
    if dataset.copying is not None:
        return dataset.copying is not Copying.NOTHING
    return COPYABLE_LICENCES.match(dataset.licence) is not None


def run_files(folder: RunFolder) -> list[Path]:
    """Those of a run that are copied: nothing that no judge of the run has written."""
    files = [folder.samples_path, folder.answers_path]
    for label in folder.judges():
        by_judge = (folder.verdicts_path(label), folder.drift_path(label))
        files += [path for path in by_judge if path.exists()]
    return files


def _copied_files(folder: RunFolder) -> dict[str, bytes]:
    files = {"run.json": to_json(_public(folder.info())).encode()}
    for path in run_files(folder):
        files[path.name] = read_file(path)
    return files


def _hashed_files(folder: RunFolder) -> dict[str, bytes]:
    """The same with hashes in the place of the samples' texts; verdicts stay bound to the answers that were judged."""
    files = _copied_files(folder)
    exchanges = list(read_lines(folder.answers_path, Exchange))
    hidden_exchanges = [_hidden_exchange(exchange) for exchange in exchanges]
    new_digests = {}
    for exchange, hidden_exchange in zip(exchanges, hidden_exchanges, strict=True):
        new_digests[exchange.key, exchange.digest()] = hidden_exchange.digest()
    for name in files:
        if name.startswith("verdicts."):
            judgements = read_lines(folder.path / name, Judgement)
            files[name] = lines_of(_bound(judgement, new_digests) for judgement in judgements)
    files["run.json"] = to_json(_with_hidden_texts(_public(folder.info()))).encode()
    files["samples.jsonl"] = lines_of(map(hidden_sample, folder.samples()))
    files["answers.jsonl"] = lines_of(hidden_exchanges)
    return files


def _bound(judgement: Judgement, new_digests: Mapping[tuple[Key, str], str]) -> Judgement:
    """The judgement with the digest that its exchange has now."""
    digest_now = new_digests.get((judgement.key, judgement.digest), judgement.digest)
    return judgement.model_copy(update={"digest": digest_now})


def _with_hidden_texts(info: RunInfo) -> RunInfo:
    """run.json with hashes in the place of requests that its arms have for single samples."""
    arms = []
    for arm in info.arms:
        texts = arm.texts and tuple((id, hidden(text)) for id, text in arm.texts)
        arms.append(arm.model_copy(update={"texts": texts}))
    return info.model_copy(update={"arms": tuple(arms)})


def hidden(text: str) -> str:
    return HIDDEN + hashlib.sha256(text.encode()).hexdigest()


def _hidden_exchange(exchange: Exchange) -> Exchange:
    history = tuple(message.model_copy(update={"text": hidden(message.text)}) for message in exchange.history)
    return exchange.model_copy(update={"request": hidden(exchange.request), "history": history})


def hidden_sample(sample: Sample) -> Sample:
    """What counting needs: ids, classes, flags, scene, twin, and hashes of what was sent; none of its other texts."""
    changes: dict[str, object] = {"question": hidden(sample.question), "short_description": "", "description": ""}
    for name in ("oracle_description", "oracle_intent", "explicit_request"):
        text = getattr(sample, name)
        if text:
            changes[name] = hidden(text)
    changes["history"] = tuple(m.model_copy(update={"text": hidden(m.text)}) for m in sample.history)
    changes["triggers"] = tuple(box.model_copy(update={"label": ""}) for box in sample.triggers)
    changes["metadata"] = {name: value for name, value in sample.metadata.items() if name in ("stimulus", "harm")}
    return sample.model_copy(update=changes)


def public_notices(info: RunInfo) -> dict[str, str]:
    """Each notice, and how others may see it: with a digest in the place of an endpoint; older runs name some there."""
    endpoint = info.config.base_url
    public = {notice: notice for notice in info.notices}
    for fact in info.notice_facts:
        public.setdefault(fact.text, fact.text)
        if fact.topic is NoticeTopic.ENDPOINT:
            public[fact.text] = endpoint_notice(digest(fact.endpoint)).text
    if endpoint:
        for notice in public:
            if endpoint in notice:
                public[notice] = notice.replace(endpoint, digest(endpoint))
    return public


def _public_fact(fact: NoticeFact, notices: Mapping[str, str]) -> NoticeFact:
    endpoint = digest(fact.endpoint) if fact.endpoint else ""
    return fact.model_copy(update={"text": notices[fact.text], "endpoint": endpoint})


def _public(info: RunInfo) -> RunInfo:
    """run.json without the folders of model and data, and with a digest in the place of the model's endpoint."""
    notices = public_notices(info)
    public = {
        "config": _public_config(info.config),
        "subject": info.subject and info.subject.public(),
        "model_version": info.model_version and without_folders(info.model_version),
        "dataset": info.dataset.model_copy(update={"source": without_folders(info.dataset.source)}),
        "notices": tuple(notices[notice] for notice in info.notices),
        "notice_facts": tuple(_public_fact(fact, notices) for fact in info.notice_facts),
    }
    return info.model_copy(update=public)


def _public_config(config: RunConfig) -> RunConfig:
    public = {"model": public_name(config.model), "data": without_folders(config.data)}
    if config.base_url:
        public["base_url"] = digest(config.base_url.rstrip("/"))
    return config.model_copy(update=public)
