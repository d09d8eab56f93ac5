"""Local models on tiny checkpoints, through the real classes."""

import asyncio
import json
import logging
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra [local]; run `make test-local`")
pytest.importorskip("transformers", reason="needs the extra [local]; run `make test-local`")

import checkpoints
import torch
from click.testing import CliRunner

import mossbench as mb
from mossbench.cli import cli
from mossbench.errors import ModelError, UsageError
from mossbench.images.preparing import prepare
from mossbench.models import load_model
from mossbench.models.local.checkpoint import Checkpoint, check_room
from mossbench.models.local.engine import load_engine
from mossbench.models.model import Prompt, Settings
from mossbench.outcomes import Layer, Stop
from pictures import png

FAMILIES = list(checkpoints.FAMILIES)
SHORT = Settings(max_tokens=6)
RED, BLUE = prepare(png("red")), prepare(png("blue"))


def answers(model, prompts):
    async def ask():
        try:
            model.check([])
            return await asyncio.gather(*(model.answer(prompt) for prompt in prompts))
        finally:
            await model.close()

    return asyncio.run(ask())


def prompt(request="What is this?", picture=RED, **more):
    return Prompt(request, picture=picture, settings=more.pop("settings", SHORT), **more)


@pytest.fixture(scope="module")
def engine(checkpoint):
    """A function of a family's name: its engine, loaded once."""
    loaded = {}

    def find(family):
        if family not in loaded:
            folder = checkpoint(family)
            config = json.loads((folder / "config.json").read_text())
            loaded[family] = load_engine(Checkpoint(str(folder), folder, config), trust_remote_code=False)
        return loaded[family]

    return find


def seen(engine, prompt):
    """What comes out of the last layer for the first new token: whatever moves it has reached the model."""
    caught = []
    head = engine.model.get_output_embeddings()
    hook = head.register_forward_pre_hook(lambda module, args: caught.append(args[0][:, -1].clone()))
    try:
        engine.draw([prompt], {"max_new_tokens": 1, "do_sample": False})
    finally:
        hook.remove()
    return caught[0]


@pytest.mark.parametrize("family", FAMILIES)
def test_changing_the_request_changes_what_the_model_is_given_and_makes_of_it(engine, family):
    one, other = prompt("What is on the table?"), prompt("What is on the cable?")
    ids = [engine(family).inputs([each])["input_ids"] for each in (one, other)]
    assert ids[0].shape == ids[1].shape
    assert not torch.equal(*ids)
    assert (seen(engine(family), one) - seen(engine(family), other)).abs().max() > 1e-5
    assert "What is on the table?" in engine(family).family.processor.tokenizer.decode(ids[0][0])


@pytest.mark.parametrize("family", FAMILIES)
def test_changing_the_picture_changes_what_the_model_is_given_and_makes_of_it(engine, family):
    one, other = prompt(picture=RED), prompt(picture=BLUE)
    pixels = [engine(family).inputs([each])["pixel_values"] for each in (one, other)]
    assert not torch.equal(*pixels)
    assert (seen(engine(family), one) - seen(engine(family), other)).abs().max() > 1e-6


@pytest.mark.parametrize("family", FAMILIES)
def test_a_batch_gives_the_answers_that_its_rows_give_alone(checkpoint, family):
    prompts = [prompt("What is this? " * (1 + i % 3), RED if i % 2 else BLUE) for i in range(7)]
    model = load_model(f"local/{checkpoint(family)}", batch_size=4)
    together = answers(model, prompts)
    alone = answers(load_model(f"local/{checkpoint(family)}", batch_size=1), prompts)
    assert [(one.text, one.usage) for one in together] == [(one.text, one.usage) for one in alone]
    assert all((one.stop is Stop.LENGTH) == (one.usage.output_tokens == 6) for one in together)
    assert all(one.usage.input_tokens > len("What is this?") for one in together)  # a token a byte here
    assert model.settings_sent(SHORT)["batch_size"] == 4


@pytest.mark.parametrize("family", FAMILIES)
def test_a_question_without_a_picture_is_asked_or_fails_with_the_reason(engine, checkpoint, family):
    if family in ("instructblip", "blip-2"):
        (got,) = answers(load_model(f"local/{checkpoint(family)}"), [prompt(picture=None)])
        assert got.error.message.endswith("cannot be asked without an image")
        return
    assert engine(family).draw([prompt(picture=None)], {"max_new_tokens": 2, "do_sample": False})[0].usage


@pytest.mark.parametrize("family", ["llava", "llava with a chat template", "qwen2_5_vl", "idefics3"])
def test_a_system_prompt_is_in_the_input_where_the_family_has_a_place(engine, family):
    ids = engine(family).inputs([prompt(system="Speak like a sailor.")])["input_ids"][0]
    assert "Speak like a sailor." in engine(family).family.processor.tokenizer.decode(ids)


@pytest.mark.parametrize("family", ["instructblip", "blip-2", "idefics"])
def test_a_system_prompt_is_refused_where_the_family_has_no_place(checkpoint, family):
    with pytest.raises(UsageError, match="takes no system prompt: .*.*; omit system"):
        answers(load_model(f"local/{checkpoint(family)}"), [prompt(system="Speak like a sailor.")])


@pytest.mark.parametrize("raises", [False, True])
def test_a_system_prompt_that_a_chat_template_drops_or_rejects_is_refused(tmp_path, raises):
    template = checkpoints.NO_SYSTEM.replace("IMAGE", "<image>")
    if raises:
        template = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}" + template
    folder = checkpoints.llava(tmp_path, template)
    with pytest.raises(UsageError, match="no system" if raises else "leaves it out"):
        answers(load_model(f"local/{folder}"), [prompt(system="Speak like a sailor.")])
    assert answers(load_model(f"local/{folder}"), [prompt()])[0].text is not None


def test_temperature_0_is_greedy_and_a_seed_repeats_what_is_drawn(checkpoint):
    def texts(**settings):
        model = load_model(f"local/{checkpoint('llava')}")
        return [one.text for one in answers(model, [prompt(settings=Settings(max_tokens=8, **settings))])]

    assert texts(seed=1) == texts(seed=2)
    drawn = [texts(temperature=5.0, seed=seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_an_answer_ends_with_its_end_token_and_has_no_special_tokens(engine, checkpoint):
    first = engine("llava").draw([prompt()], {"max_new_tokens": 6, "do_sample": False})[0]
    tokenizer = engine("llava").family.processor.tokenizer
    assert engine("llava")._reply([*tokenizer.encode("Yes <3"), 1, 2, 2], 9).text == "Yes <3"
    assert engine("llava")._reply([1, 2, 2], 9) == engine("llava")._reply([1], 9)
    assert engine("llava")._reply([3, *tokenizer.encode("Hi")], 9).text == "Hi"  # 3 is <image>
    assert (first.finish, engine("llava")._reply([70, 1], 9).finish) == ("length", "stop")


def test_published_settings_are_beams_without_sampling(checkpoint):
    model = load_model(f"local/{checkpoint('llava')}", as_published=True)
    sent = model.settings_sent(Settings())
    assert (sent["num_beams"], sent["do_sample"], sent["max_length"]) == (5, False, 1000)
    assert answers(model, [prompt(), prompt("Why?")])[1].usage.output_tokens > 9


# Memory


def short_of_memory(monkeypatch, model_class, most):
    """From now on the model's `generate` runs out of memory for more than `most` rows."""
    generate, batches = model_class.generate, []

    def limited(self, **inputs):
        batches.append(len(inputs["input_ids"]))
        if batches[-1] > most:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 1.00 GiB.")
        return generate(self, **inputs)

    monkeypatch.setattr(model_class, "generate", limited)
    return batches


def test_a_batch_that_does_not_fit_is_halved_loses_no_row_and_is_recorded(monkeypatch, checkpoint, small):
    from transformers import LlavaForConditionalGeneration

    folder = checkpoint("llava")
    whole = mb.run(f"local/{folder}", small, out="whole", batch_size=8, max_tokens=4)
    batches = short_of_memory(monkeypatch, LlavaForConditionalGeneration, 2)
    halved = mb.run(f"local/{folder}", small, out="halved", batch_size=8, max_tokens=4)
    assert [row.exchange.answer.text for row in halved.rows] == [row.exchange.answer.text for row in whole.rows]
    assert halved.layers()[Layer.FAILED] == 0
    assert batches[:4] == [8, 4, 2, 2]
    assert batches.count(8) == 1 and batches[-1] <= 4  # later batches keep to what fitted
    sent = halved.info.sent
    assert sent["out_of_memory"] >= 2 and sent["smallest_batch"] == 2
    assert "out_of_memory" not in whole.info.sent


def test_a_row_that_fits_in_no_batch_fails_alone_with_its_reason(monkeypatch, checkpoint):
    from transformers import LlavaForConditionalGeneration

    short_of_memory(monkeypatch, LlavaForConditionalGeneration, 0)
    failed = answers(load_model(f"local/{checkpoint('llava')}", batch_size=2), [prompt(), prompt("Why?")])
    assert [one.error.type for one in failed] == ["OutOfMemory"] * 2
    assert "one request alone does not fit into memory" in failed[0].error.message


def test_a_row_that_breaks_its_batch_fails_alone(checkpoint):
    odd = prompt(picture=RED.__class__(data=b"no picture", media_type="image/png", width=1, height=1))
    got = answers(load_model(f"local/{checkpoint('llava')}", batch_size=4), [prompt(), odd, prompt("Why?"), prompt()])
    assert [one.error is None for one in got] == [True, False, True, True]
    assert got[1].error.type == "UnidentifiedImageError"


# What cannot be run


def copied(checkpoint, family, to):
    shutil.copytree(checkpoint(family), to)
    return to


def edited(folder, **changes):
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def without_a_weight(folder):
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights.pop(sorted(weights)[0])
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def asked(folder, **changes):
    """The config asks for another language model than the weights are of."""
    text = json.loads((folder / "config.json").read_text())["text_config"]
    edited(folder, text_config={**text, **changes})


def templated(folder, template):
    (folder / "chat_template.jinja").write_text(template)


BROKEN = {
    "no config": (lambda folder: (folder / "config.json").unlink(), "it has no config.json"),
    "config is no JSON": (lambda folder: (folder / "config.json").write_text("{"), "cannot be read.*fetch"),
    "config says nothing": (lambda folder: (folder / "config.json").write_text("{}"), "has no model_type"),
    "no folder": (lambda folder: (shutil.rmtree(folder), folder.write_text("{}")), "it is a file; expected a folder"),
    "unknown family": (lambda folder: edited(folder, model_type="llama9_vl"), "family 'llama9_vl'.*file.py:function"),
    "no pictures": (lambda folder: edited(folder, model_type="gpt2"), "family 'gpt2'.*about images; choose a"),
    "no weights": (lambda folder: (folder / "model.safetensors").unlink(), "cannot be loaded.*fetch it again"),
    "torn weights": (lambda folder: (folder / "model.safetensors").write_bytes(b"12345678{"), "cannot be loaded"),
    "a weight is missing": (without_a_weight, "has no values for 1 weights, such as .*random numbers"),
    "no tokenizer": (lambda folder: (folder / "tokenizer.json").unlink(), "cannot be loaded"),
    "bad processor": (lambda folder: (folder / "processor_config.json").write_text("{"), "cannot be loaded"),
    "layers are missing": (lambda folder: asked(folder, num_hidden_layers=3), "has no values for 9 weights, such as"),
    "other shapes": (
        lambda folder: asked(folder, intermediate_size=64),
        r"'.*down_proj.weight' has the shape 32 x 48 in the weights and 32 x 64 in the config \(and 5 more",
    ),
    "too big by its config": (
        lambda folder: asked(folder, hidden_size=2**16, intermediate_size=2**20),
        r"needs \d+\.\d GiB for its weights in float32, and cpu has",
    ),
    "template is no template": (lambda folder: templated(folder, "{% for m in"), "chat template of .* is broken: "),
    "template raises": (lambda folder: templated(folder, "{{ nothing.there }}"), "chat template of .* is broken: "),
    "template drops the request": (lambda folder: templated(folder, "<image>"), "leaves out the request"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_checkpoint_is_one_message_before_a_run_has_a_folder(checkpoint, small, tmp_path, logged, fault):
    spoil, message = BROKEN[fault]
    folder = copied(checkpoint, "llava", tmp_path / "broken")
    spoil(folder)
    done = CliRunner().invoke(cli, ["run", "--model", f"local/{folder}", "--data", str(small), "--out", "run"])
    (line,) = done.stderr.splitlines()
    assert done.exit_code == 2 and re.search(message, line) and len(line) < 1000, done.output
    assert not Path("run").exists() and not logged


@pytest.fixture
def logged():
    """What transformers logs."""
    records, handler = [], logging.Handler()
    handler.emit = records.append
    logging.getLogger("transformers").addHandler(handler)
    yield records
    logging.getLogger("transformers").removeHandler(handler)


@pytest.mark.parametrize("family", ["instructblip", "blip-2", "idefics", "llava without a system slot"])
def test_a_system_prompt_without_a_place_is_refused_before_a_run_has_a_folder(tmp_path, checkpoint, small, family):
    slotless = family == "llava without a system slot"
    folder = checkpoints.llava_without_a_system_slot(tmp_path / "tiny") if slotless else checkpoint(family)
    args = ["run", "--model", f"local/{folder}", "--data", str(small), "--system", "Speak like a sailor."]
    done = CliRunner().invoke(cli, [*args, "--out", "run"])
    (line,) = done.stderr.splitlines()
    assert done.exit_code == 2 and "takes no system prompt: " in line and not Path("run").exists()


def test_a_run_that_is_done_is_resumed_without_its_weights(checkpoint, small, tmp_path):
    folder = copied(checkpoint, "llava", tmp_path / "tiny")
    mb.run(f"local/{folder}", small, out="run", limit=1, max_tokens=2)
    weights = folder / "model.safetensors"
    weights.write_bytes(bytes(weights.stat().st_size))
    assert len(mb.resume_run("run")) == 2


def test_a_missing_checkpoint_is_one_message():
    with pytest.raises(
        ModelError, match="no checkpoint at './nowhere', as seen from .*; expected a folder with config"
    ):
        load_model("local/./nowhere")


def test_a_name_on_the_hub_that_cannot_be_fetched_is_one_message():
    done = subprocess.run(
        [sys.executable, "-m", "mossbench", "run", "--model", "local/nobody/nothing", "--out", "run"],
        capture_output=True,
        text=True,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(Path(mb.__file__).parents[1])},
    )
    assert done.returncode == 2 and not Path("run").exists()
    assert (
        "'nobody/nothing' cannot be loaded from the Hugging Face hub, and there is no folder of that name"
        in done.stderr
        and "Traceback" not in done.stderr
    )
    assert "check the name, the network, and HF_TOKEN" in done.stderr


def test_a_family_without_template_and_format_names_those_that_have_one(checkpoint, tmp_path):
    folder = copied(checkpoint, "qwen2_vl", tmp_path / "bare")
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(UsageError, match="'qwen2_vl', which needs a chat template.*blip-2, idefics"):
        answers(load_model(f"local/{folder}"), [prompt()])


def test_a_checkpoint_too_big_for_the_memory_is_one_message_with_both_sizes(tmp_path):
    with (tmp_path / "model.safetensors").open("wb") as file:
        file.truncate(2**43)  # a hole: takes no room
    big = Checkpoint("big", tmp_path, {"dtype": "bfloat16"})
    with pytest.raises(ModelError, match=r"needs 16384\.0 GiB .* in float32, and cpu has .* GiB free; .*vllm/big"):
        check_room(big, torch.device("cpu"), "float32")


def test_memory_that_runs_out_while_loading_is_said_as_such(monkeypatch, checkpoint):
    from transformers import LlavaForConditionalGeneration

    def full(*_):
        raise torch.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr(LlavaForConditionalGeneration, "to", full)
    with pytest.raises(ModelError, match="does not fit into the memory of cpu"):
        answers(load_model(f"local/{checkpoint('llava')}"), [prompt()])


def test_a_device_that_is_not_there_is_one_message(monkeypatch, checkpoint):
    monkeypatch.setenv("MOSSBENCH_DEVICE", "cuda:4")
    with pytest.raises(UsageError, match="MOSSBENCH_DEVICE is 'cuda:4', which torch cannot use"):
        answers(load_model(f"local/{checkpoint('llava')}"), [prompt()])


# End to end


def test_the_command_runs_sketches_on_a_checkpoint_and_goes_on_where_it_was_stopped(checkpoint, tmp_path):
    folder = copied(checkpoint, "qwen2_5_vl", tmp_path / "tiny")
    args = ["run", "--model", f"local/{folder}", "--limit", "3", "--max-tokens", "4", "--out", "tiny"]
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 0, done.output
    results = mb.load_results("tiny")
    assert len(results) == 6 and results.layers()[Layer.FAILED] == 0
    assert results.spent().output_tokens > 0
    assert results.info.sent["device"] == "cpu" and results.info.sent["dtype"] == "float32"
    assert results.info.model_version
    assert CliRunner().invoke(cli, ["run", "--resume", "tiny"]).exit_code == 0
    (folder / "added.json").write_text("{}")
    changed = CliRunner().invoke(cli, ["run", "--resume", "tiny"])
    assert changed.exit_code == 2 and "model version" in changed.output


def test_a_relative_model_folder_resumed_elsewhere_is_a_message_and_never_the_hub(
    monkeypatch, checkpoint, small, tmp_path
):
    copied(checkpoint, "llava", Path("models/tiny"))
    first = mb.run("local/models/tiny", small, out="run", limit=1, max_tokens=2)
    assert first.model == "local/./models/tiny"
    assert CliRunner().invoke(cli, ["run", "--resume", "run", "--model", "local/models/tiny"]).exit_code == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run = Path("run").resolve()
    monkeypatch.chdir(elsewhere)
    done = CliRunner().invoke(cli, ["run", "--resume", str(run)])
    assert done.exit_code == 2 and "no checkpoint at './models/tiny', as seen from " in done.output


def test_answers_made_before_a_checkpoint_broke_are_kept(checkpoint, small, tmp_path):
    folder = copied(checkpoint, "llava", tmp_path / "tiny")
    weights = (folder / "model.safetensors").read_bytes()
    first = mb.run(f"local/{folder}", small, out="run", limit=6, max_tokens=2)
    lines = Path("run/answers.jsonl").read_text().splitlines(keepends=True)
    Path("run/answers.jsonl").write_text("".join(lines[:5]))
    (folder / "model.safetensors").write_bytes(bytes(len(weights)))
    done = CliRunner().invoke(cli, ["run", "--resume", "run"])
    assert done.exit_code == 2 and "cannot be loaded" in done.output
    assert "5 of 12 answers are saved; resume it with: mossbench run --resume run" in done.output
    assert Path("run/answers.jsonl").read_text().splitlines(keepends=True) == lines[:5]
    (folder / "model.safetensors").write_bytes(weights)
    again = mb.resume_run("run")
    assert [row.exchange.answer.text for row in again.rows] == [row.exchange.answer.text for row in first.rows]


def test_a_dry_run_loads_no_weights(checkpoint, tmp_path):
    folder = copied(checkpoint, "llava", tmp_path / "tiny")
    (folder / "model.safetensors").write_bytes(b"")
    assert CliRunner().invoke(cli, ["run", "--model", f"local/{folder}", "--dry-run"]).exit_code == 0
