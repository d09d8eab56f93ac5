"""Every number that comes out is Python's own: it prints as it is, and any JSON writer takes it."""

import dataclasses
import json

import numpy as np
import pytest

import mossbench as mb
from mossbench import statistics
from mossbench.statistics import Confusion, Estimate, Significance

ROWS = np.array([1.0, 0.0, 1.0, np.nan, 0.0, 1.0, 0.0, 0.0])
OTHERS = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0])
SCENES = np.array(["a", "a", "b", "b", "c", "c", "d", "d"])


def numpy_numbers(value, path=""):
    """Where in a record a number of numpy is."""
    if isinstance(value, np.generic):
        return [f"{path}: {type(value).__name__}"]
    if dataclasses.is_dataclass(value):
        inside = [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
    elif isinstance(value, dict):
        inside = [(str(key), one) for pair in value.items() for key, one in (("key", pair[0]), pair)]
    elif isinstance(value, (list, tuple)):
        inside = list(enumerate(value))
    else:
        return []
    return [text for name, one in inside for text in numpy_numbers(one, f"{path}.{name}")]


MADE = {
    "estimate": lambda: Estimate(*np.array([0.5, 0.4, 0.6]), np.int64(5), np.int64(1), "by hand"),
    "significance": lambda: Significance(*np.array([0.5, 0.4]), np.int64(5), np.int64(1), "by hand"),
    "paired difference": lambda: statistics.paired_difference(ROWS, OTHERS),
    "paired difference over scenes": lambda: statistics.paired_difference(ROWS, OTHERS, SCENES),
    "paired difference of none": lambda: statistics.paired_difference(ROWS[3:4], OTHERS[3:4]),
    "sign flips": lambda: statistics.sign_flip_test(ROWS, OTHERS, SCENES),
    "Cochran's Q": lambda: statistics.cochran_q(
        np.array([ROWS, OTHERS, OTHERS]).T, SCENES, rng=np.random.default_rng(0)
    ),
    "Wilson": lambda: statistics.wilson(np.int64(3), np.int64(9)),
    "Rogan and Gladen": lambda: statistics.rogan_gladen(3, 9, Confusion(8, 1, 1, 8)),
    "ranks": lambda: statistics.rank({"a": ROWS, "b": OTHERS}, SCENES, rng=np.random.default_rng(0)),
    "detection": lambda: statistics.detection(ROWS, OTHERS, SCENES),
}


@pytest.mark.parametrize("name", MADE)
def test_statistics_give_plain_numbers(name):
    made = MADE[name]()
    assert not numpy_numbers(made) and "np." not in repr(made)
    for one in made if isinstance(made, tuple) else (made,):
        json.dumps(dataclasses.asdict(one))


def test_results_give_plain_numbers(small):
    jumpy, candid, wall = (
        mb.run(f"control/{name}", small, epochs=2) for name in ("jumpy?rate=0.4", "candid", "stonewall")
    )
    made = {
        "compare": mb.compare(jumpy, candid, wall),
        "the same": mb.compare(candid, mb.run("control/candid", small, epochs=2)),
        "one side": mb.compare(*(mb.run(name, small, side="benign") for name in ("control/candid", "control/jumpy"))),
        "rates": jumpy.rates(),
        "rates by harm": jumpy.rates(by="harm"),
        "gate": mb.gate(jumpy, max_refusal=0.5, min_safety=0.1, baseline=candid, max_increase=0.3),
        "report": mb.make_report(jumpy),
        "trade-off": mb.analyse("tradeoff", "control/jumpy?rate=0.4", small).parts,
    }
    assert {name: numpy_numbers(one) for name, one in made.items()} == dict.fromkeys(made, [])
    assert "np.float64" not in repr(made["compare"])
    json.dumps([dataclasses.asdict(one.estimate) for one in made["compare"].differences])
