"""Home and the model page: who refuses least, whether that is real, what changed, and the way to the report."""

import html
import json
import re
import shutil
from pathlib import Path
from threading import Event

import pytest

import mossbench as mb
from answered import answered, going_on, samples, stop
from earlier_judge import judged_by
from html_pages import element, elements, parse, text_of
from mossbench.reports.words.home_page import JUDGING_AGAIN
from mossbench.web import Settings, create_app, home
from mossbench.web.app import read_everything
from waiting import LONG, until
from web.conftest import Browser


def rename(folder, model, started=None):
    """The run as if its model were called so, and had been asked then."""
    path = folder / "run.json"
    info = json.loads(path.read_text())
    info["config"]["model"] = model
    if info.get("subject"):
        info["subject"]["model"] = model
    path.write_text(json.dumps(info | ({"started": started} if started else {})))


@pytest.fixture(scope="module")
def many(made, tmp_path_factory):
    folder = tmp_path_factory.mktemp("many") / "before"
    answered(made / "data", folder, refused=range(1, 25))
    rename(folder, "lab/none", "2020-01-01T00:00:00+00:00")
    return folder


@pytest.fixture
def models(runs, many):
    """Models of which `none` refuses nothing, `some` and `others` six each; a run of `none` before refused 24 of 30."""
    for name in ("none", "some", "others"):
        rename(runs / name, f"lab/{name}")
    shutil.copytree(many, runs / "before")
    return runs


def test_a_model_that_is_ranked_alone_is_not_called_the_one_that_refuses_least(browser, runs):
    rename(runs / "some", "lab/some")
    for name in ("none", "others"):
        shutil.rmtree(runs / name)
    rows = [text_of(row) for row in elements(browser.get("/").text, ".finding")]
    assert rows[0].startswith("The only model ranked lab/some")


def test_home_leads_with_one_verdict_and_three_rows(browser, models):
    page = browser.get("/").text
    assert text_of(element(page, "h1")) == "lab/none , lab/some or lab/others refuses least without being less safe"
    rows = [text_of(row) for row in elements(page, ".finding")]
    assert rows[0].startswith("Refuses least without being less safe lab/none refuses 0.0")
    assert rows[1].startswith("Changed since last time lab/none refuses 80.0 points fewer harmful")
    assert rows[2].startswith("Needs attention failing is not ranked")
    assert "/leaderboard" in page and 'aria-current="page">Home' in page


def test_every_model_is_drawn_with_both_intervals_in_a_table_and_leads_to_its_page(browser, models):
    page = browser.get("/").text
    wide = element(page, "svg.field.wide")
    for name in ("none", "some", "others"):
        mark = element(wide, f"a[aria-label^=lab/{name}:]")
        assert browser.get(mark["href"]).status_code == 200 and f"refused={name}" in mark["href"]
        assert f'<a href="/models/lab/{name}">lab/{name}</a>' in page
    assert wide.markup.count('class="whisker') == 6  # the fourth has too many failed rows
    assert browser.get("/models/lab/some").status_code == 200


def test_the_mark_of_a_model_leads_to_the_harmless_samples_that_it_refused(browser, models):
    mark = element(browser.get("/").text, "svg.field.wide a[aria-label^=lab/some:]")
    assert "20.0\u202f% (" in mark["aria-label"] and ", n = 30 of harmless" in mark["aria-label"]
    samples_page = browser.get(mark["href"]).text
    assert text_of(element(samples_page, "h1")).startswith("6 samples")
    assert browser.get("/samples?refused=none-such").status_code == 404


@pytest.mark.slow
def test_three_clicks_lead_from_home_over_the_model_to_its_report(browser, models):
    home = browser.get("/").text
    model = browser.get(re.search(r'href="(/models/lab/none)"', home)[1]).text
    report = re.search(r'href="(/runs/none)"', model)[1]
    assert "none" in browser.get(report).text


def test_a_change_since_the_last_run_is_a_paired_difference_with_its_interval(browser, models):
    home, model = text_of(browser.get("/").text), text_of(browser.get("/models/lab/none").text)
    assert re.search(r"lab/none before → none data benign@\w+ contrast@\w+ −80.0 \(", home)  # on the samples of both
    for page in (home, model):
        assert re.search(r"lab/none refuses fewer harmless requests than before, under other .*\): −80.0 \(", page)


def test_a_change_since_a_run_of_an_earlier_version_is_that_of_one_judge(browser, models):
    judged_by(models / "before", "rules/3", invert=True)

    def read():
        page = text_of(browser.get("/").text)
        return page if "here reader/2 has judged its 60 answers again" in page else None

    page = until(read)
    assert re.search(r"lab/none before → none data benign@\w+ contrast@\w+ −80.0 \(", page)
    assert "before was judged by rules/3" in page


def test_while_earlier_runs_are_judged_again_home_says_so_and_comes_again(browser, models, monkeypatch):
    judged_by(models / "before", "rules/3", invert=True)
    may_go_on = Event()
    monkeypatch.setattr(home, "changes", slowly(home.changes, may_go_on))
    page = browser.get("/").text
    assert JUDGING_AGAIN in text_of(page) and "data-reload" in page
    assert "There is nothing to compare" not in text_of(page)
    may_go_on.set()
    until(lambda: JUDGING_AGAIN not in text_of(browser.get("/").text))


def slowly(make, may_go_on):
    """`changes`, which waits where it judges again."""

    def wait(runs, *, judges_again=True):
        if judges_again:
            assert may_go_on.wait(LONG)
        return make(runs, judges_again=judges_again)

    return wait


def test_settings_that_differ_between_runs_are_named(browser, models):
    path = models / "none" / "run.json"
    info = json.loads(path.read_text())
    info["model_version"] = "2026-02"
    path.write_text(json.dumps(info))
    assert re.search(r"version: \S+ and 2026-02", text_of(browser.get("/models/lab/none").text))


def test_runs_with_another_prompt_are_no_change_since_the_last_run(browser, models, made):
    for name, settings in {"none-again": {"system": "Be brief."}, "some-again": {}}.items():
        answered(made / "data", models / name, refused=range(1, 7) if "some" in name else (), **settings)
        rename(models / name, f"lab/{name.removesuffix('-again')}", "2999-01-01T00:00:00+00:00")
    home = text_of(browser.get("/").text)
    assert "none-again" not in home.split("What changed since")[1].split("Latest runs")[0]
    assert "No significant change for lab/some, paired on the same samples and corrected for 2 comparisons." in home
    model = text_of(browser.get("/models/lab/none").text)
    assert "Other settings," in model and "first run" not in model


def test_a_run_on_the_board_of_its_own_folder_stands_on_home_once(browser, models, made, tmp_path):
    own = mb.make_submission(models / "some", availability="open")
    mb.add_submission(
        mb.write_submission(own, tmp_path / "own.json"), models / "board", data=mb.load_dataset(made / "data")
    )
    assert "lab/some (submission" not in browser.get("/").text
    board = text_of(browser.get("/leaderboard").text)
    assert "lab/some (submission" not in board and "the submission of lab/some, which is the run some" in board
    path = models / "some" / "run.json"
    info = json.loads(path.read_text())
    info["config"]["temperature"] = 1.0  # no longer what was submitted
    path.write_text(json.dumps(info))
    assert "Not ranked: the submission" not in text_of(browser.get("/leaderboard").text)


@pytest.mark.slow
def test_only_models_of_one_protocol_stand_in_one_picture(browser, models, made):
    answered(made / "data", models / "few", limit=10)
    rename(models / "few", "lab/few")
    page = browser.get("/").text
    assert "lab/few" not in element(page, "svg.field.wide").markup
    other = re.search(r'href="(/\?protocol=\w+)"', page)[1]
    assert 'aria-label="lab/few: ' in browser.get(other).text
    assert browser.get("/?protocol=none-such").status_code == 200


def test_the_model_page_groups_by_any_column_that_the_samples_have(browser, models):
    page = browser.get("/models/lab/some").text
    assert "By stimulus" in page and "Negated Harm" in page
    wrong = browser.get("/models/lab/some?by=none-such")
    assert wrong.status_code == 404 and "none-such" in wrong.text


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/models/none-such", "/models", "/models/", "/models/a%00b", "/models?model=../x"])
def test_a_model_without_runs_is_not_found(browser, path):
    assert browser.get(path).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("name", ["own model?rate=0.4&x=<b>#1", "../up", "a//b", "ü/模型", "x" * 300, "."])
def test_any_name_of_a_model_has_a_page(browser, models, name):
    rename(models / "some", name)
    link = re.search(
        r'<th scope="row" role="rowheader" class="name"><a href="(/models[^"]*)">(?!lab)', browser.get("/").text
    )
    page = browser.get(link[1].replace("&amp;", "&"))
    assert page.status_code == 200 and "<b>#1" not in page.text and 'href="/runs/some"' in page.text


@pytest.mark.slow
def test_gates_come_from_the_suite_or_from_a_file_beside_the_runs(browser, models):
    (models / "gates.toml").write_text("[gates.release]\nmax_refusal = 0.05\nmode = 'lenient'\nas_read = true\n")
    assert 'data-state="fail">release: fail' in browser.get("/models/lab/some").text
    assert 'data-state="pass">release: pass' in browser.get("/models/lab/none").text
    home = browser.get("/").text
    assert "release: fail" in home and "release: pass" in home
    path = models / "some" / "run.json"
    names = dict.fromkeys(("suite", "model", "prompt", "data", "arm"), "s")
    suite = {**names, "gates": [{"name": "own", "max_refusal": 0.9, "mode": "lenient"}]}
    path.write_text(json.dumps(json.loads(path.read_text()) | {"suite": suite}))
    page = browser.get("/models/lab/some").text
    assert "own: pass" in page and "release" not in page
    path.write_text(json.dumps(json.loads(path.read_text()) | {"suite": names}))
    assert "release" not in browser.get("/models/lab/some").text  # a suite without gates has none


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["", "# no gate\n", "[gates", "[gates.a]\nmax_refusal = 7", "[gates.a]\n", "gates = 3", "[gates]\na = 1"]
)
def test_a_damaged_file_of_gates_is_said_and_breaks_nothing(browser, models, text):
    (models / "gates.toml").write_text(text)
    page = browser.get("/models/lab/some")
    assert page.status_code == 200 and "gates cannot be read" in page.text and "gates.toml" in text_of(page.text)
    assert str(models) not in page.text
    assert browser.get("/").status_code == 200


def test_no_gate_tells_where_its_files_lie(browser, models):
    (models / "gates.toml").write_text("[gates.a]\nbaseline = 'gone'\nmax_increase = 0.1\n")
    page = browser.get("/models/lab/some").text
    assert "a: cannot decide" in page and "gone" in page and str(models) not in page
    (models / "gates.toml").unlink()
    (models / "gates.toml").mkdir()
    page = browser.get("/models/lab/some").text
    assert "gates.toml cannot be read as gates: Is a directory" in page and str(models) not in page


def test_a_run_that_goes_on_shows_its_progress_and_the_page_comes_again(browser, models):
    with going_on(models / "some") as come:
        come(20)
        home, model = browser.get("/").text, browser.get("/models/lab/some").text
    for page in (home, model):
        assert "data-reload" in page and "20 of 60 answers, in progress" in text_of(page)
        assert 'value="20" max="60"' in page


def test_nothing_is_said_to_be_made_when_all_runs_are_finished(runs, made):
    app = create_app(Settings(runs, data=(str(made / "data"),)), is_demo_running=lambda: True)
    assert "start now" not in Browser(app).get("/").text


def test_an_empty_folder_has_next_steps(tmp_path):
    page = Browser(create_app(Settings(tmp_path / "empty"))).get("/").text
    assert "Next steps" in page and "mossbench run --model control/jumpy --out empty/first" in page
    assert str(tmp_path) not in page


def test_a_rate_that_is_not_known_stands_on_no_page(tmp_path):
    data = samples(tmp_path / "data", 30, sides=("benign",))
    (tmp_path / "runs").mkdir()
    answered(data, tmp_path / "runs" / "r")
    (verdicts,) = (tmp_path / "runs" / "r").glob("verdicts.*.jsonl")
    lines = [json.loads(line) for line in verdicts.read_text().splitlines()]
    for line in lines[:9]:
        line["verdict"]["unfamiliar"] = True
    verdicts.write_text("".join(json.dumps(line) + "\n" for line in lines))
    browser = Browser(create_app(Settings(tmp_path / "runs", data=(str(data),))))
    assert "No run can be ranked yet" in browser.get("/").text
    for path in ("/", "/runs"):
        page = text_of(browser.get(path).text)
        assert "not known" in page and "0.0" not in page


def test_data_without_harmful_requests_are_not_said_to_have_twins(tmp_path):
    data = samples(tmp_path / "data", 6, sides=("benign",))
    (tmp_path / "runs").mkdir()
    answered(data, tmp_path / "runs" / "r", refused=(1,))
    browser = Browser(create_app(Settings(tmp_path / "runs", data=(str(data),))))
    page = text_of(browser.get("/").text)
    assert "twin" not in page and "The only model ranked" in page and "less safe r " not in page
    assert "the line is the Pareto front" not in page and "Diamond" not in page  # nothing of the kind is drawn
    assert "the only one" in page
    answered(data, tmp_path / "runs" / "more", refused=(1, 2, 3))
    rename(tmp_path / "runs" / "more", "lab/more")
    page = text_of(browser.get("/").text)
    assert "twin" not in page and "Refuses fewest harmless requests" in page and "less safe r " not in page


def test_home_and_the_list_of_runs_name_the_same_runs_that_need_attention(tmp_path):
    data, runs = samples(tmp_path / "data", 30), tmp_path / "runs"
    runs.mkdir()
    answered(data, runs / "whole")
    answered(data, runs / "lacking", failed=[1])
    browser = Browser(create_app(Settings(runs, data=(str(data),))))
    attention = text_of(elements(browser.get("/").text, ".finding")[2])
    assert "lacking is not complete 58 of 60 answers, 2 failed" in attention and "Nothing" not in attention
    assert text_of(element(browser.get("/runs").text, "h1")) == "2 runs, 1 needs attention"
    answered(data, runs / "again")
    rename(runs / "lacking", "lab/one", "2026-01-01T00:00:00+00:00")
    rename(runs / "again", "lab/one", "2026-01-02T00:00:00+00:00")
    assert "Needs attention Nothing" in text_of(elements(browser.get("/").text, ".finding")[2])
    page = browser.get("/runs").text
    assert "superseded by again" in text_of(page) and "attention" not in text_of(element(page, "h1"))


def test_a_model_that_failed_too_often_is_not_said_not_to_have_been_asked(browser, runs):
    for name in ("some", "others"):
        shutil.rmtree(runs / name)
    for path in ("/", "/models/replay/none.jsonl"):
        page = text_of(browser.get(path).text)
        assert "o other model is ranked under this protocol" in page and "was asked under" not in page


def test_commands_name_the_folder_as_it_was_typed_and_tell_no_place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for typed, said in ((".", "./first"), ("a/b", "a/b/first"), (tmp_path / "c", "c/first")):
        (tmp_path / typed).mkdir(parents=True, exist_ok=True)
        app = Browser(create_app(Settings(Path(typed))))
        for path in ("/", "/runs"):
            page = app.get(path).text
            assert f"--out {said}<" in page and str(tmp_path) not in page


def test_the_table_begins_with_the_models_that_are_not_less_safe(tmp_path):
    data = samples(tmp_path / "data", 30)
    (tmp_path / "runs").mkdir()
    answered(data, tmp_path / "runs" / "lax")
    answered(data, tmp_path / "runs" / "strict", refused=range(1, 31))
    browser = Browser(create_app(Settings(tmp_path / "runs", data=(str(data),))))
    table = text_of(element(browser.get("/").text, "table.stack.standing"))
    assert table.index("strict") < table.index("lax") and re.search(r"lax 0\.0.* less safe Pareto front$", table)
    said = text_of(browser.get("/models/replay/lax.jsonl").text)
    assert "Refuses significantly fewer harmful requests than replay/strict.jsonl ." in said
    assert "Refuses significantly fewer harmless requests than replay/strict.jsonl ." in said
    assert "No other model refuses significantly more harmful requests." in text_of(
        browser.get("/models/replay/strict.jsonl").text
    )
    link = re.search(r'href="(/compare\?[^"]+)">Compare with', browser.get("/models/replay/lax.jsonl").text)[1]
    assert "Comparison of 2 runs" in browser.get(html.unescape(link)).text


def test_a_newer_run_that_goes_on_is_not_passed_over_in_silence(browser, models):
    stop(models / "none", 20)
    page = text_of(browser.get("/models/lab/none").text)
    assert "Newest run that is finished and judged: before" in page and "20 of 60 answers" in page


def test_a_run_that_cannot_be_read_is_named_and_does_not_break_home(browser, models):
    (models / "some" / "run.json").write_text("{")
    page = browser.get("/")
    assert page.status_code == 200 and "Cannot be read" in page.text


@pytest.mark.slow
def test_a_row_of_the_board_draws_its_ranks_and_stimuli_and_leads_to_its_model(browser, models):
    page = browser.get("/leaderboard").text
    (link,) = (link for link in elements(page, "tr[role=row] a[href=/models/lab/some]") if link.text == "lab/some")
    row = link.inside("tr")
    assert len(elements(row, ".mini")) == 5  # ranks, three stimuli, harmful
    rank = element(row, "[data-label=rank]")
    low, _, high = rank.own_text.partition("–")
    n_ranks = int(high or low) - int(low) + 1
    bar = element(rank, ".fill.rank")
    assert bar["x"].endswith("%") and bar["width"].endswith("%")
    assert float(bar["x"].rstrip("%")) == pytest.approx(100 * (int(low) - 1) / 3, abs=0.01)
    assert float(bar["width"].rstrip("%")) == pytest.approx(100 * n_ranks / 3, abs=0.01)
    assert "Exaggerated Risk</dt><dd>" in page  # and in words what the bars show


def test_the_first_view_waits_for_nothing_once_the_server_has_settled(app, models, monkeypatch):
    monkeypatch.setattr("gc.freeze", lambda: None)
    read_everything(app.state.shelf, Event())
    monkeypatch.setattr("mossbench.web.shelf.PATIENCE", 0)
    assert "refresh" not in Browser(app).http.get("/").headers


def test_a_name_of_a_model_in_a_heading_is_one_piece(browser, runs):
    rename(runs / "none", "lab/none?rate=0.4")
    page = browser.get("/models/lab/none%3Frate%3D0.4").text
    assert '<span class="whole">lab/none?rate=0.4</span> ' in page.split("<h1")[1].split("</h1>")[0]


def test_whether_a_difference_is_real_leads_to_the_pairs_behind_it(browser):
    home = parse(browser.get("/").text)
    href = element(home, "#reasons a[href^=/compare?]")["href"]
    page = browser.get(href)
    assert page.status_code == 200 and f"Comparison of {href.count('run=')} runs" in page.text


def test_latest_runs_keep_their_rates_where_a_call_failed_and_say_why_there_is_none(browser, runs, made):
    mb.run("control/candid", made / "data", out=runs / "unread", judge=None)
    answered(made / "data", runs / "outage", failed=range(1, 31))
    page = browser.get("/").text
    said = {}
    for link in elements(page, "#latest li a[href^=/runs/]"):
        said[link["href"].removeprefix("/runs/")] = text_of(link.inside("li"))
    assert "harmless 0.0 % (" in said["failing"] and "52 of 60 answers, 8 failed" in said["failing"]
    assert "60 of 60 answers, finished, not judged" in said["unread"] and "%" not in said["unread"]
    assert "0 of 60 answers, 60 failed" in said["outage"] and "%" not in said["outage"]
    assert "answers," not in said["some"]
