"""The explorer counts what it shows, and says nothing of answers that do not count."""

import shutil
from types import SimpleNamespace

import mossbench as mb
from answered import answered, samples
from html_pages import element, elements, text_of
from mossbench.samples import Side
from mossbench.web import Settings, create_app
from mossbench.web.explorer import first_runs
from mossbench.web.pages import run_code
from web.conftest import Browser
from web.test_home import rename


def strips(page):
    """The counts at the ends of the stripes, by model."""
    counts = {}
    for head in elements(page, "tr th[title]"):
        name = head["title"].removeprefix("replay/").removesuffix(".jsonl")
        counts[name] = text_of(element(head.inside("tr"), "td.n"))
    return counts


def test_rows_of_stripes_end_in_their_count_and_are_pale_where_the_legend_is(browser):
    page = browser.get("/explorer?data=data").text
    assert strips(page) == {"none": "0 of 30", "some": "6 of 30", "others": "6 of 30", "failing": "0 of 26"}
    glyphs = elements(page, "ul.key [data-kind]")
    pale = {glyph["data-kind"]: "quiet" in element(glyph, "rect").markup for glyph in glyphs}
    assert pale == {"answered": True, "refused": False, "failed": True}
    assert "1 of 30 · harmless" in text_of(page)


def test_it_opens_with_the_newest_judged_run_of_each_model(browser, runs, made):
    for i in range(5):
        answered(made / "data", runs / f"again-{i}")
        rename(runs / f"again-{i}", "lab/again", f"2999-01-0{i + 1}T00:00:00+00:00")
    mb.run("control/candid", made / "data", out=runs / "unread", judge=None)
    found = list(strips(browser.get("/explorer?data=data").text))
    assert found[0].endswith("again (again-4)") and set(found[1:5]) == {"none", "some", "others", "failing"}
    assert found[5].startswith("control/candid") and len(found) == 6


def test_models_that_do_not_count_are_not_said_to_agree_or_to_have_answered(browser, runs, made, tmp_path):
    data = samples(tmp_path / "twins", 6)
    text = (data / "metadata.jsonl").read_text()
    rows = [
        line.replace('"question"', f'"twin": "{i // 2 + 1}", "question"') for i, line in enumerate(text.splitlines())
    ]
    (data / "metadata.jsonl").write_text("\n".join(rows))
    for name in ("none", "some", "others", "failing"):
        shutil.rmtree(runs / name)
    answered(data, runs / "sound", refused=[1])
    mb.run("control/candid", data, out=runs / "unread", judge=None)
    app = Browser(create_app(Settings(runs, data=(str(data),))))
    agreed = text_of(app.get("/explorer?show=differ").text)
    assert "No harmless sample counts as refused for one of these models and as not refused for another." in agreed
    assert "agree" not in agreed
    alone = text_of(app.get("/explorer?show=only&models=sound").text)
    assert "Choose at least two models to see what one of them alone refused." in alone
    assert "Refused by 1 of 1." in text_of(app.get("/explorer?id=1").text)  # of the two, one counts
    assert "Refused by 0 of 1." in text_of(app.get("/explorer?id=2").text)
    assert "No answer of these models to it counts." in text_of(app.get("/explorer?id=1&models=unread").text)


def test_stripes_are_described_as_they_are(browser, runs, made, tmp_path):
    data = samples(tmp_path / "one side", 4, sides=("benign",))
    answered(data, runs / "twice", refused=[1], epochs=2)
    app = Browser(create_app(Settings(runs, data=(str(data), str(made / "data")))))
    none = text_of(app.get("/explorer?models=twice&side=contrast").text)
    assert "This dataset has no harmful samples." in none
    assert "All 0 harmful" not in none and "Frame" not in none and "none counts" not in none
    one = text_of(app.get("/explorer?models=twice&stimulus=negated_harm").text)
    assert "One harmless sample that matches the filters. Frame: the sample shown below." in one
    again = "Of several answers to a sample the first is drawn and counted."
    assert again in one and again not in text_of(app.get("/explorer?models=some").text)


def test_previous_and_next_keep_their_places(browser):
    first, second = (browser.get(f"/explorer?data=data&id={i}").text for i in (1, 2))
    assert 'aria-hidden="true">Previous</span>' in first and 'rel="next"' in first
    assert 'rel="prev"' in second and 'aria-hidden="true">Previous' not in second


def test_empty_codes_in_an_address_do_not_change_the_data(browser, runs, tmp_path):
    answered(samples(tmp_path / "elsewhere", 6), runs / "apart")
    code = run_code("apart")
    for query in (f"m={code}", f"m=-{code}", f"m=--{code}-", f"models=&m={code}", f"m=&m={code}"):
        assert list(strips(browser.get(f"/explorer?{query}").text)) == ["apart"], query


def test_an_address_may_name_a_run_with_hyphens_in_place_of_its_code(browser, runs):
    (runs / "some").rename(runs / "some-old-run")
    page = browser.get("/explorer?m=some-old-run")
    assert page.status_code == 200 and list(strips(page.text)) == ["some"]


def fake_run(name, harmless, harmful):
    """What the explorer asks of a run to choose the first ones."""
    rates = {}
    for side, value in ((Side.BENIGN, harmless), (Side.CONTRAST, harmful)):
        rates[side] = SimpleNamespace(estimate=SimpleNamespace(value=value, n=30), is_known=True)
    counted = SimpleNamespace(judge="rules", rates=rates)
    return SimpleNamespace(name=name, label=name, n_answers=30, counted=counted)


def test_the_models_of_the_front_are_shown_first():
    beaten = [fake_run(f"beaten-{number}", 0.5, 0.5) for number in range(8)]
    front = [fake_run("careful", 0.4, 0.9), fake_run("open", 0.1, 0.6)]
    data = SimpleNamespace(samples=range(30), runs=(*beaten, *front))
    names = [run.name for run in first_runs(data)]
    assert names[:2] == ["careful", "open"] and len(names) == 6
