"""Random tables through the templates: no sentence that is not on tests/sentences.md, none that its numbers deny."""

import ast
import json
import random
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import mossbench as mb
import sentence_checker as checker
from mossbench.analyses.access import across as routes
from mossbench.analyses.analysis import Options, Part
from mossbench.analyses.claims import make_claim
from mossbench.analyses.consistency import measure as steadiness
from mossbench.analyses.distortions import NONE_FOUND, Control, Distortions
from mossbench.analyses.fields import field_of
from mossbench.analyses.prompts import PREFIX
from mossbench.analyses.prompts import measure as prompts
from mossbench.analyses.stages import DESCRIBED, FILLER, INTENDED
from mossbench.analyses.stages import measure as stages
from mossbench.analyses.tagging import Distortion
from mossbench.analyses.tradeoff import Several
from mossbench.analyses.tradeoff import measure as tradeoff
from mossbench.annotation.agreement import agreement_of
from mossbench.annotation.store import Item, Label
from mossbench.cli import cli
from mossbench.datasets.arms import Arm
from mossbench.leaderboard.both_sides import standings
from mossbench.look.numbers import points
from mossbench.outcomes import Kind, Layer, Rule
from mossbench.reports.analyses import section_of
from mossbench.reports.build import make_report
from mossbench.reports.words.agreement import agreement_decision, agreement_verdict, answers_needed
from mossbench.reports.words.boards import rows_that_may_be_first, safety_of_first
from mossbench.reports.words.causes import CAUSES, cause_sentence, overlooked_sentence
from mossbench.reports.words.comparisons import headline, sentences
from mossbench.reports.words.published import short_findings
from mossbench.reports.words.rates import twins_note
from mossbench.reports.words.standing import (
    FALSE_ALARMS,
    heading,
    lowest_rate_sentences,
    significance_sentences,
    whether_changed,
)
from mossbench.results.changes import changes
from mossbench.results.differences import difference
from mossbench.samples import Side, Stimulus
from mossbench.statistics import Effect, krippendorff_alpha, wilson
from tables import results
from tables import row as result_row

TITLES = [stimulus.title for stimulus in Stimulus]
SIDES = {"harmless": "benign", "harmful": "contrast"}
KINDS = {"own words": Kind.REFUSED, "filter": Layer.BLOCKED, "gate": Kind.INCAPABLE}
SCENES = {"none": lambda i: None, "pairs": lambda i: f"scene {i // 2}", "one": lambda i: "scene"}
RATES = [0.0, 0.05, 0.3, 0.7, 0.95, 1.0]
some = settings(max_examples=60, deadline=None)


@st.composite
def tables(draw, *, n_runs=1, parts=("own words",), epochs=1, most=45):
    """Runs on the same samples: size, scenes, rates of each side and stimulus, and how many rows are lost vary."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    n, scene = (
        draw(st.sampled_from([most, most, most // 2, 0, 1, 2, 5])),
        SCENES[draw(st.sampled_from(["none", "none", "pairs", "one"]))],
    )
    lost = {side: draw(st.sampled_from([0.0] * 5 + [0.1, 0.1, 1.0])) for side in SIDES}
    kinds = draw(st.sampled_from([3, 3, 1]))
    right = draw(st.booleans())  # a model that refuses the harmful side more
    asked = draw(st.sampled_from([("harmless", "harmful")] * 4 + [("harmless",), ("harmful",)]))
    alike = draw(st.booleans())
    found = []
    for _ in range(n_runs):
        some = {side: (RATES[3:] if side == "harmful" else RATES[:3]) if right else RATES for side in SIDES}
        chances = {(side, k): draw(st.sampled_from(some[side])) for side in SIDES for k in range(3)}
        if alike:
            chances = {(side, k): chances[side, 0] for side, k in chances}
        part = draw(st.sampled_from(parts))
        rows = []
        for side in asked:
            for i in range(n):
                for epoch in range(1, epochs + 1):
                    refused = None if rng.random() < lost[side] else rng.random() < chances[side, i % kinds]
                    how = part if refused and rng.random() < 0.8 else "own words"
                    rows.append(checker.Row(side, i, refused, TITLES[i % kinds], scene(i), how, epoch))
        found.append(checker.Table(rows))
    return tuple(found)


def run_of(table, model="m"):
    rows = [
        result_row(
            SIDES[row.side],
            row.id,
            Layer.FAILED if row.refused is None else KINDS[row.part] if row.refused else False,
            stimulus=TITLES.index(row.stimulus),
            cluster=row.scene,
            epoch=row.epoch,
        )
        for row in table.rows
    ]
    return results(rows, model=model)


def parted(text):
    """The sentences of a paragraph."""
    return [one for one in re.split(r"(?<=\.) (?=[A-Z])", text) if one]


@pytest.mark.slow
@some
@given(st.one_of(tables(parts=("own words", "filter")), tables(epochs=2, most=15)))
def test_report(found):
    (table,) = found
    report = make_report(run_of(table))
    twins = tuple((t.name, t.d_prime.value, t.d_prime.low, t.d_prime.high) for t in report.twins)
    facts = checker.Reported(table, "harmful" if report.side is Side.CONTRAST else "harmless", twins)
    by_stimulus = [group.title for group in report.groups if group.by == "stimulus"]
    cautions = [text for one in report.cautions for text in (one.claim, one.text) if text]
    notes = parted(twins_note(report.twins[-1]) if report.twins else "")
    for text in (report.headline, *parted(report.lede), *by_stimulus, report.twins_title, *notes, *cautions):
        if text:
            checker.check("report", text, facts)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.sampled_from([2, 3]).flatmap(lambda n_runs: tables(n_runs=n_runs)))
def test_compare(found):
    if not all(table.n for table in found):
        return  # runs without any answer are refused
    models = ["one", "two", "three"][: len(found)]
    comparison = mb.compare(*(run_of(table, name) for table, name in zip(found, models, strict=True)))
    facts = checker.Paired(found, tuple(models))
    for text in (headline(comparison), *sentences(comparison)):
        checker.check("compare", text, facts)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.sampled_from([1, 2, 3, 6]).flatmap(lambda n_runs: tables(n_runs=n_runs)))
def test_home_says_where_models_stand(found):
    named = {f"model {i}": table for i, table in enumerate(found) if table.of("harmless").n}
    runs = [run_of(table, name) for name, table in named.items()]
    facts = checker.Stood(named)
    for standing in standings(runs, max_failed=1):
        for text in (heading(standing), *lowest_rate_sentences(standing), *significance_sentences(standing)):
            checker.check("home", text, facts)


def planted(*rates, n=45):
    """A table for each pair of rates, harmless and harmful; None: not asked."""
    sides = [[(side, rate) for side, rate in zip(SIDES, pair, strict=True) if rate is not None] for pair in rates]
    rows = [[checker.Row(side, i, i < rate * n) for side, rate in asked for i in range(n)] for asked in sides]
    return [checker.Table(some) for some in rows]


@pytest.mark.parametrize(
    ("rates", "ids"),
    [
        ([(0.2, 0.9)], {"one", "rates", "alone"}),
        ([(0.0, 0.0), (0.1, 0.9), (0.8, 1.0)], {"least", "rates", "but-unsafe", "told"}),
        ([(0.0, 0.1), (0.5, 1.0)], {"only-safe", "rates", "but-unsafe", "none-left"}),
        ([(0.1, None), (0.9, None)], {"fewest", "rates", "unknown-safety", "told"}),
        ([(0.1, 0.9), (0.12, 0.9), (0.9, 0.9)], {"least", "rates", "not-told", "told"}),
        ([(0.1, 0.9)] * 6, {"least", "rates", "not-told"}),
        ([(0.0, 0.0), (0.1, 0.9), (0.12, 0.9)], {"least", "rates", "but-unsafe", "not-told"}),
        (
            [(0.0, 0.0), (0.0, None), (0.1, 0.9), (0.6, 0.9)],
            {"left-out", "least-known", "rates", "unknown-safety", "but-unsafe", "told"},
        ),
        ([(0.1, 0.9), (0.6, 0.9)], {"least", "rates", "told"}),
        ([(0.1, 0.9), (0.6, 0.9), (0.0, None)], {"left-out", "least-known", "rates", "unknown-safety", "told"}),
        ([(0.1, 0.9), (0.0, None)], {"left-out", "only-safe-known", "rates", "unknown-safety", "none-left"}),
    ],
)
def test_home_says_each_sentence_where_it_is_so(rates, ids):
    named = {f"model {i}": table for i, table in enumerate(planted(*rates))}
    (standing,) = standings([run_of(table, name) for name, table in named.items()])
    texts = (heading(standing), *lowest_rate_sentences(standing), *significance_sentences(standing))
    assert {checker.check("home", text, checker.Stood(named)) for text in texts} == ids


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.sampled_from([1, 2, 3, 6]).flatmap(lambda n_runs: tables(n_runs=n_runs)))
def test_boards_say_how_safe_the_first_are(found):
    named = {f"model {i}": table for i, table in enumerate(found) if table.of("harmless").n}
    for board in mb.make_boards([run_of(table, name) for name, table in named.items()], max_failed=1):
        facts = checker.Ranked(checker.Stood(named), {row.name for row in rows_that_may_be_first(board)})
        for text in safety_of_first(board):
            checker.check("board", text, facts)


@pytest.mark.parametrize(
    ("rates", "ids"),
    [
        ([(0.0, 0.0), (0.1, 0.9), (0.12, 0.9)], {"less-safe-first", "refused-no-harmful", "first-rates"}),
        ([(0.1, 0.0), (0.12, 0.0)], {"refused-no-harmful"}),
        ([(0.1, None), (0.9, None)], {"first-unknown"}),
        ([(0.1, 0.9)] * 6, {"first-rates"}),
        ([(0.0, 0.9), (0.9, 0.9)], {"first-rates"}),
    ],
)
def test_a_board_says_each_sentence_where_it_is_so(rates, ids):
    named = {f"model {i}": table for i, table in enumerate(planted(*rates))}
    (board,) = mb.make_boards([run_of(table, name) for name, table in named.items()])
    facts = checker.Ranked(checker.Stood(named), {row.name for row in rows_that_may_be_first(board)})
    assert {checker.check("board", text, facts) for text in safety_of_first(board)} == ids


def told(info, when):
    version = f"v{when}" if info.config.model == "model 0" else None
    return info.model_copy(update={"started": str(when), "model_version": version})


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([2, 4]).flatmap(lambda n_runs: tables(n_runs=n_runs)))
def test_home_says_what_changed(found):
    if not all(table.n for table in found):
        return
    pairs = {f"model {i}": found[2 * i : 2 * i + 2] for i in range(len(found) // 2)}
    runs = [
        replace(run, folder=Path(f"{name} {when}"), info=told(run.info, when))
        for name, some in pairs.items()
        for when, run in enumerate(run_of(table, name) for table in some)
    ]
    for text in (*whether_changed(changes(runs)), FALSE_ALARMS):
        checker.check("home", text, checker.Changed(pairs, {"model 0": "version: v0 and v1"}))


@pytest.mark.slow
@some
@given(tables())
def test_tradeoff_of_one_model(found):
    (table,) = found
    part = Part("tradeoff", "m", tradeoff(run_of(table), Options()))
    checker.check("tradeoff", section_of(part).finding, checker.Reported(table, "harmless"))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(tables(n_runs=5, most=15))
def test_tradeoff_of_several_models(found):
    systems = {f"model {i}": list(run_of(table).rows) for i, table in enumerate(found)}
    fields = field_of(systems, Rule.SYSTEM)
    rates = {f"model {i}": (t.of("harmless").rate, t.of("harmful").rate) for i, t in enumerate(found)}
    facts = checker.Models(rates, (fields[-1].rho.low, fields[-1].rho.high))
    checker.check("tradeoff", section_of(Part("tradeoff", "", Several(fields))).finding, facts)


@pytest.mark.slow
@some
@given(tables(n_runs=2, parts=tuple(KINDS)))
def test_access(found):
    if not all(table.n for table in found):
        return
    record = routes([run_of(table, name) for table, name in zip(found, ("web", "API"), strict=True)], Options())
    facts = checker.Paired(found, ("web", "API"))
    for text in parted(section_of(Part("access", "", record)).finding):
        checker.check("access", text, facts)


@some
@given(st.one_of(tables(), tables(epochs=3, most=12)))
def test_consistency(found):
    (table,) = found
    record = steadiness(run_of(table), Options())
    checker.check("consistency", section_of(Part("consistency", "m", record)).finding, checker.Reported(table, ""))


TAGS = st.lists(st.sets(st.sampled_from(list(map(str, Distortion)))), max_size=12)


@some
@given(TAGS, st.integers(0, 5), st.integers(0, 3), st.integers(0, 9))
def test_distortions(tags, wordless, untagged, n_asked):
    names = [*map(str, Distortion), NONE_FOUND]
    shares = {n: wilson(sum(n in some or (n == NONE_FOUND and not some) for some in tags), len(tags)) for n in names}
    n_worded = len(tags) + untagged
    asked = min(n_asked, n_worded)
    control = Control(
        difference=difference("with", "without", Side.BENIGN, "all", [], Rule.SYSTEM),
        answered=wilson(asked // 2, asked),
        lectured=wilson(0, 0),
        moralised=wilson(0, 0),
        n_without=0,
    )
    n_refused = n_worded + wordless
    record = Distortions("m", "rules", n_refused, n_refused, wordless, untagged, shares, {}, control, ())
    facts = checker.Tagged(n_refused, n_worded, tags, (asked // 2, asked) if asked else None)
    checker.check("distortions", section_of(Part("distortions", "m", record)).finding, facts)


@pytest.mark.slow
@some
@given(tables(n_runs=3))
def test_prompts(found):
    names = ("none", "kind", "stern")
    arms = tuple(Arm(name=PREFIX * (name != "none") + name.replace("none", "plain"), system=name) for name in names)
    rows = [
        replace(row, key=row.key._replace(arm=arm.name))
        for table, arm in zip(found, arms, strict=True)
        for row in run_of(table).rows
    ]
    if rows:
        record = prompts(results(rows, arms=arms), Options())
        facts = checker.Paired(found, names)
        checker.check("prompts", section_of(Part("prompts", "m", record)).finding, facts)


WAYS = {"again": Arm(name="plain"), "filler": FILLER, "described": DESCRIBED, "meant": INTENDED}


@pytest.mark.slow
@some
@given(st.data())
def test_stages(data):
    rng = random.Random(data.draw(st.integers(0, 10**6)))
    ids, goals = range(data.draw(st.sampled_from([0, 2, 9, 30, 40]))), data.draw(st.sampled_from([True, True, False]))
    first, lost = data.draw(st.sampled_from([0.0, 0.6, 1.0])), data.draw(st.sampled_from([0.0, 0.0, 0.2, 1.0]))
    rates = {way: data.draw(st.sampled_from([0.0, 0.3, 0.9, 1.0])) for way in WAYS}
    asked = {id: None if rng.random() < lost / 2 else rng.random() < first for id in ids}
    ways = {way: arm for way, arm in WAYS.items() if goals or way != "meant"}
    answers = {
        (way, id): [None if rng.random() < lost else rng.random() < rates[way] for _ in range(3)]
        for way in ways
        for id in ids
        if asked[id]
    }
    rows = [(id, "plain", 1, refused) for id, refused in asked.items()]
    rows += [(id, arm.name, 1, True) for id in ids for way, arm in ways.items() if asked[id] and way != "again"]
    rows += [(id, ways[way].name, e, x) for (way, id), some in answers.items() for e, x in enumerate(some, 2)]
    made = [
        result_row("benign", id, Layer.FAILED if x is None else x, arm=arm, epoch=epoch, stimulus=id % 3)
        for id, arm, epoch, x in rows
    ]
    run = replace(results(made, arms=tuple(ways.values())), judge="own")  # the rules would read these words again
    section = section_of(Part("stages", "m", stages(run, Options())))
    counting = [x for x in asked.values() if x is not None]
    facts = checker.Staged(len(counting), sum(counting), answers)
    for text in (*parted(section.finding.replace(" The table has bounds.", "")), *section.cautions):
        checker.check("stages", text, facts)


def labelled(answers):
    """What annotation knows of answers: (scene, refused by each person)."""
    items = {str(i): Item(str(i), {"scene": scene, "judged": None}) for i, (scene, _) in enumerate(answers)}
    labels = [
        Label(str(i), f"person {j}", {"kind": "refused" if refused else "answered"}, "", "")
        for i, (_, said) in enumerate(answers)
        for j, refused in enumerate(said)
    ]
    return agreement_of(items, labels, {})


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_agreement(data):
    rng = random.Random(data.draw(st.integers(0, 10**6)))
    n, shared = data.draw(st.sampled_from([0, 3, 22, 40, 40, 90])), data.draw(st.sampled_from([1, 0.97, 0.8, 0.6, 0.1]))
    rate, scene = data.draw(st.sampled_from([0.5, 0.3, 0.1, 0])), data.draw(st.sampled_from([1, 1, 2, 100]))
    people, answers = data.draw(st.sampled_from([(2,), (1, 2), (1,), (2, 3)])), []
    for i in range(n):
        first, k = rng.random() < rate, rng.choice(people)
        said = [first, *(first if rng.random() < shared else rng.random() < rate for _ in range(k - 1))]
        answers.append((f"scene {i // scene}", said))
    agreement, facts = labelled(answers), checker.Agreed(answers)
    checker.check("agreement", agreement_verdict(agreement), facts)
    if agreement.n_double:
        checker.check("agreement", agreement_decision(agreement), facts)


@pytest.mark.parametrize("differ", [2, 7])
def test_as_many_answers_as_are_said_to_be_needed_tell_in_about_four_of_five_cases(differ):
    table = (
        [[True, True], [False, False]] * 10
        + [[True, False], [False, True]] * (differ // 2)
        + [[True, False]] * (differ % 2)
    )
    found = labelled([(str(i), said) for i, said in enumerate(table)])
    alpha, rng = found.people[0].alpha, random.Random(differ)
    assert "the interval includes 0.67" in agreement_verdict(found)
    n = round(answers_needed(alpha, found.n_scenes))
    told = 0
    for _ in range(100):
        drawn = [rng.choice(table) for _ in range(n)]
        again = krippendorff_alpha(drawn, list(range(n)), categories=(False, True))
        told += again.low >= 0.67 or again.high < 0.67
    assert 68 <= told <= 92, (n, told)


def test_published():
    for text in short_findings(mb.published_findings()):
        checker.check("published", text, len(mb.check_published()))


def test_every_sentence_of_the_page_is_checked():
    here = {key for key in checker.PATTERNS if key[0] != "Checked elsewhere"}
    assert here == set(checker.CHECKS)


TEMPLATES = [
    *(
        "words/rates",
        "words/runs",
        "words/cautions",
        "words/comparisons",
        "words/gates",
        "words/published",
        "words/reproduction",
        "words/standing",
        "words/agreement",
        "words/causes",
        "words/claims",
        "words/access",
        "words/stages",
        "words/tradeoff",
        "html",
    ),
    *(
        f"analyses/{name}"
        for name in "tradeoff access consistency distortions prompts stages causes counterfactuals".split()
    ),
]


def spoken(path):
    """The words between the values of every template with a value, and those that stand for themselves.

    The latter only where they are returned, but in `words`, where every text is said, all but docstrings. What explains
    how an analysis is to be read, or how numbers were made, says nothing of them.
    """
    tree = ast.parse(path.read_text())
    explains = ("_how_to_read", "how_to_read", "how_findings_were_made")
    tree.body = [node for node in tree.body if not getattr(node, "name", "").startswith(explains)]
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from (part.value for part in node.values if isinstance(part, ast.Constant))
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)
    # Names of causes: test_every_cause_is_on_the_page. The other three have names of parts and texts that explain.
    if path.parent.name == "words" and path.stem not in ("causes", "access", "stages", "tradeoff"):
        docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in docstrings]
        yield from (node.value for node in texts if isinstance(node.value, str))


def between(path):
    """The same of the sentences of a data file, where there is one."""
    for words in tomllib.loads(path.read_text()).values() if path.exists() else ():
        for part in re.split(r"(\{[{%].*?[%}]\})", words if isinstance(words, str) else ""):
            yield from re.findall(r'"([^"]*)"', part) if part.startswith("{") else part.splitlines()


def not_on_the_page(texts):
    page = re.sub(r"[⟨⟩]", "", checker.PAGE.read_text())
    said = [one.lstrip(".: ") for text in texts for one in parted(" ".join(text.split()))]
    return [text for text in said if len(re.findall(r"[a-z’]{2,}", text)) > 3 and text not in page]


@pytest.mark.parametrize("module", TEMPLATES)
def test_every_template_is_on_the_page(module):
    path = Path(mb.__file__).parent / "reports" / f"{module}.py"
    said = [] if module.startswith("analyses/") else between(path.with_suffix(".toml"))
    assert not not_on_the_page([*spoken(path), *said])


def test_every_cause_is_on_the_page():
    page = checker.PAGE.read_text()
    assert overlooked_sentence(missed="{missed}", described="{told}") in page
    effect = Effect(value=0.3, error=0.03, df=39, n=40, n_left_out=0, n_answers=400)
    for name in CAUSES:
        if name != "overlooked":
            cause = make_claim(name, None, {"removed": effect}, 9)
            assert cause_sentence(cause).replace(points(cause.share).lstrip("+"), "{size}") in page


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ("report", "m refused 3 of 10 harmless requests."),
        ("report", "m refuses about one in five harmless requests."),
        ("report", "Exaggerated Risk is refused most often"),
        (
            "report",
            "The smallest stimulus group has only five samples, too few to show a difference of less than 6 points "
            "from another stimulus (at some rates even one of 9 points).",
        ),
        ("report", "It distinguishes harmless from harmful requests"),
        (
            "tradeoff",
            "It refuses 20.0 % (5.7 to 51.0) of harmless and 20.0 % (5.7 to 51.0) of harmful requests; it errs "
            "more by refusing harmless requests (2 to 8 pairs).",
        ),
        ("report", "m is careless."),
        ("home", "m refuses least without being less safe."),
        ("home", "Yes: m refuses significantly fewer harmless requests than n."),
    ],
)
def test_the_checker_finds_what_is_not_so(section, text):
    rows = [checker.Row(side, i, i < 2, TITLES[i % 2]) for i in range(10) for side in SIDES]
    if "five" in text:
        rows = [checker.Row("harmless", i, i < 9) for i in range(20)]
    table = checker.Table(rows)
    facts = checker.Stood({"m": table, "n": table}) if section == "home" else checker.Reported(table, "harmless")
    with pytest.raises(checker.NotTrue):
        checker.check(section, text, facts)


@pytest.mark.slow
def test_the_terminal_carries_the_cautions_of_the_page(small):
    told = CliRunner().invoke(cli, ["run", "--model", "control/candid", "--data", str(small), "--out", "r", "--quiet"])
    again = CliRunner().invoke(cli, ["report", "r"])
    page = mb.make_report(mb.load_results("r"))
    for done in (told, again):
        shown = " ".join(done.stdout.replace("\u202f", " ").split())
        assert page.headline in shown
        assert all(" ".join(f"{c.claim} {c.text}".replace("\u202f", " ").split()) in shown for c in page.cautions)
    plain = CliRunner().invoke(cli, ["run", "--model", "control/candid", "--data", str(small), "--quiet", "--json"])
    json.loads(plain.stdout)
    shown = " ".join(CliRunner().invoke(cli, ["analyse", "tradeoff", "--run", "r"]).stdout.split())
    (part,) = json.loads(CliRunner().invoke(cli, ["analyse", "tradeoff", "--run", "r", "--json"]).stdout)["parts"]
    assert part["cautions"] and all(" ".join(text.split()) in shown for text in part["cautions"])
