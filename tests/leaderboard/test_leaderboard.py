"""Boards and submissions: one making a board, every fault named, the board unchanged by what it refuses."""

import csv
import dataclasses
import io
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mossbench as mb
from answered import JUDGE, YES, answered, samples, stop, without_trigger
from html_pages import element, text_of
from mossbench.cli import cli
from mossbench.errors import SubmissionError, UsageError
from mossbench.leaderboard.boards import sorted_board
from mossbench.leaderboard.names import judge_wrong, public_judge, public_name, same_name, version_wrong
from mossbench.leaderboard.submission_reading import MAX_BYTES
from mossbench.protocols import digest
from mossbench.reports.board_page import board_page
from mossbench.reports.board_tables import letter
from mossbench.samples import Stimulus


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Three runs on 30 samples, and the submission of one of them."""
    folder = tmp_path_factory.mktemp("made")
    data = samples(folder / "data", 30, scene=lambda i: f"scene {i % 20}" if i % 2 else None)
    answered(data, folder / "calm", refused=[1], failed=[30])
    answered(data, folder / "middling", refused=range(1, 6))
    answered(data, folder / "jumpy", refused=range(1, 26))
    for name in ("calm", "middling", "jumpy"):
        submission = mb.make_submission(folder / name, availability="open", model=name)
        mb.write_submission(submission, folder / f"{name}.json")
    return folder


@pytest.fixture
def board(made, tmp_path):
    folder = tmp_path / "board"
    mb.add_submission(made / "calm.json", folder, data=mb.load_dataset(made / "data"))
    return folder


def content_of(path):
    return json.loads(Path(path).read_text())


def everything_in(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_submission_holds_the_template_the_making_and_no_text(made):
    content = content_of(made / "calm.json")
    side = content["sides"]["benign"]
    assert set(side["reject Rate"]) == {"Total", *(stimulus.title for stimulus in Stimulus)}
    assert side["reject Rate"]["Total"] == pytest.approx(1 / 29) and side["layers"]["failed"] == 1
    assert side["responses"]["1"]["rejected"] == 1 and side["responses"]["30"]["rejected"] is None
    assert (content["judge"], content["rule"], content["availability"]) == (JUDGE, "system", "open")
    assert len(content["hashes"]["benign"]) == 64 and content["mossbench"] == mb.__version__
    text = (made / "calm.json").read_text()
    assert "What about" not in text and "can't help" not in text and "images/" not in text and str(made) not in text


def test_answers_are_in_it_only_when_asked_for(made, tmp_path):
    args = ("submit", made / "calm", "--availability", "web", "--with-answers", "--out", tmp_path / "x.json")
    assert mossbench(*args).exit_code == 0
    row = content_of(tmp_path / "x.json")["sides"]["benign"]["responses"]["1"]
    assert row["question"].startswith("What about") and "can't help" in row["response"]
    assert mb.check_submission(tmp_path / "x.json")[1] == ()
    assert mossbench(*args).exit_code == 2  # it is there already


def test_texts_that_no_board_takes_are_cleaned_before_they_are_submitted(tmp_path):
    run = answered(samples(tmp_path / "data", 3, word="\u202eodd\r"), tmp_path / "run", system="Be\r\nbrief.\x07")
    submission = mb.make_submission(run, availability="open", with_answers=True)
    mb.write_submission(submission, tmp_path / "x.json")
    assert submission.settings["system"] == "Be \nbrief. " and submission.arm == "system"
    assert mb.check_submission(tmp_path / "x.json")[1] == ()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"limit": 3}, "used only part of the data"),
        ({"epochs": 2}, "several epochs"),
        ({"side": "contrast"}, "no harmless"),
        ({"judge": None}, "has no verdicts"),
    ],
)
def test_what_is_not_whole_cannot_be_submitted(tmp_path, options, words):
    answered(samples(tmp_path / "data", 6), tmp_path / "run", **options)
    done = mossbench("submit", tmp_path / "run", "--availability", "open", "--out", tmp_path / "x.json")
    assert done.exit_code == 2 and words in done.stderr and not (tmp_path / "x.json").exists()


def test_names_are_without_folders_and_a_bad_one_is_a_message(made, tmp_path):
    assert mb.make_submission(made / "calm", availability="web").model == "replay/calm.jsonl"
    assert [public_name(name) for name in ("my/models.py:f", "openai/x")] == ["models.py:f", "openai/x"]
    args = ("--availability", "web", "--out", tmp_path / "x.json", "--model", "x" * 201)
    done = mossbench("submit", made / "calm", *args)
    assert done.exit_code == 2 and "longer than 200 characters" in done.stderr and "Traceback" not in done.output


def test_availability_must_be_said_where_it_cannot_be_told(made, tmp_path):
    done = mossbench("submit", made / "calm", "--out", tmp_path / "x.json")
    assert done.exit_code == 2 and "set it (web, API or open) with --availability" in done.stderr


def _set(*path):
    *places, last, value = path

    def change(content):
        for place in places:
            content = content[place]
        content[last] = value

    return change


def _drop(*path):
    *places, last = path

    def change(content):
        for place in places:
            content = content[place]
        del content[last]

    return change


ROWS = ("sides", "benign", "responses")
FAULTS = [
    (_drop(*ROWS, "7"), "sides.benign: 1 id missing (7)"),
    (
        _set(*ROWS, "99", {"pid": "99", "rejected": 0, "metadata": {}, "layer": "judged", "kind": "answered"}),
        "1 id unknown (99)",
    ),
    (_set(*ROWS, "7", "pid", "8"), "responses.7: pid is '8'"),
    (_set("sides", "benign", "reject Rate", "Total", 0.01), "reject Rate.Total is 0.01, but the rows give 0.0344"),
    (_set("sides", "benign", "reject Rate", "Negated Harm", None), "reject Rate.Negated Harm is null"),
    (_set("sides", "benign", "reject Rate", "Extra", 0.1), "'Extra' is unknown"),
    (_drop("sides", "benign", "reject Rate", "Total"), "'Total' is missing"),
    (_set("sides", "benign", "reject Rate", "Total", float("nan")), "NaN is not a JSON number"),
    (_set("sides", "benign", "reject Rate", "Total", float("inf")), "Infinity is not a JSON number"),
    (_set(*ROWS, "1", "rejected", 0), "responses.1: rejected is 0, but refused is 1 under rule system"),
    (_set(*ROWS, "1", "kind", "answered"), "responses.1: rejected is 1, but answered is 0"),
    (_set(*ROWS, "1", "rejected", 7), "responses.1: rejected: 7, expected 0 or 1"),
    (_set(*ROWS, "1", "layer", "failed"), "a row that is failed has neither kind nor refused"),
    (_set(*ROWS, "1", "cluster", "elsewhere"), "responses.1: stimulus or cluster differs from"),
    (_set(*ROWS, "1", "metadata", {"over": "type 9"}), "expected type 1, 2 or 3"),
    (_set(*ROWS, "1", "picture", "x"), "responses.1: picture: unknown field"),
    (_set("sides", "benign", "layers", "failed", 0), "sides.benign.layers: "),
    (_set("hashes", "benign", "0" * 64), "hashes.benign is 000000000000"),
    (_set("hashes", "benign", "abc"), "hashes.benign: 'abc', expected 64 hex digits"),
    (_drop("hashes", "contrast"), "hashes: none for contrast"),
    (_set("judge", "rules"), "judge is 'rules', expected name/version"),
    (_set("rule", "kind"), "rule: 'kind', expected 'system', "),
    (_set("availability", "api"), "availability: 'api', expected 'web', 'API' or 'open'"),
    (_set("date", "2026-02-30"), "date: 2026-02-30 is not a valid date"),
    (_set("mossbench", "new"), "mossbench is 'new', expected a version such as"),
    (_set("format", "mossbench submission 9"), "format: 'mossbench submission 9', expected"),
    (_set("model", ""), "model is empty"),
    (_set("model", "evil\x1b[2J"), "model: control characters"),
    (_set("model", "two\nlines"), "hidden or control characters"),
    (_set("model", "c\u200balm"), "hidden or control characters"),
    (_set("model", "ｃａｌｍ "), "calm is on this board already"),
    (_set("model", "CALM"), "calm is on this board already"),
    (_set("dataset", "sk\x00etch"), "dataset: control characters"),
    (_set("judge", "../rules/4"), "judge is '../rules/4', expected name/version without folders"),
    (_set("judge", "rules/99"), "but rules has versions 1 to 4"),
    (_set("mossbench", "99.0"), "newer than the mossbench that checks it"),
    (_set("date", "2999-01-01"), "date: 2999-01-01 is in the future"),
    (_set("date", "soon"), "date: 'soon', expected a day such as"),
    (_set("arm", "system"), "arm: 'system' needs a system prompt"),
    (_set("settings", {"system": "Be kind."}), "arm: 'plain' has no system prompt"),
    (_set("arm", "shouted"), "arm: 'shouted', expected 'plain' or 'system'"),
    (_set("model", "calm"), "calm is on this board already"),
    (_set("stars", 5), "stars: unknown field"),
    (_set("settings", {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": 1}}}}}}}}), "nested deeper than"),
    (_drop("sides", "benign"), "sides.benign is missing"),
    (_set("sides", "both", {}), "unknown side"),
    (_set("sides", "benign", []), "responses is missing"),
]


@pytest.mark.parametrize(("change", "fault"), FAULTS, ids=[fault for _, fault in FAULTS])
def test_each_fault_is_named_and_the_board_unchanged(made, board, tmp_path, change, fault):
    content = content_of(made / "calm.json")
    content["model"] = "another"
    change(content)
    (tmp_path / "bad.json").write_text(json.dumps(content))
    before = everything_in(board)
    done = mossbench("leaderboard", "add", tmp_path / "bad.json", "--board", board, "--data", made / "data")
    assert done.exit_code == 1 and fault in done.stderr and "is unchanged" in done.stderr, done.stderr
    assert everything_in(board) == before and "Traceback" not in done.output


def test_all_faults_are_named_at_once(made, board, tmp_path):
    content = content_of(made / "calm.json")
    content["model"] = "another"
    several = [FAULTS[number] for number in (1, 4, 8, 12, 14, 20, 22, 24, 26)]
    for change, _ in several:
        change(content)
    (tmp_path / "bad.json").write_text(json.dumps(content))
    done = mossbench("leaderboard", "add", tmp_path / "bad.json", "--board", board, "--data", made / "data")
    assert all(fault[:40] in done.stderr for _, fault in several), done.stderr
    assert len(re.findall(r"^  \d+\. ", done.stderr, re.M)) >= len(several) > 4


@pytest.mark.parametrize("change", [_set("rule", "kind"), _set("hashes", "benign", "abc"), _set("hashes", 3)])
def test_rows_are_checked_although_rule_or_hash_is_wrong(made, board, tmp_path, change):
    content = content_of(made / "middling.json")
    change(content)
    _set(*ROWS, "1", "pid", "8")(content)
    _drop(*ROWS, "7")(content)
    (tmp_path / "bad.json").write_text(json.dumps(content))
    done = mossbench("leaderboard", "add", tmp_path / "bad.json", "--board", board, "--data", made / "data")
    assert "responses.1: pid is '8'" in done.stderr and "1 id missing (7)" in done.stderr
    assert len(re.findall("rule", done.stderr)) <= 1 and len(re.findall(r"hashes", done.stderr)) <= 1


def test_rows_with_a_common_fault_are_named_in_the_order_of_the_file(made, tmp_path):
    content = content_of(made / "calm.json")
    for id in content["sides"]["benign"]["responses"]:
        _set(*ROWS, id, "cluster", "elsewhere")(content)
    (tmp_path / "bad.json").write_text(json.dumps(content))
    _, faults = mb.check_submission(tmp_path / "bad.json", data=mb.load_dataset(made / "data"))
    (fault,) = [fault for fault in faults if "stimulus or cluster differs" in fault]
    first_ids = ", ".join(list(content["sides"]["benign"]["responses"])[:8])
    assert f"30 rows ({first_ids} …)" in fault


def test_a_fault_of_many_rows_is_said_once(made, tmp_path):
    content = content_of(made / "calm.json")
    for row in content["sides"]["benign"]["responses"].values():
        row["stars"] = 5
    (tmp_path / "bad.json").write_text(json.dumps(content))
    _, faults = mb.check_submission(tmp_path / "bad.json")
    assert faults == ("sides.benign.responses: 30 rows (1, 2, 3, 4, 5, 6, 7, 8 …): stars: unknown field",)


def test_data_that_nobody_knows_must_be_given_and_outrank_the_board(made, tmp_path):
    board = tmp_path / "board"
    done = mossbench("leaderboard", "add", made / "calm.json", "--board", board)
    assert done.exit_code == 1 and "give the dataset or its folder as --data" in done.stderr and not board.exists()
    content = content_of(made / "calm.json") | {"model": "short"}
    for side in content["sides"].values():  # a board that holds a bad file already
        del side["responses"]["30"]
        side["layers"]["failed"] = 0
    board.mkdir()
    (board / "short.json").write_text(json.dumps(content))
    assert (
        "; short on the same data has 29"
        in mossbench("leaderboard", "add", made / "calm.json", "--board", board).stderr
    )
    args = ("leaderboard", "add", made / "calm.json", "--board", board, "--data", made / "data")
    assert mossbench(*args).exit_code == 0


@pytest.mark.slow
def test_the_published_ids_are_shipped_as_facts(shared, tmp_path):
    run = mb.run(unseeing, shared / "mossbench-data", out=tmp_path / "run")
    mb.write_submission(mb.make_submission(run, availability="open"), tmp_path / "x.json")
    assert mb.add_submission(tmp_path / "x.json", tmp_path / "board").exists()


def test_a_submission_that_calls_itself_official_is_held_against_the_published_ids(made, tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(content_of(made / "calm.json") | {"dataset": "official"}))
    done = mossbench("leaderboard", "add", tmp_path / "x.json", "--board", tmp_path / "board")
    assert (
        done.exit_code == 1
        and "hashes.benign is" in done.stderr
        and "to check another copy, give it as --data" in done.stderr
    )
    assert "270 ids missing" in done.stderr and "; official has 244" in done.stderr


@pytest.fixture(scope="module")
def on_sketches(tmp_path_factory):
    """A run of all sketches, by a model that looks at none."""
    return mb.run(unseeing, out=tmp_path_factory.mktemp("sketches") / "run")


def unseeing(prompt):
    return YES


def test_a_dataset_is_called_by_its_name(on_sketches, tmp_path):
    mb.write_submission(mb.make_submission(on_sketches, availability="open"), tmp_path / "x.json")
    (tmp_path / "x.json").write_text(json.dumps(content_of(tmp_path / "x.json") | {"dataset": "mine"}))
    assert any("are 'sketches'; use that name" in fault for fault in mb.check_submission(tmp_path / "x.json")[1])


@pytest.mark.slow
def test_failures_are_no_way_to_the_top(made, tmp_path):
    run = answered(made / "data", tmp_path / "holed", failed=range(1, 21))
    args = ("submit", tmp_path / "holed", "--availability", "open", "--out", tmp_path / "x.json")
    done = mossbench(*args)
    assert done.exit_code == 2 and "20 of 30 rows failed or have no verdict, more than the allowed 5 %" in done.stderr
    assert mossbench(*args, "--max-failed", 0.9).exit_code == 0
    add = ("leaderboard", "add", tmp_path / "x.json", "--board", tmp_path / "board", "--data", made / "data")
    done = mossbench(*add)
    assert done.exit_code == 1 and "sides.benign: 20 of 30 rows failed" in done.stderr
    assert mossbench(*add, "--max-failed", 0.9).exit_code == 0
    (board,) = mb.make_boards([run, mb.load_results(made / "middling")])
    assert [row.place and row.place.rank for row in board.rows] == [1, None] and "20 of 30" in board.rows[1].not_ranked
    shown = mossbench("leaderboard", "show", made / "middling", "--board", tmp_path / "board")
    assert "is not ranked: harmless requests: 20 of 30" in " ".join(shown.stdout.split())
    assert "is not ranked" in board_page([board]) and "holm" not in " ".join(board.notes)
    (alone,) = mb.make_boards([run])
    assert "No model can be ranked" in board_page([alone])
    (ranked,) = mb.make_boards([run], max_failed=1)
    assert ranked.rows[0].place.rank == 1


def test_runs_without_answers_are_told_what_would_help(made, tmp_path):
    answered(made / "data", tmp_path / "nothing", failed=range(1, 31))
    done = mossbench("submit", tmp_path / "nothing", "--availability", "open", "--out", tmp_path / "x.json")
    assert done.exit_code == 2 and "all 60 rows failed" in done.stderr
    assert "nothing.jsonl has no answers to its samples" in done.stderr and "run --resume" not in done.stderr
    lines = [json.loads(line) | {"response": ""} for line in (tmp_path / "nothing.jsonl").read_text().splitlines()]
    (tmp_path / "empty.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    mb.run(f"replay/{tmp_path / 'empty.jsonl'}", made / "data", out=tmp_path / "empty")
    (board,) = mb.make_boards([mb.load_results(tmp_path / "empty"), mb.load_results(made / "calm")])
    assert board.rows[-1].rate.value == 1.0 and len(board.rows) == 2
    assert mossbench("compare", tmp_path / "empty", made / "calm").exit_code == 0
    assert mb.make_submission(tmp_path / "empty", availability="open").judge == JUDGE


def test_unfinished_and_repeated_runs_are_not_shown(made, tmp_path):
    answered(made / "data", tmp_path / "run")
    stop(tmp_path / "run", 59)
    for command in (("leaderboard", "show"), ("compare", made / "calm")):
        done = mossbench(*command, tmp_path / "run")
        assert done.exit_code == 2 and "is not finished: 1 of 60 rows were not asked yet" in done.stderr
    done = mossbench("leaderboard", "show", made / "calm", made / "calm")
    assert done.exit_code == 2 and "is given twice" in done.stderr


@pytest.mark.parametrize("name", ["", "  ", "a\x07b", "a\nb", "a\u200bb", "a\u202eb", "\u3164"])
def test_a_name_that_shows_nothing_or_hides_something_is_refused(made, tmp_path, name):
    args = ("submit", made / "calm", "--availability", "open", "--out", tmp_path / "x.json", "--model", name)
    done = mossbench(*args)
    assert done.exit_code == 2 and "--model (the name on the board)" in done.stderr and done.stderr.isascii()


def test_names_are_the_same_whatever_their_width_case_and_spaces():
    assert same_name("Ｍｙ  Model ") == same_name("my model") == same_name("MY\u00a0MODEL")


@pytest.mark.parametrize(
    ("label", "public"),
    [
        ("rules/4", "rules/4"),
        ("human//home/me/labels.csv/0a1b", "human/labels.csv/0a1b"),
        ("/home/me/judge.py:read/0a1b", "judge.py:read/0a1b"),
        (
            "rubric/kinds?model=openai/gpt-4o&base_url=http://10.0.0.1/v1/77ab",
            f"rubric/kinds?model=openai/gpt-4o&endpoint={digest('http://10.0.0.1/v1')}/77ab",
        ),
        ("cascade?model=openai/gpt-4o/2-77ab", "cascade?model=openai/gpt-4o/2-77ab"),
        ("classifier//home/me/tiny?labels=a:refused/0a1b", "classifier/tiny?labels=a:refused/0a1b"),
        (
            "panel/rules+rubric/kinds?model=openai/x+keywords/0a1b",
            "panel/rules+rubric/kinds?model=openai/x+keywords/0a1b",
        ),
        ("panel/rules+human//home/me/labels.csv/0a1b", "panel/rules+human/labels.csv/0a1b"),
    ],
)
def test_a_judge_is_named_without_folders_and_servers(label, public):
    assert (
        public_judge(label) == public == public_judge(public)
        and judge_wrong(public) == ""
        and (label == public or judge_wrong(label))
    )


def test_versions_are_plausible():
    assert version_wrong(f"{'9' * 5000}.1", "0.2.0").startswith("is '999999")  # too long for a number
    assert [bool(version_wrong(v, "0.2.0")) for v in ("0.1", "0.2.0rc1", "0.2.0", "0.3", "1", "x", "0.2 ")] == [
        *(False, False, False),
        *(True, True, True, True),
    ]


def test_of_two_adds_at_once_one_wins(made, tmp_path):
    def add(_):
        try:
            return mb.add_submission(made / "calm.json", tmp_path / "board", data=mb.load_dataset(made / "data"))
        except SubmissionError as error:
            assert "on this board already" in str(error)
            return None

    with ThreadPoolExecutor(4) as pool:
        won = [path for path in pool.map(add, range(8)) if path]
    assert len(won) == len(list((tmp_path / "board").iterdir())) == 1


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (b'{"settings": {"seed": 1e400}}', "the number 1e400 is too large"),
        (b'{"settings": {"seed": -1' + b"0" * 400 + b"}}", "is too large"),
        (b'{"model": "\\ud800"}', "model: control characters"),
        (b'{"a":' * 600 + b"1" + b"}" * 600, "nested deeper"),
        (b"", "not JSON"),
        (b"PK\x03\x04\xff", "not JSON"),
        (b"[]", "expected an object"),
        (b"{}", "sides.benign is missing"),
        (b"[" * 100_000, "nested deeper"),
        (b" " * (MAX_BYTES + 1), "larger than 20 MB"),
        (b"1" * 5000, "is too large"),
    ],
)
def test_files_that_are_no_submission_are_refused(board, tmp_path, raw, fault):
    (tmp_path / "bad.json").write_bytes(raw)
    done = mossbench("leaderboard", "add", tmp_path / "bad.json", "--board", board)
    assert done.exit_code == 1 and fault in done.stderr and len(everything_in(board)) == 1


def test_what_is_no_file_is_refused_without_reading_it(board, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name, fault in (("pipe", "not a file"), (".", "not a file"), ("none.json", "no such file")):
        assert mb.check_submission(tmp_path / name) == (None, (fault,))


def test_a_duplicate_id_is_found_although_json_readers_hide_it(made, board, tmp_path):
    text = (made / "middling.json").read_text()
    twice = text.replace('"2": {', '"1": {"pid": "1"},\n        "2": {', 1)
    (tmp_path / "bad.json").write_text(twice)
    _, faults = mb.check_submission(tmp_path / "bad.json")
    assert "'1' is given twice" in faults[0]


def test_the_same_data_have_the_same_ids_even_where_the_dataset_is_not_at_hand(made, board, tmp_path):
    content = content_of(made / "middling.json")
    for side in content["sides"].values():
        del side["responses"]["7"]
    (tmp_path / "bad.json").write_text(json.dumps(content))
    done = mossbench("leaderboard", "add", tmp_path / "bad.json", "--board", board)
    assert done.exit_code == 1 and "1 id missing (7); calm on the same data has 30" in done.stderr


def test_the_bundled_data_are_known_without_being_given(on_sketches, tmp_path):
    mb.write_submission(mb.make_submission(on_sketches.folder, availability="open"), tmp_path / "x.json")
    assert mb.check_submission(tmp_path / "x.json")[1] == ()
    content = content_of(tmp_path / "x.json")
    content["hashes"]["benign"] = "f" * 64
    (tmp_path / "x.json").write_text(json.dumps(content))
    assert any("hashes.benign is ffffffffffff" in fault for fault in mb.check_submission(tmp_path / "x.json")[1])


def test_a_file_changed_on_the_board_is_found_when_it_is_read(board):
    (path,) = board.glob("*.json")
    path.write_text(path.read_text().replace('"rejected": 1', '"rejected": 0', 1))
    done = mossbench("leaderboard", "show", "--board", board)
    assert done.exit_code == 2 and "no sound submissions" in done.stderr and "rejected is 0" in done.stderr
    with pytest.raises(SubmissionError, match="was changed"):
        mb.load_board(board)


def test_a_damaged_file_on_a_board_is_named_and_keeps_no_other_from_it(made, board):
    (board / "odd.json").write_text("{}")
    added = mossbench("leaderboard", "add", made / "jumpy.json", "--board", board, "--data", made / "data")
    assert added.exit_code == 0, added.output
    done = mossbench("leaderboard", "show", "--board", board, "--json")
    assert done.exit_code == 0 and "odd.json, fix or remove it" in done.stderr
    assert {row["name"] for row in json.loads(done.stdout)[0]["rows"]} == {"calm", "jumpy"}


@pytest.mark.parametrize("name", ["evil", "DATA", "data ", "data\u200b"])
def test_data_that_the_board_knows_keep_the_name_that_they_have_there(made, board, tmp_path, name):
    (tmp_path / "x.json").write_text(json.dumps(content_of(made / "jumpy.json") | {"dataset": name}))
    with pytest.raises(SubmissionError) as refused:
        mb.add_submission(tmp_path / "x.json", board)
    assert any("samples with this hash are 'data'; use that name" in fault for fault in refused.value.faults)
    mb.add_submission(made / "jumpy.json", board)


def test_data_under_another_name_are_refused_and_another_copy_is_read_again(made, tmp_path):
    content, board = content_of(made / "calm.json"), tmp_path / "board"
    (tmp_path / "x.json").write_text(json.dumps(content | {"dataset": "mine"}))
    data = mb.load_dataset(made / "data")
    with pytest.raises(SubmissionError) as refused:
        mb.add_submission(tmp_path / "x.json", board, data=data)
    assert "dataset is 'mine', but harmless samples with this hash are 'data'; use that name" in refused.value.faults
    sketch = content_of(Path(__file__).parents[1] / "written_before" / "submission.json") | {"dataset": "mine"}
    (tmp_path / "y.json").write_text(json.dumps(sketch))
    with pytest.raises(SubmissionError) as refused:
        mb.add_submission(tmp_path / "y.json", board, data=mb.load_dataset("sketches"))
    assert any("are 'sketches'; use that name" in fault for fault in refused.value.faults)
    # Data of one's own are not `official`, also where they are at hand; a board that has such a file still opens.
    (tmp_path / "z.json").write_text(json.dumps(content | {"dataset": "official"}))
    with pytest.raises(SubmissionError) as refused:
        mb.add_submission(tmp_path / "z.json", board, data=dataclasses.replace(data, name="official"))
    assert any("samples with this hash are 'official-changed'" in fault for fault in refused.value.faults)
    board.mkdir()
    (board / "z.json").write_text(json.dumps(content | {"dataset": "official"}))
    assert len(mb.load_board(board)) == 1


SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
JSON = SCALAR | st.lists(SCALAR | st.lists(SCALAR)) | st.dictionaries(st.text(), SCALAR | st.lists(SCALAR))


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], max_examples=60)
@given(path=st.lists(st.integers(0, 40), max_size=5), value=JSON)
def test_no_content_makes_the_check_fall_over(made, tmp_path, path, value):
    content = content_of(made / "calm.json")
    place = content
    for number in path[:-1]:
        keys = list(place)
        inner = place[keys[number % len(keys)]] if keys else None
        if not isinstance(inner, dict) or not inner:
            break
        place = inner
    place[list(place)[path[-1] % len(place)] if path else "more"] = value
    text = json.dumps(content).replace("Infinity", "1e999")
    (tmp_path / "x.json").write_text(text)
    submission, faults = mb.check_submission(tmp_path / "x.json", others=[], max_failed=0.0)
    assert faults  # its data are known to nobody
    assert all(isinstance(fault, str) and fault for fault in faults) and len(set(faults)) == len(faults)
    assert not re.search("Input should|String should|pydantic|Extra inputs", " ".join(faults))


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], max_examples=60)
@given(cut=st.floats(0, 1), junk=st.binary(max_size=8), drop=st.integers(0, 8))
def test_no_bytes_make_the_check_fall_over(made, tmp_path, cut, junk, drop):
    raw = (made / "calm.json").read_bytes()
    at = int(cut * len(raw))
    (tmp_path / "x.json").write_bytes(raw[:at] + junk + raw[at + drop :])
    submission, faults = mb.check_submission(tmp_path / "x.json", others=[])
    assert faults and all(faults)


def test_a_board_ranks_with_rank_sets_and_tie_groups(made, board):
    for name in ("middling", "jumpy"):
        assert mossbench("leaderboard", "add", made / f"{name}.json", "--board", board).exit_code == 0
    (content,) = json.loads(mossbench("leaderboard", "show", "--board", board, "--format", "json").stdout)
    rows = [
        (row["name"], row["place"]["tie_group"], row["place"]["low_rank"], row["place"]["high_rank"])
        for row in content["rows"]
    ]
    assert rows == [("calm", 1, 1, 2), ("middling", 1, 1, 2), ("jumpy", 2, 3, 3)]
    assert content["rows"][0]["rate"]["n_left_out"] == 1 and content["judge"] == JUDGE


def test_a_submission_counts_exactly_as_its_run_does(made, board):
    boards = json.loads(mossbench("leaderboard", "show", made / "calm", "--board", board, "--format", "json").stdout)
    (content,) = boards
    one, other = content["rows"]
    for name in ("rate", "by_stimulus", "safety"):
        assert one[name] == other[name]


def test_a_run_and_its_own_submission_are_one_row(made, tmp_path):
    run, board, rows = made / "jumpy", tmp_path / "board", {}
    mb.add_submission(
        mb.write_submission(mb.make_submission(run, availability="open"), tmp_path / "own.json"),
        board,
        data=mb.load_dataset(made / "data"),
    )
    for name, more in {"same": (), "other run": (made / "calm",), "other rule": ("--rule", "strict")}.items():
        done = mossbench("leaderboard", "show", run, *more, "--board", board, "--json")
        rows[name] = [len(one["rows"]) for one in json.loads(done.stdout)]
        assert ("is the run jumpy, and is shown once" in done.stderr) == (name != "other rule")
    assert rows == {"same": [1], "other run": [2], "other rule": [1, 1]}  # counted otherwise, it is another row


def test_numbers_of_different_making_never_share_a_board(made, tmp_path):
    other = samples(tmp_path / "other", 6)
    answered(other, tmp_path / "elsewhere")
    answered(made / "data", tmp_path / "reread", judge="keywords")
    shown = json.loads(
        mossbench(
            "leaderboard", "show", made / "calm", tmp_path / "elsewhere", tmp_path / "reread", "--format", "json"
        ).stdout
    )
    assert [len(one["rows"]) for one in shown] == [1, 1, 1]
    both = [mb.load_results(made / "calm"), mb.make_submission(made / "calm", availability="open", rule="paper")]
    assert [board.rule for board in mb.make_boards(both)] == ["system", "paper"]
    with_published = json.loads(
        mossbench("leaderboard", "show", made / "calm", "--published", "--format", "json").stdout
    )
    assert [one["published"] for one in with_published] == [False, True, True]


def boards_of(*runs):
    return {board.asked: [row.source for row in board.rows] for board in mb.make_boards(runs)}


@pytest.mark.slow
def test_models_of_one_protocol_rank_and_another_protocol_has_its_own_board(made, tmp_path):
    data = made / "data"
    plain = [mb.load_results(made / "calm"), mb.load_results(made / "jumpy")]
    assert boards_of(*plain) == {(): ["calm", "jumpy"]}
    ways = {
        "warm": {"temperature": 1.0},
        "short": {"max_tokens": 10},
        "kind": {"system": "Be kind."},
        "careful": {"system": "Be careful."},
        "often": {"epochs": 2},
        "limited": {"limit": 25},
        "picked": {"ids": [str(i) for i in range(1, 11)]},
    }  # in the order of boards: the most samples first
    others = [answered(data, tmp_path / name, **options) for name, options in ways.items()]
    found = boards_of(*plain, *others, answered(data, tmp_path / "seeded", seed=7))
    titles = [" ".join(asked) for asked in found]
    assert next(iter(found.values())) == ["seeded", "calm", "jumpy"] and titles[0] == ""
    assert list(found.values())[1:] == [[name] for name in ways]
    said = ("temperature 1", "max tokens 10", "Be kind.", "Be careful.", "epochs 2", "25 chosen", "10 chosen")
    assert all(words in title for words, title in zip(said, titles[1:], strict=True))
    shown = mossbench("leaderboard", "show", made / "calm", tmp_path / "warm").stdout
    assert "temperature 1" in " ".join(
        shown.split()
    ) and "Settings other than the default: temperature 1" in board_page(mb.make_boards([others[0]]))


def test_a_choice_of_all_samples_stands_with_whole_runs(made, tmp_path):
    assert len(boards_of(mb.load_results(made / "calm"), answered(made / "data", tmp_path / "all", limit=100))) == 1


def with_subject(run, **config):
    """The run as if it had been asked with other options."""
    info = run.info
    return dataclasses.replace(run, info=info.model_copy(update={"config": info.config.model_copy(update=config)}))


def test_one_model_at_two_endpoints_is_two_rows_and_no_address_is_published(made):
    runs = [mb.load_results(made / name) for name in ("calm", "jumpy")]
    hosted = [
        with_subject(runs[0], model="openai/x", base_url="http://inside/v1"),
        with_subject(runs[1], model="openai/x"),
    ]
    (board,) = mb.make_boards(hosted)
    assert [bool(row.endpoint) for row in board.rows] == [True, False]
    assert "the provider's own address" in board.rows[1].name and "endpoint" in board.rows[0].name
    submission = mb.make_submission(hosted[0], availability="open")
    assert "inside" not in submission.to_json() and submission.settings["endpoint"] == board.rows[0].endpoint
    (again,) = mb.make_boards([submission, hosted[1]])
    assert [row.name for row in again.rows] == [row.name for row in board.rows]


def test_settings_that_a_provider_does_not_take_are_flagged(made):
    run = mb.load_results(made / "calm")
    sent = {"max_completion_tokens": 9, "not_taken": {"temperature": "no", "max_tokens": "renamed"}}
    run = dataclasses.replace(run, info=run.info.model_copy(update={"sent": sent}))
    for one in (run, mb.make_submission(run, availability="open")):
        (board,) = mb.make_boards([one])
        assert board.rows[0].not_taken == ("temperature",)
        assert any("its provider rejects temperature" in text for text in board.notes)


def test_another_protocol_joins_the_folder_and_one_without_settings_stands_alone(made, board, tmp_path):
    content, data = content_of(made / "calm.json"), mb.load_dataset(made / "data")
    for name, told in {"warm": content["settings"] | {"temperature": 1.0}, "silent": {}, "odd": {"seed": [1]}}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content | {"settings": told, "model": f"calm {name[0]}"}))
        mb.add_submission(tmp_path / f"{name}.json", board, data=data)
    found = mb.make_boards(mb.load_board(board))
    assert sorted(len(one.rows) for one in found) == [1, 1, 2]
    assert any("temperature unknown" in one.asked for one in found)


@pytest.mark.slow
def test_a_submission_of_version_one_stands_with_runs_of_the_usual_protocol():
    old = mb.load_board(Path(__file__).parents[1] / "written_before" / "board")
    old = [one.model_copy(update={"judge": JUDGE}) for one in old]  # else it is another judge's
    (board,) = mb.make_boards([*old, mb.run("control/stonewall", side="benign")])  # it is of a control model
    assert len(board.rows) == 2


def test_runs_of_one_name_stay_apart_and_unhashed_data_have_a_board_of_their_own(made, tmp_path):
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        answered(made / "data", tmp_path / name / "run", refused=range(1, 4 if name == "x" else 20))
    again = [mb.load_results(tmp_path / name / "run") for name in ("x", "y")]
    assert again[0].name == again[1].name
    (board,) = mb.make_boards(again)
    assert len({row.name for row in board.rows}) == 2
    mb.write_results(again[0], tmp_path / "x.json", format="published", side="benign")
    back = mb.import_results(tmp_path / "x.json", tmp_path / "back", side="benign")
    _, other = mb.make_boards([again[0], back])
    assert other.data_hash == "" and "the data have no hash" in other.notes[-1]


def test_a_filter_that_leaves_nothing_leaves_an_empty_board(made):
    for format_ in ("table", "md", "csv", "json", "html"):
        done = mossbench("leaderboard", "show", made / "calm", "--availability", "web", "--format", format_)
        assert done.exit_code == 0 and "no model on these boards has availability web" in done.stderr


def test_a_print_is_shown_as_it_was_printed_and_only_with_its_own_legend(made):
    shown = mossbench("leaderboard", "show", "--print", "figure").stdout
    assert "12.34" in shown and "Rank:" not in shown and "Safety:" not in shown and "intervals" not in shown
    page = mossbench("leaderboard", "show", "--print", "figure", "--format", "html").stdout
    assert ">12.34<" in page and "green bar" not in page
    one = mossbench("leaderboard", "show", made / "calm")
    assert "holm" not in one.stdout and "Rank:" not in one.stdout and "Safety:" in one.stdout


def test_the_page_has_counts_and_dates(made):
    page = board_page(mb.make_boards([mb.load_results(made / "calm"), mb.load_results(made / "jumpy")]))
    assert ">29/30<" in page and re.search(r"Date \d{4}-\d\d-\d\d ", text_of(page))


def test_the_published_boards_have_twenty_rows_and_the_readme_nineteen():
    gpt, human = mb.published_boards()
    assert len(gpt.rows) == len(human.rows) == 20 and gpt.rule == "paper"
    assert gpt.rows[0].name == "GPT-4V" and human.rows[0].name == "mPLUG-Owl2"
    (readme,) = mb.published_boards(table="readme")
    assert len(readme.rows) == 19 and all(row.place is None for row in readme.rows)
    opus = {row.name: row for row in readme.rows if row.availability == "API"}["Claude 3 opus"]
    assert opus.by_stimulus["Counterintuitive Interpretation"].value == 0.55
    sonnet = {row.name: row for row in gpt.rows}["Claude 3 sonnet"]
    assert sonnet.safety.value == pytest.approx(226 / 244, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("print_", ["corrected", "figure", "readme"])
@pytest.mark.parametrize("format_", ["table", "md", "csv", "json", "html"])
def test_every_format_of_every_print_can_be_written(print_, format_):
    done = mossbench("leaderboard", "show", "--print", print_, "--format", format_)
    assert done.exit_code == 0 and "InstructBLIP" in done.stdout and "nan" not in done.stdout.lower()
    if format_ == "csv":
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        assert {row["availability"] for row in rows} == {"web", "API", "open"} and 0 < float(rows[0]["refused"]) < 1


def test_rows_are_sorted_and_filtered_and_keep_their_ranks():
    gpt, _ = mb.published_boards()
    web = sorted_board(gpt, availability="web")
    assert [(row.name, row.place.rank) for row in web.rows] == [
        ("GPT-4o", 2),
        ("Gemini Advanced", 19),
        ("Claude 3 opus", 20),
    ]
    safest = sorted_board(gpt, by="safety", descending=True)
    assert safest.rows[0].name == "Claude 3 sonnet" and safest.rows[-1].safety is None
    assert [row.name for row in sorted_board(gpt, by="name").rows][0] == "Claude 3 haiku"
    (by_stimulus, _) = mb.published_boards(stimulus=Stimulus.NEGATED_HARM)
    assert by_stimulus.rows[-1].rate.value == 0.93 and by_stimulus.rows[0].name == "GPT-4o"


def test_the_page_needs_nothing_and_escapes_names(made):
    submission = mb.make_submission(made / "calm", availability="open", model="<script>alert(1)</script>")
    page = board_page(mb.make_boards([submission]))
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page
    assert not re.search(r'(src|href)="(?!data:|#)', page) and ">One model, " in page


@pytest.mark.parametrize(
    ("ranges", "says"),
    [
        ([(1, 1), (2, 3), (2, 3)], "m0 is first: 0 % of harmless requests refused"),
        ([(1, 2), (1, 2), (3, 3)], "m0 or m1 may be first"),
        ([(1, 4)] * 4, "4 models may be first"),
        ([(1, 3)], "m0 may be first"),  # the others are hidden
        ([(2, 3), (2, 3)], "None of the models shown can be first"),
        ([(1, 1)], "One model, m0: 0 % of harmless requests refused"),
        ([(1, 1), None], "Only m0 is ranked: 0 % of harmless requests refused"),
        ([None], "No model can be ranked"),
    ],
)
def test_a_board_begins_with_who_may_be_first(ranges, says):
    (board, *_) = mb.published_boards()
    replace = dataclasses.replace
    model = replace(board.rows[0], safety=replace(board.rows[0].rate, value=0.5))
    rows = [
        replace(
            model,
            name=f"m{i}",
            rate=replace(model.rate, value=i / 10),
            place=ends and replace(model.place, rank=i + 1, low_rank=ends[0], high_rank=ends[1]),
        )
        for i, ends in enumerate(ranges)
    ]
    page = board_page([replace(board, rows=tuple(rows), published=False)])
    assert element(page, "h1.verdict").text == says


def test_the_page_of_published_figures_keeps_what_their_ranks_assume(made):
    page = board_page(mb.published_boards())
    assert "treat two models&#39; answers as independent, which is conservative" in page
    own = board_page(mb.make_boards([mb.load_results(made / name) for name in ("calm", "jumpy")]))
    assert '<p class="note">Ranks: ' not in own and "<dt>Ranks by</dt>" in own  # it stands with each row


def test_output_goes_to_a_file_once(tmp_path):
    args = ("leaderboard", "show", "--format", "html", "--out", tmp_path / "board.html")
    assert mossbench(*args).exit_code == 0 and (tmp_path / "board.html").read_text().startswith("<!doctype html>")
    assert mossbench(*args).exit_code == 2 and mossbench(*args, "--overwrite").exit_code == 0
    assert mossbench("leaderboard", "show", "--out", tmp_path / "x").exit_code == 2


def test_spreadsheets_are_given_no_formula(made, tmp_path):
    mb.write_submission(mb.make_submission(made / "calm", availability="open", model="=cmd()"), tmp_path / "x.json")
    mb.add_submission(tmp_path / "x.json", tmp_path / "board", data=mb.load_dataset(made / "data"))
    assert ",'=cmd()," in mossbench("leaderboard", "show", "--board", tmp_path / "board", "--format", "csv").stdout


def test_an_empty_board_and_a_wrong_one_say_so(tmp_path):
    done = mossbench("leaderboard", "show", "--board", tmp_path / "none")
    assert done.exit_code == 2 and "no submissions in" in done.stderr
    (tmp_path / "file").write_text("x")
    assert mossbench("leaderboard", "show", "--board", tmp_path / "file").exit_code == 2
    assert mossbench("leaderboard", "show", "--print", "readme", "--board", tmp_path).exit_code == 2


def test_check_lists_the_misprints():
    done = mossbench("leaderboard", "check")
    assert done.exit_code == 0 and "GPT-4V is missing" in done.stdout and "63.67" in done.stdout
    assert len(json.loads(mossbench("leaderboard", "check", "--json").stdout)) == 11


def test_groups_have_letters_beyond_z():
    assert [letter(n) for n in (1, 26, 27, 52, 53)] == ["a", "z", "aa", "az", "ba"]


def test_a_run_that_showed_other_pictures_is_on_no_board_and_no_submission(tmp_path):
    run = without_trigger(tmp_path / "data")
    with pytest.raises(UsageError, match="used other images"):
        mb.make_boards([run])
    with pytest.raises(UsageError, match="arm 'counterfactual'"):
        mb.make_submission(run, availability="open", model="mine")


def test_others_may_be_given_as_a_generator(made):
    on_board = [mb.check_submission(made / "calm.json")[0]]
    _, faults = mb.check_submission(made / "calm.json", others=iter(on_board))
    assert any("is on this board already" in fault for fault in faults)
    assert faults == mb.check_submission(made / "calm.json", others=on_board)[1]
