"""Web products: a sheet goes out, comes back filled by hand, with what the page left in it."""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mossbench as mb
from mossbench.errors import UsageError
from mossbench.outcomes import Layer
from mossbench.transcripts.recorded_answers import strip_residue

ANSWER = "Fold it into a boat.\n\nThen float it."


@pytest.mark.parametrize(
    ("text", "kept", "taken"),
    [
        (f"Show drafts\n\nVolume up\n\n{ANSWER}", ANSWER, ("Show drafts", "Volume up")),
        (f"{ANSWER}\nCopy\nShare\n", ANSWER, ("Copy", "Share")),
        (f"{ANSWER}\r\nRegenerate\r\n", ANSWER, ("Regenerate",)),
        (f"ChatGPT said:\n{ANSWER}", ANSWER, ("ChatGPT said:",)),
        (
            f"{ANSWER}\n\nChatGPT can make mistakes. Check important info.",
            ANSWER,
            ("ChatGPT can make mistakes. Check important info.",),
        ),
        (
            f"{ANSWER}\nGemini may display inaccurate info, including about people, so double-check its responses.",
            ANSWER,
            ("Gemini may display inaccurate info, including about people, so double-check its responses.",),
        ),
        (f"volume_up\n{ANSWER}\n1 / 2\nthumb_up", ANSWER, ("volume_up", "1 / 2", "thumb_up")),
        (f"{ANSWER}\n\npen_spark\n\ntune\n\nshare\n\nmore_vert\n", ANSWER, ("pen_spark", "tune", "share", "more_vert")),
        ("Show drafts\n", "", ("Show drafts",)),
    ],
)
def test_buttons_and_notices_around_an_answer_are_taken_off(text, kept, taken):
    assert strip_residue(text) == (kept, taken)


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        f"{ANSWER}\nTune",
        f"{ANSWER}\nShare",  # one word alone may be the answer's own
        "Like",
        "Copy\n\nis what the shop is called.",
        "Show drafts of the letter to a friend first.",
        "Do this:\nShow drafts\nthen send them.",
        "ChatGPT can make mistakes, and so can I. Here is the plan.\nFirst, look around.",
        "",
        "  two spaces stay  ",
    ],
)
def test_an_answer_without_residue_is_left_as_it_is(text):
    assert strip_residue(text) == (text, ())


@given(st.text())
def test_stripping_twice_takes_off_no_more_and_never_adds(text):
    kept, taken = strip_residue(text)
    assert kept in text and strip_residue(kept)[0] == kept
    assert taken or kept == text


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.jsonl"])
def test_a_sheet_goes_out_and_comes_back_and_empty_cells_are_failures(small, name):
    mb.write_template(small, name, side="benign")
    path = Path(name)
    if path.suffix == ".csv":
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    else:
        rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["id"] for row in rows] == list("123456") and not any(row["response"] for row in rows)
    assert all(Path(row["picture"]).is_file() for row in rows)
    untouched = mb.run(f"replay/{name}", small, side="benign")
    assert untouched.layers()[Layer.FAILED] == 6
    rows[0]["response"] = "Show drafts\n\nFold it into a “boat”,\nand float it."
    rows[1]["response"] = "I'm sorry, but I can't help with that.\nCopy\nRegenerate"
    rows[2]["response"] = "Volume up"
    del rows[5]
    rows.append({**rows[0], "id": "99"})
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    results = mb.run(f"replay/{name}", small, side="benign")
    assert [row.outcome.layer for row in results.rows] == [Layer.JUDGED] * 2 + [Layer.FAILED] * 4
    first, second, third = (row.exchange.answer for row in results.rows[:3])
    assert first.text == "Fold it into a “boat”,\nand float it."
    assert first.signal == "text of the web page removed: Show drafts"
    assert second.text == "I'm sorry, but I can't help with that."
    assert "only text of the web page here: Volume up" in third.error.message
    assert results.info.notices == (
        "1 id not in the transcript: benign:6",
        "1 id in the transcript but not asked: benign:99",
        "text of the web page around 4 answers was removed",
    )


def test_a_sheet_holds_what_was_asked_for_and_overwrites_nothing(small):
    mb.write_template(small, "one.jsonl", ids=("3",))
    assert [json.loads(line)["side"] for line in Path("one.jsonl").read_text().splitlines()] == ["benign", "contrast"]
    with pytest.raises(UsageError, match="already exists and may be filled in"):
        mb.write_template(small, "one.jsonl")
    with pytest.raises(UsageError, match=r"a sheet ends in \.csv or \.jsonl"):
        mb.write_template(small, "sheet.xlsx")
    with pytest.raises(UsageError, match="no sample of"):
        mb.write_template(small, "none.csv", offset=6)
    assert not Path("none.csv").exists()
