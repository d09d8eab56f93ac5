"""Every page shows what the library says, and the address is the view."""

import json
import re
import shutil
from html import unescape
from threading import Event

import pytest

import mossbench as mb
from answered import answered, stop
from html_pages import element, elements, texts
from mossbench.errors import UsageError
from mossbench.reports.words.runs import model_name
from mossbench.results.index import RunIndex
from mossbench.ways_out import JudgeRun
from mossbench.web import Settings, create_app
from mossbench.web.pages import run_code
from mossbench.web.shelf import StillReading
from mossbench.web.site import write_site
from waiting import LONG
from web.conftest import Browser

PAGES = [
    *("/", "/leaderboard", "/runs", "/runs/some", "/compare", "/compare?run=none&run=some"),
    *("/samples", "/explorer", "/annotate", "/annotate/agreement"),
]


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_every_page_answers_and_marks_where_it_is(browser, path):
    found = browser.get(path)
    assert found.status_code == 200
    assert 'aria-current="page"' in found.text and "<h1" in found.text


@pytest.mark.slow
@pytest.mark.parametrize("path", [*PAGES, "/assets/style.css", "/runs/none-such"])
def test_head_answers_like_get_without_a_body(browser, path):
    got, head = browser.get(path), browser.http.head(path)
    assert (head.status_code, head.content) == (got.status_code, b"")
    assert head.headers["content-type"] == got.headers["content-type"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "n"),
    [
        ("", 60),
        ("?side=benign", 30),
        ("?side=contrast&stimulus=negated_harm", 10),
        ("?text=number 30, benign", 1),
        ("?text=NUMBER+benign", 30),
        ("?text=nothing has these words", 0),
        ("?human=yes", 0),
        ("?side=&stimulus=&harm=&text=&human=", 60),
    ],
)
def test_samples_are_filtered_by_what_the_address_says(browser, query, n):
    page = browser.get(f"/samples{query}").text
    assert f"<h1>{n} sample" in page
    assert page.count('class="card ') == min(n, 24)


@pytest.mark.slow
def test_a_seed_shuffles_the_same_way_every_time(browser):
    ids = [texts(browser.get(f"/samples?n=50&seed={seed}").text, "a.id") for seed in (3, 3, 4)]
    assert ids[0] == ids[1] != ids[2]
    assert ids[0] != sorted(ids[0], key=int)


def test_samples_that_most_models_refused_come_first_where_that_is_asked(browser):
    page = browser.get("/samples?side=benign&order=refused&n=50").text
    found = [int(n) for n in re.findall(r"Refused by (\d+) of", page)]
    assert found[0] == 2 and found == sorted(found, reverse=True) and len(found) == 30
    assert ">In order</a>" in page and ">Hardest first</a>" in page
    assert "Hardest first." in browser.get("/samples").text and ">Hardest first</a>" not in browser.get("/samples").text
    assert browser.get("/samples?order=other").status_code == 400


def test_a_card_has_the_outcome_of_every_model(browser):
    page = browser.get("/samples?text=number 5, benign").text
    assert "Harmless, refused by 2 of 4" in page
    marks = element(page, "span.glyphs[aria-hidden=true]")  # one for each of them
    assert len(elements(marks, "[data-kind=refused]")) == 2 and len(elements(marks, "svg")) == 4
    assert '</a>,</span> <span class="whole"><a' in page  # no comma begins a line
    assert "refused by 1 of 3" in browser.get("/samples?text=number 3, benign").text  # one call failed: no answer


def test_a_card_says_so_where_no_answer_counts(browser, runs):
    for name in ("none", "some", "others"):
        shutil.rmtree(runs / name)
    page = browser.get("/samples?text=number 3, benign").text
    assert "<summary>Harmless, no answer counts<" in page and "refused by 0 of 0" not in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "n"),
    [
        ("show=all", 30),
        ("show=differ", 9),  # 1 to 6 and 4 to 9, against those that refused none
        ("show=differ&models=some&models=others", 6),
        ("show=only&models=some&models=others&a=some", 3),
        ("show=only&a=some&b=others", 3),
        ("show=only&a=others&b=none", 6),
        ("show=differ&models=some", 0),
    ],
)
def test_the_explorer_counts_where_models_differ(browser, query, n):
    page = browser.get(f"/explorer?{query}").text
    assert (f"1 of {n}" in page) if n else ("No samples to show" in page)


def test_the_explorer_goes_to_an_id_and_on_from_there(browser):
    page = browser.get("/explorer?id=7&show=differ").text
    assert "<h1>7<small>7 of 9" in page
    following = re.search(r'rel="next" href="([^"]+)"', page)[1].replace("&amp;", "&")
    assert "id=8" in following and "<h1>8<small>8 of 9" in browser.get(following).text
    lost = browser.get("/explorer?id=no-such&show=differ&models=some&models=others")
    assert lost.status_code == 404 and "data has no harmless sample &#39;no-such&#39;" in lost.text
    assert (
        'value="differ" data-key="d" checked' in lost.text
        and f"m={run_code('some')}-{run_code('others')}&amp;id=1" in lost.text
    )
    hidden = browser.get("/explorer?id=30&show=differ").text
    assert "not among the 9 shown" in hidden and 'rel="prev"' not in hidden and "id=1" in hidden


def test_an_explorer_address_names_its_models_so_a_new_run_changes_nothing(browser, runs):
    page = browser.get("/explorer").text
    own = re.search(r'data-address="([^"]+)"', page)[1].replace("&amp;", "&")
    assert re.search(r"[?&]m=(\w{6}-){3}\w{6}", own) and len(own) < 60
    links = re.findall(r'href="(/explorer\?[^"]+)"', page)
    assert len(links) == 2 and all(re.search(r"[?&]m=(\w{6}-){3}\w{6}", link) for link in links)  # random, next
    shutil.copytree(runs / "some", runs / "new")
    assert browser.get(own).text.count('class="column"') == 4
    assert browser.get("/explorer").text.count('class="column"') == 5


def test_models_chosen_on_other_data_are_left_behind_and_unknown_ones_named(browser):
    other = browser.get("/explorer?data=sketches&models=some&a=some&show=only")
    assert other.status_code == 200 and run_code("some") not in other.text
    assert browser.get("/explorer?models=none-such").status_code == 404


def test_runs_of_one_model_are_told_apart_by_their_names(browser, runs):
    shutil.copytree(runs / "some", runs / "again")
    shown = [
        browser.get("/explorer?id=5&models=some&models=again").text,
        browser.get("/samples?text=number 5, benign").text,
        browser.get("/explorer?show=only").text,
    ]
    name = mb.load_results(runs / "some").model
    for page in shown:
        assert page.count("(some)") >= 1 and page.count("(again)") >= 1
    assert f"<code>{model_name(name)} (again)</code>" in shown[0]


def test_the_explorer_marks_evidence_and_says_why_there_is_no_answer(browser):
    assert "<mark>" in browser.get("/explorer?id=5&models=some").text
    assert "No answer, so this row does not count" in browser.get("/explorer?id=1&models=failing").text


def test_random_with_a_seed_is_the_same_sample_again(browser):
    pages = [browser.get(f"/explorer?seed={seed}").text for seed in (5, 5, 6, 7)]
    heads = [element(page, "h1").own_text for page in pages]
    assert heads[0] == heads[1] and len(set(heads)) > 1


def test_the_leaderboard_sorts_both_ways_and_downloads(browser):
    def names(query):
        page = browser.get(f"/leaderboard{query}").text
        return re.findall(r'data-whole="(replay/[^"]+)"', page)

    up, down = names("?sort=name"), names("?sort=name&order=down")
    assert len(up) == 4 and up == down[::-1]
    csv = browser.get("/leaderboard?format=csv")
    assert csv.headers["content-disposition"].startswith("attachment") and csv.text.count("\n") > 4
    assert json.loads(browser.get("/leaderboard?format=json").text)[0]["judge"].startswith("reader/")
    assert "published" in browser.get("/leaderboard").text.lower()


@pytest.mark.slow
def test_a_run_page_is_the_report_with_pictures_from_the_app(browser):
    page = browser.get("/runs/some").text
    assert "Refused harmless requests" in page and 'src="/picture?' in page and "data:image" not in page
    assert browser.get("/runs/some?rule=paper").status_code == 200
    assert browser.get("/runs/none-such").status_code == 404


def test_a_run_says_what_is_out_in_batches(browser, runs):
    rows = [["benign", "0", "plain", 1], ["benign", "1", "plain", 1]]
    (runs / "some" / "batches.jsonl").write_text(json.dumps({"name": "c", "state": "sending", "rows": rows}) + "\n")
    assert browser.get("/runs/some/progress.json").json()["state"].endswith(", 2 rows are pending in 1 batch")
    assert "2 rows are pending in 1 batch" in browser.get("/runs").text
    (runs / "some" / "batches.jsonl").write_text("junk\n")
    assert browser.get("/runs").status_code == 200


def test_a_run_that_grows_is_read_again_and_shows_how_far_it_is(browser, runs, monkeypatch):
    monkeypatch.setattr("mossbench.web.runs.FRESH", LONG)
    info = json.loads((runs / "some" / "run.json").read_text())
    (runs / "some" / "run.json").write_text(json.dumps({**info, "ended": None}))
    lines = (runs / "some" / "answers.jsonl").read_text().splitlines(keepends=True)
    (runs / "some" / "answers.jsonl").write_text("".join(lines[:20]))
    assert browser.get("/runs/some/progress.json").json() == {"n": 20, "of": 60, "going": True, "state": "in progress"}
    assert 'data-live="/runs/some/progress.json"' in browser.get("/runs/some").text
    assert "data-reload" in browser.get("/runs").text and 'value="20" max="60"' in browser.get("/runs").text
    (runs / "some" / "answers.jsonl").write_text("".join(lines))
    (runs / "some" / "run.json").write_text(json.dumps(info))
    assert browser.get("/runs/some/progress.json").json()["state"] == "finished"
    assert "data-live" not in browser.get("/runs/some").text
    assert "data-reload" not in browser.get("/runs").text


def test_a_damaged_run_is_named_and_takes_no_other_with_it(browser, runs):
    (runs / "bad").mkdir()
    (runs / "bad" / "run.json").write_text("{}")
    page = browser.get("/runs").text
    assert "Cannot be read" in page and page.count('<tr role="row" data-row') == 5
    assert "This run cannot be read" in browser.get("/runs/bad").text
    page = browser.get("/leaderboard").text
    assert "bad (bad): cannot be read: " in page and page.count('data-whole="replay/') == 4
    (runs / "bad" / "run.json").write_text("{")
    assert "damaged or of another version: not JSON" in browser.get("/runs/bad").text


@pytest.mark.slow
@pytest.mark.parametrize("how", ["cut", "gone", "unreadable"])
def test_lost_answers_are_named_on_every_page_and_cost_no_other_run(browser, runs, how):
    answers = runs / "some" / "answers.jsonl"
    lines = answers.read_text().splitlines(keepends=True)
    answers.unlink()
    if how == "cut":
        answers.write_text("".join(line for line in lines if '"sample":"5"' not in line)[:-10])
    if how == "unreadable":
        answers.mkdir()
    answers = answers.relative_to(runs)
    said = {
        "cut": "some/answers.jsonl is damaged: the run ended, but 3 of its 60 answers are missing",
        "gone": "some/answers.jsonl is damaged: the run ended, but 60 of its 60 answers are missing",
        "unreadable": "some/answers.jsonl cannot be read",
    }
    board, list_ = browser.get("/leaderboard").text, browser.get("/runs").text
    assert f"(some): cannot be read: {said[how]}" in board and board.count('data-whole="replay/') == 3
    assert f"Cannot be read: {said[how]}" in list_ and said[how] in browser.get("/runs/some").text


def test_rows_that_were_not_asked_yet_are_failed_on_no_page(browser, runs):
    stop(runs / "some", 20)
    assert "40 of 60 rows were not asked yet" in browser.get("/runs/some").text
    last = next(row.key.sample for row in mb.load_results(runs / "some").rows if row.exchange is None)
    column = browser.get(f"/explorer?id={last}&models=some").text.partition('class="columns"')[2]
    assert "This run has no answer to this sample" in column and "Failed" not in column


@pytest.mark.slow
def test_a_board_is_not_ranked_again_while_a_run_goes_on_that_is_not_on_it(browser, runs, monkeypatch):
    from mossbench.web import leaderboard

    info = json.loads((runs / "some" / "run.json").read_text())
    (runs / "some" / "run.json").write_text(json.dumps({**info, "ended": None}))
    made = []
    monkeypatch.setattr(leaderboard, "make_boards", lambda *args, **options: made.append(args) or ())
    lines = (runs / "some" / "answers.jsonl").read_text().splitlines(keepends=True)
    for n in (20, 30, 40):
        (runs / "some" / "answers.jsonl").write_text("".join(lines[:n]))
        assert browser.get("/runs/some/progress.json").json()["n"] == n
        assert "(some): not finished" in browser.get("/leaderboard").text
    assert len(made) == 1
    (runs / "some" / "run.json").write_text(json.dumps(info))
    (runs / "some" / "answers.jsonl").write_text("".join(lines))
    browser.get("/leaderboard")
    assert len(made) == 2


@pytest.mark.slow
def test_a_new_server_does_not_rank_again_what_another_has_ranked(browser, runs, made, monkeypatch):
    from mossbench.web import Settings, create_app, home, leaderboard
    from web.conftest import Browser

    pages = ("/leaderboard?format=json", "/leaderboard?format=json&rule=paper", "/")
    before = [browser.get(page).text for page in pages]
    monkeypatch.setattr(leaderboard, "make_boards", lambda *args, **options: pytest.fail("ranked again"))
    monkeypatch.setattr(home, "all_standings", lambda *args, **options: pytest.fail("compared again"))
    later = Browser(create_app(Settings(runs, data=(str(made / "data"),))))
    assert [later.get(page).text for page in pages] == before and "rate" in before[0]


def test_an_empty_folder_says_what_to_do_on_every_page(tmp_path):
    from mossbench.web import Settings, create_app
    from web.conftest import Browser

    browser = Browser(create_app(Settings(tmp_path / "nothing")))
    assert "mossbench run" in browser.get("/runs").text
    assert "can be ranked yet" in browser.get("/leaderboard").text
    assert "No run has asked" in browser.get("/explorer").text
    assert "No run has answers" in browser.get("/annotate").text
    assert "<h1>240 samples of sketches" in browser.get("/samples").text


def test_pictures_are_small_cached_and_checked(browser):
    key = re.search(r'src="(/picture\?[^"]+)"', browser.get("/samples").text)[1].replace("&amp;", "&")
    first = browser.get(key)
    assert first.headers["content-type"] == "image/webp" and "immutable" in first.headers["cache-control"]
    again = browser.get(key, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert browser.get(key.replace("size=480", "size=4000")).status_code == 400


def test_samples_with_harmful_ones_without_twins_are_not_all_called_harmless(browser):
    assert "Harmless requests that look alarming, and harmful ones." in browser.get("/samples?data=data").text


@pytest.mark.slow
def test_a_good_submission_is_added_and_a_bad_one_refused_with_every_fault(browser, runs, tmp_path):
    good = mb.write_submission(
        mb.make_submission(mb.load_results(runs / "some"), availability="open", model="mine"), tmp_path / "mine.json"
    )

    def send(content):
        file = {"file": ("<b>name</b>.json", content, "application/json")}
        return browser.post("/leaderboard/submit", page="/leaderboard", files=file)

    done = send(good.read_bytes())
    assert done.status_code == 303, done.text
    page = browser.get(done.headers["location"]).text
    assert "Added <code>" in page and ">mine<" in page
    again = send(good.read_bytes())
    assert again.status_code == 422 and "on this board already" in again.text
    broken = json.loads(good.read_text()) | {"rule": "nonsense", "mossbench": 7}
    refused = send(json.dumps(broken).encode())
    assert refused.status_code == 422 and refused.text.count("<li>") >= 2
    assert "&lt;b&gt;name" in refused.text and "<b>name" not in refused.text
    for nonsense in (b"", b"\xff\xfe", b"[" * 100_000, b"{}"):
        assert send(nonsense).status_code == 422
    assert "expected an object as mossbench submit writes it" in send(b"[]").text
    assert len(list((runs / "board").iterdir())) == 1


@pytest.mark.slow
def test_what_a_stranger_made_up_is_refused_or_said_to_be_claimed(browser, runs, tmp_path):
    made_up = mb.make_submission(runs / "some", availability="open", model="Mine-7b", with_answers=True)
    content = json.loads(made_up.to_json())

    def send(**fields):
        file = {"file": ("mine.json", json.dumps(content | fields).encode(), "application/json")}
        return browser.post("/leaderboard/submit", page="/leaderboard", files=file)

    for fields, fault in (
        ({"judge": "human/labels.csv/0a1b2c3d"}, "is a private file of labels"),
        ({"provider": "nobody"}, "provider is &#39;nobody&#39;"),
        ({"provider": None}, "provider is missing; write the file again with mossbench submit"),
        ({"model": "Mine\u200b-7b"}, "hidden or control characters"),
    ):
        answer = send(**fields)
        assert answer.status_code == 422 and fault in answer.text, answer.text
    forged = json.loads(made_up.to_json())
    row = next(row for row in forged["sides"]["benign"]["responses"].values() if row["kind"] == "refused")
    row["kind"] = "answered"
    answer = send(sides=forged["sides"])
    assert answer.status_code == 422 and "is answered, but reader/2 reads its answer as refused" in answer.text
    assert not (runs / "board").exists()

    assert send().status_code == 303 and "judged again here" in browser.get("/leaderboard").text
    answer = send(model="Mine\u20117b")
    assert answer.status_code == 422 and "looks like &#39;Mine-7b&#39; on this board" in answer.text
    not_recorded = content["settings"] | {"recorded": False}
    assert send(model="Control group", provider="control", settings=not_recorded).status_code == 303
    bare = mb.make_submission(runs / "others", availability="open", model="Bare")
    content = json.loads(bare.to_json())
    assert send().status_code == 303
    page = browser.get("/leaderboard").text
    assert "Control models, ranked among themselves." in page
    assert "as claimed, not checked: its answers are not in the file" in page
    boards = browser.get("/leaderboard?format=json").json()
    ranked = {row["name"]: board["ranked_with"] for board in boards for row in board["rows"]}
    assert (ranked["Mine-7b"], ranked["Bare"], ranked["Control group"]) == ("models", "models", "controls")
    home = browser.get("/").text
    assert "Mine-7b" in home and "Control group" not in home.split("Latest runs")[0].split("control models")[0]


@pytest.mark.slow
def test_a_model_that_was_submitted_has_a_page(browser, runs, made, tmp_path):
    mine = mb.make_submission(runs / "some", availability="open", model="acme/mine")
    mb.add_submission(
        mb.write_submission(mine, tmp_path / "mine.json"), runs / "board", data=mb.load_dataset(made / "data")
    )
    board = browser.get("/leaderboard").text
    assert '<a href="/models/acme/mine">acme/mine</a>' in board
    page = browser.get("/models/acme/mine").text
    own = browser.get(re.search(r'href="(/models/[^"]+/some[^"]*)"', board)[1]).text
    rate = element(own, "[data-label^=harmless] span.main").own_text
    assert rate and element(page, "[data-label^=harmless] span.main").own_text == rate
    assert "As submitted" in page and "By stimulus" in page and "Newest run" not in page
    another = mine.model_copy(update={"settings": {**mine.settings, "endpoint": "0123456789ab"}})
    mb.add_submission(
        mb.write_submission(another, tmp_path / "b.json"), runs / "board", data=mb.load_dataset(made / "data")
    )
    page = browser.get("/models/acme/mine").text  # under one protocol: not said to be asked otherwise
    assert "submission 2 of" in page and "Other settings" not in page
    assert f"judge {mine.judge}" in page and "/runs/submission" not in page
    assert browser.get("/models/acme/other").status_code == 404


def test_a_run_that_is_served_is_not_put_onto_the_board_as_a_submission_too(browser, runs, tmp_path):
    own = mb.make_submission(runs / "some", availability="open")
    file = mb.write_submission(own, tmp_path / "own.json").read_bytes()
    done = browser.post(
        "/leaderboard/submit", page="/leaderboard", files={"file": ("own.json", file, "application/json")}
    )
    assert done.status_code == 400 and "The board has this run already: &#39;some&#39;" in done.text
    assert not (runs / "board").exists()


@pytest.mark.slow
def test_a_damaged_submission_is_named_and_takes_no_other_with_it(browser, runs, made, tmp_path):
    for name in ("some", "others"):
        submission = mb.make_submission(runs / name, model=f"model {name}", availability="open")
        mb.add_submission(
            mb.write_submission(submission, tmp_path / f"{name}.json"),
            runs / "board",
            data=mb.load_dataset(made / "data"),
        )
    damaged = next((runs / "board").glob("model-some*"))
    damaged.write_text(damaged.read_text()[:-100])
    page = browser.get("/leaderboard").text
    assert "model others" in page and "model some" not in page
    assert f"submission {damaged.name} is damaged: not JSON" in page
    file = {"file": ("mine.json", (tmp_path / "some.json").read_bytes(), "application/json")}
    answer = browser.post("/leaderboard/submit", page="/leaderboard", files=file)
    assert answer.status_code == 422 and f"remove {damaged.name} first" in answer.text
    other = mb.make_submission(runs / "some", model="yet another", availability="open")
    file = {"file": ("mine.json", other.to_json().encode(), "application/json")}
    assert browser.post("/leaderboard/submit", page="/leaderboard", files=file).status_code == 303
    renamed = other.model_copy(update={"model": "a fourth", "dataset": "not data"})
    file = {"file": ("mine.json", renamed.to_json().encode(), "application/json")}
    answer = browser.post("/leaderboard/submit", page="/leaderboard", files=file)
    assert answer.status_code == 422 and "samples with this hash are &#39;data&#39;; use that name" in answer.text
    assert len(list((runs / "board").iterdir())) == 3


@pytest.mark.slow
def test_runs_asked_differently_have_boards_of_their_own_here_and_on_the_site(runs, made, tmp_path):
    ways = {
        "picked": {"ids": [str(i) for i in range(1, 11)]},
        "warm": {"temperature": 1.0},
        "short": {"max_tokens": 10},
        "kind": {"system": "Be kind."},
        "careful": {"system": "Be careful."},
    }
    for name, options in ways.items():
        answered(made / "data", runs / name, **options)
    settings = Settings(runs, data=(str(made / "data"),))
    browser = Browser(create_app(settings))
    boards = [one for one in browser.get("/leaderboard?format=json").json() if not one["published"]]
    rows = sorted(sorted(row["source"] for row in one["rows"]) for one in boards)
    assert rows == sorted([["failing", "none", "others", "some"], *([name] for name in ways)])
    unranked = {row["source"] for one in boards for row in one["rows"] if row["not_ranked"]}
    assert unranked == {"failing"}
    for page in (browser.get("/leaderboard").text, (write_site(settings, tmp_path / "s") / "index.html").read_text()):
        for words in ("temperature 1", "max tokens 10", "Be kind.", "Be careful.", "10 chosen (ids "):
            assert words in page
        assert "4 of 30 rows failed or have no verdict" in page


def test_a_page_that_waits_comes_back_to_its_own_address(browser, app, monkeypatch):
    def still_reading(**_):
        raise StillReading("Reading runs: 1 of 4", n_done=1, n_all=4)

    monkeypatch.setattr(app.state.shelf, "runs", still_reading)
    for path in ("/leaderboard?rule=model&stimulus=negated_harm", "/runs", "/runs/a%20b%3Fc"):
        page = browser.http.get(path)
        assert (
            page.headers["refresh"] == f"1; url={path}"
            and "Reading runs: 1 of 4" in page.text
            and 'value="1" max="4"' in page.text
        )


def test_runs_are_listed_at_once_while_their_rows_are_still_being_read(app, monkeypatch):
    go_on, real = Event(), RunIndex.add
    monkeypatch.setattr(RunIndex, "add", lambda self, *args: go_on.wait(LONG) and real(self, *args))
    browser = Browser(app)
    page = browser.http.get("/runs")
    assert "<h1>4 runs" in page.text and page.text.count("being read") == 4 and "data-reload" in page.text
    assert "not judged" not in page.text and 'data-state="attention"' not in page.text  # nobody knows that yet
    go_on.set()
    assert "being read" not in browser.get("/runs").text


def test_the_explorer_opens_with_runs_that_have_answers(browser, runs, made):
    for i in range(6):
        answered(made / "data", runs / f"short-{i}", limit=2)
    answered(made / "data", runs / "silent", failed=range(1, 31))
    shown = re.findall(r'"/runs/([\w-]+)', browser.get("/explorer").text.partition('class="columns"')[2])
    assert {"some", "others", "none"} <= set(shown) and "silent" not in shown and "short-5" in shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [("results.json", "results.json"), ("my results.json", "'my results.json'"), ("a'b;c.json", "results.json")],
)
def test_results_in_the_published_layout_are_told_how_to_become_a_submission(browser, name, shown):
    rows = {"1": {"pid": "1", "question": "?", "response": "No.", "rejected": 1, "metadata": {}}}
    content = json.dumps({"responses": rows, "reject Rate": {"Total": 1.0}})
    answer = browser.post(
        "/leaderboard/submit", page="/leaderboard", files={"file": (name, content, "application/json")}
    )
    page = unescape(answer.text)
    assert answer.status_code == 422 and "is not a submission" in page
    assert "It is a file of results in the published layout. The board is unchanged." in page
    assert f"mossbench results import {shown} --out" in page and "mossbench submit" in page
    assert "missing" not in page and "upload.json" not in page and "/tmp" not in page


def test_an_error_is_shown_with_commands_to_copy(app):
    def fail():
        raise UsageError("the run in runs/x has no verdicts", way_out=JudgeRun("runs/x", "rules", to="make them"))

    app.add_api_route("/failing", fail, methods=["GET"])
    shown = Browser(app).get("/failing")
    assert shown.status_code == 400 and "The run in runs/x has no verdicts." in shown.text
    command = "mossbench judge apply runs/x --judge rules"
    assert f"<code>{command}</code>" in shown.text and f'data-copy="{command}"' in shown.text
    assert "Make them with:" in shown.text
    as_json = Browser(app).get("/failing", headers={"accept": "application/json"}).json()
    assert as_json["error"]["text"] == f"The run in runs/x has no verdicts. Make them with: {command}"
