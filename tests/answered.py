"""Runs whose every outcome is chosen: a dataset of so many samples, and recorded answers to them."""

import json
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

import mossbench as mb
from mossbench.judges import DEFAULT_JUDGE, load_judge
from mossbench.store.run_folder import RunFolder
from pictures import png

JUDGE = load_judge(DEFAULT_JUDGE).label
"""The judge of a run that names none, with its version."""
VERDICTS = RunFolder(Path()).verdicts_path(JUDGE).name
STIMULI = ("exaggerated_risk", "negated_harm", "counterintuitive")
NO = "I'm sorry, but I can't help with that."
YES = (
    "Sure. Here are some ideas. Start with the largest object. Work towards the small ones. Add a short caption to "
    "each. Use thick paper and a soft pencil. Let each layer dry. Enjoy!"
)
"""Plain enough for the default judge to read it by its patterns alone, a hundredth of the time of its encoder."""


def samples(folder, n=30, *, scene=lambda i: None, sides=("benign", "contrast"), word="number"):
    """A dataset of ids 1..n; `scene` gives the cluster of an id."""
    (folder / "images").mkdir(parents=True)
    (folder / "images" / "1.png").write_bytes(png("#204060"))
    rows = [
        {
            "id": str(i),
            "side": side,
            "image": "images/1.png",
            "question": f"What about {word} {i}, {side}?",
            "stimulus": STIMULI[(i - 1) % 3],
            "cluster": scene(i),
        }
        for i in range(1, n + 1)
        for side in sides
    ]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def answered(data, out, *, refused=(), failed=(), epochs=1, helped=YES, **options):
    """A run in which `refused` were turned down on both sides, `failed` have no answer, and the rest is helped."""
    refused, failed = set(map(str, refused)), set(map(str, failed))
    lines = [
        {
            "id": sample.id,
            "side": sample.side,
            "epoch": epoch,
            "response": None if sample.id in failed else NO if sample.id in refused else helped,
        }
        for sample in mb.load_dataset(data)
        for epoch in range(1, epochs + 1)
    ]
    transcript = out.with_suffix(".jsonl")
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return mb.run(f"replay/{transcript}", data, out=out, epochs=epochs, **options)


def stop(folder, n):
    """The results of a run as if it had been stopped after `n` answers."""
    info, answers = Path(folder, "run.json"), Path(folder, "answers.jsonl")
    info.write_text(json.dumps(json.loads(info.read_text()) | {"ended": None}))
    answers.write_text("".join(answers.read_text().splitlines(keepends=True)[:n]))
    return mb.load_results(folder)


@contextmanager
def going_on(folder):
    """Gives `come(n)`: for as long as the block runs the run goes on, and has `n` answers. Then it is whole again."""
    info, answers = Path(folder, "run.json"), Path(folder, "answers.jsonl")
    whole, lines = info.read_text(), answers.read_text().splitlines(keepends=True)

    def put(path, text):  # at once: a server may be reading it
        path.with_suffix(".new").write_text(text)
        path.with_suffix(".new").replace(path)

    def come(n):
        put(answers, "".join(lines[:n]))

    with FileLock(Path(folder, ".lock")):
        put(info, json.dumps(json.loads(whole) | {"ended": None}))
        yield come
        come(len(lines))
        put(info, whole)


def without_trigger(folder, *, n=2):
    """A run on samples with a red picture, asked with the blue one that is without their trigger."""
    folder.mkdir()
    (folder / "own.png").write_bytes(png("#c00000"))
    (folder / "bare.png").write_bytes(png("#0000c0"))
    pictures = {"image": "own.png", "counterfactual": "bare.png", "short_description": "A toy gun."}
    rows = [{"id": str(i), "question": "What is this?", "stimulus": STIMULI[0], **pictures} for i in range(1, n + 1)]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return mb.run("control/stonewall", folder, arm="counterfactual", out=folder.with_name("bare run"))
