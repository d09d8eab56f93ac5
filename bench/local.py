"""Samples per second of a local model, one at a time and in batches, through our adapter.

    python bench/local.py                      a 3B-shaped model with random weights; wants a GPU
    python bench/local.py --tiny --tokens 8    the same on a CPU, in seconds: only checks that it runs

The model has the shape of Qwen2.5-VL-3B and random weights in bfloat16, made in memory: nothing is fetched. No answer
ends by itself, so that every one has exactly --tokens tokens. The rate is for whole requests: decoding the image,
preparing it, the prompt, the answer.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

SPECIAL = ("<s>", "</s>", "<pad>", "<|vision_start|>", "<|image_pad|>", "<|vision_end|>", "<|video_pad|>")
TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }}\n{% for c in m['content'] %}{% if c['type'] == 'image' %}"
    "<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ c['text'] }}{% endif %}{% endfor %}\n{% endfor %}"
    "assistant\n"
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--batch", type=int, nargs="+", default=[8, 32, 64], help="batch sizes besides 1")
    options.add_argument("--samples", type=int, default=128, help="questions for each batch size but 1")
    options.add_argument("--alone", type=int, default=8, help="questions one at a time")
    options.add_argument("--tokens", type=int, default=128, help="tokens of every answer")
    options.add_argument("--side", type=int, default=640, help="pixels of the longer side of the images")
    options.add_argument("--tiny", action="store_true", help="a tiny model")
    args = options.parse_args()
    missing = [name for name in ("torch", "transformers", "tokenizers", "PIL", "pydantic") if not there(name)]
    if missing:
        raise SystemExit(f"not installed here: {', '.join(missing)}; this needs mossbench with the extra [local]")
    import torch

    engine = make_engine(tiny=args.tiny)
    n_weights = sum(weight.numel() for weight in engine.model.parameters())
    print(f"{engine.facts['device']}, {engine.facts['dtype']}, {n_weights / 1e9:.2f} billion weights, random")
    print(f"torch {engine.facts['torch']}, transformers {engine.facts['transformers']}")
    print(f"images {args.side} x {args.side * 3 // 4}, {args.tokens} tokens per answer")
    measure(engine, 2, 1, args)  # warms up
    alone = measure(engine, args.alone, 1, args)
    print(f"one at a time      {alone:8.3f} samples/s")
    for size in args.batch:
        if torch.cuda.is_available():
            torch.cuda.reset_peak_memory_stats()
        measure(engine, size, size, args)
        rate = measure(engine, max(args.samples, 2 * size), size, args)
        peak = f", peak {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB" if torch.cuda.is_available() else ""
        print(f"batches of {size:3}     {rate:8.3f} samples/s, {rate / alone:6.1f} times{peak}", flush=True)


def there(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


def make_engine(*, tiny: bool) -> Any:
    import torch
    import transformers as t
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    from mossbench.models.local.checkpoint import best_dtype, find_device
    from mossbench.models.local.engine import NativeEngine
    from mossbench.models.local.families import Chat

    vocab = {token: i for i, token in enumerate((*SPECIAL, *sorted(pre_tokenizers.ByteLevel.alphabet())))}
    fast = Tokenizer(models.BPE(vocab, []))
    fast.pre_tokenizer, fast.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = t.PreTrainedTokenizerFast(
        tokenizer_object=fast,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        additional_special_tokens=list(SPECIAL[3:]),
    )
    pictures_only = type("PicturesOnly", (t.Qwen2_5_VLProcessor,), {"check_argument_for_proper_class": lambda *_: None})
    pictures = getattr(t, "Qwen2VLImageProcessorPil", None) or t.Qwen2VLImageProcessor
    processor = pictures_only(pictures(), tokenizer, None, chat_template=TEMPLATE)
    text, vision = shape(tiny=tiny)
    config = t.Qwen2_5_VLConfig(
        text_config=text,
        vision_config=vision,
        vision_start_token_id=3,
        image_token_id=4,
        vision_end_token_id=5,
        video_token_id=6,
    )
    device = find_device()
    torch.manual_seed(1)
    torch.set_default_dtype(getattr(torch, best_dtype(device)))
    with device:
        model = t.Qwen2_5_VLForConditionalGeneration(config).eval()
    torch.set_default_dtype(torch.float32)
    return NativeEngine(model, Chat("bench", processor))


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


def measure(engine: Any, n: int, batch: int, args: argparse.Namespace) -> float:
    """Samples per second of `n` questions, asked as a run asks them: two batches in flight."""
    from mossbench.images import Picture
    from mossbench.models.local.model import LocalModel
    from mossbench.models.model import Prompt, Settings

    class Fixed(LocalModel):
        """The adapter around an engine that is there already; every answer has the same length."""

        def __init__(self) -> None:
            self.name, self._as_published = "local/bench", False
            self.set_up(batch)
            self._engine = engine

        def generation(self, settings: Settings) -> dict[str, Any]:
            return {**super().generation(settings), "min_new_tokens": settings.max_tokens}

        async def close(self) -> None:  # the engine goes on
            pass

    model, gate = Fixed(), asyncio.Semaphore(2 * batch)
    width, height = args.side, args.side * 3 // 4
    pictures = [Picture(data, "image/jpeg", width, height) for data in jpegs(min(n, 32), width, height)]

    async def ask(i: int) -> None:
        request = f"What could I do with what number {i} shows? " + "Please say it in a few words. " * (i % 3)
        async with gate:
            got = await model.answer(Prompt(request, None, pictures[i % 32], Settings(max_tokens=args.tokens)))
        if not got.usage or got.usage.output_tokens != args.tokens:  # random weights may say nothing that is text
            raise SystemExit(f"question {i} went wrong: {got}")

    async def all_of_them() -> None:
        await asyncio.gather(*map(ask, range(n)))

    start = time.perf_counter()
    asyncio.run(all_of_them())
    return n / (time.perf_counter() - start)


def jpegs(n: int, width: int, height: int) -> list[bytes]:
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(1)
    found = []
    for _ in range(n):
        coarse = Image.fromarray(rng.integers(0, 255, (12, 16, 3), dtype=np.uint8))
        buffer = io.BytesIO()
        coarse.resize((width, height)).save(buffer, "JPEG")
        found.append(buffer.getvalue())
    return found


if __name__ == "__main__":
    main()
