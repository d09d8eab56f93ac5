"""Checkpoints with code of their own: tiny ones with the signatures of each family, which say what they were given."""

import asyncio
import json

import pytest

pytest.importorskip("torch", reason="needs the extra [local]; run `make test-local`")
pytest.importorskip("transformers", reason="needs the extra [local]; run `make test-local`")

import checkpoints
from safetensors.torch import save_file
from torch import ones

from mossbench.errors import ModelError, UsageError
from mossbench.images.preparing import prepare
from mossbench.models import load_model
from mossbench.models.model import Prompt, Settings
from mossbench.models.presets import PUBLISHED_LOCAL
from pictures import png

CODE = """
import hashlib, json
import torch
from PIL import Image
from transformers import PretrainedConfig, PreTrainedModel


class TinyConfig(PretrainedConfig):
    model_type = "tiny_chat"


def seen(image):
    image = Image.open(image) if isinstance(image, str) else image
    return None if image is None else list(image.convert("RGB").getpixel((0, 0)))


class {name}(PreTrainedModel):
    config_class = TinyConfig

    def __init__(self, config):
        super().__init__(config)
        self.weight = torch.nn.Linear(2, 2)
        self.post_init()

{chat}
"""
CHATS = {
    "QWenLMHeadModel": """
    def chat(self, tokenizer, query, history, system="You are a helpful assistant.", **generation):
        parts = json.loads(query)
        image = next((part["image"] for part in parts if "image" in part), None)
        return json.dumps([parts[-1]["text"], seen(image), system, generation]), history
""",
    "MiniCPMV": """
    def chat(self, image, msgs, tokenizer, sampling=True, system_prompt="", **generation):
        return json.dumps([msgs[0]["content"], seen(image), system_prompt, {**generation, "do_sample": sampling}])
""",
    "InternLMXComposer2ForCausalLM": """
    def chat(self, tokenizer, query, image=None, history=[], meta_instruction="", **generation):
        return json.dumps([query.removeprefix("<ImageHere>"), seen(image), meta_instruction, generation]), history
""",
    "InternVLChatModel": """
    def chat(self, tokenizer, pixel_values, question, generation_config):
        assert pixel_values.shape == (1, 3, 448, 448), pixel_values.shape
        shown = pixel_values[0, :, 0, 0].tolist()
        return json.dumps([question.removeprefix("<image>\\n"), shown, None, generation_config])
""",
    "CogVLMForCausalLM": """
    def build_conversation_input_ids(self, tokenizer, query, history, images):
        ids = torch.tensor(tokenizer(query)["input_ids"])
        self.shown = [seen(image) for image in images]
        pictures = [torch.tensor(one, dtype=torch.float32) for one in self.shown]
        return {"input_ids": ids, "token_type_ids": ids * 0, "attention_mask": ids * 0 + 1, "images": pictures}

    def generate(self, input_ids, token_type_ids, attention_mask, images, **generation):
        assert images[0][0].tolist() == [float(value) for value in self.shown[0]]
        said = json.dumps([self.tokenizer.decode(input_ids[0]), self.shown[0], None, generation])
        return torch.tensor([input_ids[0].tolist() + self.tokenizer(said)["input_ids"]])
""",
}
SYSTEM = {"QWenLMHeadModel", "MiniCPMV", "InternLMXComposer2ForCausalLM"}


def make(folder, name, code=None):
    tokenizer = checkpoints.tokenizer()
    tokenizer.save_pretrained(folder)
    if name == "QWenLMHeadModel":  # its tokenizer, too, has code of its own
        (folder / "tokenization_tiny.py").write_text(
            "import json\nfrom transformers import PreTrainedTokenizerFast\n\n\n"
            "class TinyTokenizer(PreTrainedTokenizerFast):\n"
            "    def from_list_format(self, parts):\n        return json.dumps(parts)\n"
        )
        config = json.loads((folder / "tokenizer_config.json").read_text())
        config |= {
            "tokenizer_class": "TinyTokenizer",
            "auto_map": {"AutoTokenizer": [None, "tokenization_tiny.TinyTokenizer"]},
        }
        (folder / "tokenizer_config.json").write_text(json.dumps(config))
    chat = (code or CHATS[name]).replace("self.tokenizer", "self.tiny_tokenizer()")
    if "tiny_tokenizer" in chat:
        chat += (
            "\n    def tiny_tokenizer(self):\n        from transformers import AutoTokenizer\n\n"
            f"        return AutoTokenizer.from_pretrained({str(folder)!r})\n"
        )
    (folder / "modeling_tiny.py").write_text(CODE.replace("{name}", name).replace("{chat}", chat))
    auto = "AutoModel" if name in ("MiniCPMV", "InternVLChatModel") else "AutoModelForCausalLM"
    config = {
        "model_type": "tiny_chat",
        "architectures": [name],
        "auto_map": {"AutoConfig": "modeling_tiny.TinyConfig", auto: f"modeling_tiny.{name}"},
    }
    (folder / "config.json").write_text(json.dumps(config))
    save_file({"weight.weight": ones(2, 2), "weight.bias": ones(2)}, folder / "model.safetensors", {"format": "pt"})
    return folder


def ask(folder, *requests, colours=("red",), system=None, **options):
    model = load_model(f"local/{folder}", trust_remote_code=True, **options)

    async def work():
        model.check([])
        prompts = [
            Prompt(request, system, prepare(png(colour)), Settings(max_tokens=7))
            for request in requests
            for colour in colours
        ]
        try:
            return await asyncio.gather(*map(model.answer, prompts))
        finally:
            await model.close()

    return [json.loads(answer.text) for answer in asyncio.run(work())]


@pytest.fixture(autouse=True)
def modules_in_the_test_folder(monkeypatch, tmp_path):
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))


@pytest.mark.parametrize("name", CHATS)
def test_request_picture_and_settings_reach_a_chat_of_its_own(tmp_path, name):
    folder = make(tmp_path, name)
    got = ask(folder, "What is this?", "Why?", colours=("red", "blue"))
    assert [one[0] for one in got] == ["What is this?"] * 2 + ["Why?"] * 2
    assert got[0][1] == got[2][1] != got[1][1] == got[3][1]
    assert all(one[3]["max_new_tokens"] == 7 and one[3]["do_sample"] is False for one in got)


@pytest.mark.parametrize(("name", "settings"), [("QWenLMHeadModel", {}), ("CogVLMForCausalLM", PUBLISHED_LOCAL)])
def test_published_settings_are_beams_and_for_qwen_the_defaults_of_its_chat(tmp_path, name, settings):
    assert ask(make(tmp_path, name), "Why?", as_published=True)[0][3] == settings


@pytest.mark.parametrize("name", CHATS)
def test_a_system_prompt_reaches_a_chat_or_is_refused(tmp_path, name):
    folder = make(tmp_path, name)
    if name in SYSTEM:
        assert ask(folder, "Why?", system="Speak like a sailor.")[0][2] == "Speak like a sailor."
    else:
        with pytest.raises(UsageError, match="takes no system prompt"):
            ask(folder, "Why?", system="Speak like a sailor.")


def test_code_of_a_checkpoint_runs_only_where_it_is_trusted(tmp_path):
    folder = make(tmp_path, "MiniCPMV")
    with pytest.raises(UsageError, match="comes with its own Python code.*trust_remote_code=True"):
        load_model(f"local/{folder}").check([])


def test_a_checkpoint_with_code_of_its_own_that_lacks_weights_is_one_message(tmp_path):
    folder = make(tmp_path, "MiniCPMV")
    save_file({"weight.bias": ones(2)}, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match="has no values for 1 weights, such as 'weight.weight'"):
        ask(folder, "Why?")


def test_a_chat_of_an_unknown_family_is_one_message(tmp_path):
    folder = make(tmp_path, "OwlModel", CHATS["MiniCPMV"])
    with pytest.raises(ModelError, match="'tiny_chat': it comes with its own code, which this package cannot call"):
        load_model(f"local/{folder}", trust_remote_code=True).check([])
