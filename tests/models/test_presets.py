"""Every preset has a path that works, or says how the system is measured without one."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import UsageError
from mossbench.models import PRESETS, load_model, presets
from mossbench.models.local.chats import CHATS
from mossbench.models.local.families import OWN_FORMATS
from mossbench.models.model import Settings
from mossbench.models.presets import (
    CHECK,
    PUBLISHED,
    State,
    endpoint_to_record,
    expand,
    find_preset,
    published_decoding,
)
from mossbench.outcomes import Layer
from mossbench.published.tables import published_points, published_rates
from servers.loopback import serve
from servers.wire import completion

HOSTED = {"openai", "anthropic", "google"}
SYSTEMS = {  # the published table, row by row, and the open models that the published code names besides
    "web": ["GPT-4o (ChatGPT)", "Gemini Advanced", "Claude 3 Opus (claude.ai)"],
    "api": [
        "GPT-4V",
        "GPT-4o",
        "Gemini-Pro Vision",
        "Gemini-Pro 1.5",
        "Claude 3 Opus",
        "Claude 3 Sonnet",
        "Claude 3 Haiku",
        "Reka",
    ],
    "open": [
        "IDEFICS-9b-Instruct",
        "Qwen-VL-Chat",
        "InternLM-XComposer2-7b",
        "InstructBLIP-Vicuna-7b",
        "MiniCPM-V 2.0",
        "MiniCPM-Llama3-V 2.5",
        "LLaVA-1.5-7b",
        "LLaVA-1.5-13b",
        "mPLUG-Owl2",
    ],
    "script": ["CogVLM", "Yi-VL", "InternVL", "BLIP-2"],
}
HANDLERS = {  # what config.json says of each open preset: its model_type, or the architecture of its own code
    "idefics-9b-instruct": "idefics",
    "qwen-vl-chat": "QWenLMHeadModel",
    "internlm-xcomposer2-7b": "InternLMXComposer2ForCausalLM",
    "instructblip-vicuna-7b": "instructblip",
    "minicpm-v-2": "MiniCPMV",
    "minicpm-llama3-v-2.5": "MiniCPMV",
    "llava-1.5-7b": "llava",
    "llava-1.5-13b": "llava",
    "cogvlm-chat": "CogVLMForCausalLM",
    "internvl-chat": "InternVLChatModel",
    "blip-2": "blip-2",
}


def of_kind(*providers):
    return [name for name, preset in PRESETS.items() if preset.model and preset.model.split("/")[0] in providers]


def test_every_published_system_has_a_preset_and_no_other_has():
    for group, titles in SYSTEMS.items():
        assert [preset.title for preset in PRESETS.values() if preset.group == group] == titles
    assert sum(map(len, SYSTEMS.values())) == 24
    assert all(preset.published for preset in PRESETS.values() if preset.group != "now")


@pytest.mark.slow
@pytest.mark.parametrize("name", of_kind(*HOSTED))
def test_a_hosted_preset_is_its_adapter_with_the_published_settings(monkeypatch, name):
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "REKA_API_KEY"):
        monkeypatch.setenv(key, "sk-of-a-test")
    preset = PRESETS[name]
    address = "https://models.example.org" if preset.state is State.RETIRED else preset.base_url
    model = load_model(name, base_url=address)
    assert (model.name, model.base_url) == (preset.model, address)
    if preset.group == "now":
        return
    published = load_model(name, base_url=address, as_published=True)
    how = next(how for family, how in PUBLISHED.items() if family in preset.model)
    assert published.decoding(Settings()) == how
    sent = json.dumps(published.settings_sent(Settings()))
    assert str(how.temperature) in sent and str(how.top_p or "") in sent


@pytest.mark.parametrize("name", of_kind("local"))
def test_a_local_preset_is_a_checkpoint_with_a_handler(name):
    model = load_model(name)
    assert model.name == PRESETS[name].model
    if name not in HANDLERS:
        assert PRESETS[name].group == "now"  # asked by its chat template
        return
    by_chat = HANDLERS[name] in CHATS
    assert by_chat or HANDLERS[name] in OWN_FORMATS
    assert by_chat == (PRESETS[name].state is State.OLD_CODE) == ("--trust-remote-code" in PRESETS[name].note)
    assert load_model(name, as_published=True).settings_sent(Settings())["num_beams"] == 5


@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if preset.model is None])
def test_a_preset_that_cannot_be_run_says_how_it_is_measured(name):
    way = r"(?s)write_template\(.*replay/" if PRESETS[name].group == "web" else "path/to/file.py:function"
    with pytest.raises(UsageError, match=way):
        load_model(name)
    assert CliRunner().invoke(cli, ["run", "--model", name]).exit_code == 2


def test_the_sheet_of_a_web_product_is_written_filled_and_run(small):
    sheet = Path("gpt-4o-web.csv")
    mb.write_template(small, sheet)
    with sheet.open(newline="") as file:
        rows = [{**row, "response": "Sure: start with the roof."} for row in csv.DictReader(file)]
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    results = mb.run("replay/gpt-4o-web.csv", small)
    assert results.layers()[Layer.JUDGED] == len(results) == 12


def test_a_run_by_preset_name_records_and_resumes_what_it_stands_for(monkeypatch, small):
    monkeypatch.setenv("REKA_API_KEY", "sk-of-a-test")
    with serve(lambda body, headers: (200, completion("A roof."))) as (url, requests):
        first = mb.run("reka", small, base_url=url, limit=1, out="run")
        assert (first.model, first.info.config.base_url) == ("openai/reka-core", url)
        mb.resume_run("run")
    assert len(requests) == 2
    assert mb.forecast_run("reka", small).model == "openai/reka-core"


def test_a_state_has_a_month_or_says_that_it_must_be_checked():
    for preset in PRESETS.values():
        assert preset.as_of == CHECK or re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])", preset.as_of), preset
        assert preset.state is not State.RETIRED or re.search(r"closed .*20\d\d-\d\d-\d\d", preset.note), preset


@pytest.mark.parametrize("columns", [80, 120])
def test_presets_are_listed_with_state_and_settings_and_fit_the_terminal(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = CliRunner().invoke(cli, ["models"]).output
    for preset in PRESETS.values():
        (line,) = re.findall(rf"^  {re.escape(preset.name)} .*$", shown, re.M)
        assert f"{preset.state:9} {preset.as_of}" in line
        assert (preset.model or "–") in shown and preset.published in shown
    too_long = [line for line in shown.splitlines() if len(line) > columns]
    assert all("do_sample" in line or "safety" in line for line in too_long)  # settings are not folded


def test_a_preset_is_in_the_json_and_the_nearest_is_named():
    listed = json.loads(CliRunner().invoke(cli, ["models", "--json"]).output)
    assert {row.get("name") for row in listed} >= set(PRESETS)
    with pytest.raises(UsageError, match="did you mean 'llava-1.5-7b'"):
        load_model("llava-1.5-7")
    with pytest.raises(UsageError, match="did you mean 'llava-1.5-7b' or 'llava-1.5-13b'"):
        load_model("LLaVA")


def stands_for(name):
    try:
        return expand(name, {})
    except UsageError as error:
        return str(error)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_is_known_by_its_published_name_however_it_is_spelled(preset):
    found = stands_for(preset.name)
    assert (found[0] if isinstance(found, tuple) else None) == preset.model
    for name in (preset.title, preset.name, *preset.other_names):
        spaced = re.sub(r"[-_ ]", " ", name)
        spellings = [name, name.upper(), spaced, spaced.replace(" ", "_"), spaced.replace(" ", "-"), f" {name} "]
        assert all(stands_for(spelling) == found for spelling in spellings), name


@pytest.mark.parametrize(
    ("published", "name"),
    [
        # The README's table and the folders of its answers
        ("Claude 3 Opus (web)", "claude-3-opus-web"),
        ("Gemini Advanced", "gemini-advanced-web"),
        ("Gemini Advanced (web)", "gemini-advanced-web"),
        ("GPT-4o (web)", "gpt-4o-web"),
        ("Gemini Pro 1.5", "gemini-1.5-pro"),
        ("Gemini-Pro 1.5", "gemini-1.5-pro"),
        ("Gemini Pro Vision", "gemini-pro-vision"),
        ("Gemini-Pro Vision", "gemini-pro-vision"),
        ("Claude 3 opus", "claude-3-opus"),
        ("InternLM-Xcomposer2-7b", "internlm-xcomposer2-7b"),
        ("LlaVA-1.5-13b", "llava-1.5-13b"),
        ("MiniCPM-V 2.0", "minicpm-v-2"),
        # The plot against safety
        ("Qwen-VL", "qwen-vl-chat"),
        ("InternLM", "internlm-xcomposer2-7b"),
        ("InstructBlip", "instructblip-vicuna-7b"),
        ("IDEFICS", "idefics-9b-instruct"),
        ("MiniCPM-V", "minicpm-v-2"),
        ("LLaVA-1.5 7b", "llava-1.5-7b"),
        ("mPLUG", "mplug-owl2"),
        # Transcripts, and what the published scripts call them
        ("gemini-pro-1.5", "gemini-1.5-pro"),
        ("gpt-4-turbo", "gpt-4v"),
        ("gemini-1.5-pro-latest", "gemini-1.5-pro"),
        ("claude-3-opus-20240229", "claude-3-opus"),
    ],
)
def test_names_of_the_published_work_are_known(published, name):
    assert find_preset(published) is PRESETS[name]


def test_every_row_of_the_published_tables_has_a_preset():
    for row in (*published_rates("gpt"), *published_rates("human")):
        assert find_preset(row.name) is not None, row
    for point in published_points():
        assert find_preset(point.model) is not None, point


@pytest.mark.parametrize(
    ("name", "candidates"),
    [
        ("LLaVA 1.5", ["llava-1.5-7b", "llava-1.5-13b"]),
        ("claude 3", ["claude-3-opus-web", "claude-3-opus", "claude-3-sonnet", "claude-3-haiku"]),
        ("Gemini-Pro", ["gemini-pro-vision", "gemini-1.5-pro"]),
    ],
)
def test_a_name_that_may_be_several_is_an_error_with_the_candidates(name, candidates):
    listed = " or ".join(map(repr, candidates))
    with pytest.raises(UsageError, match=re.escape(f"{name!r} is the name of several presets; did you mean {listed}?")):
        load_model(name)


@pytest.mark.parametrize("name", ["openai/GPT 4o", "local/llava-1.5-7b", "own.py:gpt_4o", "./gpt-4o", "gp"])
def test_what_is_no_name_of_a_preset_is_not_taken_for_one(name):
    assert find_preset(name) is None


def test_a_hosted_preset_without_a_key_says_at_once_which_it_needs():
    with pytest.raises(UsageError, match="openai/reka-core needs a key: set REKA_API_KEY"):
        load_model("reka")


@pytest.mark.parametrize(
    ("name", "served"), [("mplug-owl2", "mplug-owl2"), ("llava-1.5-7b", "llava-hf/llava-1.5-7b-hf")]
)
def test_a_server_for_an_open_preset_is_named_with_the_way_to_ask_it(name, served):
    with pytest.raises(UsageError, match=f"model='openai/{served}', base_url='URL'"):
        load_model(name, base_url="http://127.0.0.1:8000/v1")


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-4-turbo", "gpt"),
        ("openai/GPT-4o", "gpt"),
        ("ft:gpt-4o-2024-08-06:org::1", "gpt"),
        ("anthropic.claude-3-opus-20240229-v1:0", "claude"),
        ("models/gemini-1.5-pro", "gemini"),
        ("openai/reka-core", "reka"),
    ],
)
def test_published_settings_are_those_of_the_family(model, family):
    assert published_decoding(model) == PUBLISHED[family]


@pytest.mark.parametrize(
    "model",
    [
        "local/Vision-CAIR/MiniGPT-4",
        "Vision-CAIR/MiniGPT-4",
        "ImageGPT",
        "openai/imagegpt-small",
        "local/eureka-vl",
        "eureka-vl",
        "local/openai-community/gpt2",
        "gptq-llava",
        "gpt-4o/llava",
    ],
)
def test_a_name_that_only_contains_a_family_has_no_published_settings(model):
    with pytest.raises(UsageError, match="no published settings for .* omit as_published"):
        published_decoding(model)


def test_the_endpoint_of_a_preset_is_not_recorded_again():
    own = PRESETS["reka"].base_url
    assert endpoint_to_record("reka", own) is None
    assert endpoint_to_record("reka", f"{own}/") is None
    assert endpoint_to_record("reka", "https://models.example.org") == "https://models.example.org"
    assert endpoint_to_record("gpt-4o-web", "https://models.example.org") == "https://models.example.org"
    assert endpoint_to_record("mplug-owl2", None) is None
    assert endpoint_to_record("openai/x", own) == own


def test_a_preset_without_a_model_says_what_its_state_is(monkeypatch):
    gone = replace(PRESETS["mplug-owl2"], stated=State.RETIRED, remark="its weights were removed")
    monkeypatch.setattr(presets, "find_preset", lambda name: gone)
    with pytest.raises(UsageError, match="mPLUG-Owl2 has no model that can be run .state: retired, its weights"):
        expand("mplug-owl2", {})
