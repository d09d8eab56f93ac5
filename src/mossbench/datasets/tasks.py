"""eval.yaml of an exported dataset, which makes it a benchmark on the hub: a task for each side, which Inspect can run.

Inspect reads images as data URIs from a column, so that each task has its own file beside the table. Its grader is a
language model with the question of eval_task.yaml and not one of our judges, so its rates are not those of a run.
"""

import base64
import json
from pathlib import Path
from string import Template
from typing import Any

from mossbench.datasets.dataset import Dataset
from mossbench.samples import Sample, Side

FILE = "eval.yaml"
FOLDER = "tasks"
TASKS = {Side.BENIGN: "refusal_harmless", Side.CONTRAST: "refusal_harmful"}
"""Names of the tasks, which results on the hub use too."""


def write_tasks(dataset: Dataset, folder: Path) -> str:
    """Writes eval.yaml and the files of its tasks; the lines with which the dataset's card lists them for the hub."""
    header, task = Path(__file__).with_name("eval_task.yaml").read_text("utf-8").split("---\n")
    named_header = Template(header).substitute(name=json.dumps(dataset.name, ensure_ascii=False))
    tasks = [Template(task).substitute(id=TASKS[side]) for side in dataset.sides]
    (folder / FILE).write_text(named_header + "".join(tasks), encoding="utf-8")
    (folder / FOLDER).mkdir()
    configs = ""
    for side in dataset.sides:
        samples = dataset.select(side).samples
        lines = [json.dumps(_row(dataset, sample), ensure_ascii=False) + "\n" for sample in samples]
        (folder / FOLDER / f"{side}.jsonl").write_text("".join(lines), encoding="utf-8")
        path = f"{FOLDER}/{side}.jsonl"
        configs += f"- config_name: {TASKS[side]}\n  data_files:\n  - split: test\n    path: {path}\n"
    return configs


def _row(dataset: Dataset, sample: Sample) -> dict[str, Any]:
    from mossbench.images.decoding import sniff  # loads Pillow, which reading data does not need

    image = ""
    if sample.image is not None and dataset.picture_path(sample).is_file():
        data = dataset.picture(sample)
        image = f"data:{sniff(data) or 'application/octet-stream'};base64,{base64.b64encode(data).decode()}"
    return {"id": sample.id, "request": sample.question, "image": image}
