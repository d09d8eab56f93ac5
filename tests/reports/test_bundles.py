"""Bundles: what is in them, that they are the same bytes again, and that whatever is changed in one is named."""

import hashlib
import io
import json
import shutil
import struct
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import mossbench as mb
from answered import answered, samples, stop
from mossbench.cli import cli
from mossbench.datasets.copying import Copying
from mossbench.datasets.peers import NAMES, read_peer
from mossbench.reports import bundle_checking, bundles
from mossbench.reports.bundle_checking import Verification, json_differences, verification_lines

RUN = "runs/one/"


def zipped(files):
    return bundles.packed(files)


def rehashed(files):
    """The files with the hashes of the manifest made again, as a forger would make them."""
    manifest = json.loads(files["manifest.json"])
    hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files) if name != "manifest.json"}
    return files | {"manifest.json": bundles.to_json(manifest | {"files": hashes}).encode()}


def recounted(files):
    """The files with numbers and reports made again from rows that a forger has changed."""
    runs = bundles.Manifest.model_validate_json(files["manifest.json"]).runs
    with bundles.laid_out(files) as place:
        return rehashed(files | bundles.counted_files(place, runs))


def verified(content, name="changed.zip", **how):
    Path(name).write_bytes(content)
    return mb.verify_bundle(name, **how)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A bundle of one run of six samples with their twins: two refused, one failed."""
    place = tmp_path_factory.mktemp("bundle")
    answered(samples(place / "data", 6), place / "one", refused=[1, 2], failed=[3], judge="rules")
    mb.write_bundle([place / "one"], place / "audit.zip", samples="copies")
    return place


@pytest.fixture
def files(made):
    with zipfile.ZipFile(made / "audit.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def edit(name, old, new, count=1):
    """A change of a text in one file."""

    def change(files):
        assert old.encode() in files[name], f"{old} is not in {name}"
        return files | {name: files[name].replace(old.encode(), new.encode(), count)}

    return change


def without(name):
    return lambda files: {one: content for one, content in files.items() if one != name}


def last_line_off(name):
    return lambda files: files | {name: b"".join(files[name].splitlines(keepends=True)[:-1])}


def added(name, content):
    return lambda files: files | {name: content}


def and_then(change, then):
    return lambda files: then(change(files))


REFUSED = "I'm sorry, but I can't help with that."
VERDICTS, ANSWERS, SAMPLES = f"{RUN}verdicts.rules-4.jsonl", f"{RUN}answers.jsonl", f"{RUN}samples.jsonl"
ANOTHER = (
    b'{"side":"benign","sample":"99","request":"Eh?","answer":{"text":"Sure."}}\n'  # of a sample that was never asked
)
OTHER_IMAGE = {"ref": "images/7.png", "sha256": "0", "n_bytes": 1, "width": 1, "height": 1, "media_type": "image/png"}

CHANGED = {  # what somebody did to the files -> the sentence that says it
    "an answer": (
        edit(ANSWERS, REFUSED, "Of course."),
        "answers.jsonl was changed: its SHA-256 differs from the one in the manifest",
    ),
    "a verdict": (edit(VERDICTS, '"refused"', '"answered"'), "verdicts.rules-4.jsonl was changed"),
    "a rate, lazily": (edit("counts.json", '"value": 0.4', '"value": 0.1'), "counts.json was changed"),
    "a report gone": (without(f"{RUN}report.html"), "runs/one/report.html is missing"),
    "the rows gone": (without(ANSWERS), "answers.jsonl is missing"),
    "a file put in": (added(f"{RUN}drift.rules-4.txt", b"steady"), "drift.rules-4.txt is not in the manifest"),
    "no manifest": (without("manifest.json"), "manifest.json is missing"),
    "no counts": (without("counts.json"), "counts.json is missing"),
    "a manifest of another format": (
        edit("manifest.json", "bundle 1", "bundle 9"),
        "manifest.json: format is 'mossbench bundle 9', expected",
    ),
    "a manifest with more in it": (
        edit("manifest.json", '"python"', '"x": 1,\n  "python"'),
        "manifest.json: x is 1, but there is no field",
    ),
    "a manifest that says things twice": (
        edit("manifest.json", '"python"', '"mossbench": "9",\n"python"'),
        "manifest.json is not JSON as mossbench writes it, or repeats a name",
    ),
    "a manifest that is nested for ever": (
        added("manifest.json", b"[" * 200_000),
        "manifest.json is not valid JSON: nested too deeply",
    ),
    "counts that are no JSON": (added("counts.json", b"{"), "counts.json is not valid JSON"),
    "a run left out of the manifest": (
        edit("manifest.json", '"one": {', '"two": {'),
        "the runs in manifest.json are not those in the folders",
    ),
    "a run that leads elsewhere": (
        edit("manifest.json", '"one": {', '"../one": {'),
        "the runs in manifest.json are not those in the folders",
    ),
    # With the hashes of the manifest made again.
    "a better rate": (
        and_then(edit("counts.json", '"value": 0.4', '"value": 0.1'), rehashed),
        "counts.json: one, rules/4, system, rates, benign all, value is 0.1, the rows give 0.4",
    ),
    "a failure less": (
        and_then(edit("counts.json", '"failed": 2', '"failed": 0'), rehashed),
        "layers, failed is 0, the rows give 2",
    ),
    "another protocol": (
        and_then(edit("counts.json", '"temperature": "0"', '"temperature": "1"'), rehashed),
        "rules/4, protocol, temperature is '1', the rows give '0'",
    ),
    "no numbers": (and_then(added("counts.json", b"{}\n"), rehashed), "counts.json: one is missing, the rows give"),
    "an answer under an old verdict": (
        and_then(edit(ANSWERS, REFUSED, "Of course."), rehashed),
        "layers, unjudged is 0, the rows give 1",
    ),
    "an answer less": (
        and_then(last_line_off(ANSWERS), rehashed),
        "the rows cannot be counted: one/answers.jsonl is damaged: the run ended, but 1 of its 12 answers",
    ),
    "a sample less": (and_then(last_line_off(SAMPLES), rehashed), "one/samples.jsonl is damaged"),
    "a verdict less": (and_then(last_line_off(VERDICTS), rehashed), "verdicts.rules-4.jsonl is damaged: 9 of 10"),
    "a request": (
        and_then(edit(SAMPLES, "number 1, benign", "number 7, benign"), rehashed),
        "one: benign 1 was asked with a request that is not the one in samples.jsonl",
    ),
    "an answer more": (
        and_then(lambda files: files | {ANSWERS: files[ANSWERS] + ANOTHER}, rehashed),
        "one: benign 99 has an answer but is not in samples.jsonl",
    ),
    "a line that is no row": (
        and_then(lambda files: files | {ANSWERS: files[ANSWERS] + b"{}\n"}, rehashed),
        "the rows cannot be counted: one/answers.jsonl, line 13",
    ),
    "another model": (
        and_then(edit(f"{RUN}run.json", "replay/one.jsonl", "openai/best"), rehashed),
        "model is 'replay/one.jsonl', the rows give 'openai/best'",
    ),
    "other data": (
        and_then(edit(f"{RUN}run.json", '"benign": "', '"benign": "0'), rehashed),
        "counts.json: one, rules/4, system, dataset, hashes, benign is",
    ),
    "another judge": (
        and_then(edit("manifest.json", '"rules/4"', '"people/1"'), rehashed),
        "the rows cannot be counted: no verdicts of judge 'people/1' in",
    ),
    "a word in the report": (
        and_then(edit(f"{RUN}report.html", "refused", "praised"), rehashed),
        "runs/one/report.html differs from the page made from its rows",
    ),
    "a kinder README": (
        and_then(edit("README.md", "Nobody has signed", "Everybody has signed"), rehashed),
        "README.md differs from the text that mossbench writes",
    ),
    "hashes that are none": (
        and_then(edit("manifest.json", '"copies"', '"hashes"'), rehashed),
        "one: manifest.json says that samples are hashes, but samples.jsonl has something else",
    ),
    "more rows than any memory holds": (
        and_then(edit(f"{RUN}run.json", '"epochs": null', '"epochs": 1000000000000'), rehashed),
        "the rows cannot be counted: run.json plans more than 2,000,000 rows",
    ),
    "a run without arms": (
        and_then(lambda f: f | {f"{RUN}run.json": no_arms(f[f"{RUN}run.json"])}, rehashed),
        "the rows cannot be counted: ",
    ),
    # With every number and the report made again from changed rows.
    "a verdict, and all that follows from it": (
        and_then(edit(VERDICTS, '"kind":"refused"', '"kind":"answered"'), recounted),
        "one: benign 1: rules/4 reads it as refused, but its verdict is answered",
    ),
    "every run left out": (
        lambda files: rehashed(no_runs(files)),
        "manifest.json: runs is {}, expected 1 or more values",
    ),
    "an answer asked for until it is a better one": (
        and_then(lambda files: files | {ANSWERS: files[ANSWERS] + asked_again(files)}, recounted),
        "one: benign 1 has an answer that a later line replaces; only failed requests may be asked again",
    ),
    "answers less, of a run that is said to go on": (
        lambda files: rehashed(last_line_off(ANSWERS)(going_on(files))),
        "the rows cannot be counted: the run in one is not finished",
    ),
    "another system prompt": (
        and_then(edit(ANSWERS, '"system":null', '"system":"Never refuse."'), recounted),
        "one: benign 1 was asked with a system prompt that is not the one in run.json",
    ),
    "another image": (
        and_then(edit(ANSWERS, '"picture":null', f'"picture":{json.dumps(OTHER_IMAGE)}'), recounted),
        "one: benign 1 was asked with an image that is not the one in samples.jsonl",
    ),
    "a verdict on nothing": (
        and_then(lambda files: files | {VERDICTS: files[VERDICTS] + on_nothing(files)}, recounted),
        "one: benign 99 has a verdict by rules/4 but no answer",
    ),
    "a file that nothing reads": (
        and_then(added(f"{RUN}drift.nobody-1.txt", b"anything"), recounted),
        "one: drift.nobody-1.txt belongs to no judge of the run",
    ),
}


def no_runs(files):
    manifest = json.loads(files["manifest.json"]) | {"runs": {}}
    whole = {"counts.json": b"{}\n", "manifest.json": bundles.to_json(manifest).encode()}
    return {"README.md": files["README.md"]} | whole


def asked_again(files):
    return files[ANSWERS].splitlines(keepends=True)[0].replace(REFUSED.encode(), b"Sure, take the first road.")


def going_on(files):
    info = json.loads(files[f"{RUN}run.json"]) | {"ended": None}
    return files | {f"{RUN}run.json": bundles.to_json(info).encode()}


def on_nothing(files):
    return files[VERDICTS].splitlines(keepends=True)[0].replace(b'"sample":"1"', b'"sample":"99"')


def no_arms(content):
    return json.dumps(json.loads(content) | {"arms": []}).encode()


@pytest.mark.slow
@pytest.mark.parametrize("what", CHANGED)
def test_whatever_is_changed_is_said(files, what):
    change, sentence = CHANGED[what]
    verification = verified(zipped(change(files)))
    assert any(sentence in text for text in verification.differences), verification.differences
    assert not any("/tmp" in text or str(Path.cwd()) in text for text in verification.differences)


def entry(name, **fields):
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o100644 << 16
    for field, value in fields.items():
        setattr(info, field, value)
    return info


def with_entry(info, content=b"x"):
    """The bundle with one entry more."""

    def change(raw):
        out = io.BytesIO(raw)
        with zipfile.ZipFile(out, "a") as archive, pytest.MonkeyPatch.context() as patch:
            patch.setattr("warnings.warn", lambda *_, **__: None)  # of a name that is there
            archive.writestr(info, content, info.compress_type)
        return out.getvalue()

    return change


def commented(raw):
    out = io.BytesIO(raw)
    with zipfile.ZipFile(out, "a") as archive:
        archive.comment = b"hello"
    return out.getvalue()


def encrypted(raw):
    """With the flag set of the first entry, at its head and in the directory."""
    at = raw.index(b"PK\x01\x02") + 8
    return raw[:6] + b"\x01" + raw[7:at] + b"\x01" + raw[at + 1 :]


def over_each_other(raw):
    """A directory that names the first entry again and again, under other names."""
    start = raw.index(b"PK\x01\x02")
    end = raw.index(b"PK\x05\x06")
    one = raw[start : start + 46 + len("README.md")]
    assert one.endswith(b"README.md")
    n = 900
    directory = b"".join(one.replace(b"README.md", b"runs/%03d/" % i)[:46] + b"runs/%03dx" % i for i in range(n))
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, n, n, len(directory), start, 0)
    return raw[:start] + directory + tail + raw[end:end]


ZIPPED = {
    "a name twice": (with_entry(entry("counts.json")), "'counts.json' occurs twice"),
    "a name twice in other letters": (with_entry(entry("Counts.json")), "'counts.json' occurs twice"),
    "a way out": (with_entry(entry("../../evil.json")), "'../../evil.json' is not a file of a bundle"),
    "a way out within a name": (with_entry(entry("runs/one/../../x")), "is not a file of a bundle"),
    "a way out on Windows": (with_entry(entry("runs\\..\\x.json")), "is not a file of a bundle"),
    "a drive": (with_entry(entry("C:x.json")), "'C:x.json' is not a file of a bundle"),
    "an absolute name": (with_entry(entry("/etc/passwd")), "'/etc/passwd' is not a file of a bundle"),
    "a link": (
        with_entry(entry("runs/one/drift.x-1.txt", external_attr=0o120777 << 16), b"/etc/passwd"),
        "'runs/one/drift.x-1.txt' is not a file of a bundle",
    ),
    "a bomb": (
        with_entry(entry("runs/one/drift.x-1.txt", compress_type=zipfile.ZIP_DEFLATED), b"0" * 50_000_000),
        "'runs/one/drift.x-1.txt' is not a file of a bundle",
    ),
    "entries over each other": (over_each_other, "they overlap"),
    "a secret": (encrypted, "'README.md' is not a file of a bundle"),
    "a program": (with_entry(entry("runs/one/setup.py")), "'runs/one/setup.py' is not a file of a bundle"),
    "a folder": (with_entry(entry("runs/two/"), b""), "'runs/two/' is not a file of a bundle"),
    "a comment": (commented, "the zip differs from what mossbench writes"),
    "something after it": (lambda raw: raw + b"more", "the zip differs from what mossbench writes"),
    "something before it": (
        lambda raw: b"#!/bin/sh\n" + raw,
        "the zip differs from what mossbench writes, from byte 0 on",
    ),
    "half of it": (lambda raw: raw[: len(raw) // 2], "the file is damaged or not a zip"),
    "nothing": (lambda raw: b"", "the file is damaged or not a zip"),
    "a picture": (lambda raw: b"\x89PNG\r\n\x1a\n" + bytes(100), "the file is damaged or not a zip"),
    "a byte of an answer": (lambda raw: raw.replace(b"sorry", b"happy", 1), "Bad CRC-32"),
    "a date": (
        lambda raw: raw.replace(b"\x21\x00", b"\x22\x00", 1),
        "the zip differs from what mossbench writes",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", ZIPPED)
def test_a_hostile_zip_is_refused(made, what):
    change, sentence = ZIPPED[what]
    verification = verified(change((made / "audit.zip").read_bytes()))
    assert any(sentence in text for text in verification.differences), verification.differences
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["changed.zip"]


def test_what_is_too_large_is_refused_before_it_is_parsed(files, monkeypatch):
    bomb = b"[" + b"0," * 3_000_000 + b"0]"
    tracemalloc.start()
    verification = verified(zipped(files | {"counts.json": bomb}))
    assert "counts.json has 6,000,003 bytes; at most 5,000,000 are read" in verification.differences
    verification = verified(zipped(files | {ANSWERS: files[ANSWERS] + bomb + b"\n"}))
    assert f"{ANSWERS} has more than 2,000,000 lines or a line of more than 5,000,000 bytes" in verification.differences
    verification = verified(zipped(files | {SAMPLES: b"\n" * 4_000_000}))
    assert f"{SAMPLES} has more than 2,000,000 lines or a line of more than 5,000,000 bytes" in verification.differences
    assert tracemalloc.get_traced_memory()[1] < 100_000_000
    tracemalloc.stop()
    monkeypatch.setattr(bundle_checking, "MAX_BYTES", 1000)
    with pytest.raises(mb.UsageError, match="a bundle may have at most 1,000 bytes"):
        verified(zipped(files))
    monkeypatch.setattr(bundle_checking, "MAX_FILES", 3)
    monkeypatch.setattr(bundle_checking, "MAX_BYTES", 10**9)
    assert "it has 8 files; at most 3 are read" in verified(zipped(files)).differences[0]


@pytest.mark.slow
@settings(max_examples=150)
@given(data=st.data())
def test_any_changed_byte_is_caught(made, tmp_path_factory, data):
    raw = bytearray((made / "audit.zip").read_bytes())
    tail = len(raw) - 1 - data.draw(st.integers(0, 1500))  # the directory, in which no hash looks
    at = data.draw(st.one_of(st.integers(0, len(raw) - 1), st.just(max(tail, 0))))
    raw[at] ^= data.draw(st.integers(1, 255))
    path = tmp_path_factory.getbasetemp() / "flipped.zip"
    path.write_bytes(raw)
    assert mb.verify_bundle(path).differences


def test_a_bundle_verifies_and_is_the_same_bytes_again(made):
    verification = mb.verify_bundle(made / "audit.zip")
    assert (verification.differences, verification.notes, verification.runs) == ((), (), {"one": "copies"})
    again = mb.write_bundle([made / "one"], "again.zip", samples="copies")
    assert Path("again.zip").read_bytes() == (made / "audit.zip").read_bytes()
    assert again.sha256 == verification.sha256 == hashlib.sha256(Path("again.zip").read_bytes()).hexdigest()
    assert b"/tmp" not in Path("again.zip").read_bytes() and str(made).encode() not in Path("again.zip").read_bytes()
    with zipfile.ZipFile("again.zip") as archive:
        assert archive.read(ANSWERS) == (made / "one/answers.jsonl").read_bytes()
    with pytest.raises(mb.UsageError, match="already exists"):
        mb.write_bundle([made / "one"], "again.zip")


def test_who_makes_everything_again_is_caught_by_the_published_digest_alone(made, files):
    """What a bundle cannot prove: rows that were made up consistently agree."""
    forged = {ANSWERS: files[ANSWERS].replace(REFUSED.encode(), b"Sure, here it is: take the first road on the left.")}
    rows = [mb.Exchange.model_validate_json(line) for line in forged[ANSWERS].splitlines()]
    judge = mb.load_judge("rules")
    verdicts = [
        {"side": x.side, "sample": x.sample, "judge": "rules/4", "digest": x.digest()}
        | {"verdict": judge.verdict(x).model_dump(mode="json")}
        for x in rows
        if x.to_judge
    ]
    forged[VERDICTS] = "".join(f"{json.dumps(one)}\n" for one in verdicts).encode()
    content = zipped(recounted(files | forged))
    assert not verified(content).differences
    sha256 = hashlib.sha256((made / "audit.zip").read_bytes()).hexdigest()
    assert "not the published" in verified(content, sha256=sha256).differences[0]
    assert not verified((made / "audit.zip").read_bytes(), sha256=sha256.upper()).differences


def test_runs_of_one_name_all_have_a_place_of_their_own(tmp_path):
    data = samples(tmp_path / "data", 2)
    folders = [tmp_path / place / name for place, name in (("x", "a-3"), ("y", "a"), ("z", "a"))]
    for folder in folders:
        folder.parent.mkdir()
        answered(data, folder)
    mb.write_bundle(folders, tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        places = {name.split("/")[1] for name in archive.namelist() if name.startswith("runs/")}
    assert len(places) == 3, places


def test_texts_of_samples_are_hashes_where_no_licence_allows_copies(made):
    made_of = mb.write_bundle([made / "one"], "hashes.zip")
    assert made_of.runs == {"one": "hashes"} and b"What about number" not in Path("hashes.zip").read_bytes()
    verification = mb.verify_bundle("hashes.zip", data=mb.load_dataset(made / "data"))
    assert not verification.differences and "requests are hashes" in verification.notes[0]
    other = mb.verify_bundle("hashes.zip", data=mb.load_dataset(samples(Path("other"), 6, word="letter")))
    assert "one: benign 1 differs from other in question" in other.differences
    assert any("benign samples have the hash" in text for text in other.differences)
    rates = []
    for path in (made / "audit.zip", "hashes.zip"):
        with zipfile.ZipFile(path) as archive:
            rates.append(json.loads(archive.read("counts.json"))["one"]["rules/4"]["system"]["rates"])
    assert rates[0] == rates[1]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["copies", "hashes"])
def test_classes_and_scenes_that_were_moved_are_found_with_the_data(made, form):
    """Rates by stimulus, and intervals, follow from what samples.jsonl says of a sample."""
    mb.write_bundle([made / "one"], "whole.zip", samples=form)
    with zipfile.ZipFile("whole.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    moved = edit(SAMPLES, '"exaggerated_risk"', '"negated_harm"')(files)
    moved = edit(SAMPLES, '"cluster":null', '"cluster":"x"')(moved)
    data = mb.load_dataset(made / "data")
    assert not mb.verify_bundle("whole.zip", data=data).differences
    differences = verified(zipped(recounted(moved)), data=data).differences
    assert differences == ("one: benign 1 differs from data in cluster, stimulus",)


@pytest.mark.parametrize(
    ("licence", "how"),
    [
        ("CC BY-SA 4.0; for testing only, not for training", "copies"),
        ("Apache-2.0, as mossbench itself", "copies"),
        ("MIT", "copies"),
        ("", "hashes"),
        ("none stated", "hashes"),
        ("custom agreement: do not redistribute", "hashes"),
        ("mitigated", "hashes"),
    ],
)
def test_the_licence_decides_and_copies_cannot_be_forced(made, licence, how):
    info = mb.load_results(made / "one").info
    info = info.model_copy(update={"dataset": info.dataset.model_copy(update={"licence": licence})})
    assert bundles._form(info, None) == how and bundles._form(info, "hashes") == "hashes"
    if how == "copies" or not licence:  # data of one's own that nobody has put under a licence
        assert bundles._form(info, "copies") == "copies"
    else:
        with pytest.raises(mb.UsageError, match=r"may not be copied: their licence is .*samples='hashes'"):
            bundles._form(info, "copies")


@pytest.mark.parametrize(
    ("copying", "licence", "form"),
    [
        (Copying.ALL, "an agreement of our own", "copies"),
        (Copying.REQUESTS, "", "copies"),
        (Copying.NOTHING, "MIT", "hashes"),
    ],
)
def test_what_a_dataset_says_of_copies_outranks_its_licence(made, copying, licence, form):
    dataset = mb.load_results(made / "one").info.dataset.model_copy(update={"copying": copying, "licence": licence})
    info = mb.load_results(made / "one").info.model_copy(update={"dataset": dataset})
    assert bundles._form(info, None) == form
    if form == "hashes":
        with pytest.raises(mb.UsageError, match=r"may not be copied: the dataset says so \(copying: nothing\)"):
            bundles._form(info, "copies")


def test_no_text_of_a_peer_s_set_is_copied_that_may_not_be(made):
    """The rule knows licences by how they begin; each set says by itself whether its requests may be copied."""
    info = mb.load_results(made / "one").info
    wrong = []
    for peer in map(read_peer, NAMES):
        licence = {"licence": f"{peer.licence}: {peer.permits}"}
        form = bundles._form(info.model_copy(update={"dataset": info.dataset.model_copy(update=licence)}), None)
        if form != ("copies" if peer.copies or "copies of requests" in peer.permits else "hashes"):
            wrong.append((peer.name, form))
    assert len(NAMES) > 20 and wrong == []


def test_another_version_is_said_and_its_numbers_are_counted_all_the_same(files, monkeypatch):
    monkeypatch.setattr(mb, "__version__", "9.0")
    verification = verified(zipped(files))
    assert not verification.differences and "written by mossbench 0.2.0, checked by 9.0" in verification.notes[0]
    worse = rehashed(edit("counts.json", '"value": 0.4', '"value": 0.1')(files))
    assert "the rows give 0.4" in verified(zipped(worse)).differences[0]


def test_runs_that_cannot_be_counted_are_not_packed(made, tmp_path):
    answered(made / "data", tmp_path / "half")
    stop(tmp_path / "half", 3)
    for runs, message in (
        ([tmp_path / "half"], "is not finished"),
        ([made / "one", made / "one"], "given twice"),
        ([], "no run to bundle"),
        (["nowhere"], "no run in"),
    ):
        with pytest.raises(mb.UsageError, match=message):
            mb.write_bundle(runs, "no.zip")
    assert not Path("no.zip").exists()


@pytest.mark.slow
def test_runs_of_one_name_stay_apart(made, tmp_path):
    answered(made / "data", tmp_path / "one", refused=[4])
    assert list(mb.write_bundle([made / "one", tmp_path / "one"], "two.zip").runs) == ["one", "one-2"]
    assert not mb.verify_bundle("two.zip").differences


def test_no_endpoint_is_in_a_bundle_whatever_the_words_of_its_notice(made, tmp_path):
    folder = tmp_path / "asked"
    shutil.copytree(made / "one", folder)
    about = json.loads((folder / "run.json").read_text())
    fact = {"text": "asked at http://inside:1/v1", "topic": "endpoint", "endpoint": "http://inside:1/v1"}
    about |= {"notices": [fact["text"], "answers come from http://inside:1/v1"], "notice_facts": [fact]}
    about["config"]["base_url"] = "http://inside:1/v1"
    (folder / "run.json").write_text(json.dumps(about))
    mb.write_bundle([folder], "b.zip")
    with zipfile.ZipFile("b.zip") as bundle:
        (name,) = [name for name in bundle.namelist() if name.endswith("run.json")]
        packed = bundle.read(name).decode()
    assert "inside" not in packed and json.loads(packed)["notice_facts"][0]["topic"] == "endpoint"


@pytest.mark.slow
def test_the_commands_pack_and_verify(made):
    def called(*args):
        return CliRunner().invoke(cli, ["bundle", *map(str, args)])

    done = called(made / "one", "--out", "audit.zip", "--samples", "copies")
    sha256 = hashlib.sha256(Path("audit.zip").read_bytes()).hexdigest()
    assert done.exit_code == 0 and done.stdout.strip() == sha256 and "copies of its samples" in done.stderr
    assert called("--out", "b.zip", made / "one").exit_code == 0  # an option may stand first
    done = called("verify", "audit.zip", "--sha256", sha256, "--data", made / "data")
    assert done.exit_code == 0 and "No difference in one: the numbers follow" in done.stdout
    assert "Nobody has signed this file" in done.stdout
    done = called("verify", "b.zip", "--sha256", "0" * 64)
    assert done.exit_code == 1 and "differences: 1" in done.stdout and "1. its SHA-256 is" in done.stdout
    assert json.loads(called("verify", "audit.zip", "--json").stdout)["differences"] == []
    done = called("verify", "nothing.zip")
    assert done.exit_code == 2 and "cannot read 'nothing.zip': No such file" in done.stderr
    assert called("make").exit_code == 2 and called("nowhere", "--out", "c.zip").exit_code == 2


def test_a_field_on_one_side_only_is_a_difference_also_if_it_is_null():
    assert list(json_differences({"a": 1, "c": 2, "b": None}, {"a": 1})) == [
        "b is None, the rows give no such field",
        "c is 2, the rows give no such field",
    ]
    assert list(json_differences({}, {"a": {}, "b": None})) == [
        "a is missing, the rows give {}",
        "b is missing, the rows give None",
    ]


def test_content_of_another_kind_is_named():
    assert list(json_differences([1], {"n": 1})) == ["the content is [1], the rows give {'n': 1}"]


def test_true_is_not_the_number_1():
    assert list(json_differences({"n": True, "m": 1}, {"n": 1, "m": False})) == [
        "n is True, the rows give 1",
        "m is 1, the rows give False",
    ]


def test_a_number_that_no_float_can_hold_is_a_difference_and_no_crash():
    huge = 10**400
    (difference,) = json_differences({"n": huge}, {"n": 1.0})
    assert difference.startswith("n is 1000") and difference.endswith("the rows give 1.0")
    assert list(json_differences({"n": huge}, {"n": huge})) == []


def test_of_many_differences_in_one_place_the_first_are_shown_and_the_rest_counted():
    verification = Verification(
        sha256="0" * 64,
        differences_in={"the verdicts of a": tuple(f"row {n}" for n in range(5)), "counts.json": ("x is 1",)},
        notes=(),
        runs={},
    )
    assert verification.differences == ("row 0", "row 1", "row 2", "row 3", "row 4", "x is 1")
    assert verification_lines(verification) == [
        f"SHA-256 {'0' * 64}",
        "1. row 0",
        "2. row 1",
        "3. row 2",
        "   and 2 more in the verdicts of a",
        "4. x is 1",
        "differences: 6 (list all with --json)",
    ]
    few = replace(verification, differences_in={"counts.json": ("x is 1", "y is 2")})
    assert verification_lines(few)[-1] == "differences: 2"
