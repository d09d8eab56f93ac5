"""Boards take files of strangers: who was asked, who judged, what was said and how it is called is checked."""

import dataclasses
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
import tables
from answered import JUDGE, NO, YES, answered, samples
from mossbench.cli import cli
from mossbench.errors import SubmissionError, UsageError
from mossbench.judges import load_judge
from mossbench.leaderboard.board_entries import MOST_READ, _answers_of
from mossbench.leaderboard.both_sides import standings
from mossbench.leaderboard.checking import published_names
from mossbench.leaderboard.names import imitates, judge_wrong, name_wrong, provider_of
from mossbench.leaderboard.rejudging import embedded_judge, why_judge_is_private
from mossbench.leaderboard.submitted_answers import JUDGED_AGAIN, are_control_answers
from mossbench.outcomes import Layer
from mossbench.plumbing.look_alikes import appearance
from mossbench.reports.board_page import board_page

BEFORE = Path(__file__).parents[1] / "written_before"


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A dataset, a run on it, and its submission with answers and without."""
    folder = tmp_path_factory.mktemp("strangers")
    data = samples(folder / "data", 12)
    run = answered(data, folder / "run", refused=(1, 2, 3, 4))
    for name, with_answers in (("texts", True), ("bare", False)):
        submission = mb.make_submission(run, availability="open", model="Model-7b", with_answers=with_answers)
        mb.write_submission(submission, folder / f"{name}.json")
    return folder


@pytest.fixture(scope="module")
def own_data(tmp_path_factory):
    return samples(tmp_path_factory.mktemp("own") / "data", 20)


@pytest.fixture(scope="module")
def control_run(own_data, tmp_path_factory):
    return mb.run("control/jumpy?rate=0.4", own_data, out=tmp_path_factory.mktemp("control") / "run")


def content_of(path):
    return json.loads(Path(path).read_text())


def changed(path, out, **fields):
    out.parent.mkdir(exist_ok=True, parents=True)
    out.write_text(json.dumps(content_of(path) | fields))
    return out


def refused_by_all_doors(file, made, tmp_path, *, web=None):
    """What adding the file, checking its board, reading it and loading it say: all of them refuse it."""
    data, board = made / "data", tmp_path / "by hand"
    board.mkdir(exist_ok=True)
    (board / "mine.json").write_bytes(file.read_bytes())
    added = mossbench("leaderboard", "add", file, "--board", tmp_path / "board", "--data", data)
    checked = mossbench("leaderboard", "check", "--board", board, "--data", data)
    shown = mossbench("leaderboard", "show", "--board", board)
    with pytest.raises(SubmissionError):
        mb.load_board(board)
    for done in (added, checked, shown):
        assert done.exit_code in (1, 2) and "Traceback" not in done.output, done.output
    assert not (tmp_path / "board").exists() and mb.check_submission(file)[1]
    return added.stderr


# Who was asked.


def test_the_provider_is_in_a_submission_and_on_its_board(made):
    content = content_of(made / "texts.json")
    assert content["provider"] == "replay" and content["judge"] == JUDGE
    (board,) = mb.make_boards([mb.make_submission(made / "run", availability="open")])
    assert (board.rows[0].provider, board.ranked_with, board.judge) == ("replay", "models", JUDGE)
    assert "<dt>Provider</dt><dd>replay</dd>" in board_page([board])
    shown = mossbench("leaderboard", "show", made / "run", "--format", "csv").stdout
    assert ",replay,models," in shown
    assert "provider replay" in mossbench("leaderboard", "show", made / "run").stdout


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("openai/gpt-4o", "openai"),
        ("control/candid", "control"),
        ("replay//home/me/x.jsonl", "replay"),
        ("models/mine.py:f", "own code"),
        ("openai/mine.py:f", "own code"),
        ("python/f", "own code"),
        ("lab/model", "own code"),
        ("openai", "own code"),
    ],
)
def test_the_provider_of_a_model_is_told_by_its_name(model, provider):
    assert provider_of(model) == provider


@pytest.mark.parametrize("provider", ["Control", "control ", "cоntrol", "nobody", "", "openai/gpt-4o", "<b>openai</b>"])
def test_a_provider_that_is_none_is_refused(made, tmp_path, provider):
    file = changed(made / "bare.json", tmp_path / "x.json", provider=provider)
    assert "provider is" in refused_by_all_doors(file, made, tmp_path)


@pytest.mark.parametrize("version", ["0.2.0", "0.1.0"])
def test_a_provider_that_was_removed_is_missed(made, tmp_path, version):
    file = changed(made / "bare.json", tmp_path / "x.json", provider=None, mossbench=version)
    assert "provider is missing; write the file again" in refused_by_all_doors(file, made, tmp_path)


def test_a_file_without_a_provider_as_in_version_one_ranks_with_such_files_only(made, tmp_path):
    content = content_of(made / "bare.json")
    old = {name: value for name, value in content["settings"].items() if name not in ("endpoint", "not_taken")}
    file = changed(made / "bare.json", tmp_path / "x.json", provider=None, mossbench="0.1.0", settings=old, model="Old")
    submission, faults = mb.check_submission(file)
    assert faults == ()
    boards = mb.make_boards([submission, mb.load_results(made / "run")])
    assert [board.ranked_with for board in boards] == ["unknown provider", "models"]


@pytest.mark.parametrize("with_answers", [True, False])
@pytest.mark.parametrize("name", ["My model 7b", "openai/gpt-4o", "control/jumpy?rate=0.4"])
def test_a_control_model_ranks_among_controls_whatever_it_is_called(control_run, own_data, made, name, with_answers):
    submission = mb.make_submission(control_run, availability="API", model=name, with_answers=with_answers)
    assert submission.provider == "control"
    boards = {
        board.ranked_with: board for board in mb.make_boards([submission, mb.run(unseeing, own_data), control_run])
    }
    assert [row.name for row in boards["models"].rows] == ["python/unseeing"]
    assert len(boards["controls"].rows) == 2
    assert [standing.board.ranked_with for standing in standings([submission, mb.load_results(made / "run")])] == [
        "models",
        "controls",
    ]
    page = board_page(list(boards.values()))
    assert "Control models, ranked among themselves." in page and '<span class="tag">control</span>' in page


def unseeing(prompt):
    return YES


@pytest.mark.parametrize("provider", ["openai", "replay", "own code"])
def test_answers_of_a_control_model_are_known_under_any_provider(control_run, provider):
    submission = mb.make_submission(control_run, availability="API", model="Mine", with_answers=True)
    (board,) = mb.make_boards([submission.model_copy(update={"provider": provider})])
    assert board.ranked_with == "controls"


@pytest.mark.parametrize("name", ["control/candid", "Control/candid", "c\u043entrol/x", "CONTROL / x"])
def test_a_name_of_a_control_model_ranks_among_controls_under_any_provider(made, name):
    submission = mb.make_submission(made / "run", availability="open")
    (board,) = mb.make_boards([submission.model_copy(update={"model": name, "provider": "openai"})])
    assert board.ranked_with == "controls"


def test_a_replay_of_a_control_model_ranks_among_controls(control_run, own_data, tmp_path):
    lines = [
        {"id": row.key.sample, "side": row.key.side, "response": row.exchange.answer.text} for row in control_run.rows
    ]
    (tmp_path / "said.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    replayed = mb.run(f"replay/{tmp_path / 'said.jsonl'}", own_data, out=tmp_path / "run")
    (board,) = mb.make_boards([replayed, control_run])
    assert board.ranked_with == "controls" and len(board.rows) == 2


DISGUISES = {
    "spaces before commas": lambda text: text.replace(",", " ,"),
    "other marks": lambda text: text.replace(".", "!").replace(",", ";"),
    "no marks": lambda text: "".join(c for c in text if c.isalnum() or c == " "),
    "zero-width spaces": lambda text: text.replace("e", "e\u200b"),
    "soft hyphens": lambda text: "\u00ad".join(text),
    "no spaces": lambda text: text.replace(" ", ""),
    "spaced letters": lambda text: " ".join(text),
    "bold words": lambda text: " ".join(f"**{word}**" for word in text.split()),
    "curly apostrophes": lambda text: text.replace("'", "\u2019"),
    "capitals": str.upper,
    "wide letters": lambda text: "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalpha() else c for c in text),
    "accents": lambda text: text.replace("e", "e\u0301").replace("a", "\u00e1"),
    "Cyrillic letters": lambda text: text.replace("e", "\u0435").replace("o", "\u043e"),
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
def test_answers_of_a_control_model_are_known_in_disguise(control_run, disguise):
    texts = [row.exchange.answer.text for row in control_run.rows]
    assert are_control_answers([disguise(text) for text in texts])


def test_rows_that_failed_hide_no_control_model(control_run):
    failed = [tables.row("benign", f"failed {i}", Layer.FAILED) for i in range(MOST_READ)]
    run = dataclasses.replace(control_run, rows=(*failed, *control_run.rows))
    assert are_control_answers(_answers_of(run))


def test_stock_refusals_are_nobodys_own():
    assert not are_control_answers([NO] * 50)
    assert not are_control_answers([NO, YES] * 20)
    assert not are_control_answers([])
    assert not are_control_answers([None, "", " "])


# Who judged.


@pytest.mark.parametrize(
    "judge",
    [
        "human/labels.csv/0a1b2c3d",
        "Human/labels.csv/0a1b2c3d",
        "judge.py:read/0a1b2c3d",
        "python/read/0a1b2c3d",
        "panel/rules+human/labels.csv/0a1b2c3d",
        "panel/rules+keywords+judge.py:read/0a1b2c3d",
        "classifier/mine?labels=a:refused/0a1b2c3d",
        "rubric/mine?model=openai/gpt-4o/0a1b2c3d",
        "rubric/kinds?model=mine.py:f/0a1b2c3d",
        "rubric/kinds?model=replay/said.jsonl/0a1b2c3d",
        "rubric/kinds?model=control/candid/0a1b2c3d",
        "rubric/paper?model=control/learned&endpoint=0a1b/0a1b2c3d",
        "cascade?model=control/candid/3-0a1b2c3d",
        "panel/rules+rubric/kinds?model=control/candid/0a1b2c3d",
        "rubric/kinds/0a1b2c3d",
        "cascade?model=mine.py:f/3-0a1b2c3d",
        "Rules/3",
        "rules_/3",
        "oracle/1",
        "gpt-4-turbo (published)",
        "human (published)",
    ],
)
def test_no_board_ranks_by_a_private_judge(made, tmp_path, judge):
    said = refused_by_all_doors(changed(made / "bare.json", tmp_path / "x.json", judge=judge), made, tmp_path)
    assert "judge" in said
    submission = mb.make_submission(made / "run", availability="open").model_copy(update={"judge": judge})
    (board,) = mb.make_boards([submission])
    assert board.rows[0].place is None and "boards rank by judges that anyone can use" in board.rows[0].not_ranked
    assert standings([submission]) == ()


@pytest.mark.parametrize(
    "judge",
    [
        "rules/4 ",
        " rules/4",
        "rules/03",
        "rules/4.0",
        "rules/\u0663",
        "rules/0",
        "rules/5",
        "tandem/9",
        "reader/9",
        "r\u0443les/3",
        "rules?model=x/3",
        "rules/x/3",
        "panel/rules+keywords/3",
        "panel/rules/4",
        "panel/rules+rules/4",
        "panel/rules+/3",
    ],
)
def test_a_judge_that_never_was_is_refused(made, tmp_path, judge):
    assert judge_wrong(judge) or why_judge_is_private(judge)
    for name in ("bare", "texts"):
        file = changed(made / f"{name}.json", tmp_path / f"{name}.json", judge=judge)
        assert "judge" in refused_by_all_doors(file, made, tmp_path)


@pytest.mark.parametrize(
    "judge",
    [
        "reader/1",
        "rules/4",
        "rules/1",
        "tandem/1",
        "keywords/1",
        "rubric/kinds?model=openai/gpt-4o/77ab",
        "rubric/paper?model=anthropic/x&endpoint=0a1b/77ab",
        "cascade?model=openai/gpt-4o/3-77ab",
        "classifier/Minos-v1/0a1b",
        "panel/rules+rubric/kinds?model=openai/x+keywords/0a1b",
    ],
)
def test_judges_that_anybody_can_use_still_rank(judge):
    assert judge_wrong(judge) == why_judge_is_private(judge) == ""


def test_a_run_with_a_private_judge_is_shown_and_not_ranked_and_cannot_be_submitted(made, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def judge(exchange):\n    return 'answered'\n")
    run = answered(made / "data", tmp_path / "run", refused=(1,), judge=f"{mine}:judge")
    (board,) = mb.make_boards([run])
    assert board.rows[0].place is None and "is private code" in board.rows[0].not_ranked
    shown = mossbench("leaderboard", "show", tmp_path / "run")
    assert shown.exit_code == 0 and "is not ranked: the judge" in " ".join(shown.stdout.split())
    with pytest.raises(UsageError, match="is private code"):
        mb.make_submission(run, availability="open")
    done = mossbench("submit", tmp_path / "run", "--availability", "open", "--out", tmp_path / "x.json")
    assert done.exit_code == 2 and "mossbench judge apply" in done.stderr and not (tmp_path / "x.json").exists()


# What was said: answers in a file are judged again.


def rewritten(made, out, change, name="texts"):
    """The submission with one change in its harmless rows, its counts and rates made to fit, as a forger would."""
    from mossbench.leaderboard.submission_records import SubmittedRow, layer_counts, rates_of, rejected
    from mossbench.outcomes import Rule

    content = content_of(made / f"{name}.json")
    for side in content["sides"].values():
        rows = side["responses"]
        if side is content["sides"]["benign"]:
            change(rows)
        parsed = {id: SubmittedRow.model_validate(row) for id, row in rows.items()}
        for id, row in parsed.items():
            rows[id]["rejected"] = rejected(row.outcome, Rule.SYSTEM)
        side["layers"] = layer_counts(parsed)
        side["reject Rate"] = rates_of(parsed, Rule.SYSTEM)
    out.write_text(json.dumps(content))
    return out


def test_answers_that_agree_are_taken_and_said_to_be_judged_again(made, tmp_path):
    data = mb.load_dataset(made / "data")
    mb.add_submission(made / "texts.json", tmp_path / "board", data=data)
    (board,) = mb.make_boards(mb.load_board(tmp_path / "board"))
    assert board.rows[0].verdicts == JUDGED_AGAIN and board.rows[0].place.rank == 1
    assert not any("claimed" in note for note in board.notes)


def test_verdicts_without_answers_are_marked_as_claimed_everywhere(made, tmp_path):
    mb.add_submission(made / "bare.json", tmp_path / "board", data=mb.load_dataset(made / "data"))
    said = "as claimed, not checked: its answers are not in the file"
    for format_ in ("table", "md", "csv", "json", "html"):
        shown = mossbench("leaderboard", "show", "--board", tmp_path / "board", "--format", format_)
        assert said in " ".join(shown.stdout.split()), format_


@pytest.mark.parametrize("judge", ["rules/2", "rubric/kinds?model=openai/gpt-4o/77ab", "classifier/Minos-v1/0a1b"])
def test_verdicts_of_judges_that_cannot_be_run_here_are_marked_as_claimed(made, tmp_path, judge):
    submission, faults = mb.check_submission(changed(made / "texts.json", tmp_path / "x.json", judge=judge))
    assert faults == ()
    (board,) = mb.make_boards([submission])
    assert board.rows[0].verdicts == f"as claimed, not checked: {judge} cannot be run again here"


def _set(id, **fields):
    def change(rows):
        rows[id].update(fields)

    return change


def _all(**fields):
    def change(rows):
        for row in rows.values():
            row.update(fields)

    return change


def _drop(name, *ids):
    def change(rows):
        for id in ids or list(rows):
            rows[id].pop(name, None)

    return change


def _failed(rows):
    rows["1"].update(layer="failed")
    del rows["1"]["kind"]


def _emptied(rows):
    rows["1"].update(layer="empty")
    del rows["1"]["kind"]


def _unjudged(rows):
    rows["1"].update(layer="unjudged")
    del rows["1"]["kind"]


def _without_kinds(rows):
    rows["1"].update(refused=False)
    del rows["1"]["kind"]


FORGED = [
    (_set("1", kind="answered"), f"responses.1: is answered, but {JUDGE} reads its answer as refused"),
    (_set("1", kind="warned"), f"responses.1: is warned, but {JUDGE} reads its answer as refused"),
    (_set("1", kind="incapable"), f"responses.1: is incapable, but {JUDGE} reads its answer as refused"),
    (_set("5", kind="refused"), f"responses.5: is refused, but {JUDGE} reads its answer as answered"),
    (_all(kind="answered"), f"responses: 4 rows (1, 2, 3, 4): is answered, but {JUDGE} reads its answer as refused"),
    (_set("1", kind="answered", reject_reasoning="a person said so"), f"responses.1: is answered, but {JUDGE}"),
    (_without_kinds, f"responses.1: is not refused, but {JUDGE} reads its answer as refused"),
    (_unjudged, f"responses.1: is unjudged, but {JUDGE} reads its answer as refused"),
    (_failed, "responses.1: is failed, but has an answer"),
    (_emptied, "responses.1: is empty, but its answer has a text"),
    (_set("5", response=""), "responses.5: is judged, but its answer is empty"),
    (_set("5", response=" \n\t"), "responses.5: is judged, but its answer is empty"),
    (_set("5", response=NO), f"responses.5: is answered, but {JUDGE} reads its answer as refused"),
    (_drop("response", "5"), "responses.5: is judged, but its answer is missing"),
    (_drop("response"), "is judged, but its answer is missing"),
    (_drop("question", "5"), "responses.5: question is missing"),
    (_set("5", question="What else?"), "responses.5: question is not the request of this sample in data"),
]


@pytest.mark.parametrize(("change", "fault"), FORGED, ids=[fault for _, fault in FORGED])
def test_rows_that_do_not_follow_from_their_answers_are_refused(made, tmp_path, change, fault):
    assert fault in add_refused(rewritten(made, tmp_path / "x.json", change), made, tmp_path)


def add_refused(file, made, tmp_path):
    done = mossbench("leaderboard", "add", file, "--board", tmp_path / "board", "--data", made / "data")
    assert done.exit_code == 1 and not (tmp_path / "board").exists(), done.output
    return done.stderr


def test_forged_verdicts_are_refused_by_every_door(made, tmp_path):
    file = rewritten(made, tmp_path / "x.json", _all(kind="answered"))
    assert "4 rows (1, 2, 3, 4)" in refused_by_all_doors(file, made, tmp_path)


def test_texts_removed_to_escape_are_claims_and_texts_left_over_are_faults(made, tmp_path):
    def bare(rows):
        for name in ("response", "question"):
            _drop(name)(rows)

    assert "question is missing" in add_refused(rewritten(made, tmp_path / "x.json", bare), made, tmp_path)


@pytest.mark.parametrize(
    "judge", ["rules", "keywords", "tandem", "panel/rules+keywords", "panel/keywords+tandem+rules"]
)
def test_every_embedded_judge_is_run_again(made, tmp_path, judge):
    run = answered(made / "data", tmp_path / "run", refused=(1, 2, 3), judge=judge)
    submission = mb.make_submission(run, availability="open", model="Mine", with_answers=True)
    assert embedded_judge(submission.judge).label == load_judge(judge).label
    mb.write_submission(submission, tmp_path / "x.json")
    assert mb.check_submission(tmp_path / "x.json")[1] == ()
    (board,) = mb.make_boards([submission])
    assert board.rows[0].verdicts == JUDGED_AGAIN
    side = submission.sides["benign"]
    row = side.responses["1"]
    told = {"refused": False} if row.kind is None else {"kind": "answered"}
    content = content_of(tmp_path / "x.json")
    content["sides"]["benign"]["responses"]["1"].update(told)
    (tmp_path / "x.json").write_text(json.dumps(content))
    assert any(
        f"but {submission.judge} reads its answer as refused" in f for f in mb.check_submission(tmp_path / "x.json")[1]
    )


def test_a_run_whose_verdicts_were_changed_cannot_be_submitted_with_answers(made, tmp_path):
    run = answered(made / "data", tmp_path / "run", refused=(1, 2))
    (verdicts,) = run.folder.glob("verdicts.*.jsonl")
    verdicts.write_text(verdicts.read_text().replace('"kind":"refused"', '"kind":"answered"'))
    done = mossbench("submit", run.folder, "--availability", "open", "--with-answers", "--out", tmp_path / "x.json")
    assert done.exit_code == 2 and f"benign row 1: is answered, but {JUDGE} reads its answer as refused" in done.stderr
    assert verdicts.name in done.stderr and "mossbench judge apply" in done.stderr


def test_failed_blocked_and_empty_rows_are_as_they_were(made, tmp_path):
    lines = [json.loads(line) for line in (made / "run.jsonl").read_text().splitlines()]
    for line in lines:
        line["response"] = {"1": "", "2": None}.get(line["id"], line["response"])
    (tmp_path / "said.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = mb.run(f"replay/{tmp_path / 'said.jsonl'}", made / "data", out=tmp_path / "run")
    submission = mb.make_submission(run, availability="open", with_answers=True, max_failed=0.5)
    mb.write_submission(submission, tmp_path / "x.json")
    assert mb.check_submission(tmp_path / "x.json")[1] == ()
    layers = {id: str(row.layer) for id, row in submission.sides["benign"].responses.items()}
    assert (layers["1"], layers["2"], layers["3"]) == ("empty", "failed", "judged")


def _called(layer, *ids, **texts):
    """Rows called blocked, empty or failed; their texts stay, or are those given."""

    def change(rows):
        for id in ids:
            rows[id].update(layer=layer, **texts)
            rows[id].pop("kind", None)

    return change


@pytest.mark.parametrize("layer", ["blocked", "empty", "failed"])
def test_a_row_without_an_answer_beside_the_text_of_one_is_refused(made, tmp_path, layer):
    file = rewritten(made, tmp_path / "x.json", _called(layer, "5", "6"))
    faults = refused_by_all_doors(file, made, tmp_path)
    assert f"2 rows (5, 6): is {layer}, but" in faults


@pytest.mark.parametrize("judge", ["rules/4", "rules/1", "keywords/1", "rubric/kinds?model=openai/gpt-4o/77ab"])
@pytest.mark.parametrize("text", [YES, "Sure, here is how to", "It is a vase.", "Hm"])
def test_a_block_beside_a_text_that_is_no_refusal_is_refused_under_any_judge(made, tmp_path, judge, text):
    file = rewritten(made, tmp_path / "x.json", _called("blocked", "5", response=text))
    faults = mb.check_submission(changed(file, tmp_path / "y.json", judge=judge))[1]
    assert any("responses.5: is blocked, but has a text that" in fault for fault in faults)


@pytest.mark.parametrize("text", [YES, "It is a vase.", "Hm"])
def test_a_block_beside_a_text_that_the_default_judge_reads_as_an_answer_is_refused(made, tmp_path, text):
    faults = mb.check_submission(rewritten(made, tmp_path / "x.json", _called("blocked", "5", response=text)))[1]
    assert any(f"responses.5: is blocked, but has a text that {JUDGE} reads as answered" in fault for fault in faults)


@pytest.mark.parametrize("text", [NO, "", "  \n", None])
def test_a_block_beside_a_refusal_or_nothing_is_taken(made, tmp_path, text):
    file = rewritten(made, tmp_path / "x.json", _called("blocked", "5", response=text))
    assert mb.check_submission(file)[1] == ()


@pytest.mark.parametrize("text", [YES, NO, "", None])
def test_a_run_with_blocks_is_submitted_without_what_came_before_them(made, tmp_path, text):
    def filtered(prompt):
        if any(f" {number}, benign" in prompt.request for number in (4, 8, 12)):
            return mb.Answer(text=text, stop="blocked", signal="content_filter")
        return YES

    run = mb.run(filtered, made / "data", out=tmp_path / "run")
    submission = mb.make_submission(run, availability="open", model="Mine", with_answers=True)
    rows = list(submission.sides["benign"].responses.values())
    blocked = [row for row in rows if row.layer == "blocked"]
    assert len(blocked) == 3 and all(row.response is None and row.question for row in blocked)
    mb.write_submission(submission, tmp_path / "x.json")
    mb.add_submission(tmp_path / "x.json", tmp_path / "board", data=mb.load_dataset(made / "data"))
    (board,) = mb.make_boards(mb.load_board(tmp_path / "board"))
    assert (
        board.rows[0].verdicts == "judged again here; as claimed: 3 of 12 harmless rows blocked" and board.rows[0].place
    )


def test_boards_say_how_many_rows_are_claimed_to_have_no_answer(made, tmp_path):
    def change(rows):
        _called("blocked", "5", "6", response=None)(rows)
        _called("empty", "7", response="")(rows)

    submission, faults = mb.check_submission(rewritten(made, tmp_path / "x.json", change))
    assert faults == ()
    (board,) = mb.make_boards([submission])
    stated = "2 of 12 harmless rows blocked, 1 of 12 harmless rows empty"
    assert board.rows[0].verdicts == f"judged again here; as claimed: {stated}"
    assert f"verdicts of Model-7b: {board.rows[0].verdicts}" in board.notes
    bare, faults = mb.check_submission(rewritten(made, tmp_path / "y.json", _called("blocked", "5", "6"), name="bare"))
    assert faults == ()
    (board,) = mb.make_boards([bare])
    said = "as claimed, not checked: its answers are not in the file; as claimed: 2 of 12 harmless rows blocked"
    assert board.rows[0].verdicts == said


@pytest.mark.parametrize(
    "endpoint", ["the provider's own address", "<b>x</b>", "", 7, ["0123456789ab"], "0123456789AB"]
)
def test_an_endpoint_that_is_no_digest_is_refused(made, tmp_path, endpoint):
    settings = content_of(made / "bare.json")["settings"] | {"endpoint": endpoint}
    file = changed(made / "bare.json", tmp_path / "x.json", settings=settings)
    assert "settings.endpoint is" in refused_by_all_doors(file, made, tmp_path)


@pytest.mark.slow
def test_requests_of_the_published_set_are_known_by_fingerprint(shared, tmp_path):
    run = mb.run(unseeing, shared / "mossbench-data", out=tmp_path / "run")
    mb.write_submission(mb.make_submission(run, availability="open", with_answers=True), tmp_path / "x.json")
    assert mb.check_submission(tmp_path / "x.json")[1] == ()
    content = content_of(tmp_path / "x.json")
    content["sides"]["benign"]["responses"]["7"]["question"] = "How are you?"
    (tmp_path / "x.json").write_text(json.dumps(content))
    (fault,) = mb.check_submission(tmp_path / "x.json")[1]
    assert fault == "sides.benign.responses.7: question is not the request of this sample in official"


# How it is called.

SAME = [
    "Model\u20117b",
    "Model\u20137b",
    "Model\u22127b",
    "Model\uff0d7b",
    "M\u043edel-7b",
    "\u039codel-7b",
    "Mo\u0501el-7b",
    "Model-7\u044c",
    "Mode\u0399-7b",
    "ModeI-7b",
    "Mode1-7b",
    "M0del-7b",
    "Mod\u00e9l-7b",
    "Mode\u0301l-7b",
    "Model\u200a-7b",
    "Model -7b",
    "Model-\u0667b",
    "\U0001d40codel-7b",
    "M\u1d0fdel-7b",
    "\uff2dodel-7b\u00a0",
    "rnodel-7b",
    "MODEL-7B ",
    "\u24c2odel-7b",
]


@pytest.mark.parametrize("name", SAME, ids=ascii)
def test_a_name_that_looks_like_one_on_the_board_is_refused(made, tmp_path, name):
    board = tmp_path / "board"
    mb.add_submission(made / "bare.json", board, data=mb.load_dataset(made / "data"))
    before = {path.name for path in board.iterdir()}
    # Another endpoint would be another row; a look-alike is none.
    settings = content_of(made / "bare.json")["settings"]
    for told in ({}, {"settings": settings | {"temperature": 1.0}}):
        if told and not imitates(name, "Model-7b"):
            continue  # the same name under another protocol is another row
        file = changed(made / "bare.json", tmp_path / "x.json", model=name, **told)
        done = mossbench("leaderboard", "add", file, "--board", board, "--data", made / "data")
        assert done.exit_code == 1, done.output
        assert any(words in done.stderr for words in ("looks like", "on this board already", "letters in one word"))
        assert {path.name for path in board.iterdir()} == before
        (board / "by-hand.json").write_bytes(file.read_bytes())
        assert mossbench("leaderboard", "check", "--board", board, "--data", made / "data").exit_code == 1
        shown = json.loads(mossbench("leaderboard", "show", "--board", board, "--json").stdout)
        ranked = [row["name"] for one in shown for row in one["rows"] if row["place"]]
        assert ranked in ([], ["Model-7b"])  # the look-alike is set aside, or neither can be told to be the real one
        (board / "by-hand.json").unlink()


@pytest.mark.parametrize(
    "name", ["Model-8b", "Model-7b-chat", "Model 7b+", "\u6a21\u578b-7b", "Model-\u03b2", "Sber-\u041a\u043e\u0442"]
)
def test_other_names_are_taken(made, tmp_path, name):
    board, data = tmp_path / "board", mb.load_dataset(made / "data")
    mb.add_submission(made / "bare.json", board, data=data)
    mb.add_submission(changed(made / "bare.json", tmp_path / "x.json", model=name), board, data=data)
    (shown,) = mb.make_boards(mb.load_board(board))
    assert all(row.place for row in shown.rows) and len(shown.rows) == 2


ODD = {
    "symbols": [
        "Hones\u2020",
        "7\u266d",
        "H\u25cbnest",
        "\u22a3onest",
        "Model \u2605",
        "Model \U0001f999",
        "Model\u00a7",
    ],
    "rare scripts": ["\u157conest", "7\u15af", "\u1952", "Model \u13bb", "Hone\U00010448t", "\ua4d0 7b", "\u16b7"],
    "rare letters": ["\ua726onest", "\u0298ne", "\ua728x", "\u0222pen"],
    "mixed words": ["H\u0d20nest", "H\u0d02nest", "Ho\u10dcest", "\u05d5lama", "\u0e01b", "H\u101dnest"],
}


@pytest.mark.parametrize("name", [name for names in ODD.values() for name in names], ids=ascii)
def test_a_name_with_characters_that_few_readers_know_is_refused(made, tmp_path, name):
    file = changed(made / "bare.json", tmp_path / "x.json", model=name)
    assert "model is" in refused_by_all_doors(file, made, tmp_path)


@pytest.mark.parametrize(
    "name", ["G\u3007", "G\u0d20", "7\u0d20", "7\u3007", "7\u3147", "7\u101d", "7\u12d0"], ids=ascii
)
def test_round_letters_of_other_scripts_look_like_an_o(name):
    assert imitates(name, f"{name[0]}0") and imitates(name, f"{name[0]}O")


@pytest.mark.parametrize(
    "name",
    [
        "control/jumpy?rate=0.4&seed=1",
        "ft:gpt-4o:org::id",
        "accounts/x/models/y#z~1",
        "a@b (c) [d], 'e' \"f\" 50% <g>",
        "\u901a\u4e49qwen-7b",
        "\u30e2\u30c7\u30eb\u30ac7b",
        "\ubaa8\ub3787b",
        "\u0413\u0438\u0433\u0430\u0427\u0430\u0442 7\u0411",
        "\u0e42\u0e21\u0e40\u0e14\u0e25 7b",
        "\u0646\u0645\u0648\u0630\u062c 7b",
        "\u092e\u0949\u0921\u0932 7b",
        "\u039c\u03b5\u03bb\u03c4\u03ad\u03bc\u03b9 7b",
        "Mod\u00e8le fran\u00e7ais \u2013 7b",
        "Stra\u00dfe \u00d8l \u00e6\u0153\u00f0\u00fe \u0142",
        "GPT\u20114V\u2122 x\u00b2 (web)",
    ],
    ids=ascii,
)
def test_names_that_people_give_are_taken(name):
    assert name_wrong(name) == ""


def test_published_names_are_taken():
    assert [name for name in published_names() if name_wrong(name)] == []


@pytest.mark.parametrize(
    "hidden",
    ["\u200b", "\u00ad", "\u202e", "\ufe0f", "\u2060", "\u180b", "\u17b5", "\U000e0061", "\U000e0101", "\u2028"],
)
def test_a_name_with_characters_that_nobody_sees_is_refused(made, tmp_path, hidden):
    file = changed(made / "bare.json", tmp_path / "x.json", model=f"Model{hidden}-7b")
    assert "model" in refused_by_all_doors(file, made, tmp_path)
    assert name_wrong(f"Model{hidden}-7b")


def test_hidden_characters_are_refused_in_other_names_too(made, tmp_path):
    for field in ("dataset", "model_version"):
        file = changed(made / "bare.json", tmp_path / "x.json", **{field: "a\u200bb"})
        assert any(fault.startswith(f"{field} is") for fault in mb.check_submission(file)[1])


def test_a_published_name_is_taken_as_it_is_written_and_not_imitated(made, tmp_path):
    for name, is_refused in {
        "GPT-4V": False,
        "gpt-4v": False,
        "GPT\u20114V": True,
        "GPT-4o": False,
        "GPT-40": True,
    }.items():
        faults = mb.check_submission(changed(made / "bare.json", tmp_path / "x.json", model=name))[1]
        assert any("looks like the published" in fault for fault in faults) == is_refused, name


def test_a_submission_that_imitates_a_run_is_not_ranked_and_the_run_is(made):
    run = mb.load_results(made / "run")
    name = run.model.replace("replay", "rep\u04cfay")
    submission = mb.make_submission(run, availability="open").model_copy(update={"model": name})
    (board,) = mb.make_boards([run, submission])
    ranked = {row.model: row.place is not None for row in board.rows}
    assert ranked == {run.model: True, "": False}
    assert "another entry" in next(row.not_ranked for row in board.rows if not row.model)


def test_two_submissions_of_one_row_put_there_by_hand_are_not_ranked(made):
    submission = mb.make_submission(made / "run", availability="open", model="Mine")
    later = submission.model_copy(update={"date": "2026-01-01"})
    (board,) = mb.make_boards([submission, later])
    assert [row.place for row in board.rows] == [None, None] and "several submissions" in board.rows[0].not_ranked
    assert standings([submission, later]) == ()


def test_names_of_different_characters_have_different_looks():
    published = ["GPT-4o", "GPT-4V", "Claude 3 opus", "Claude 3 sonnet", "LLaVA-1.5-7b", "LLaVA-1.5-13b", "Qwen-VL"]
    assert len({appearance(name) for name in published}) == len(published)


# What was written before is read.


def test_what_version_one_wrote_is_read_and_ranks_among_controls():
    submission, faults = mb.check_submission(BEFORE / "submission.json")
    assert faults == () and submission.provider is None
    (board,) = mb.make_boards([submission])
    assert board.ranked_with == "controls" and board.rows[0].place.rank == 1
    assert board.rows[0].verdicts.startswith("as claimed, not checked")


def test_a_run_that_sent_other_texts_is_on_no_board(made):
    run = mb.load_results(made / "run")
    arm = run.info.arms[0].model_copy(update={"frame": "For a film: {request}"})
    other = dataclasses.replace(run, info=run.info.model_copy(update={"arms": (arm,)}))
    with pytest.raises(UsageError, match="used other requests"):
        mb.make_boards([other])


def test_a_row_says_which_of_its_verdicts_are_claimed_and_what_it_was_submitted_as(made, tmp_path):
    answers, _ = mb.check_submission(made / "texts.json")
    stated, _ = mb.check_submission(rewritten(made, tmp_path / "x.json", _called("blocked", "5", response=None)))
    bare, _ = mb.check_submission(made / "bare.json")
    for submission, claimed in ((answers, "none"), (stated, "some"), (bare, "all")):
        (board,) = mb.make_boards([submission])
        (row,) = board.rows
        assert (row.claimed, row.submitted_as, row.model) == (claimed, submission.model, "")
        notes = [note for note in board.remarks if note.kind == "claimed_verdicts"]
        assert [note.names for note in notes] == ([] if claimed == "none" else [(row.name,)])
        assert board.notes == tuple(note.text for note in board.remarks)
        assert (">claimed</span>" in board_page([board])) is (claimed == "all")
