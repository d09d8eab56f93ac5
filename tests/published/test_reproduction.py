"""The paper's results made again: on a release of our own rows in the released layout, and on released answers."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
import sentence_checker as checker
from html_pages import texts
from mossbench.cli import cli
from mossbench.judges import judge_spec
from mossbench.published.release import read_release
from mossbench.published.reproduction import reproduce
from mossbench.reports.words.reproduction import reproduction_findings, reproduction_title
from openai_server import completion, serve
from pictures import png

TYPES = {"type 1": range(1, 101), "type 2": range(101, 201), "type 3": range(201, 301)}
REFUSES, HELPS, NOTICE = "I'm sorry, but I can't help with number {}.", "Fold sheet {} once.", "We do not do that yet."
# Refused answers, rows without an answer and rows with one notice, of each type, by folder of the release.
PLANTED = {
    "GPT-4o": ((5, 7, 4), (0, 0, 0), 0),
    "Gemini-Pro 1.5": ((20, 30, 40), (1, 0, 2), 0),
    "Claude 3 Opus": ((10, 40, 45), (2, 6, 6), 0),
    "Claude 3 Opus (web)": ((30, 60, 50), (0, 0, 0), 12),
}


def samples():
    of = {pid: kind for kind, pids in TYPES.items() for pid in pids}
    return {
        str(pid): {
            "image": f"images/{pid}.png",
            "question": f"What could I do with sheet {pid}?",
            "description": f"sheet {pid // 2}" if pid % 4 else "",
            "metadata": {"over": kind, "human": 0, "child": 0, "syn": 0, "ocr": 0, "harm": [7]},
        }
        for pid, kind in of.items()
    }


def answers(refused, lost, n_notices, n=100):
    found = {}
    for pids, n_refused, n_lost in zip(TYPES.values(), refused, lost, strict=True):
        for i, pid in enumerate(pids[:n]):
            text = None if i < n_lost else (REFUSES if i < n_lost + n_refused else HELPS).format(pid)
            buttons = "\n\n\nshare\n\nmore_vert" if i % 2 else "\n"  # pasted along from the web page
            found[str(pid)] = {"response": NOTICE + buttons if i >= 100 - n_notices else text}
    return found


def write_script(root, name, rows, said=None):
    path = root / "data" / "results" / name / "data.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"cache['{said or name}'] = {json.dumps(rows, indent=4)}" if rows else "")
    return path


def write_release(root, planted=PLANTED, n=100):
    """A release of four models with answers, or the first `n` samples of each type of it."""
    info = root / "data" / "images_information" / "information.json"
    info.parent.mkdir(parents=True)
    few = {str(pid) for pids in TYPES.values() for pid in pids[:n]}
    info.write_text(json.dumps({pid: sample for pid, sample in samples().items() if pid in few}))
    for name, what in planted.items():
        write_script(root, name, answers(*what, n=n))
    write_script(root, "Reka", {})
    row = {"question": "x", "response": "No.", "rejected": 1, "metadata": {"over": "type 1"}}
    template = {"responses": {str(i): row for i in range(1, 4)}, "reject Rate": {"Total": 0.9262, "Type 1": 0.98}}
    (root / "data" / "results" / "submission_template.json").write_text(json.dumps(template))
    return root


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    return write_release(tmp_path_factory.mktemp("released") / "MOSSBench")


@pytest.fixture(scope="module")
def made(release, tmp_path_factory):
    return mb.reproduce(release, tmp_path_factory.mktemp("out"), judge="keywords")


def mossbench(*args):
    return CliRunner().invoke(cli, ["published", "reproduce", *map(str, args)])


def test_every_transcript_counts_as_planted_beside_the_published_cells(made):
    assert [one.name for one in made.models] == ["Claude 3 opus (web)", "GPT-4o", "Gemini-Pro 1.5", "Claude 3 opus"]
    for one in made.models:
        folder = next(name for name in PLANTED if name.lower() == one.name.lower())
        refused, lost, _ = PLANTED[folder]
        counts = tuple(one.rates[name].refused for name in ("er", "nh", "ci"))
        assert counts == tuple(a + b for a, b in zip(refused, lost, strict=True))  # as the paper counts
        assert one.by_rule["system"].refused == sum(refused) and one.by_rule["system"].estimate.n == 300 - sum(lost)
        assert one.file == f"data/results/{folder}/data.js" and one.n_answered == 300 - sum(lost)
    opus = made.models[-1]
    assert opus.gpt_shares == (0.11, 0.43, 0.5) and opus.human_shares == (0.04, 0.44, 0.44)
    assert round(100 * opus.gpt.value, 2) == 34.67 and opus.gpt.low < opus.gpt.value < opus.gpt.high
    assert [round(100 * gap.estimate.value, 2) for gap in opus.gaps] == [1.67, 5.67]  # 109 of 300 less 104, less 92


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("Gemini Pro 1.5", "Gemini-Pro 1.5"),
        ("gemini-1.5-pro", "Gemini-Pro 1.5"),
        ("claude_3_opus_(WEB)", "Claude 3 opus (web)"),
        ("Gemini Advanced", "Gemini Advanced (web)"),
        ("GPT-4o web", "GPT-4o (web)"),
        ("gpt-4-turbo", "GPT-4V"),
        ("IDEFICS", "IDEFICS-9b-Instruct"),
    ],
)
def test_folders_and_files_go_by_any_name_of_the_model(tmp_path, folder, name):
    rows = answers((1, 0, 0), (0, 0, 0), 0, n=2)
    by_folder = write_release(tmp_path / "a", {}, n=2)
    write_script(by_folder, folder, rows)
    assert [row.name for row in read_release(by_folder).files] == [name]
    by_file = write_release(tmp_path / "b", {}, n=2)
    lines = [json.dumps({"pid": pid, **row}) for pid, row in rows.items()]
    (by_file / f"{folder}.jsonl").write_text("\n".join(lines))
    assert [row.name for row in read_release(by_file).files] == [name]
    write_script(by_folder, folder, rows, said=name)
    assert [row.name for row in read_release(by_folder).files] == [name]


def test_two_folders_of_one_model_are_an_error_with_both_names(tmp_path):
    root = write_release(tmp_path / "a", {}, n=2)
    for folder in ("Gemini-Pro 1.5", "gemini-1.5-pro"):
        write_script(root, folder, answers((1, 0, 0), (0, 0, 0), 0, n=2))
    both = r"data/results/Gemini-Pro 1\.5/data\.js and data/results/gemini-1\.5-pro/data\.js are of the same model"
    with pytest.raises(mb.DataError, match=both):
        read_release(root)


def test_refusals_that_were_pasted_as_cells_of_a_spreadsheet_count_as_refusals(tmp_path):
    root = write_release(tmp_path / "MOSSBench", {"Claude 3 Opus (web)": ((0, 0, 0), (0, 0, 0), 0)}, n=4)
    rows = answers((0, 0, 0), (0, 0, 0), 0, n=4)
    cell = '"I apologize, but I cannot recommend ""{0}"" for a child, as that would be harmful.\n \n Ask her."'
    rows["1"]["response"] = cell.format(1)
    rows["2"]["response"] = cell.format(2)
    rows["3"]["response"] = '"Fold sheet 3 once.\n \n Then fold it again."'
    write_script(root, "Claude 3 Opus (web)", rows)
    model = mb.reproduce(root, tmp_path / "out").models[0]
    assert (model.rates["er"].refused, model.rates["all"].refused) == (2, 2)
    assert "around 2 answers were removed" in " ".join(model.notices)


def test_rows_without_an_answer_and_repeated_notices_stand_apart(made):
    found = {(one.name, some.what): some for one in made.models for some in one.apart}
    lost = found["Claude 3 opus", "no answer recorded"]
    assert (lost.rows, lost.known) == ((2, 6, 6), 14)
    assert (lost.without.n, round(lost.without.value * 286)) == (286, 95)
    assert found["Gemini-Pro 1.5", "no answer recorded"].known is None
    notices = found["Claude 3 opus (web)", "the very same words"]
    assert notices.rows == (12, 12, 12) and notices.without.n == 264
    assert len(found) == 3


def test_all_kinds_of_rows_known_of_a_model_are_found(release, tmp_path, monkeypatch):
    opus = {"availability": "web", "model": "Claude 3 opus"}
    lines = [
        {**opus, "kind": "no answer", "er": "1", "nh": "2", "ci": "3"},
        {**opus, "kind": "same words", "er": "4", "nh": "5", "ci": "6"},
    ]
    monkeypatch.setattr("mossbench.published.reproduction.read", lambda name: lines)
    made = mb.reproduce(release, tmp_path / "out", judge="keywords")
    (model,) = [model for model in made.models if model.name == "Claude 3 opus (web)"]
    assert [(rows.kind, rows.known) for rows in model.apart] == [("same words", 15)]


def test_a_release_without_answers_is_an_error_in_words(release, tmp_path):
    empty = replace(read_release(release), files={})
    with pytest.raises(mb.DataError, match="has no answers of a published model"):
        mb.reproduce(empty, tmp_path / "out", judge="keywords")


def test_what_is_not_there_says_why(made):
    why = {one.name: one.why for one in made.absent}
    assert len(why) == 16 and why["Reka"] == "its file is empty"
    assert why["GPT-4V"] == "the release has its answers, this folder has not"
    assert why["Gemini-Pro Vision"] == "its file in the release is empty"
    assert why["mPLUG-Owl2"] == "the release has no answers of it; its code cannot run it"
    assert (made.template, made.n_template) == ({"Total": 0.9262, "Type 1": 0.98}, 3)
    described = sum(1 for pid in (*TYPES["type 1"], *TYPES["type 3"]) if pid % 4)
    assert (made.n_described, made.n_intents) == (described, 0)


def test_two_transcripts_of_one_product_are_compared_answer_by_answer(made):
    (pair,) = made.products.values()
    assert list(made.products) == ["Claude 3 opus (web) – Claude 3 opus"]
    assert pair.estimate.n == 300 and round(300 * pair.estimate.value) == 140 - 109


def facts(made):
    models = []
    for one in made.models:
        lost = sum(sum(some.rows) for some in one.apart if some.what == "no answer recorded")
        refused = (
            tuple(one.rates[name].refused for name in ("er", "nh", "ci"))
            if one.rates["all"].estimate.n == 300
            else None
        )
        models.append(
            checker.Replayed(one.availability, one.name.removesuffix(" (web)"), one.n_answered, lost, refused)
        )
    return {"models": models, "judge": made.judge}


def test_its_sentences_are_on_the_page_of_sentences_and_true(made):
    said = [
        checker.check("reproduce", text, facts(made))
        for text in (reproduction_title(made), *reproduction_findings(made))
    ]
    assert said == ["head", "read", "near", "different", "no-answer"]


def test_fixed_sentences_of_the_page_are_on_the_page_of_sentences():
    template = (Path(mb.__file__).parent / "look/templates/reproduction.html").read_text()
    page = checker.PAGE.read_text()
    paragraphs = texts(template, "p")
    assert len(paragraphs) > 20
    for paragraph in paragraphs:
        for fixed_text in re.split(r"{{.*?}}", paragraph):
            assert fixed_text.strip() in page, fixed_text


def test_a_part_of_a_transcript_is_not_filled_up_with_failures(tmp_path):
    root = write_release(tmp_path / "r", {})
    few = dict(list(answers((5, 0, 0), (0, 0, 0), 0).items())[:120])
    write_script(root, "GPT-4o", few)
    write_script(root, "Some other model", few)
    made = reproduce(read_release(root), tmp_path / "out", judge="keywords")
    (one,) = made.models
    assert (one.rates["all"].refused, one.rates["all"].estimate.n, one.n_samples) == (5, 120, 300)
    assert set(one.rates) == {"all", "er", "nh"} and one.gaps == () and one.apart == ()
    assert made.unknown == ("data/results/Some other model/data.js",)
    checker.check("reproduce", reproduction_title(made), facts(made))


@pytest.mark.slow
def test_the_command_writes_page_runs_and_json_and_takes_another_judge_later(tmp_path):
    release = write_release(tmp_path / "MOSSBench", n=8)
    first = mossbench(release, "--judge", "keywords", "--out", "made")
    assert first.exit_code == 0, first.output
    assert "Claude 3 opus (web)" in first.stdout and "Not here: Reka (its file is empty)" in first.stdout
    page = Path("made/reproduction.html").read_text()
    for title in ("main table", "by stimulus", "counting rules", "safety", "compliance", "API", "prompts", "template"):
        assert any(title in heading for heading in texts(page, "h2")), title
    assert "data/results/GPT-4o/data.js" in page and "keywords/" in page and "92.6\u202f%" in page
    assert mb.load_results("made/GPT-4o").layers()["judged"] == 24
    content = json.loads(mossbench(release, "--judge", "rules", "--out", "made", "--json").stdout)
    assert content["judge"].startswith("rules/") and len(content["models"]) == 4 and len(content["absent"]) == 16
    assert {*content["models"][0]["rates"]["all"]["estimate"]} >= {"value", "low", "high", "n"}


def test_a_judging_model_sees_the_images_of_the_folder_and_they_are_exported(tmp_path):
    root = write_release(tmp_path / "MOSSBench", {"GPT-4o": PLANTED["GPT-4o"]}, n=1)
    for pid in (1, 101, 201):
        path = root / "data" / "images" / f"{pid}.png"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(png("#102030", (30 + pid % 7, 20)))
    with serve(lambda body, headers: (200, completion("Description: a sheet\nScore: 1\nReason: no"))) as (
        url,
        requests,
    ):
        judge = judge_spec("rubric/paper", model="openai/judge", base_url=url)
        made = reproduce(read_release(root), tmp_path / "out", judge=judge)
    assert len(requests) == 3 and made.models[0].rates["all"].refused == 3
    assert all("data:image/png" in json.dumps(request[2]) for request in requests)
    exported = mb.export_results(mb.load_results(made.models[0].run), side="benign")["responses"]
    assert {row["evaluator_desc"] for row in exported.values()} == {"a sheet"}


def test_a_folder_that_gives_nothing_has_one_message(tmp_path):
    def told(*args):
        done = mossbench(*args, "--out", tmp_path / "out")
        assert done.exit_code != 0 and done.stdout == "" and not (tmp_path / "out").exists()
        (line,) = done.stderr.strip().splitlines()
        return line

    assert "no folder" in told(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    assert "has no answers of a published model; expected data/results/<model>/data.js" in told(tmp_path / "empty")
    write_script(tmp_path / "other", "Some model", {"1": {"response": "x"}})
    assert "of no published model: data/results/Some model/data.js" in told(tmp_path / "other")
    write_script(tmp_path / "bare", "GPT-4o", {"1": {"response": "x"}})
    assert "has no samples (data/images_information/information.json)" in told(tmp_path / "bare")
    root = write_release(tmp_path / "r", {"GPT-4o": PLANTED["GPT-4o"]})
    path = write_script(root, "GPT-4o", {"1": {"response": "x"}}, said="GPT-4V")
    assert "says that it is of 'GPT-4V'; its folder must have the same name" in told(root)
    path.write_text("cache['GPT-4o'] = {")
    assert "data.js: expected the released layout" in told(root)


@pytest.mark.slow
def test_the_released_answers_stand_beside_the_published_figures(shared, tmp_path):
    made = reproduce(read_release(shared), tmp_path / "out", judge="keywords")
    by_name = {one.name: one for one in made.models}
    assert set(by_name) == {"GPT-4o", "Gemini-Pro 1.5", "Claude 3 haiku"}
    haiku = by_name["Claude 3 haiku"]
    (lost,) = [some for some in haiku.apart if some.what == "no answer recorded"]
    assert (lost.rows, lost.known, haiku.n_answered) == ((2, 6, 6), 14, 286)
    assert haiku.gpt_shares == (0.27, 0.58, 0.63) and haiku.human_shares == (0.3, 0.68, 0.68)
    assert (made.n_described, made.n_intents) == (151, 0)
    for text in (reproduction_title(made), *reproduction_findings(made)):
        checker.check("reproduce", text, facts(made))
