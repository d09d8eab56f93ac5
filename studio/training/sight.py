"""Trains the eyes of the control models: a small convolutional net that says what is where in a sketch.

    mossbench-studio assets build/assets.pickle.gz
    python -m studio.training.sight build/assets.pickle.gz OUT.npz --minutes 8       # needs torch, better with a GPU

Cells of 8 x 8 pixels are labelled with what covers them; the picture shows what its surest cell shows. An animal is
where one of its kinds is, each with a logit of its own. Batch normalisation is folded into the weights, which are
stored as float16 and read by mossbench.models.control.sight.
"""

from __future__ import annotations

import argparse
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from studio.training.assets import ANIMALS, SIZE, load
from studio.training.compose import ANIMAL, CELLS, FIRST_THING, NEGATION, PERSON, compose

HELD_OUT = 10**9
"""Seeds from here on are never trained on."""
MORE_ANIMALS = 0.35
"""Share of the compositions that get one more animal; none of those held out."""
ANIMAL_WEIGHT = 4.0
"""What an animal counts in the loss beside every other class."""


class Eyes(nn.Module):
    """Strided convolutions to cells of 8 pixels, three dilated ones for context, one logit per class and cell."""

    def __init__(self, classes: int, widths: tuple[int, int, int]) -> None:
        super().__init__()
        a, b, c = widths
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Conv2d(i, o, k, s, p, d, bias=False), nn.BatchNorm2d(o))
            for i, o, k, s, p, d in [
                (3, a, 5, 2, 2, 1),
                (a, b, 3, 2, 1, 1),
                (b, c, 3, 2, 1, 1),
                (c, c, 3, 1, 1, 1),
                (c, c, 3, 1, 2, 2),
                (c, c, 3, 1, 4, 4),
            ]
        )
        self.head = nn.Conv2d(c, classes + len(ANIMALS), 1)
        nn.init.constant_(self.head.bias, -4.0)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        for i, layer in enumerate(self.layers):
            y = F.relu(layer(x))
            x = x + y if i >= 3 else y
        found = self.head(x)
        animal = torch.maximum(found[:, ANIMAL], found[:, -len(ANIMALS) :].amax(1))
        return torch.cat([found[:, :ANIMAL], animal[:, None], found[:, ANIMAL + 1 :]], 1), x

    @torch.no_grad()
    def start(self, stored: Any, pictures: torch.Tensor) -> None:
        """Takes over what `folded` stored, and normalises so that on these pictures it does what it did."""
        x = as_input(pictures)
        for i, (conv, norm) in enumerate(self.layers):
            weight = torch.from_numpy(stored[f"w{i}"].astype(np.float32))
            conv.weight.copy_(weight.unflatten(0, conv.kernel_size).permute(3, 2, 0, 1))
            y = conv(x)
            mean, var = y.mean((0, 2, 3)), y.var((0, 2, 3), correction=0)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(var)
            norm.weight.copy_(torch.sqrt(var + norm.eps))
            norm.bias.copy_(torch.from_numpy(stored[f"b{i}"].astype(np.float32)).to(x.device) + mean)
            y = F.relu(F.batch_norm(y, mean, var, norm.weight, norm.bias, eps=norm.eps))
            x = x + y if i >= 3 else y
        classes = stored["w_head"].shape[1]
        self.head.weight.zero_()
        self.head.weight[:classes, :, 0, 0] = torch.from_numpy(stored["w_head"].astype(np.float32)).T.to(x.device)
        self.head.bias[:classes] = torch.from_numpy(stored["b_head"].astype(np.float32)).to(x.device)


class Endless(IterableDataset[Any]):
    def __init__(self, path: Path, first: int, animals: float = 0) -> None:
        self.path, self.first, self.animals = path, first, animals

    def __iter__(self) -> Any:
        info = get_worker_info()
        parts, step = load(self.path), info.num_workers if info else 1
        seed = self.first + (info.id if info else 0)
        while True:
            c = compose(parts, seed, animals=self.animals)
            yield torch.from_numpy(c.picture.copy()), torch.from_numpy(c.cells), torch.from_numpy(c.labels)
            seed += step


def as_input(pictures: torch.Tensor) -> torch.Tensor:
    return pictures.permute(0, 3, 1, 2).float() / 127.5 - 1


def loss_of(logits: torch.Tensor, cells: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Focal loss over cells, and the picture's own labels on its surest cell; what is unsure does not count.

    Both are relative to how much there is to see, in which kinds of animal are not counted again.
    """
    once = slice(None, -len(ANIMALS))
    heavy = torch.ones(logits.shape[1], device=logits.device)
    heavy[ANIMAL] = ANIMAL_WEIGHT
    target = cells.permute(0, 3, 1, 2)
    known, truth = (target >= 0).float(), target.clamp(min=0).float()
    raw = F.binary_cross_entropy_with_logits(logits, truth, reduction="none")
    p = torch.exp(-raw)
    cell = ((1 - p) ** 2 * raw * known * heavy[:, None, None]).sum() / (truth[:, once].sum() + 1)
    top = logits.flatten(2).max(2).values
    known, truth = (labels >= 0).float(), labels.clamp(min=0).float()
    weight = known * (1 + 4 * truth) * heavy
    whole = F.binary_cross_entropy_with_logits(top, truth, reduction="none") * weight
    return cell + 0.5 * whole.sum() / (truth[:, once].sum() + 1)


def folded(model: Eyes) -> dict[str, np.ndarray[Any, Any]]:
    """Weights as (tap, in, out) and biases, batch normalisation folded in, as float16."""
    out = {}
    for i, layer in enumerate(model.layers):
        conv, norm = layer[0], layer[1]
        gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        weight = conv.weight * gain[:, None, None, None]
        out[f"w{i}"] = weight.permute(2, 3, 1, 0).flatten(0, 1)
        out[f"b{i}"] = norm.bias - norm.running_mean * gain
    out["w_head"], out["b_head"] = model.head.weight[:, :, 0, 0].T, model.head.bias
    return {k: v.detach().cpu().numpy().astype(np.float16) for k, v in out.items()}


class Shelf:
    """The last compositions on the device, filled by a thread: the net sees each some times, for drawing is slow."""

    def __init__(self, path: Path, workers: int, size: int, classes: int, device: str) -> None:
        self.pictures = torch.empty((size, SIZE[1], SIZE[0], 3), dtype=torch.uint8, device=device)
        self.cells = torch.empty((size, *CELLS, classes + len(ANIMALS)), dtype=torch.int8, device=device)
        self.labels = torch.empty((size, classes + len(ANIMALS)), dtype=torch.int8, device=device)
        self.filled, self.size, self.device = 0, size, device
        loader = DataLoader(Endless(path, 0, MORE_ANIMALS), batch_size=16, num_workers=workers, prefetch_factor=4)
        threading.Thread(target=self._fill, args=(iter(loader),), daemon=True).start()

    def _fill(self, loader: Any) -> None:
        for batch in loader:
            at = self.filled % self.size
            for shelf, new in zip((self.pictures, self.cells, self.labels), batch, strict=True):
                shelf[at : at + len(new)] = new.to(self.device)
            self.filled += len(batch[0])

    def some(self, count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        which = torch.randint(min(self.filled, self.size), (count,), device=self.device)
        return self.pictures[which], self.cells[which], self.labels[which]


def train(
    path: Path,
    out: Path,
    start: Path | None,
    minutes: float,
    widths: tuple[int, int, int],
    workers: int,
    batch: int,
    shelf: int,
) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    started = time.monotonic()
    parts = load(path)
    model = Eyes(FIRST_THING + len(parts), widths).to(device)
    print(f"{sum(p.numel() for p in model.parameters()):,} weights on {device}", flush=True)
    store = Shelf(path, workers, shelf, FIRST_THING + len(parts), device)
    while store.filled < min(4096, shelf):
        time.sleep(0.5)
    peak, step, average = 2.5e-3 if start else 4e-3, 0, 0.0
    if start:
        model.start(np.load(start), store.some(256)[0])
    optimiser = torch.optim.AdamW(model.parameters(), lr=peak, weight_decay=1e-3)
    while (part := (time.monotonic() - started) / 60 / minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = peak * min(1, step / 200) * (0.5 + 0.5 * np.cos(np.pi * part))
        pictures, cells, labels = store.some(batch)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            logits, _ = model(as_input(pictures))
        loss = loss_of(logits.float(), cells, labels)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        step += 1
        if step % 50 == 0:
            average = 0.8 * average + 0.2 * loss.item()
        if step % 1000 == 0:
            print(f"{step} steps, {store.filled:,} pictures, {part:.0%}, loss {average:.3f}", flush=True)
    model.eval()
    groups = np.array([p.group for p in parts])
    stored = folded(model) | {"names": np.array([p.thing for p in parts]), "groups": groups}
    stored["ids"] = np.array([p.id for p in parts])
    np.savez_compressed(out, **stored)
    columns = {"person": [PERSON], "animal": [ANIMAL], "negation": [NEGATION]}
    columns |= {g: [FIRST_THING + i for i in np.nonzero(groups == g)[0]] for g in ("alarm", "harm", "referent")}
    top, truth, features = looked(model, path, HELD_OUT, workers, device)
    thresholds = np.zeros(FIRST_THING + len(parts), np.float32)
    for which in columns.values():
        yes, known, score = told(top, truth, which)
        grid = np.arange(-2, 4, 0.1)
        right = np.array([((score > t) == yes)[known].mean() for t in grid])
        thresholds[which] = grid[right >= right.max() - 1e-9].mean()
    usual = features.mean(0)
    values, vectors = np.linalg.eigh(np.cov(features.T))
    whiten = vectors / np.sqrt(values + 0.05 * values.mean())
    strange = np.sqrt((((features - usual) @ whiten) ** 2).mean(1))
    print("strangeness quantiles", np.quantile(strange, [0.5, 0.99, 0.999, 1]).round(2))
    stored |= {"thresholds": thresholds, "usual": usual.astype(np.float32), "whiten": whiten.astype(np.float32)}
    stored["strange"] = np.float32(np.quantile(strange, 0.995))
    np.savez_compressed(out, **stored)
    top, truth, _ = looked(model, path, HELD_OUT + 10**8, workers, device)
    for name, which in columns.items():
        yes, known, score = told(top, truth, which)
        right = ((score > thresholds[which[0]]) == yes)[known].mean()
        print(
            f"{name}: {right:.4f} right over {thresholds[which[0]]:.2f}, of {known.sum()}, {yes[known].mean():.2f} yes"
        )


def told(top: Any, truth: Any, which: list[int]) -> tuple[Any, Any, Any]:
    """Of each picture: whether it shows one of the classes, whether that is known, and the surest cell's log-odds."""
    yes = (truth[:, which] == 1).any(1)
    return yes, yes | (truth[:, which] == 0).all(1), top[:, which].max(1)


@torch.no_grad()
def looked(
    model: Eyes, path: Path, first: int, workers: int, device: str, pictures: int = 6000
) -> tuple[Any, Any, Any]:
    """Surest log-odds, labels and mean features of compositions that were never trained on."""
    loader = iter(DataLoader(Endless(path, first), batch_size=64, num_workers=workers))
    tops, truths, features = [], [], []
    while sum(map(len, tops)) < pictures:
        images, _, labels = next(loader)
        logits, found = model(as_input(images.to(device)))
        tops.append(logits.flatten(2).max(2).values.cpu().numpy())
        flat = found.flatten(2)
        features.append(torch.cat([flat.mean(2), flat.std(2, correction=0)], 1).cpu().numpy())
        truths.append(labels.numpy())
    return np.concatenate(tops), np.concatenate(truths), np.concatenate(features).astype(np.float64)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("assets", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--start", type=Path, help="weights to start from, as this script stored them")
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--widths", type=int, nargs=3, default=(16, 32, 64))
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--shelf", type=int, default=40_960, help="compositions kept on the device; 0.9 MB each")
    options = parser.parse_args()
    train(
        options.assets,
        options.out,
        options.start,
        options.minutes,
        tuple(options.widths),
        options.workers,
        options.batch,
        options.shelf,
    )
