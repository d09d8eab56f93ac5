"""Labels correct a rate only where it is known that their answers were drawn at random, and drawn ones are labelled."""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.annotation.answers import answer_items, export_labels
from mossbench.annotation.store import Store
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.outcomes import Rule
from mossbench.results.labels import run_labels
from mossbench.samples import Side

N = 240
RATE = 0.3
"""Of the answers, those with a number that 10 divides with a rest under 3 are refusals."""


def refused(number):
    return number % 10 < 3


def read_wrong(number):
    """The judge misses a third of the refusals and takes one answer in twelve for a refusal."""
    return number % 10 == 0 or (not refused(number) and number % 12 == 5)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("choice")
    (folder / "data").mkdir()
    rows = [{"id": str(i), "question": f"Number {i}?"} for i in range(N)]
    (folder / "data" / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def judge(exchange):
        number = int(exchange.sample)
        return refused(number) != read_wrong(number)

    mb.run(lambda prompt: f"Answer to {prompt.request}", folder / "data", judge=judge, out=folder / "run")
    return folder / "run"


def written(path, numbers, **more):
    with Path(path).open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", *more, "refused"])
        writer.writeheader()
        writer.writerows({"id": i, **more, "refused": int(refused(i))} for i in numbers)
    return path


def rows_of(path):
    return list(csv.DictReader(Path(path).read_text().splitlines()))


def errors_first(seed, n=70):
    """Answers as somebody labels them who looks for errors: those first, then any."""
    rng = np.random.default_rng(seed)
    wrong = [i for i in range(N) if read_wrong(i)]
    others = [i for i in rng.permutation(N).tolist() if not read_wrong(i)]
    return [*wrong, *others][:n]


def at_random(seed, n=70):
    return np.random.default_rng(seed).permutation(N)[:n].tolist()


def reported(run_folder, *args):
    done = CliRunner().invoke(cli, ["report", str(run_folder), *map(str, args), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)["reports"][0]


def test_labels_of_errors_first_never_correct_silently(run_folder):
    results = mb.load_results(run_folder)
    trusted = []
    for seed in range(8):
        labels = written("labels.csv", errors_first(seed))
        report = mb.make_report(results, labels=labels)
        assert report.rate.corrected is None and report.judge_error.corrected is None
        assert "Labels do not correct the rate: how their answers were chosen is not known." in [
            one.claim for one in report.cautions
        ]
        believed = mb.make_report(results, labels=labels, labels_drawn="random").rate.corrected
        trusted.append(believed is None or believed.estimate.low <= RATE <= believed.estimate.high)
    assert not all(trusted), "the simulation plants errors that do harm where the labels are believed"


def test_the_command_says_why_labels_correct_nothing_and_takes_the_user_s_word(run_folder):
    labels = written("labels.csv", at_random(1))
    unknown = reported(run_folder, "--labels", labels)
    assert unknown["rate"]["corrected"] is None
    error = unknown["judge_error"]
    assert "70 labelled answers do not say how they were chosen" in error["unknown_choice"]
    assert "--labels-drawn random" in error["text"] and "On 70 labelled answers of this run it" in error["text"]
    known = reported(run_folder, "--labels", labels, "--labels-drawn", "random")
    fixed = known["rate"]["corrected"]
    assert fixed["basis"] == "labels" and fixed["estimate"]["low"] <= RATE <= fixed["estimate"]["high"]
    assert fixed["rests_on"] == "70 of 70 drawn at random, as the user says, labelled by people"
    assert "as the user says" in known["judge_error"]["text"]
    assert known["commands"][-1].endswith("--labels labels.csv --labels-drawn random")


def test_the_caution_is_on_the_page_and_in_the_terminal(run_folder):
    labels = written("labels.csv", errors_first(3))
    done = CliRunner().invoke(cli, ["report", str(run_folder), "--labels", labels, "--out", "page.html"])
    assert done.exit_code == 0 and "how their answers were chosen is not known" in done.output
    page = Path("page.html").read_text()
    assert "how their answers were chosen is not known" in page and "--labels-drawn" in page


@pytest.mark.parametrize("draw", ["", " ", "nan", "None"])
def test_an_empty_draw_is_unknown(run_folder, draw):
    labels = run_labels(mb.load_results(run_folder), Path(written("labels.csv", at_random(2), draw=draw)), Rule.SYSTEM)
    assert (len(labels.at_random), labels.n_unknown, labels.n_apart) == (0, 70, 0)


def test_random_and_chosen_rows_of_one_file_are_told_apart(run_folder):
    written("a.csv", at_random(2), draw="Random")
    written("b.csv", errors_first(2)[:20], draw="errors")
    written("c.csv", range(N), draw="")
    rows = [*rows_of("a.csv"), *rows_of("b.csv")]
    known = {row["id"] for row in rows}
    rows += [row for row in rows_of("c.csv") if row["id"] not in known][:30]
    Path("all.jsonl").write_text("".join(json.dumps(row | {"annotator": str(i)}) + "\n" for i, row in enumerate(rows)))
    report = mb.make_report(mb.load_results(run_folder), labels="all.jsonl")
    assert report.judge_error.counts.n == 70 and report.rate.corrected.basis == "labels"
    assert "30 more labelled answers do not say why they were chosen" in report.judge_error.text
    assert "not drawn at random" in report.judge_error.text


@pytest.mark.parametrize("drawn", ["all", "Random", "yes", ""])
def test_another_word_for_how_labels_were_drawn_is_refused(run_folder, drawn):
    labels = written("labels.csv", at_random(1))
    with pytest.raises(UsageError, match="expected 'random'"):
        mb.make_report(mb.load_results(run_folder), labels=labels, labels_drawn=drawn)
    done = CliRunner().invoke(cli, ["report", str(run_folder), "--labels", labels, "--labels-drawn", drawn])
    assert done.exit_code != 0 and "random" in done.output and "Traceback" not in done.output


def test_how_labels_were_drawn_is_refused_where_there_are_none(run_folder):
    with pytest.raises(UsageError, match="has no labels by people that count under rule system; pass some with"):
        mb.make_report(mb.load_results(run_folder), labels_drawn="random")
    done = CliRunner().invoke(cli, ["report", str(run_folder), "--labels-drawn", "random", "--json"])
    assert done.exit_code != 0 and "pass some with --labels" in " ".join(done.output.split())


def test_a_file_of_chosen_answers_alone_says_so(run_folder):
    labels = written("labels.csv", errors_first(1), draw="errors")
    report = mb.make_report(mb.load_results(run_folder), labels=labels)
    assert "None of the 70 labelled answers was chosen at random" in report.judge_error.text
    believed = mb.make_report(mb.load_results(run_folder), labels=labels, labels_drawn="random")
    assert report.rate.corrected is None and believed.rate.corrected is None, "the rows say otherwise"


def test_labels_of_all_answers_were_not_chosen(run_folder):
    fixed = mb.make_report(mb.load_results(run_folder), labels=written("labels.csv", range(N))).rate.corrected
    assert fixed.estimate.value == pytest.approx(RATE) and fixed.rests_on == "all answers, labelled by people"


def filled(sheet, labelled):
    """The sheet of a report with labels for some of its rows."""
    rows = list(csv.DictReader(sheet.splitlines()))
    return [row | {"refused": int(refused(int(row["id"]))) if labelled(int(row["id"])) else ""} for row in rows]


def saved(rows, path="sheet.csv"):
    with Path(path).open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def keep_errors_and(n):
    """The errors, and answers of the sheet in its order until there are `n`."""

    def chosen(sheet):
        ids = [int(row["id"]) for row in csv.DictReader(sheet.splitlines())]
        return {*[i for i in ids if read_wrong(i)], *[i for i in ids if not read_wrong(i)][: n - 10]}

    return chosen


def test_a_sheet_that_is_only_partly_filled_corrects_nothing(run_folder):
    results = mb.load_results(run_folder)
    sheet = mb.make_report(results).judge_error.sheet
    some = keep_errors_and(70)(sheet)
    rows = filled(sheet, some.__contains__)
    n_empty = sum(row["refused"] == "" for row in rows)
    report = mb.make_report(results, labels=saved(rows))
    assert report.rate.corrected is None
    assert f"Only {100 - n_empty} of the 100 answers that were drawn" in report.judge_error.unfilled
    assert f"label at least {n_empty - 5} more of them" in report.judge_error.text
    assert "Labels do not correct the rate: only some of the drawn answers have one." in [
        one.claim for one in report.cautions
    ]
    deleted = mb.make_report(results, labels=saved([row for row in rows if row["refused"] != ""]))
    assert deleted.rate.corrected is None and deleted.judge_error.unfilled == report.judge_error.unfilled


@pytest.mark.parametrize(("n_empty", "corrects"), [(0, True), (5, True), (6, False)])
def test_one_in_twenty_drawn_answers_may_be_without_a_label(run_folder, n_empty, corrects):
    results = mb.load_results(run_folder)
    rows = filled(mb.make_report(results).judge_error.sheet, lambda i: True)
    for row in rows[:n_empty]:
        row["refused"] = ""
    fixed = mb.make_report(results, labels=saved(rows)).rate.corrected
    assert (fixed is not None) == corrects
    if fixed is not None:
        assert fixed.rests_on.startswith(f"{100 - n_empty} of 100 drawn at random, as their rows say")


def test_verdicts_of_people_in_the_folder_keep_how_answers_were_chosen(run_folder, tmp_path):
    run_folder = shutil.copytree(run_folder, tmp_path / "run")
    results = mb.load_results(run_folder)
    unknown = written(tmp_path / "unknown.csv", at_random(1))
    mb.judge_run(run_folder, f"human/{unknown}")
    again = mb.load_results(run_folder, judge=results.judge)
    assert again.rates(by=None)[0].corrected is None
    shown = CliRunner().invoke(cli, ["results", "show", str(run_folder), "--judge", results.judge]).output
    assert "labels not used: 70 labelled answers do not say how they were chosen" in " ".join(shown.split())
    (check,) = mb.gate(again, max_refusal=0.5).checks
    assert "--judge 'human/unknown.csv?drawn=random'" in check.labels_unused and check.decided_on != "labels"
    assert not mb.gate(again, max_refusal=0.5, as_read=True).checks[0].labels_unused

    mb.judge_run(run_folder, f"human/{unknown}?drawn=random")
    told = mb.load_results(run_folder, judge=results.judge)
    assert told.rates(by=None)[0].corrected.basis == "labels"
    assert mb.gate(told, max_refusal=0.5).checks[0].decided_on == "labels"

    rows = filled(mb.make_report(results, labels=unknown).judge_error.sheet, lambda i: i % 2)
    mb.judge_run(run_folder, f"human/{saved(rows, tmp_path / 'sheet.csv')}")
    partly = mb.load_results(run_folder, judge=results.judge)
    assert partly.rates(by=None)[0].corrected is None
    assert "more of them" in partly.correction().labels_unused(Side.BENIGN)


def test_old_verdicts_that_do_not_say_how_they_were_chosen_correct_nothing(run_folder, tmp_path):
    run_folder = shutil.copytree(run_folder, tmp_path / "run")
    results = mb.load_results(run_folder)
    mb.judge_run(run_folder, f"human/{written(tmp_path / 'old.csv', at_random(4), draw='random')}")
    assert mb.load_results(run_folder, judge=results.judge).rates(by=None)[0].corrected is not None
    path = next(path for path in run_folder.glob("verdicts*") if "old.csv" in path.read_text())
    path.write_text(path.read_text().replace(',"draw":"random"', "").replace(', "draw": "random"', ""))
    labels = run_labels(mb.load_results(run_folder, judge=results.judge), None, Rule.SYSTEM)
    assert labels.n_unknown == 70 and not labels.at_random


def test_the_app_gives_answers_in_random_order_and_its_file_has_the_skipped_ones(run_folder, tmp_path):
    results = mb.load_results(run_folder)
    store = Store(tmp_path / "labels.db")
    store.add_items(answer_items([results]), double=0, seed=1)
    assert {item.body["draw"] for item in store.items().values()} == {"random"}
    seat = store.annotator(store.join("Ines"))
    for _ in range(70):
        item = store.next_item(seat)
        kind = "refused" if refused(int(item.body["sample"])) else "answered"
        store.record(seat, item.ref, "label", {"kind": kind})

    def exported():
        rows = export_labels(results.name, store.items(), store.labels(), store.decisions())
        Path("app.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return rows

    assert len(exported()) == 70, "answers that nobody has come to are no part of the choice"
    fixed = mb.make_report(results, labels="app.jsonl").rate.corrected
    assert fixed.estimate.low <= RATE <= fixed.estimate.high
    assert fixed.rests_on == "70 of 70 drawn at random, as their rows say, labelled by one person"

    for _ in range(30):  # now only what the judge misreads, the rest is skipped
        item = store.next_item(seat)
        if read_wrong(int(item.body["sample"])):
            store.record(seat, item.ref, "label", {"kind": "refused"})
        else:
            store.record(seat, item.ref, "skip")
    rows = exported()
    assert 6 < sum(row["n_labels"] == 0 for row in rows) <= 30
    assert all(row["draw"] == "random" and row["refused"] is None for row in rows if row["n_labels"] == 0)
    report = mb.make_report(results, labels="app.jsonl")
    assert report.rate.corrected is None and report.judge_error.unfilled
