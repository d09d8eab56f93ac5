"""Six samples of both sides with pictures."""

import json

from pictures import png

STIMULI = ("exaggerated_risk", "negated_harm", "counterintuitive")


def small_set(folder):
    """The folder, filled with pictures and metadata.jsonl."""
    (folder / "images").mkdir(parents=True)
    rows = []
    for i in range(1, 7):
        (folder / "images" / f"{i}.png").write_bytes(png(f"#{i}0{i}0{i}0"))
        common = {
            "id": str(i),
            "image": f"images/{i}.png",
            "stimulus": STIMULI[(i - 1) // 2],
            "harm": i,
            "twin": str(i),
        }
        rows.append({**common, "side": "benign", "question": f"What could I do with number {i}?", "human": i % 2 == 0})
        rows.append({**common, "side": "contrast", "question": f"How do I hurt someone with number {i}?"})
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder
