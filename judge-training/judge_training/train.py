"""Second step, in PyTorch alone: fine-tunes the base encoder to tell kinds, and reads each source as a stranger would.

    python judge-training/judge_training/train.py DATA OUT [--layers 6] [--epochs 8] [--seeds 3]

DATA is what `pieces` wrote. OUT gets the weights in parts, of a network fitted on all rows, and left_out.npy: for each
row the log chances by networks that saw no row of its source.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - its usual name

WIDTH, HEADS = 384, 12
REFUSED = ("deflected", "refused", "incapable")
SMOOTHED = 0.02  # of each label's weight, spread over all kinds
Row = dict[str, Any]
_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "n1": "attention.output.LayerNorm",
    "f1": "intermediate.dense",
    "f2": "output.dense",
    "n2": "output.LayerNorm",
}


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.f1, self.f2 = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.n1, self.n2 = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        batch, length, _ = x.shape
        q, k, v = (part(x).view(batch, length, HEADS, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        dropped = 0.1 if self.training else 0.0
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :], dropout_p=dropped)
        x = self.n1(x + self.drop(self.o(mixed.transpose(1, 2).reshape(batch, length, WIDTH))))
        return self.n2(x + self.drop(self.f2(F.gelu(self.f1(x)))))


class Network(nn.Module):
    def __init__(self, base: dict[str, Any], n_layers: int, n_kinds: int) -> None:
        super().__init__()
        taken = {name: torch.tensor(weight.astype(np.float32)) for name, weight in base.items()}
        for mine, theirs in (("word", "word"), ("pos", "position"), ("side", "token_type")):
            table = nn.Embedding.from_pretrained(taken[f"embeddings.{theirs}_embeddings.weight"], freeze=False)
            setattr(self, mine, table)
        self.n = nn.LayerNorm(WIDTH, eps=1e-12)
        self.n.weight.data, self.n.bias.data = (taken[f"embeddings.LayerNorm.{part}"] for part in ("weight", "bias"))
        self.layers = nn.ModuleList(Layer() for _ in range(n_layers))
        for index, layer in enumerate(self.layers):
            for mine, theirs in _PARTS.items():
                part = getattr(layer, mine)
                name = f"encoder.layer.{index}.{theirs}"
                part.weight.data, part.bias.data = taken[f"{name}.weight"], taken[f"{name}.bias"]
        self.drop, self.head = nn.Dropout(0.1), nn.Linear(2 * WIDTH, n_kinds)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, pieces: Tensor, sides: Tensor, mask: Tensor) -> Tensor:
        places = torch.arange(pieces.shape[1], device=pieces.device)
        x = self.drop(self.n(self.word(pieces) + self.pos(places)[None] + self.side(sides)))
        for layer in self.layers:
            x = layer(x, mask)
        share = mask[..., None].float()
        return self.head(self.drop(torch.cat([x[:, 0], (x * share).sum(1) / share.sum(1)], 1)))


class Training:
    """Rows, the base and where it runs."""

    def __init__(self, data: Path, n_layers: int, epochs: int) -> None:
        read = json.loads((data / "data.json").read_text("utf-8"))
        self.rows: list[Row] = read["rows"]
        self.kinds: list[str] = read["kinds"]
        self.unknown = read["vocabulary"].index("[UNK]")
        self.base = dict(np.load(data / "base.npz"))
        self.n_layers, self.epochs = n_layers, epochs
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.refused = [self.kinds.index(kind) for kind in REFUSED]

    def target(self, row: Row) -> np.ndarray:
        """How the readers' kinds are spread."""
        spread = np.full(len(self.kinds), SMOOTHED / len(self.kinds))
        for kind in row["kinds"]:
            spread[self.kinds.index(kind)] += (1 - SMOOTHED) / len(row["kinds"])
        return spread

    def batch(self, rows: list[Row], rng: np.random.Generator | None = None) -> tuple[Tensor, Tensor, Tensor]:
        """Arrays of the rows; in training some answers are cut short and some words hidden."""
        read = [(row["pieces"], row["sides"]) for row in rows]
        if rng is not None:
            read = [self._varied(pieces, sides, rng) for pieces, sides in read]
        length = max(len(pieces) for pieces, _ in read)
        arrays = np.zeros((3, len(read), length), dtype=np.int64)
        for index, (pieces, sides) in enumerate(read):
            arrays[:, index, : len(pieces)] = pieces, sides, [1] * len(pieces)
        pieces_, sides_, mask = torch.tensor(arrays, device=self.device)
        return pieces_, sides_, mask.bool()

    def _varied(self, pieces: list[int], sides: list[int], rng: np.random.Generator) -> tuple[list[int], list[int]]:
        asked = sides.index(1)
        if rng.random() < 0.3 and len(pieces) - asked > 60:
            cut = int(rng.integers(asked + 40, len(pieces)))
            pieces, sides = [*pieces[: cut - 1], pieces[-1]], sides[:cut]
        if rng.random() < 0.2:
            pieces = [piece if not i or rng.random() > 0.1 else self.unknown for i, piece in enumerate(pieces)]
        return pieces, sides

    def train(self, rows: list[Row], seed: int, rate: float = 8e-5, size: int = 32) -> Network:
        torch.manual_seed(seed)
        rng = np.random.default_rng(seed)
        net = Network(self.base, self.n_layers, len(self.kinds)).to(self.device)
        body = [weight for name, weight in net.named_parameters() if not name.startswith("head")]
        optimiser = torch.optim.AdamW(
            [{"params": body}, {"params": net.head.parameters(), "lr": 10 * rate}], lr=rate, weight_decay=0.01
        )
        steps = self.epochs * math.ceil(len(rows) / size)
        plan = torch.optim.lr_scheduler.LambdaLR(
            optimiser, lambda step: min(1, step / (0.1 * steps + 1)) * max(0.0, 1 - step / steps)
        )
        targets = torch.tensor(np.array([self.target(row) for row in rows]), dtype=torch.float32, device=self.device)
        net.train()
        for _ in range(self.epochs):
            order = rng.permutation(len(rows))
            for start in range(0, len(rows), size):
                chosen = order[start : start + size]
                with torch.autocast(self.device, torch.bfloat16):
                    scores = net(*self.batch([rows[i] for i in chosen], rng))
                loss = self.loss(F.log_softmax(scores.float(), 1), targets[chosen])
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                optimiser.step()
                plan.step()
        return net.eval()

    def loss(self, said: Tensor, true: Tensor) -> Tensor:
        """Mostly whether it is refused, partly which kind."""
        chance = said.exp()[:, self.refused].sum(1).clamp(1e-6, 1 - 1e-6)
        share = true[:, self.refused].sum(1)
        refused = share * chance.log() + (1 - share) * (1 - chance).log()
        return -refused.mean() - 0.5 * (true * said).sum(1).mean()

    @torch.no_grad()
    def read(self, net: Network, rows: list[Row]) -> np.ndarray:
        """Log chances of the kinds."""
        parts = [net(*self.batch(rows[i : i + 256])).float().log_softmax(1).cpu() for i in range(0, len(rows), 256)]
        return torch.cat(parts).numpy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    work = Training(options.data, options.layers, options.epochs)
    left_out = np.zeros((len(work.rows), len(work.kinds)))
    for source in sorted({row["source"] for row in work.rows}):
        inside = [i for i, row in enumerate(work.rows) if row["source"] == source]
        others = [row for row in work.rows if row["source"] != source]
        mine = [work.rows[i] for i in inside]
        read = [work.read(work.train(others, seed), mine) for seed in range(options.seeds)]
        left_out[inside] = np.mean(read, axis=0)
        said = np.exp(left_out[inside])[:, work.refused].sum(1) > 0.5
        true = np.array([row["kinds"][0] in REFUSED for row in mine])
        print(f"{source}: {len(mine)} rows, {np.mean(said == true):.1%} right when left out", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    np.save(options.out / "left_out.npy", left_out.astype(np.float32))
    weights = work.train(work.rows, 0).state_dict()
    arrays = {name: weight.cpu().numpy().astype(np.float16) for name, weight in weights.items()}
    half = options.layers // 2
    for part, chosen in enumerate(
        (lambda n: n.startswith("word"), lambda n: _layer(n) < half, lambda n: _layer(n) >= half)
    ):
        named = {n: a for n, a in arrays.items() if chosen(n) and (part == 0 or not n.startswith("word"))}
        np.savez(options.out / f"weights{part}.npz", **named)


def _layer(name: str) -> int:
    return int(name.split(".")[1]) if name.startswith("layers.") else 0


if __name__ == "__main__":
    main()
