"""Before a key or a package is asked for, a model that its vendor has retired is told, at every door."""

import json
import shlex
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.models import PRESETS, dated, load_model
from mossbench.models.presets import State, check_table, retirement
from servers.loopback import serve
from servers.wire import completion

GPT_4V = r"OpenAI retired GPT-4V \(openai/gpt-4-turbo\) on 2026-10-23; gpt-4o may stand in for it"
KEYS = {"OPENAI_API_KEY": "sk-of-a-test", "ANTHROPIC_API_KEY": "sk-of-a-test", "GEMINI_API_KEY": "key-of-a-test"}


@pytest.fixture
def on(monkeypatch):
    return lambda day: monkeypatch.setattr(dated, "today", lambda: date.fromisoformat(day))


@pytest.fixture
def keys(monkeypatch):
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


def mossbench(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args])


RETIRED = [name for name, preset in PRESETS.items() if preset.closes and preset.closes <= date(2026, 11, 18)]


def test_the_retired_presets_are_those_of_the_vendors_notices():
    assert RETIRED == [
        "gpt-4v",
        "gemini-pro-vision",
        "gemini-1.5-pro",
        "claude-3-opus",
        "claude-3-sonnet",
        "claude-3-haiku",
    ]


@pytest.mark.parametrize("name", RETIRED)
@pytest.mark.parametrize("with_key", [False, True])
def test_a_retired_preset_says_who_retired_it_when_and_what_may_stand_in(monkeypatch, name, with_key):
    if with_key:
        for key, value in KEYS.items():
            monkeypatch.setenv(key, value)
    preset = PRESETS[name]
    for spec in (name, preset.title, preset.model, *preset.snapshots, f"inspect/{preset.model}"):
        with pytest.raises(UsageError, match=r"^(OpenAI|Anthropic|Google) retired .* may stand in for it") as raised:
            load_model(spec)
        message = str(raised.value)
        assert str(preset.snapshots.get(spec, preset.closes)) in message
        assert str(preset.stand_in) in message
        assert "needs a key" not in message
        assert "base_url='URL'" in message


@pytest.mark.parametrize("package", ["openai", "anthropic", "google.genai"])
def test_no_package_is_asked_for(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    for module in ("openai", "anthropic", "google"):
        monkeypatch.delitem(sys.modules, f"mossbench.models.{module}", raising=False)
    for name in RETIRED:
        with pytest.raises(UsageError, match=r" retired .* on 20\d\d-"):
            load_model(name)


@pytest.mark.parametrize(
    "command",
    [
        ["run", "--model", "gpt-4v"],
        ["run", "--model", "GPT 4V", "--dry-run"],
        ["run", "--model", "openai/gpt-4-turbo", "--limit", "1"],
        ["run", "--model", "control/candid", "--model", "gpt-4v"],
        ["run", "--model", "control/candid", "--model", "gpt-4v", "--dry-run"],
        ["try", "--model", "gpt-4v"],
        ["analyse", "prompts", "--model", "control/candid", "--model", "gpt-4v"],
        ["run", "--model", "control/candid", "--judge", "rubric", "--judge-model", "gpt-4v"],
        ["run", "--model", "control/candid", "--judge", "cascade", "--judge-model", "openai/gpt-4-turbo"],
    ],
    ids=" ".join,
)
def test_every_command_says_so_before_anything_is_asked(keys, small, command):
    done = mossbench(*command, "--data", small)
    assert done.exit_code == 2
    assert "OpenAI retired GPT-4V (openai/gpt-4-turbo) on 2026-10-23" in done.stderr
    assert "gpt-4o may stand in for it" in done.stderr
    option = "--judge-model" if "--judge" in command else "--model"
    address = "--judge-base-url" if "--judge" in command else "--base-url"
    assert f"{option} openai/gpt-4-turbo {address} URL" in done.stderr
    assert not Path("runs").exists(), "nothing was asked"


def test_a_judge_of_a_run_that_is_there_says_so(keys, small):
    mb.run("control/candid", small, out="run")
    done = mossbench("judge", "apply", "run", "--judge", "rubric", "--judge-model", "gpt-4v")
    assert done.exit_code == 2 and "OpenAI retired GPT-4V" in done.stderr


def write_suite(small, *lines):
    head = f'name = "demo"\ndata = ["{small}"]\nside = "benign"\n'
    Path("suite.toml").write_text(head + "\n".join(lines) + "\n")
    return mb.load_suite("suite.toml")


@pytest.mark.parametrize(
    "lines",
    [
        ("[models]", 'calm = "control/candid"', 'old = "gpt-4v"'),
        ('judge = "rubric?model=gpt-4v"', "[models]", 'calm = "control/candid"'),
        ('judge = ["rules", "rubric?model=gpt-4v"]', "[models]", 'calm = "control/candid"'),
    ],
)
def test_a_suite_says_so_before_another_cell_is_asked(keys, small, lines):
    suite = write_suite(small, *lines)
    with pytest.raises(UsageError, match=GPT_4V):
        mb.run_suite(suite)
    assert not Path("runs").exists()


def test_a_finished_cell_of_a_model_that_was_retired_since_is_skipped(on, monkeypatch, small):
    with serve(lambda body, headers: (200, completion("A roof."))) as (url, requests):
        on("2026-10-01")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-test")
        suite = write_suite(small, "[models]", f'old = {{ model = "gpt-4v", base_url = "{url}" }}')
        assert [cell.state for cell in mb.run_suite(suite).cells] == ["ran"]
        n_requests = len(requests)
        on("2026-11-18")
        assert [cell.state for cell in mb.run_suite(suite).cells] == ["skipped"]
        assert [cell.state for cell in mb.forecast_suite(suite)] == ["skipped"]
        assert len(requests) == n_requests


def test_a_run_begun_before_can_be_resumed_and_says_that_the_model_is_retired(on, keys, small):
    """The address of a run cannot be changed, and it may have all its answers: only the judge may be missing."""
    on("2026-10-01")
    with serve(lambda body, headers: (200, completion("A roof."))) as (url, _):
        mb.run("gpt-4v", small, base_url=url, out="run", judge=None)
    info = json.loads(Path("run/run.json").read_text())
    info["config"]["base_url"] = None
    info["subject"] = (
        {**info["subject"], "endpoint": None} if "endpoint" in (info["subject"] or {}) else info["subject"]
    )
    Path("run/run.json").write_text(json.dumps(info))
    on("2026-11-18")
    results = mb.resume_run("run", judge="keywords")
    assert results.judge is not None and len(results) == 12
    assert any("OpenAI retired GPT-4V" in notice for notice in results.info.notices)


@pytest.mark.parametrize("by", ["option", "variable"])
def test_a_server_that_has_the_model_is_asked(monkeypatch, small, by):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-test")
    with serve(lambda body, headers: (200, completion("A roof."))) as (url, requests):
        if by == "variable":
            monkeypatch.setenv("OPENAI_BASE_URL", url)
        address = {"base_url": url} if by == "option" else {}
        results = mb.run("GPT-4V", small, limit=1, **address)
        assert results.model == "openai/gpt-4-turbo" and len(requests) == 2
        assert not any("retired" in notice for notice in results.info.notices)


def test_the_vendors_own_address_asks_it_all_the_same(keys):
    assert load_model("gpt-4v", base_url="https://api.openai.com/v1").name == "openai/gpt-4-turbo"


def test_the_state_is_that_of_the_day(on):
    on("2026-10-22")
    assert PRESETS["gpt-4v"].state is State.AVAILABLE and PRESETS["gpt-4v"].note == "until 2026-10-23"
    assert not retirement("openai/gpt-4-turbo")
    on("2026-10-23")
    assert PRESETS["gpt-4v"].state is State.RETIRED and PRESETS["gpt-4v"].note == "closed 2026-10-23"
    assert PRESETS["gpt-4v"].stand_in == "gpt-4o"
    on("2027-01-13")
    assert PRESETS["gpt-4o"].state is State.AVAILABLE and not retirement("openai/gpt-4o")
    on("2027-01-14")
    assert PRESETS["gpt-4o"].state is State.RETIRED
    assert PRESETS["gpt-4v"].stand_in == "gpt-5.6-sol", "what stands in is itself available"
    with pytest.raises(UsageError, match=r"OpenAI retired GPT-4o \(openai/gpt-4o\) on 2027-01-14; gpt-5.6-sol may"):
        load_model("gpt-4o")


def test_before_its_day_a_model_asks_for_its_key(on):
    on("2026-10-22")
    with pytest.raises(UsageError, match="openai/gpt-4-turbo needs a key"):
        load_model("gpt-4v")


def test_a_snapshot_has_a_day_of_its_own(on):
    with pytest.raises(UsageError, match=r"retired openai/gpt-4o-2024-05-13 on 2026-10-23; gpt-4o may stand in for it"):
        load_model("openai/gpt-4o-2024-05-13")
    with pytest.raises(UsageError, match="openai/gpt-4o-2024-08-06 needs a key"):
        load_model("openai/gpt-4o-2024-08-06")
    on("2027-01-14")
    with pytest.raises(UsageError, match=r"gpt-4o-2024-05-13 on 2026-10-23; gpt-5.6-sol may stand in for it"):
        load_model("openai/gpt-4o-2024-05-13")


def test_without_a_stand_in_it_says_so(on, monkeypatch):
    monkeypatch.setitem(
        PRESETS,
        "lonely",
        mb.models.presets._preset(
            "lonely",
            {
                "title": "Lonely",
                "group": "api",
                "model": "openai/lonely",
                "state": "available",
                "closes": "2026-01-01",
            },
        ),
    )
    with pytest.raises(UsageError, match="no preset is known that may stand in for it"):
        load_model("openai/lonely")


def test_every_stand_in_is_a_current_preset_of_a_hosted_model():
    for preset in PRESETS.values():
        assert bool(preset.closes) == bool(preset.stand_ins), preset
        for name in preset.stand_ins:
            assert PRESETS[name].model.partition("/")[0] in ("openai", "anthropic", "google")
        if preset.stand_ins:
            assert PRESETS[preset.stand_ins[-1]].group == "now"


def test_the_list_of_models_is_of_the_day(on):
    shown = mossbench("models").output
    assert "retired   2026-10 openai/gpt-4-turbo" in shown
    assert "closed 2026-10-23" in shown and "possible replacement: gpt-4o" in shown
    assert "until 2027-01-14" in shown
    listed = {row.get("name"): row for row in json.loads(mossbench("models", "--json").output)}
    assert (listed["gpt-4v"]["state"], listed["gpt-4v"]["closes"]) == ("retired", "2026-10-23")
    assert (listed["gpt-4v"]["stand_in"], listed["gpt-4o"]["state"]) == ("gpt-4o", "available")
    on("2027-02-01")
    listed = {row.get("name"): row for row in json.loads(mossbench("models", "--json").output)}
    assert (listed["gpt-4v"]["stand_in"], listed["gpt-4o"]["state"]) == ("gpt-5.6-sol", "retired")
    assert "closed 2027-01-14" in listed["gpt-4o"]["note"]


@pytest.mark.parametrize(
    "spec",
    [
        "openai/GPT-4-Turbo",
        "openai/gpt-4-Turbo-2024-04-09",
        "inspect/openai/GPT-4-turbo",
        "google/models/gemini-1.5-pro",
    ],
)
def test_a_retired_model_is_known_however_its_id_is_written(keys, spec):
    with pytest.raises(UsageError, match=r"(OpenAI|Google) retired .*may stand in for it"):
        load_model(spec)


def test_the_way_out_of_the_command_line_is_words_of_a_shell(keys, small):
    done = mossbench("run", "--model", "openai/GPT-4-Turbo", "--data", small)
    way_out = done.stderr.partition("name the address with ")[2]
    assert shlex.split(way_out) == ["--model", "openai/GPT-4-Turbo", "--base-url", "URL"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"stand_ins": ("gpt-9",)}, "'gpt-9', which may stand in for gpt-4v, is no preset"),
        ({"model": "mistral/pixtral"}, "closing date for 'mistral/pixtral', whose vendor is not known"),
        ({"snapshots": {"mistral/x": date(2026, 1, 1)}}, "closing date for 'mistral/x', whose vendor is not known"),
        ({"model": None}, "closing date for '', whose vendor is not known"),
    ],
)
def test_a_table_that_names_what_there_is_not_does_not_load(changed, message):
    wrong = PRESETS | {"gpt-4v": replace(PRESETS["gpt-4v"], **changed)}
    with pytest.raises(ValueError, match=message):
        check_table(wrong)
