"""What a checkpoint is, and whether it can be run here: each reason why not is a message before a run starts."""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mossbench.errors import ModelError, UsageError, needing
from mossbench.plumbing.untrusted_files import parse_json

_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth")
BIG = "spread it over several devices with vllm/{name}, choose a smaller one, or free memory"
_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True)
class Checkpoint:
    """A folder, or a name on the hub; of the latter nothing is read before it is needed."""

    name: str
    folder: Path | None
    config: dict[str, Any]
    """config.json; empty for a name on the hub, until `with_config`."""

    @property
    def version(self) -> str | None:
        """Hash of a folder's small files and of the names and sizes of the others; None on the hub."""
        if self.folder is None:
            return None
        digest = hashlib.sha256()
        for path in sorted(path for path in self.folder.rglob("*") if path.is_file()):
            size = path.stat().st_size
            content = path.read_bytes() if size < 2**20 and path.suffix not in _WEIGHTS else b""
            digest.update(f"{path.relative_to(self.folder)}\0{size}\0".encode() + content)
        return digest.hexdigest()[:12]

    def n_bytes(self, dtype: str) -> int:
        """Memory that the weights take in `dtype`; 0 where it is not known."""
        if self.folder is None:
            return 0
        files = {suffix: [*self.folder.glob(f"*{suffix}")] for suffix in _WEIGHTS}
        stored = next((paths for paths in files.values() if paths), [])
        text = self.config.get("text_config") or {}
        saved_as = self.config.get("dtype") or self.config.get("torch_dtype") or text.get("dtype") or "float32"
        return sum(path.stat().st_size for path in stored) * _BYTES.get(dtype, 4) // _BYTES.get(str(saved_as), 4)


def find_checkpoint(name: str) -> Checkpoint:
    """The checkpoint of that name; a ModelError when there is none or its config.json cannot be read."""
    folder = Path(name).expanduser()
    if _HUB_ID.fullmatch(name) and not name.startswith((".", "~")):
        if not folder.exists():
            return Checkpoint(name, None, {})
        name = f"./{name}"  # in the run's record: resumed from another folder, it must not become a name on the hub
    path = folder / "config.json"
    expected = "expected a folder with config.json and weights, or a name on the Hugging Face hub (owner/name)"
    if not folder.exists():
        seen_from = "" if folder.is_absolute() else f", as seen from {str(Path.cwd())!r}"
        raise ModelError(f"no checkpoint at {name!r}{seen_from}; {expected}")
    if not folder.is_dir():
        raise ModelError(f"no checkpoint at {name!r}: it is a file; {expected}")
    try:
        config = parse_json(path.read_bytes())
    except FileNotFoundError:
        raise ModelError(f"no checkpoint in {name!r}: it has no config.json; {expected}") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{str(path)!r} cannot be read: {error}; fetch the checkpoint again") from error
    if not isinstance(config, dict) or not config.get("model_type"):
        raise ModelError(f"{str(path)!r} has no model_type, so its family is not known; {expected}")
    return Checkpoint(name, folder, config)


def import_torch(purpose: str = "local/<checkpoint>") -> tuple[Any, Any]:
    """Torch and transformers, or MissingExtra; `what` needs them."""
    with needing(purpose, "local"):
        import torch
        import transformers
    transformers.logging.disable_progress_bar()  # the run has a progress of its own
    return torch, transformers


def facts_of(model: Any, prompt: str, device: str) -> dict[str, Any]:
    torch, transformers = import_torch()
    return {
        "device": device,
        "dtype": str(model.dtype).removeprefix("torch."),
        "prompt": prompt,
        "torch": torch.__version__,
        "transformers": transformers.__version__,
    }


@contextmanager
def quiet() -> Iterator[None]:
    """Keeps transformers from logging what is said in one message: its reports have a line for every weight."""
    _, transformers = import_torch()
    before = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity(transformers.logging.CRITICAL)
    try:
        yield
    finally:
        transformers.logging.set_verbosity(before)


@contextmanager
def inference() -> Iterator[None]:
    """Draws without gradients, and with attention kept off cuDNN, which plans again for every length and thread."""
    torch, _ = import_torch()
    from torch.nn.attention import SDPBackend, sdpa_kernel

    with (
        torch.inference_mode(),
        sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]),
    ):
        yield


def with_config(checkpoint: Checkpoint) -> Checkpoint:
    """The checkpoint with its config.json, which is fetched where it is on the hub."""
    if checkpoint.config:
        return checkpoint
    _, transformers = import_torch()
    try:
        config, _ = transformers.PretrainedConfig.get_config_dict(checkpoint.name)
    except (OSError, ValueError) as error:
        raise not_loaded(checkpoint, str(error)) from error
    return replace(checkpoint, config=config)


def not_loaded(checkpoint: Checkpoint, problem: str) -> ModelError:
    source = ""
    way_out = "fetch it again"
    if checkpoint.folder is None:
        source = " from the Hugging Face hub, and there is no folder of that name"
        way_out = "check the name, the network, and HF_TOKEN if it is gated"
    reason = " ".join(problem.split())[:500].rstrip(".")
    return ModelError(f"checkpoint {checkpoint.name!r} cannot be loaded{source}: {reason}; {way_out}")


def find_device() -> Any:
    """The device that MOSSBENCH_DEVICE names; otherwise the accelerator that torch sees, or the CPU."""
    torch, _ = import_torch()
    device = os.environ.get("MOSSBENCH_DEVICE")
    if not device:
        accelerator = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
        return accelerator or torch.device("cpu")
    try:
        return torch.empty(0, device=device).device
    except (RuntimeError, AssertionError) as error:  # torch says with either that it knows no such device
        reason = str(error).splitlines()[0]
        raise UsageError(f"MOSSBENCH_DEVICE is {device!r}, which torch cannot use: {reason}") from error


def best_dtype(device: Any) -> str:
    """Half precision on a GPU, bfloat16 where it knows that; full precision on a CPU."""
    torch, _ = import_torch()
    if device.type == "cpu":
        return "float32"
    if device.type == "cuda" and not torch.cuda.is_bf16_supported():
        return "float16"
    return "bfloat16"


def check_room(checkpoint: Checkpoint, device: Any, dtype: str, *, n_parameters: int = 0) -> None:
    """Raises a ModelError when the weights alone need more memory than is free."""
    needed = max(checkpoint.n_bytes(dtype), n_parameters * _BYTES[dtype])
    free = _free_bytes(device)
    if free is not None and needed > free:
        way_out = BIG.format(name=checkpoint.name)
        raise ModelError(
            f"{checkpoint.name!r} needs {needed / 2**30:.1f} GiB for its weights in {dtype}, "
            f"and {device.type} has {free / 2**30:.1f} GiB free; {way_out}"
        )


TELLING = {"output_loading_info": True, "ignore_mismatched_sizes": True}
"""For `from_pretrained`: weights that do not fit are listed for `check_whole`, not raised with a line for each."""


def check_whole(checkpoint: Checkpoint, loaded: dict[str, Any]) -> None:
    """Raises a ModelError when weights do not fit or are missing: transformers fills them with random numbers."""
    mismatched = sorted(loaded["mismatched_keys"])
    if mismatched:
        name, shape, expected_shape = mismatched[0]
        others = f" (and {len(mismatched) - 1} more do not match)" if len(mismatched) > 1 else ""
        raise ModelError(
            f"checkpoint {checkpoint.name!r} does not match its config.json: {name!r} has the shape "
            f"{_shape_text(shape)} in the weights and {_shape_text(expected_shape)} in the config{others}; "
            "fetch it again"
        )
    missing = sorted(loaded["missing_keys"])
    if missing:
        raise ModelError(
            f"checkpoint {checkpoint.name!r} has no values for {len(missing)} weights, such as {missing[0]!r}: "
            "its answers would come from random numbers; fetch it again"
        )


def _shape_text(sizes: Iterable[int]) -> str:
    return " x ".join(map(str, sizes)) or "()"


def _free_bytes(device: Any) -> int | None:
    torch, _ = import_torch()
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    try:
        meminfo = Path("/proc/meminfo").read_text()
    except OSError:
        return None
    match = re.search(r"MemAvailable:\s+(\d+) kB", meminfo)
    return int(match[1]) * 1024 if match and device.type == "cpu" else None


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a device's memory ran out: torch has a class for GPUs, and only words for the others."""
    return (
        "out of memory" in str(error).lower() or "can't allocate memory" in str(error) or isinstance(error, MemoryError)
    )
