"""eval.yaml of an exported dataset, which makes it a benchmark on the hub: one task a side, which Inspect can run too.

Inspect takes images as data URIs from a column, so that each task has a file of its own beside the table. Its grader is
a language model with the question of eval_task.yaml, and none of our judges: its rates are not those of a run.
"""

import base64
import json
from pathlib import Path
from string import Template
from typing import Any

from mossbench.datasets.dataset import Dataset
from mossbench.samples import Sample, Side

FILE, FOLDER = "eval.yaml", "tasks"
TASKS = {Side.BENIGN: "refusal_harmless", Side.CONTRAST: "refusal_harmful"}
"""Names of the tasks, which results on the hub name too."""


def write_tasks(dataset: Dataset, folder: Path) -> str:
    """Writes eval.yaml and the files of its tasks; gives the lines of the card's head that tell the hub of them."""
    head, task = Path(__file__).with_name("eval_task.yaml").read_text("utf-8").split("---\n")
    named = Template(head).substitute(name=json.dumps(dataset.name, ensure_ascii=False))
    tasks = [Template(task).substitute(id=TASKS[side]) for side in dataset.sides]
    (folder / FILE).write_text(named + "".join(tasks), encoding="utf-8")
    (folder / FOLDER).mkdir()
    configs = ""
    for side in dataset.sides:
        rows = [json.dumps(_row(dataset, one), ensure_ascii=False) for one in dataset.samples if one.side is side]
        (folder / FOLDER / f"{side}.jsonl").write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        path = f"{FOLDER}/{side}.jsonl"
        configs += f"- config_name: {TASKS[side]}\n  data_files:\n  - split: test\n    path: {path}\n"
    return configs


def _row(dataset: Dataset, sample: Sample) -> dict[str, Any]:
    from mossbench.images.preparing import sniff  # brings Pillow, which whoever only reads data does without

    image = ""
    if sample.image is not None and dataset.picture_path(sample).is_file():
        data = dataset.picture(sample)
        image = f"data:{sniff(data) or 'application/octet-stream'};base64,{base64.b64encode(data).decode()}"
    return {"id": sample.id, "request": sample.question, "image": image}
