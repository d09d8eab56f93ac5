"""What a suite may cost, in all and by cell; why a cost is unknown; what was spent."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.outcomes import Layer
from mossbench.runs.suite_cells import suite_cells
from mossbench.runs.suite_costs import spent_on
from openai_server import completion, serve

PRICES = '{"openai/x": {"input": 1000, "output": 2000}, "openai/y": {"input": 1000, "output": 2000}}'
SUITE = """
data = ["DATA"]
prices = "p.json"
max_tokens = 7
max_connections = 2
LIMITS
[models]
first = { model = "openai/x", base_url = "URL" }
second = { model = "openai/y", base_url = "URL" }
"""


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args], catch_exceptions=False)


@pytest.fixture
def endpoint():
    with serve(lambda body, headers: (200, completion("Fold it."))) as server:
        yield server


@pytest.fixture
def write_suite(small, endpoint):
    """Twelve rows a cell; each costs 0.025 US dollars as the server counts tokens."""

    def write(limits, prices=PRICES):
        url, _ = endpoint
        Path("p.json").write_text(prices)
        text = SUITE.replace("DATA", str(small)).replace("URL", url).replace("LIMITS", limits)
        Path("suite.toml").write_text(text)

    return write


def run_suite(*args):
    return mossbench("run", "suite.toml", "--no-report", "--quiet", *args)


@pytest.mark.slow
def test_a_suite_stops_at_its_limit_and_resumes_with_a_higher_one(write_suite, endpoint):
    _, requests = endpoint
    write_suite("max_cost = 0.11")
    stopped = run_suite()
    assert stopped.exit_code == 1
    assert len(requests) == 4
    assert "Spent: 0.10 USD, of 0.11 USD allowed." in stopped.stdout
    more = run_suite("--max-cost", "0.41")
    assert len(requests) == 16  # twelve of the first cell, and what is left for four of the second
    assert "Spent: 0.40 USD, of 0.41 USD allowed." in more.stdout
    write_suite("")
    done = run_suite()
    assert done.exit_code == 0 and len(requests) == 24
    assert "Spent: 0.60 USD." in done.stdout


@pytest.mark.slow
def test_a_limit_by_cell_holds_for_each(write_suite, endpoint):
    _, requests = endpoint
    write_suite("max_cost_per_cell = 0.06")
    assert run_suite().exit_code == 1
    assert len(requests) == 4  # two of each cell
    told = run_suite().stdout
    assert "raise the limit in the suite (max_cost or max_cost_per_cell) and run the same command again" in told
    assert "--resume" not in told


def test_a_dry_run_names_the_cells_of_a_limit_that_not_all_have(write_suite):
    write_suite("")
    text = Path("suite.toml").read_text()
    Path("suite.toml").write_text(text.replace('"openai/x",', '"openai/x", max_cost_per_cell = 2,'))
    assert "max_cost_per_cell: 2.00 USD for first · none · small · plain." in run_suite("--dry-run").stdout


def test_a_limit_without_a_price_is_an_error_before_anything_is_asked(write_suite, endpoint):
    _, requests = endpoint
    write_suite("max_cost = 1", prices='{"openai/x": {"input": 1, "output": 1}}')
    told = run_suite()
    assert told.exit_code == 2 and "needs a price for openai/y" in told.stderr
    assert not requests
    dry = run_suite("--dry-run")
    assert dry.exit_code == 0
    assert "Cost unknown: no price for openai/y." in dry.stdout
    assert "max_cost of the suite: 1.00 USD; whether it is enough is unknown." in dry.stdout


def test_a_second_judge_that_costs_money_cannot_be_limited(write_suite, endpoint):
    url, requests = endpoint
    write_suite(f'max_cost = 1\njudge = ["rules", "rubric/kinds?model=openai/x&base_url={url}"]')
    told = run_suite()
    assert told.exit_code == 2 and "reads the answers afterwards" in told.stderr
    assert not requests


@pytest.mark.slow
def test_what_was_spent_is_said_of_cells_that_are_not_asked(write_suite, endpoint):
    url, requests = endpoint
    prices = PRICES.replace("}}", '}, "openai/j": {"input": 1000, "output": 1000}}')
    write_suite("", prices=prices)
    paid = run_suite("--judge", f"rubric/kinds?model=openai/j&base_url={url}").stdout
    by_free_judge = run_suite("--judge", "rules").stdout
    spent = [line for line in paid.splitlines() if line.startswith("Spent: ")]
    assert spent and spent[0] in by_free_judge and spent != ["Spent: 0.60 USD."]
    n_requests = len(requests)
    stopped = run_suite("--judge", "keywords", "--max-cost", "0.5").stdout
    assert "Spent: 0.00" not in stopped
    assert len(requests) == n_requests


def test_two_judges_that_cost_money_are_told_what_can_be_done(write_suite, endpoint):
    url, requests = endpoint
    judges = [f"rubric/{name}?model=openai/x&base_url={url}" for name in ("kinds", "paper")]
    write_suite(f"max_cost_per_cell = 1\njudge = {judges}")
    refused = run_suite()
    assert refused.exit_code == 2 and not requests
    assert "max_cost_per_cell of suite" in refused.stderr
    assert "keep one judge that costs money, and name it first, or omit max_cost_per_cell" in refused.stderr


def first_cell():
    return suite_cells(mb.load_suite("suite.toml"))[0]


@pytest.mark.slow
def test_what_a_former_judge_has_cost_counts_towards_the_limit(write_suite, endpoint):
    url, _ = endpoint
    write_suite(f'judge = "rubric/kinds?model=openai/y&base_url={url}"')
    with_judge = run_suite()
    of_answers = 12 * 0.025
    with_former_judge = spent_on(first_cell())
    assert with_former_judge > 1.5 * of_answers
    write_suite("")
    assert spent_on(first_cell()) == pytest.approx(with_former_judge)
    later = run_suite()
    spent = re.search("Spent: .*", with_judge.stdout)[0]
    assert spent in later.stdout


@pytest.mark.slow
def test_a_resumed_run_counts_what_its_former_judge_has_cost(small):
    Path("p.json").write_text(PRICES)
    is_down = {"x": True}

    def reply(body, headers):
        is_refused = is_down["x"] and body["model"] == "x" and "hurt" in str(body)
        return (400, {"error": {"message": "no"}}) if is_refused else (200, completion("Fold it."))

    with serve(reply) as (url, requests):
        how = {"base_url": url, "prices": "p.json", "max_tokens": 7, "out": "r"}
        first = mb.run("openai/x", small, judge=f"rubric/kinds?model=openai/y&base_url={url}", **how)
        assert 0 < first.layers()[Layer.FAILED] < 12 and first.spent().judge_cost > 0
        is_down["x"] = False
        n_requests = len(requests)
        mb.run("openai/x", small, judge="rules", resume=True, max_cost=first.spent().total + 0.01, **how)
        assert len(requests) == n_requests


@pytest.mark.slow
def test_a_judge_without_a_price_leaves_the_cost_of_answers_counted(write_suite, endpoint):
    url, _ = endpoint
    write_suite(f'judge = "rubric/kinds?model=openai/z&base_url={url}"')
    assert "without 2 of 2 cells, whose cost is not known in full" in run_suite().stdout
    assert spent_on(first_cell()) == pytest.approx(12 * 0.025)
