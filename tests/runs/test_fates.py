"""Runs under every fate and seeded mixtures of them, in each wire format: nothing lost, doubled or invented."""

from pathlib import Path

import pytest

import mossbench as mb
from mossbench.models import retry_after
from pictures import png
from servers.fates import FATES, fate_server, faults_of, make_data, mixture

NOTHING = {"lost": 0, "doubled": 0, "invented": 0, "misplaced": 0}
N = 60


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    monkeypatch.setattr(retry_after, "FIRST_WAIT", 0.001)


@pytest.mark.slow
@pytest.mark.parametrize("wire", ["openai", "anthropic", "google"])
def test_every_fate_ends_in_its_layer(wire, tmp_path):
    names = list(FATES)
    data = make_data(tmp_path / "data", len(names) * 2, png())

    def fate_of(number):
        return names[number % len(names)]

    with fate_server(wire, fate_of) as (url, account):
        results = mb.run(f"{wire}/m", data, base_url=url, out="r")
    assert results.info.ended and not results.unfinished()
    assert faults_of(Path("r"), len(names) * 2, fate_of) == NOTHING and account.repeated == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_mixture_of_fates_ends_complete_and_a_resume_asks_only_what_failed(seed, tmp_path):
    fate_of = mixture(seed, dict.fromkeys(list(FATES)[1:], 0.03))
    data = make_data(tmp_path / "data", N, png())
    with fate_server("openai", fate_of) as (url, account):
        results = mb.run("openai/m", data, base_url=url, out="r", max_connections=8)
        assert results.info.ended and faults_of(Path("r"), N, fate_of) == NOTHING
        failed, asked = {int(row.key.sample) for row in results.rows if row.exchange.answer.error}, account.asked.copy()
        mb.resume_run("r")
    assert {number for number, n in account.asked.items() if n > asked[number]} == failed
    assert account.repeated == 0
