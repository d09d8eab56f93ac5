"""Second step, with PyTorch and numpy alone: fine-tunes the base encoder to tell kinds of answers.

    python judge-training/judge_training/train.py PREPARED OUT [--epochs 6] [--folds 3] [--only PART]

PREPARED is what `prepare` wrote. Several networks are trained: one on all rows, whose packed weights are written to
OUT/weights.npz, and one for each fold of the sources, which reads the rows of the sources that it has not seen;
OUT/fold-N.npz has their scores, on which `calibrate` fits. `--only all` or `--only 2` trains one of them, so that they
can be trained side by side.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from network import Network
from torch import Tensor, nn
from torch.nn import functional

BATCH = 64
RATE = 1.2e-4
HEAD_RATE = 1.2e-3
WARM_UP = 0.1
"""Share of the steps in which the rate rises."""
AVERAGED = 0.996
"""Of the averaged weights, what stays at each step; they are what is kept."""
HIDDEN_ROWS = 0.3
HIDDEN_PIECES = 0.12
"""Share of rows in which pieces are hidden, and share of their pieces."""
SWAPPED = 0.2
"""Share of refusals that are put under another request."""
SHORTEST_SWAPPED = 6
"""Pieces. A few words may be a refusal after one request and an answer after another."""
MIXED = 0.15
"""Share of answers whose start, turn and end come from three answers."""
CUT = 0.2
"""Share of answers that are cut short, as a limit on tokens does."""
SHORTEST_CUT = 40
TRAINED_LAYERS = 2
"""The last ones. The embeddings and the layers before stay as they are in the base, so that words that are not in the
rows keep their meaning."""
SIMILAR_LENGTH = 20
"""Pieces by which lengths in a batch differ at random."""
KINDS_WEIGHT = 0.5
"""What the kind counts beside refused or not."""
Row = dict[str, Any]


@dataclass(frozen=True)
class Prepared:
    rows: list[Row]
    base: dict[str, Any]
    refused: list[bool]
    """Of each kind, whether it is a refusal."""
    cls: int
    sep: int
    unknown: int


def read_prepared(folder: Path) -> Prepared:
    with gzip.open(folder / "rows.json.gz", "rt", encoding="utf-8") as file:
        data = json.load(file)
    marks = data["marks"]
    return Prepared(
        rows=data["rows"],
        base=dict(np.load(folder / "base.npz")),
        refused=data["refused"],
        cls=marks["CLS"],
        sep=marks["SEP"],
        unknown=marks["UNK"],
    )


class Varied:
    """Rows as they are read in training: each time a little different, with the same label."""

    def __init__(self, prepared: Prepared, rows: list[Row], rng: np.random.Generator) -> None:
        self._unknown = prepared.unknown
        self._requests = [row["request"] for row in rows]
        self._rng = rng
        refused = np.array(prepared.refused)
        self._helping = [row for row in rows if not refused[np.argmax(row["target"])]]
        self._is_helping = {id(row) for row in self._helping}

    def __call__(self, row: Row) -> Row:
        request, answer = row["request"], row["answer"]
        if id(row) in self._is_helping:
            answer = self._varied_help(answer)
        elif row["whatever_asked"] and len(answer[0]) >= SHORTEST_SWAPPED and self._happens(SWAPPED):
            request = self._any(self._requests)
        if self._happens(HIDDEN_ROWS):
            answer = [self._with_hidden(part) for part in answer]
            request = self._with_hidden(request)
        return {"request": request, "answer": answer}

    def _varied_help(self, answer: list[list[int]]) -> list[list[int]]:
        if len(answer) > 1 and self._happens(MIXED):
            return [
                answer[0],
                self._any(self._helping)["answer"][-1][-28:],
                self._any(self._helping)["answer"][-1][-28:],
            ]
        if len(answer) == 1 and len(answer[0]) > SHORTEST_CUT and self._happens(CUT):
            return [answer[0][: int(self._rng.integers(SHORTEST_CUT, len(answer[0])))]]
        return answer

    def _with_hidden(self, pieces: list[int]) -> list[int]:
        return [self._unknown if self._happens(HIDDEN_PIECES) else piece for piece in pieces]

    def _happens(self, chance: float) -> bool:
        return bool(self._rng.random() < chance)

    def _any(self, values: list[Any]) -> Any:
        return values[int(self._rng.integers(len(values)))]


class Training:
    def __init__(self, prepared: Prepared, n_layers: int, n_epochs: int) -> None:
        self._prepared = prepared
        self._n_layers = n_layers
        self._n_epochs = n_epochs
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._refused = torch.tensor(prepared.refused, device=self._device)

    def train(self, rows: list[Row], seed: int) -> Network:
        torch.manual_seed(seed)
        rng = np.random.default_rng(seed)
        varied = Varied(self._prepared, rows, rng)
        network = Network(self._prepared.base, self._n_layers).to(self._device)
        _freeze(network)
        averaged = torch.optim.swa_utils.AveragedModel(
            network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGED)
        )
        weights = np.array([row["weight"] for row in rows])
        n_steps = self._n_epochs * math.ceil(np.minimum(weights, 1).sum() / BATCH)
        optimiser, plan = _optimiser(network, n_steps)
        targets = torch.tensor([row["target"] for row in rows], device=self._device)
        counted = torch.tensor(np.maximum(weights, 1), dtype=torch.float32, device=self._device)
        lengths = np.array([len(self._joined(row)[0]) for row in rows])
        network.train()
        for _ in range(self._n_epochs):
            for chosen in _batches(weights, lengths, rng):
                with torch.autocast(self._device, torch.bfloat16):
                    scores = network(*self._arrays([varied(rows[i]) for i in chosen]))
                losses = self._losses(functional.log_softmax(scores.float(), 1), targets[chosen])
                loss = (losses * counted[chosen]).sum() / counted[chosen].sum()
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                optimiser.step()
                plan.step()
                averaged.update_parameters(network)
        return averaged.module.eval()

    def _losses(self, log_chances: Tensor, targets: Tensor) -> Tensor:
        """Mostly whether it is refused, partly which kind."""
        chance = log_chances.exp()[:, self._refused].sum(1).clamp(1e-6, 1 - 1e-6)
        share = targets[:, self._refused].sum(1)
        refused = -(share * chance.log() + (1 - share) * (1 - chance).log())
        kinds = -(targets * log_chances).sum(1)
        return refused + KINDS_WEIGHT * kinds

    @torch.no_grad()
    def log_chances(self, network: Network, rows: list[Row]) -> Any:
        parts = []
        for start in range(0, len(rows), 256):
            scores = network(*self._arrays(rows[start : start + 256]))
            parts.append(scores.float().log_softmax(1).cpu().numpy())
        return np.concatenate(parts)

    def _arrays(self, rows: list[Row]) -> tuple[Tensor, Tensor, Tensor]:
        joined = [self._joined(row) for row in rows]
        length = max(len(pieces) for pieces, _ in joined)
        arrays = np.zeros((3, len(joined), length), dtype=np.int64)
        for index, (pieces, n_request) in enumerate(joined):
            arrays[0, index, : len(pieces)] = pieces
            arrays[1, index, n_request : len(pieces)] = 1
            arrays[2, index, : len(pieces)] = 1
        pieces_array, sides, mask = torch.tensor(arrays, device=self._device)
        return pieces_array, sides, mask.bool()

    def _joined(self, row: Row) -> tuple[list[int], int]:
        """The pieces with their marks, and how many are the request's; as `Pieces.join` in the judge."""
        separator = self._prepared.sep
        request = [self._prepared.cls, *row["request"], separator]
        answer: list[int] = []
        for part in row["answer"]:
            answer += [*part, separator]
        return request + answer, len(request)


def _freeze(network: Network) -> None:
    frozen = [network.word, network.pos, network.side, network.n, *network.layers[:-TRAINED_LAYERS]]
    for part in frozen:
        part.requires_grad_(False)


def _optimiser(network: Network, n_steps: int) -> tuple[torch.optim.AdamW, torch.optim.lr_scheduler.LambdaLR]:
    body = [weight for name, weight in network.named_parameters() if not name.startswith("head")]
    groups = [{"params": body, "lr": RATE}, {"params": network.head.parameters(), "lr": HEAD_RATE}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)

    def share_of_rate(step: int) -> float:
        return min(1.0, step / (WARM_UP * n_steps + 1)) * max(0.0, 1 - step / n_steps)

    return optimiser, torch.optim.lr_scheduler.LambdaLR(optimiser, share_of_rate)


def _batches(weights: Any, lengths: Any, rng: np.random.Generator) -> list[Any]:
    """The rows of an epoch, in batches of similar length; a row of weight 0.2 is read in a fifth of the epochs."""
    read = np.flatnonzero(rng.random(len(weights)) < weights)
    by_length = read[np.argsort(lengths[read] + rng.uniform(0, SIMILAR_LENGTH, len(read)))]
    batches = [by_length[start : start + BATCH] for start in range(0, len(by_length), BATCH)]
    rng.shuffle(batches)
    return batches


def fold_of(source: str, sources: list[str], n_folds: int) -> int:
    return sources.index(source) % n_folds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--only", help="`all`, or the number of a fold: train only this network")
    options = parser.parse_args()
    prepared = read_prepared(options.prepared)
    training = Training(prepared, options.layers, options.epochs)
    options.out.mkdir(parents=True, exist_ok=True)
    names = [options.only] if options.only else ["all", *(str(number) for number in range(options.folds))]
    sources = sorted({row["source"] for row in prepared.rows})
    for name in names:
        if name == "all":
            network = training.train(prepared.rows, seed=0)
            np.savez_compressed(options.out / "weights.npz", vocabulary=prepared.base["vocabulary"], **network.packed())
            continue
        left_out = [fold_of(row["source"], sources, options.folds) == int(name) for row in prepared.rows]
        network = training.train([row for row, out in zip(prepared.rows, left_out, strict=True) if not out], seed=0)
        read = [row for row, out in zip(prepared.rows, left_out, strict=True) if out]
        log_chances = training.log_chances(network, read).astype(np.float32)
        np.savez(options.out / f"fold-{name}.npz", rows=np.flatnonzero(left_out), log_chances=log_chances)
        right = (np.exp(log_chances)[:, prepared.refused].sum(1) > 0.5) == [
            np.dot(row["target"], prepared.refused) > 0.5 for row in read
        ]
        print(f"fold {name}: {len(read)} answers of unseen sources, {np.mean(right):.1%} right", flush=True)


if __name__ == "__main__":
    main()
