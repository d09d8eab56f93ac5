"""What a suite may cost, in all and by cell; why a cost is unknown; what was spent."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from mossbench.cli import cli
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
