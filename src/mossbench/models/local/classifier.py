"""A text classifier in memory: a checkpoint with a head that gives each of its labels a probability."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from mossbench.models.local.checkpoint import (
    TELLING,
    Checkpoint,
    check_whole,
    find_device,
    import_torch,
    inference,
    not_loaded,
    quiet,
)

CLASSIFIER = "classifier/<checkpoint>"
"""Who needs the extra, for the message."""
_NO_LIMIT = 10**6  # tokenizers that know no longest text say a number beyond this


@dataclass(frozen=True)
class Scores:
    probabilities: dict[str, float]
    n_tokens: int
    n_read: int
    """Tokens of the text that were read; fewer than `n_tokens` where it is too long."""


def labels_of(config: dict[str, Any]) -> tuple[str, ...]:
    """The labels of a checkpoint in their order, as its config.json has them."""
    named = config.get("id2label") or {str(i): f"LABEL_{i}" for i in range(int(config.get("num_labels") or 2))}
    return tuple(str(label) for _, label in sorted(named.items(), key=lambda item: int(item[0])))


def cached_config(checkpoint: Checkpoint, revision: str | None) -> Checkpoint:
    """The checkpoint with its config.json; one on the hub is asked for only where the cache does not have it."""
    if checkpoint.folder is not None:
        return checkpoint
    _, transformers = import_torch(CLASSIFIER)
    read = transformers.PretrainedConfig.get_config_dict
    config, _ = _cache_first(checkpoint, lambda **where: read(checkpoint.name, revision=revision, **where))
    return replace(checkpoint, config=config)


class Classifier:
    """The checkpoint, loaded when the first text comes; one text at a time."""

    def __init__(self, checkpoint: Checkpoint, *, revision: str | None, max_tokens: int | None) -> None:
        import_torch(CLASSIFIER)
        self._checkpoint = checkpoint
        self._revision = revision
        self._max_tokens = max_tokens
        self._loaded: tuple[Any, Any] | None = None
        self._alone = threading.Lock()

    def scores(self, text: str, second: str | None = None) -> Scores:
        """The probability of each label for a text, or for a pair of texts."""
        torch, _ = import_torch(CLASSIFIER)
        with self._alone:
            if self._loaded is None:
                self._loaded = self._load()
            tokenizer, model = self._loaded
            limit = _longest(tokenizer, model.config, self._max_tokens)
            n_tokens = len(tokenizer(text, second, verbose=False)["input_ids"])
            inputs = tokenizer(text, second, truncation=True, max_length=limit, return_tensors="pt").to(model.device)
            with inference():
                chances = torch.softmax(model(**inputs).logits[0].float(), dim=-1).tolist()
        probabilities = dict(zip(labels_of(model.config.to_dict()), chances, strict=True))
        return Scores(probabilities, n_tokens, min(n_tokens, limit))

    def _load(self) -> tuple[Any, Any]:
        _, transformers = import_torch(CLASSIFIER)
        checkpoint = self._checkpoint
        device = find_device()
        name = str(checkpoint.folder or checkpoint.name)
        auto = transformers.AutoModelForSequenceClassification.from_pretrained
        with quiet():
            tokenizer = _cache_first(
                checkpoint,
                lambda **where: transformers.AutoTokenizer.from_pretrained(name, revision=self._revision, **where),
            )
            model, loaded = _cache_first(
                checkpoint, lambda **where: auto(name, revision=self._revision, **where, **TELLING)
            )
        check_whole(checkpoint, loaded)
        return tokenizer, model.to(device).eval()


def _cache_first(checkpoint: Checkpoint, load: Callable[..., Any]) -> Any:
    """What `load` returns, from this machine alone first, and from the hub only where that fails."""
    tries: list[dict[str, Any]] = [{"local_files_only": True}]
    if checkpoint.folder is None:
        tries.append({})
    for where in tries:
        try:
            return load(**where)
        except Exception as error:  # transformers, safetensors and the hub raise their own, Python's and each other's
            problem = error
    raise not_loaded(checkpoint, str(problem)) from problem


def _longest(tokenizer: Any, config: Any, max_tokens: int | None) -> int:
    positions = getattr(config, "max_position_embeddings", None)
    if positions and "roberta" in config.model_type:
        positions -= (config.pad_token_id or 0) + 1  # its places are counted from behind the padding token's
    limits = [limit for limit in (max_tokens, positions, tokenizer.model_max_length) if limit and limit < _NO_LIMIT]
    return min(limits) if limits else 512
