"""The encoder in PyTorch, as it is trained: the same network that `mossbench.judges.reader.encoder` runs in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from packing import packed, unpacked
from torch import Tensor, nn
from torch.nn import functional

HEADS = 12
N_KINDS = 7
WIDTH = 384
DROPOUT = 0.2
"""Of what the head reads; inside the layers pieces are hidden instead, which costs nothing on a CPU."""


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q = nn.Linear(WIDTH, WIDTH)
        self.k = nn.Linear(WIDTH, WIDTH)
        self.v = nn.Linear(WIDTH, WIDTH)
        self.o = nn.Linear(WIDTH, WIDTH)
        self.f1 = nn.Linear(WIDTH, 4 * WIDTH)
        self.f2 = nn.Linear(4 * WIDTH, WIDTH)
        self.n1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.n2 = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x: Tensor, mask: Tensor, n_places: int) -> Tensor:
        """What the layer makes of the first places of `x`, looking at all of them."""
        first_places = x[:, :n_places]
        seen = mask[:, None, None, :]
        query = _by_head(self.q(first_places))
        mixed = functional.scaled_dot_product_attention(query, _by_head(self.k(x)), _by_head(self.v(x)), attn_mask=seen)
        y = self.n1(first_places + self.o(mixed.transpose(1, 2).reshape(first_places.shape)))
        return self.n2(y + self.f2(functional.gelu(self.f1(y))))


def _by_head(x: Tensor) -> Tensor:
    batch, length, _ = x.shape
    return x.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)


class Network(nn.Module):
    def __init__(self, stored: Mapping[str, Any], n_layers: int) -> None:
        super().__init__()
        self.word = nn.Embedding(len(stored["word.weight"]), WIDTH)
        self.pos = nn.Embedding(len(stored["pos.weight"]), WIDTH)
        self.side = nn.Embedding(2, WIDTH)
        self.n = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(n_layers))
        self.drop = nn.Dropout(DROPOUT)
        self.head = nn.Linear(2 * WIDTH, N_KINDS)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        self.take(stored)

    def take(self, stored: Mapping[str, Any]) -> None:
        """The stored weights; a part that is not stored (the head of the base) stays as it is."""
        for name, parameter in self.named_parameters():
            if name in stored:
                parameter.data = torch.tensor(unpacked(stored, name))

    def lower(self, pieces: Tensor, sides: Tensor, mask: Tensor, n_layers: int) -> Tensor:
        """What the first layers make of the pieces."""
        places = torch.arange(pieces.shape[1], device=pieces.device)
        x = self.n(self.word(pieces) + self.pos(places)[None] + self.side(sides))
        for layer in self.layers[:n_layers]:
            x = layer(x, mask, x.shape[1])
        return x

    def upper(self, x: Tensor, mask: Tensor, n_lower: int) -> Tensor:
        """A score for each kind, from what the first layers made of the pieces."""
        for layer in self.layers[n_lower:-1]:
            x = layer(x, mask, x.shape[1])
        first = self.layers[-1](x, mask, 1)[:, 0]  # of the last layer only the first place is used
        share = mask[..., None].float()
        mean = (x * share).sum(1) / share.sum(1)
        return self.head(self.drop(torch.cat([first, mean], 1)))

    def packed(self) -> dict[str, Any]:
        arrays: dict[str, Any] = {}
        for name, parameter in self.named_parameters():
            arrays |= packed(name, parameter.detach().cpu().float().numpy())
        return arrays
