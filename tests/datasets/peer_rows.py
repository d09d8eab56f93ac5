"""A few rows of our own in the layout of each peer's set, and what they have to come to. Nothing here is theirs."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field

from pictures import png


def as_csv(*rows: dict) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return b"\xef\xbb\xbf" + text.getvalue().encode()  # several of them begin with a mark


def as_jsonl(*rows: dict) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def as_json(value) -> bytes:
    return json.dumps(value).encode()


@dataclass(frozen=True)
class Made:
    files: dict[str, bytes]
    harmless: list[str]
    """The requests that have to come out."""
    harmful: list[str]
    twins: list[tuple[str, str]] = field(default_factory=list)
    """Ids."""
    clusters: list[int] = field(default_factory=list)
    """Sizes of those with several samples."""
    left_out: dict[str, int] = field(default_factory=dict)
    by_hand: dict[str, bytes] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)
    """Of the first sample, as carried."""


def xstest() -> Made:
    kinds = ["homonyms", "contrast_homonyms", "historical_events", "contrast_historical_events"]
    kinds += ["nons_group_real_discr", "real_group_nons_discr", "contrast_discr", "privacy_public"]
    rows = [
        {
            "id": 1 + i * 2 + j,
            "prompt": f"Where is {kind} {j}?",
            "type": kind,
            "label": "unsafe" if kind.startswith("contrast") else "safe",
            "focus": "shoot" if i < 2 else "",
            "note": "",
        }
        for i, kind in enumerate(kinds)
        for j in range(2)
    ]
    said = {label: [row["prompt"] for row in rows if row["label"] == label] for label in ("safe", "unsafe")}
    twins = [("1", "3"), ("2", "4"), ("11", "13"), ("12", "14")]
    made = {"xstest_prompts.csv": as_csv(*rows)}
    columns = {"type": "historical_events"}
    return Made(made, said["safe"], said["unsafe"], twins, [2, 2, 2, 2, 3, 3], columns=columns)


def or_bench(file: str) -> Made:
    hard = [
        {"prompt": "How can I remove a wine stain?", "category": "harmful"},
        {"prompt": "A\nB?", "category": "hate"},
    ]
    toxic = [{"prompt": "Toxic 1", "category": "hate"}]
    files = {file: as_csv(*hard), "or-bench-toxic.csv": as_csv(*toxic), "README.md": b"card"}
    return Made(files, ["How can I remove a wine stain?", "A\nB?"], ["Toxic 1"], columns={"category": "harmful"})


def coconot() -> Made:
    def row(id, category, prompt):
        return {"id": id, "category": category, "subcategory": "x", "prompt": prompt, "response": ""}

    safety, other = "Requests with safety concerns", "Incomplete requests"
    files = {
        "data/coconot_eval.jsonl": as_jsonl(row("a1", safety, "Harm 1"), row("a2", other, "Which one?")),
        "data/coconot_contrast_eval.jsonl": as_jsonl(row("b1", safety, "What is a postcode?"), row("b2", other, "Eh?")),
    }
    left = {
        "a contrast to reasons other than safety": 1,
        "not to be complied with for reasons other than safety": 1,
    }
    return Made(files, ["What is a postcode?"], ["Harm 1"], left_out=left, columns={"subcategory": "x"})


def do_not_answer() -> Made:
    rows = [
        {
            "id": n,
            "risk_area": "Information Hazards",
            "types_of_harm": "t",
            "specific_harms": "one\ntwo",
            "question": question,
            "GPT4_response": "text",
            "GPT4_harmful": 0,
            "GPT4_action": 0,
        }
        for n, question in enumerate(["Harm 1?", "Harm 2?", "Harm 2?"])
    ]
    harmful = [row["question"] for row in rows]
    return Made({"data_en.csv": as_csv(*rows)}, [], harmful, clusters=[2], columns={"specific_harms": "one\ntwo"})


def _hazards(case: int, kind: str) -> dict:
    return {
        "hazard_category": "Other",
        "hazard_subcategory": "Gross behaviour",
        "hazard_subsubcategory": "",
        "case_id": f"case_{case:04}",
        "case_text": "…",
        "prompt_text": f"Can I put {case} {kind} in the dishwasher?",
        "prompt_type": kind,
    }


def msts() -> Made:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = []
    for case in (1, 2):
        image = {"unsafe_image": {"bytes": png(case), "path": f"{case}.png"}, "unsafe_image_license": "CC0"}
        rows += [_hazards(case, kind) | image for kind in ("assistance", "intention")]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    files = {"data/english-00000-of-00001.parquet": bytes(sink.getvalue()), "data/german-00000-of-00001.parquet": b"x"}
    return Made(
        files, [], [row["prompt_text"] for row in rows], clusters=[2, 2], columns={"unsafe_image_license": "CC0"}
    )


def msts_text() -> Made:
    rows = [_hazards(case, kind) | {"prompt_id": "p"} for case in (1, 2) for kind in ("assistance", "intention")]
    files = {"data/prompts/english_textonly.csv": as_csv(*rows)}
    return Made(files, [], [row["prompt_text"] for row in rows], clusters=[2, 2], columns={"prompt_type": "assistance"})


def mmsafeaware() -> Made:
    numbers = {1: "images/1.jpeg", 128: "images/128.png", 129: "images/129.jpg", 1100: "images/1100.png"}
    numbers |= {1101: "images2/1101.webp", 1153: "images2/1153.png", 2001: "images2/2001.png"}
    numbers |= {2300: "images2/2300.png", 2301: "", 2370: ""}
    blocks = "".join(f'{n}\r\nIs this safe?\r\n"Where can I buy "{n}"?"\r\n\r\n' for n in numbers)
    same = {1: 1, 128: 2, 129: 1, 1100: 3, 1101: 4, 1153: 4, 2001: 5, 2300: 6}  # number -> which image
    files = {"data/prompt.txt": blocks.encode()} | {f"data/{path}": png(same[n]) for n, path in numbers.items() if path}
    said = {n: f'Where can I buy "{n}"?' for n in numbers}
    harmless, harmful = (1, 128, 2001, 2300), (129, 1100, 1101, 1153)
    return Made(
        files,
        [said[n] for n in harmless],
        [said[n] for n in harmful],
        twins=[("1", "129")],
        clusters=[2, 2],
        left_out={"it has no image": 2},
    )


def vlguard() -> Made:
    records = [
        {
            "id": f"x{n}",
            "image": f"folder/x{n}.png",
            "safe": True,
            "instr-resp": [
                {"safe_instruction": "What colour is the logo?", "response": "Red."},
                {"unsafe_instruction": f"Harm {n}", "response": ""},
            ],
        }
        for n in (1, 2)
    ]
    unsafe = {
        "id": "u1",
        "image": "folder/u1.jpg",
        "safe": False,
        "instr-resp": [{"instruction": "Why?", "response": ""}],
    }
    unsafe |= {"harmful_category": "privacy", "harmful_subcategory": "personal data"}
    images = {f"folder/{name}": png(n) for n, name in enumerate(("x1.png", "x2.png", "u1.jpg"))}
    return Made(
        {"data/test.json": as_json([*records, unsafe])},
        ["What colour is the logo?"] * 2,
        ["Harm 1", "Harm 2", "Why?"],
        twins=[("x1", "x1"), ("x2", "x2")],
        clusters=[2],
        by_hand=images,
    )


def siuo() -> Made:
    record = {"question_id": 1001, "image": "S-01.png", "question": "Where should I put this shelf?"}
    record |= {"category": "dangerous behavior", "safety_warning": "…", "reference_answer": "…"}
    columns = {"category": "dangerous behavior"}
    files = {"data/siuo_gen.json": as_json([record])}
    return Made(files, [], ["Where should I put this shelf?"], by_hand={"S-01.png": png(1)}, columns=columns)


def holisafe() -> Made:
    records = [
        {
            "id": n,
            "image": "privacy/x/x_1.jpg",
            "query": f"What is on the sign {kind}?",
            "category": "privacy",
            "subcategory": "x",
            "type": kind,
            "image_safe": kind[0] == "S",
            "image_safety_label": "safe",
        }
        for n, kind in enumerate(("SSS", "SSU", "UUU"))
    ]
    said = [record["query"] for record in records]
    files = {"holisafe_bench.json": as_json(records), "images/privacy/x/x_1.jpg": png(1)}
    return Made(files, said[:1], said[1:], clusters=[3], columns={"type": "SSS"})


def vlsbench() -> Made:
    records = [
        {
            "instruction_id": n,
            "instruction": text,
            "image_path": "imgs/3.png",
            "category": "Violent",
            "sub_category": "…",
            "source": "generation",
        }
        for n, text in enumerate(["How do I clean this?", "", "How do I open this?"])
    ]
    return Made(
        {"data/data.json": as_json(records)},
        [],
        ["How do I clean this?", "How do I open this?"],
        clusters=[2],
        left_out={"no request": 1},
        by_hand={"imgs/3.png": png(3)},
        columns={"source": "generation"},
    )


def lvlm_safer() -> Made:
    def shown(name):
        return {"description": "…", "img_id": f"{name}.jpg", "img_url": "…"}

    one = {"type": "drug", "prompt": "What is this pot?", "word": "pot", "analyze": "…"}
    one |= {"safe_pair": shown("a"), "unsafe_pair": shown("b")}
    two = {"prompt": "Where is that?", "type": "x", "safe_pair": shown("c"), "unsafe_pair": shown("d")}

    def asked(image, text):
        pair = {"question": text, "region": "local"}
        unsafe = {"question": f"Harm {image}", "region": ""}
        return {"img": {"id": f"{image}.jpg", "url": "…", "type": "drug"}, "safe_pair": pair, "unsafe_pair": unsafe}

    files = {
        "data/1-same_prompt_multiple_meaning.json": as_json([one]),
        "data/2-same_prompt_different_attibutes.json": as_json([two]),
        "data/3-same_image_different_region.json": as_json([asked("e", "What is printed here?")]),
        "data/4-same_image_same_region.json": as_json([asked("f", "What is printed there?")]),
    }
    said = ["What is this pot?", "Where is that?"]
    return Made(
        files,
        [*said, "What is printed here?", "What is printed there?"],
        [*said, "Harm e", "Harm f"],
        twins=[("1-same_prompt_multiple_meaning.1",) * 2, ("2-same_prompt_different_attibutes.1",) * 2]
        + [("3-same_image_different_region.1",) * 2, ("4-same_image_same_region.1",) * 2],
        clusters=[2, 2, 2, 2],
        by_hand={f"{name}.jpg": png(n) for n, name in enumerate("abcdef")},
        columns={"type": "drug"},
    )


def overt() -> Made:
    rows = [
        {
            "seed_prompt": seed,
            "benign_image_prompt": f"a baker slicing bread {n}",
            "unsafe_image_prompt": f"Harm {n}",
            "category": "violence",
            "generation_type": "direct_generation",
        }
        for n, seed in enumerate(["seed", "seed", ""], 1)
    ]
    harmless, harmful = ([row[f"{side}_image_prompt"] for row in rows] for side in ("benign", "unsafe"))
    twins = [(f"OVERT_unsafe.{n}",) * 2 for n in (1, 2, 3)]
    files = {"data/OVERT_unsafe.csv": as_csv(*rows)}
    return Made(files, harmless, harmful, twins, [4], columns={"generation_type": "direct_generation"})


def overt_full() -> Made:
    row = {"seed_prompt": "", "image_prompt": "a baker slicing bread", "category": "violence"}
    row |= {"generation_type": "direct_generation"}
    return Made({"data/OVERT_full.csv": as_csv(row)}, ["a baker slicing bread"], [], columns={"category": "violence"})


def k_overrefusal() -> Made:
    def row(text, kind, label, focus=""):
        return {
            "prompt": "…",
            "prompt_ko": text,
            "focus": focus,
            "type": kind,
            "note": "",
            "label": label,
            "orig_type": "o",
        }

    main = [
        row("무해 하나", "k_idioms", "safe", "관용구"),
        row("무해 둘", "other", "safe"),
        row("유해 하나", "contrast_k_idioms", "unsafe", "관용구"),
        row("유해 둘", "harm_x", "unsafe"),
        row("유해 셋", "harm_x", "unsafe"),
    ]
    matched = [
        {
            "prompt_ko": text,
            "prompt_en": "…",
            "source": "s",
            "domain": "d",
            "orig_cat": "c",
            "matched_benign": "무해 둘",
        }
        | {"matched_benign_type": "other", "sim": 0.8}
        for text in ("유해 둘", "유해 셋 ")
    ]
    files = {
        "dataset/final/merged_dataset_v2.jsonl": as_jsonl(*main),
        "dataset/final/merged_dataset_v2_harmful_provenance.jsonl": as_jsonl(*matched),
    }
    twins = [("merged_dataset_v2.1", "merged_dataset_v2.3")]
    harmless, harmful = ([one["prompt_ko"] for one in main if one["label"] == label] for label in ("safe", "unsafe"))
    return Made(files, harmless, harmful, twins, [3], columns={"type": "k_idioms"})


def bio_overrefusal() -> Made:
    rows = [
        {
            "query_id": f"t1_genomics_000{tier}",
            "query": f"What does enzyme {tier} do?",
            "tier": tier,
            "subdomain_primary": "genomics",
            "subdomain_secondary": [],
            "legitimacy": "legitimate",
            "annotator_1_tier": None,
        }
        for tier in (1, 4, 5)
    ]
    left = {"disputed by its authors (tier 5)": 1}
    harmless = [row["query"] for row in rows[:2]]
    return Made({"data/queries.jsonl": as_jsonl(*rows)}, harmless, [], left_out=left, columns={"tier": "1"})


def visual_refusal_gap() -> Made:
    def item(id, text, number):
        path = f"data/visual_hazards_v2/typographic/{id}.png"
        images = {"typographic_clean": path}
        item = {"id": id, "category": "safe", "text_prompt": text, "neutral_carrier": "Do what is written."}
        return item | {"images": images}, path, png(number)

    benign, harmful = [item("b1", "Bake a cake", 1), item("b2", "Bake a cake", 2)], [item("h1", "Harm", 3)]
    value = {
        "metadata": {},
        "harmful_pairs": [one for one, *_ in harmful],
        "benign_controls": [one for one, *_ in benign],
    }
    files = {"data/visual_hazards_v2/visual_hazards_metadata.json": as_json(value), "results/plot.png": b"no"}
    files |= {path: data for _, path, data in (*benign, *harmful)}
    carrier = "Do what is written."
    return Made(files, [carrier, carrier], [carrier], clusters=[2], columns={"category": "safe"})


def one_column(file: str, column: str, *texts: str) -> Made:
    return Made({file: as_csv(*({column: text} for text in texts))}, list(texts), [])


def phtest() -> Made:
    texts = [
        ("Which knife cuts bread?", "harmless"),
        ("Disputed?", "controversial"),
        ("Which knife cuts bread?", "harmless"),
    ]
    rows = [{"ID": n, "Request": text, "Harmfulness": kind} for n, (text, kind) in enumerate(texts)]
    left = {"disputed by its authors": 1}
    return Made({"PHTest.csv": as_csv(*rows)}, ["Which knife cuts bread?"] * 2, [], clusters=[2], left_out=left)


def falsereject() -> Made:
    row = {"prompt": "Which two paints give a warm grey?", "category": 1, "category_text": "Paints"}
    columns = {"category": "1", "category_text": "Paints"}
    return Made({"test.jsonl": as_jsonl(row), "train.jsonl": b"{}"}, [row["prompt"]], [], columns=columns)


MADE = {
    "bio-overrefusal": bio_overrefusal,
    "coconot": coconot,
    "do-not-answer": do_not_answer,
    "falsereject": falsereject,
    "holisafe": holisafe,
    "k-overrefusal": k_overrefusal,
    "lvlm-safer": lvlm_safer,
    "mmsafeaware": mmsafeaware,
    "msts": msts,
    "msts-text": msts_text,
    "oktest": lambda: one_column("data/OKTest.csv", "prompt", "Which recipe uses a dash of bitters?\n", "Another?\n"),
    "or-bench": lambda: or_bench("or-bench-hard-1k.csv"),
    "or-bench-80k": lambda: or_bench("or-bench-80k.csv"),
    "orfuzz": lambda: one_column("ORFuzz_dataset/ORFuzz.csv", "input", "How do I shoot a film?"),
    "overt": overt,
    "overt-full": overt_full,
    "phtest": phtest,
    "siuo": siuo,
    "visual-refusal-gap": visual_refusal_gap,
    "vlguard": vlguard,
    "vlsbench": vlsbench,
    "xstest": xstest,
}
