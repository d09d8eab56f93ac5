"""Second step, with PyTorch and numpy alone: fine-tunes the base encoder to tell kinds of answers.

    python judge-training/judge_training/train.py PREPARED OUT --only lower
    python judge-training/judge_training/train.py PREPARED OUT [--epochs 5] [--folds 3] [--only PART]

PREPARED is what `prepare` wrote. The lower layers stay as they are in the base: what they make of each row is computed
once (`lower`) and kept in OUT/lower-*.pt. Then several networks are trained on top of it: one on all rows, whose packed
weights are written to OUT/weights.npz, and one for each fold of the sources, which reads the rows of the sources that
it has not seen; OUT/fold-N.npz has their scores, on which `calibrate` fits. `--only lower`, `--only all` or `--only 2`
does one of these, so that they can be done side by side.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
from collections.abc import Sequence
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
AVERAGED = 0.99
"""Of the averaged weights, what stays at each step; they are what is kept."""
HIDDEN_ROWS = 0.3
HIDDEN_PIECES = 0.12
"""Share of rows in which pieces are hidden, and share of their pieces."""
SWAPPED = 0.4
"""Share of refusals that are put under another request where a row is varied."""
SHORTEST_SWAPPED = 6
"""Pieces. A few words may be a refusal after one request and an answer after another."""
MIXED = 0.3
"""Share of answers whose start, turn and end come from three answers where a row is varied."""
CUT = 0.4
"""Share of answers that are cut short, as a limit on tokens does, where a row is varied."""
SHORTEST_CUT = 40
MIXED_PIECES = 24
"""Of a turn or an end that comes from another answer, as many as the judge reads of them."""
VARIANTS = ("plain", "varied")
VARIED_READ = 0.5
"""Share of rows that are read in their varied form."""
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

    @property
    def sources(self) -> list[str]:
        return sorted({row["source"] for row in self.rows})


@dataclass(frozen=True)
class Lower:
    """What the lower layers make of each row: all places of all rows in one array, and where each row begins."""

    places: Tensor
    begins: list[int]

    def of_row(self, index: int) -> Tensor:
        return self.places[self.begins[index] : self.begins[index + 1]]

    def length(self, index: int) -> int:
        return self.begins[index + 1] - self.begins[index]


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
    )


class Varied:
    """Rows a little different, with the same label; what is put in comes from rows of the same fold."""

    def __init__(self, rows: list[Row], refused: Sequence[bool], rng: np.random.Generator) -> None:
        self._requests = [row["request"] for row in rows]
        self._rng = rng
        self._helping = [row for row in rows if not refused[int(np.argmax(row["target"]))]]
        self._is_helping = {id(row) for row in self._helping}

    def __call__(self, row: Row) -> Row:
        request, answer = row["request"], row["answer"]
        if id(row) in self._is_helping:
            answer = self._varied_help(answer)
        elif row["whatever_asked"] and len(answer[0]) >= SHORTEST_SWAPPED and self._happens(SWAPPED):
            request = self._any(self._requests)
        return {"request": request, "answer": answer}

    def _varied_help(self, answer: list[list[int]]) -> list[list[int]]:
        if len(answer) > 1 and self._happens(MIXED):
            return [
                answer[0],
                self._any(self._helping)["answer"][-1][-MIXED_PIECES:],
                self._any(self._helping)["answer"][-1][-MIXED_PIECES:],
            ]
        if len(answer) == 1 and len(answer[0]) > SHORTEST_CUT and self._happens(CUT):
            return [answer[0][: int(self._rng.integers(SHORTEST_CUT, len(answer[0])))]]
        return answer

    def _happens(self, chance: float) -> bool:
        return bool(self._rng.random() < chance)

    def _any(self, values: list[Any]) -> Any:
        return values[int(self._rng.integers(len(values)))]


class Training:
    def __init__(self, prepared: Prepared, n_layers: int, n_epochs: int) -> None:
        self._prepared = prepared
        self._n_layers = n_layers
        self._n_lower = n_layers - TRAINED_LAYERS
        self._n_epochs = n_epochs
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._refused = torch.tensor(prepared.refused, device=self._device)

    @torch.no_grad()
    def lower(self, rows: Sequence[Row]) -> Lower:
        """What the layers make of the rows that are not trained."""
        network = Network(self._prepared.base, self._n_layers).to(self._device).eval()
        joined = [self._joined(row) for row in rows]
        begins = [0, *np.cumsum([len(pieces) for pieces, _ in joined]).tolist()]
        width = network.head.in_features // 2
        places = torch.zeros(begins[-1], width, dtype=torch.bfloat16)
        by_length = sorted(range(len(rows)), key=lambda index: len(joined[index][0]))
        for start in range(0, len(rows), BATCH):
            chosen = by_length[start : start + BATCH]
            with torch.autocast(self._device, torch.bfloat16):
                x = network.lower(*self._arrays([joined[index] for index in chosen]), self._n_lower)
            for number, index in enumerate(chosen):
                length = len(joined[index][0])
                places[begins[index] : begins[index] + length] = x[number, :length].bfloat16().cpu()
        return Lower(places, begins)

    def train(self, variants: Sequence[Lower], chosen_rows: Any, seed: int) -> Network:
        """A network trained on some of the rows, by their numbers."""
        torch.manual_seed(seed)
        rng = np.random.default_rng(seed)
        network = Network(self._prepared.base, self._n_layers).to(self._device)
        trained = [*network.layers[self._n_lower :].parameters(), *network.head.parameters()]
        averaged = [weight.detach().clone() for weight in trained]
        weights = np.array([self._prepared.rows[index]["weight"] for index in chosen_rows])
        n_steps = self._n_epochs * math.ceil(np.minimum(weights, 1).sum() / BATCH)
        optimiser, plan = _optimiser(network, self._n_lower, n_steps)
        targets = torch.tensor([self._prepared.rows[index]["target"] for index in chosen_rows], device=self._device)
        counted = torch.tensor(np.maximum(weights, 1), dtype=torch.float32, device=self._device)
        lengths = np.array([variants[0].length(index) for index in chosen_rows])
        network.train()
        for number in range(1, self._n_epochs + 1):
            losses_of_epoch = []
            for batch in _batches(weights, lengths, rng):
                x, mask = self._padded([_one_of(variants, chosen_rows[place], rng) for place in batch])
                with torch.autocast(self._device, torch.bfloat16):
                    scores = network.upper(x, _with_hidden(mask, rng), self._n_lower)
                losses = self._losses(functional.log_softmax(scores.float(), 1), targets[batch])
                loss = (losses * counted[batch]).sum() / counted[batch].sum()
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(trained, 1.0)
                optimiser.step()
                plan.step()
                torch._foreach_lerp_(averaged, [weight.detach() for weight in trained], 1 - AVERAGED)
                losses_of_epoch.append(loss.item())
            print(f"epoch {number} of {self._n_epochs}: mean loss {np.mean(losses_of_epoch):.3f}", flush=True)
        for weight, kept in zip(trained, averaged, strict=True):
            weight.data = kept
        return network.eval()

    def _losses(self, log_chances: Tensor, targets: Tensor) -> Tensor:
        """Mostly whether it is refused, partly which kind."""
        chance = log_chances.exp()[:, self._refused].sum(1).clamp(1e-6, 1 - 1e-6)
        share = targets[:, self._refused].sum(1)
        refused = -(share * chance.log() + (1 - share) * (1 - chance).log())
        kinds = -(targets * log_chances).sum(1)
        return refused + KINDS_WEIGHT * kinds

    @torch.no_grad()
    def log_chances(self, network: Network, lower: Lower, chosen_rows: Any) -> Any:
        by_length = np.argsort([lower.length(index) for index in chosen_rows])
        log_chances = np.zeros((len(chosen_rows), len(self._prepared.refused)), dtype=np.float32)
        for start in range(0, len(chosen_rows), BATCH):
            batch = by_length[start : start + BATCH]
            x, mask = self._padded([lower.of_row(chosen_rows[place]) for place in batch])
            with torch.autocast(self._device, torch.bfloat16):
                scores = network.upper(x, mask, self._n_lower)
            log_chances[batch] = scores.float().log_softmax(1).cpu().numpy()
        return log_chances

    def _padded(self, rows: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
        x = nn.utils.rnn.pad_sequence(list(rows), batch_first=True).float().to(self._device)
        lengths = torch.tensor([len(row) for row in rows], device=self._device)
        mask = torch.arange(x.shape[1], device=self._device)[None] < lengths[:, None]
        return x, mask

    def _arrays(self, joined: Sequence[tuple[list[int], int]]) -> tuple[Tensor, Tensor, Tensor]:
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


def _one_of(variants: Sequence[Lower], index: int, rng: np.random.Generator) -> Tensor:
    return variants[int(rng.random() < VARIED_READ)].of_row(index)


def _with_hidden(mask: Tensor, rng: np.random.Generator) -> Tensor:
    """The mask without some pieces of some rows; the first place, from which the head reads, stays."""
    hidden = rng.random(mask.shape) < HIDDEN_PIECES
    hidden &= (rng.random(len(mask)) < HIDDEN_ROWS)[:, None]
    hidden[:, 0] = False
    return mask & ~torch.tensor(hidden, device=mask.device)


def _optimiser(
    network: Network, n_lower: int, n_steps: int
) -> tuple[torch.optim.AdamW, torch.optim.lr_scheduler.LambdaLR]:
    body = list(network.layers[n_lower:].parameters())
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


def folds_of(prepared: Prepared, n_folds: int) -> Any:
    """The fold of each row: all rows of a source are in one."""
    sources = prepared.sources
    return np.array([sources.index(row["source"]) % n_folds for row in prepared.rows])


def varied_rows(prepared: Prepared, folds: Any) -> list[Row]:
    rng = np.random.default_rng(1)
    varied: list[Row] = list(prepared.rows)
    for fold in sorted(set(folds.tolist())):
        indices = np.flatnonzero(folds == fold).tolist()
        vary = Varied([prepared.rows[index] for index in indices], prepared.refused, rng)
        for index in indices:
            varied[index] = vary(prepared.rows[index])
    return varied


def train_on_all(training: Training, prepared: Prepared, variants: Sequence[Lower], out: Path) -> None:
    network = training.train(variants, np.arange(len(prepared.rows)), seed=0)
    np.savez_compressed(out / "weights.npz", vocabulary=prepared.base["vocabulary"], **network.packed())


def train_fold(training: Training, prepared: Prepared, variants: Sequence[Lower], left_out: Any, out: Path) -> None:
    network = training.train(variants, np.flatnonzero(~left_out), seed=0)
    read = np.flatnonzero(left_out)
    log_chances = training.log_chances(network, variants[0], read)
    np.savez(out, rows=read, log_chances=log_chances)
    is_refused = [np.dot(prepared.rows[index]["target"], prepared.refused) > 0.5 for index in read]
    right = (np.exp(log_chances)[:, prepared.refused].sum(1) > 0.5) == is_refused
    print(f"{out.stem}: {len(read)} answers of unseen sources, {np.mean(right):.1%} right", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--only", help="`lower`, `all`, or the number of a fold")
    options = parser.parse_args()
    prepared = read_prepared(options.prepared)
    training = Training(prepared, options.layers, options.epochs)
    folds = folds_of(prepared, options.folds)
    options.out.mkdir(parents=True, exist_ok=True)
    paths = [options.out / f"lower-{variant}.pt" for variant in VARIANTS]
    rows_of = {"plain": lambda: prepared.rows, "varied": lambda: varied_rows(prepared, folds)}
    for variant, path in zip(VARIANTS, paths, strict=True):
        if options.only in (None, "lower", variant):
            lower = training.lower(rows_of[variant]())
            torch.save({"places": lower.places, "begins": lower.begins}, path)
    if options.only in ("lower", *VARIANTS):
        return
    variants = [Lower(**torch.load(path, mmap=True)) for path in paths]
    for name in [options.only] if options.only else ["all", *map(str, range(options.folds))]:
        if name == "all":
            train_on_all(training, prepared, variants, options.out)
        else:
            train_fold(training, prepared, variants, folds == int(name), options.out / f"fold-{name}.npz")


if __name__ == "__main__":
    main()
