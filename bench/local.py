"""Samples per second of a local model: `mossbench run --model local/…` beside a bare loop over `generate`.

    python bench/local.py                      a 3B-shaped model with random weights; wants a GPU
    python bench/local.py --tiny --tokens 8    the same on a CPU, in a minute: only checks that it runs

The checkpoint has the shape of Qwen2.5-VL-3B and random weights in bfloat16, and is written to a temporary folder:
nothing is fetched. No answer ends by itself, so that every one has exactly --tokens tokens. Both ways ask the same
requests and images (the sketches) at the same batch size. The bare loop decodes the images of a batch, runs the
processor and `generate`, and decodes the text, once as PyTorch comes and once with attention kept off cuDNN as
our adapter does. The run is a process of its own. The first batch is left out everywhere: times count from its end.
The three take turns, --rounds times, and the median of each is compared: a busy machine slows all of them.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from statistics import median
from typing import Any

SOURCE = str(Path(__file__).parents[1] / "src")
sys.path.insert(0, SOURCE)

SPECIAL = ("<s>", "</s>", "<pad>", "<|vision_start|>", "<|image_pad|>", "<|vision_end|>", "<|video_pad|>")
TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }}\n{% for c in m['content'] %}{% if c['type'] == 'image' %}"
    "<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ c['text'] }}{% endif %}{% endfor %}\n{% endfor %}"
    "assistant\n"
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--batch", type=int, nargs="+", default=[32], help="batch sizes, at most 120")
    options.add_argument("--batches", type=int, default=4, help="batches of a round, after one that warms up")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--tokens", type=int, default=128, help="tokens of every answer")
    options.add_argument("--tiny", action="store_true", help="a tiny model")
    args = options.parse_args()
    missing = [name for name in ("torch", "transformers", "tokenizers", "PIL", "pydantic") if not is_installed(name)]
    if missing:
        raise SystemExit(f"not installed here: {', '.join(missing)}; this needs mossbench with the extra [local]")
    import torch
    import transformers

    from mossbench.models.local.checkpoint import inference

    card = torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
    print(
        f"{card}, torch {torch.__version__}, transformers {transformers.__version__}, {args.tokens} tokens per answer"
    )
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Path(folder) / "checkpoint"
        save_checkpoint(checkpoint, args.tokens, tiny=args.tiny)
        for size in args.batch:
            requests = questions(size) * (1 + args.batches)
            rates = []
            for _ in range(args.rounds):
                plain, kept_off = (bare_loop(checkpoint, requests, size, way) for way in (nullcontext(), inference()))
                ours = through_a_run(checkpoint, size, 1 + args.batches, args.tokens)
                rates.append((plain, kept_off, ours))
                print(f"batches of {size}: {plain:.3f} bare, {kept_off:.3f} bare off cuDNN, {ours:.3f} mossbench run")
            plain, kept_off, ours = map(median, zip(*rates, strict=True))
            print(f"    medians: {ours / plain:.2f} and {ours / kept_off:.2f} times the bare loops", flush=True)


def is_installed(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


def save_checkpoint(folder: Path, n_tokens: int, *, tiny: bool) -> None:
    import torch
    import transformers as t
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    from mossbench.models.local.checkpoint import best_dtype, find_device

    text, vision = shape(tiny=tiny)
    tokens = [*SPECIAL, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokens += [f"w{i}" for i in range(len(tokens), text["vocab_size"])]  # whatever is drawn is text
    fast = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, []))
    fast.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    fast.decoder = decoders.ByteLevel()
    special = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
    tokenizer = t.PreTrainedTokenizerFast(
        tokenizer_object=fast, **special, additional_special_tokens=list(SPECIAL[3:]), chat_template=TEMPLATE
    )
    names = ("vision_start_token_id", "image_token_id", "vision_end_token_id", "video_token_id")
    ids = {name: 3 + i for i, name in enumerate(names)}
    config = t.Qwen2_5_VLConfig(text_config=text, vision_config=vision, **ids)
    device = find_device()
    torch.manual_seed(1)
    torch.set_default_dtype(getattr(torch, best_dtype(device)))
    with device:
        model = t.Qwen2_5_VLForConditionalGeneration(config).eval()
    torch.set_default_dtype(torch.float32)
    model.generation_config.min_new_tokens = n_tokens
    print(f"{sum(weight.numel() for weight in model.parameters()) / 1e9:.2f} billion weights, random")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    pictures = getattr(t, "Qwen2VLImageProcessorPil", None) or t.Qwen2VLImageProcessor
    pictures().save_pretrained(folder)


def shape(*, tiny: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Text and vision part of Qwen2.5-VL-3B, or of something small."""
    rope = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 3, 3] if tiny else [16, 24, 24]}
    ids = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 2, "rope_parameters": rope}
    if tiny:
        text = {"vocab_size": 512, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2}
        heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
        eye = {"depth": 2, "hidden_size": 64, "out_hidden_size": 64, "num_heads": 4, "intermediate_size": 96}
        return {**text, **heads, **ids}, {**eye, "fullatt_block_indexes": [1]}
    text = {"vocab_size": 151936, "hidden_size": 2048, "intermediate_size": 11008, "num_hidden_layers": 36}
    heads = {"num_attention_heads": 16, "num_key_value_heads": 2, "tie_word_embeddings": True}
    eye = {"depth": 32, "hidden_size": 1280, "out_hidden_size": 2048, "num_heads": 16, "intermediate_size": 3420}
    return {**text, **heads, **ids}, eye


def questions(n: int) -> list[tuple[str, bytes]]:
    """The first requests and images that a run asks."""
    from mossbench import load_dataset

    data = load_dataset("sketches")
    return [(sample.question, data.picture(sample)) for sample in data.select("benign", limit=n)]


def bare_loop(folder: Path, requests: list[tuple[str, bytes]], size: int, around: AbstractContextManager[Any]) -> float:
    """Samples per second after a first batch that warms up."""
    import torch
    import transformers as t
    from PIL import Image

    from mossbench.models.local.checkpoint import best_dtype, find_checkpoint, find_device, with_config
    from mossbench.models.local.engine import _processor, find_config

    device = find_device()
    checkpoint = with_config(find_checkpoint(str(folder)))
    processor = _processor(checkpoint, find_config(checkpoint))  # AutoProcessor, where torchvision is there
    processor.tokenizer.padding_side = "left"
    model = t.AutoModelForImageTextToText.from_pretrained(folder, dtype=best_dtype(device)).to(device).eval()
    batches = [requests[at : at + size] for at in range(0, len(requests), size)]
    with around, torch.inference_mode():
        for place, batch in enumerate(batches):
            if place == 1:
                start = time.perf_counter()
            texts = [
                processor.apply_chat_template(
                    [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": request}]}],
                    add_generation_prompt=True,
                    tokenize=False,
                )
                for request, _ in batch
            ]
            images = [[Image.open(io.BytesIO(data)).convert("RGB")] for _, data in batch]
            inputs = processor(images=images, text=texts, padding=True, return_tensors="pt").to(device, model.dtype)
            tokens = model.generate(**inputs, max_new_tokens=model.generation_config.min_new_tokens, do_sample=False)
            answers = processor.tokenizer.batch_decode(
                tokens[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True
            )
            assert len(answers) == len(batch)
    return (len(requests) - size) / (time.perf_counter() - start)


def through_a_run(folder: Path, size: int, epochs: int, n_tokens: int) -> float:
    """Samples per second of a run in a process of its own, read off the growth of its answers; a batch an epoch."""
    with tempfile.TemporaryDirectory() as out:
        options = ["--side", "benign", "--limit", size, "--epochs", epochs, "--no-judge", "--out", f"{out}/run"]
        options += ["--batch-size", size, "--max-tokens", n_tokens, "--temperature", 0]
        command = [sys.executable, "-m", "mossbench", "run", "--model", f"local/{folder}", *map(str, options)]
        paths = os.pathsep.join(filter(None, [SOURCE, os.environ.get("PYTHONPATH")]))
        log = Path(out) / "log"
        answers = Path(out) / "run" / "answers.jsonl"
        times = {}
        with log.open("w") as to:
            run = subprocess.Popen(command, stdout=to, stderr=to, env={**os.environ, "PYTHONPATH": paths})
        while run.poll() is None:
            n = answers.read_bytes().count(b"\n") if answers.exists() else 0
            times.setdefault(n, time.perf_counter())
            time.sleep(0.02)
        lines = answers.read_text().splitlines() if answers.exists() else []
        if len(lines) != size * epochs or any(json.loads(line)["answer"].get("error") for line in lines):
            raise SystemExit(f"the run went wrong: {lines[:1]}\n{log.read_text()[-4000:]}")
    first = min(at for n, at in times.items() if n >= size)
    return size * (epochs - 1) / (min(at for n, at in times.items() if n == size * epochs) - first)


if __name__ == "__main__":
    main()
