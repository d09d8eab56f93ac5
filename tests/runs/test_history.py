"""Samples with earlier messages: read, hashed, sent in each provider's form, judged with their context."""

import json

import pytest

import mossbench as mb
from mossbench.datasets.arms import ARMS
from mossbench.errors import DataError, UsageError
from mossbench.judges.rubric import message as judge_message
from mossbench.models.model import Prompt, Turn
from mossbench.outcomes import Exchange
from mossbench.samples import EarlierMessage, Sample
from pictures import png
from servers.asking import ask
from servers.wire import completion, generated, message
from small_set import small_set

HISTORY = [
    {"role": "user", "text": "What is this?", "images": ["images/earlier.png"]},
    {"role": "assistant", "text": "A kitchen."},
]
TEXTS = [{"role": "user", "text": "Hello."}, {"role": "assistant", "text": "Hello, how can I help?"}]


@pytest.fixture
def talking(tmp_path):
    """The small set, whose harmless samples have earlier messages, one of them with an image."""
    folder = small_set(tmp_path / "talking")
    (folder / "images" / "earlier.png").write_bytes(png("#123456"))
    rows = [json.loads(line) for line in (folder / "metadata.jsonl").read_text().splitlines()]
    for row in rows:
        if row["side"] == "benign":
            row["history"] = HISTORY
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def texts_of(wire, body):
    """Roles and texts of all messages, and how many images each has."""
    turns = body["contents"] if wire == "google" else body["messages"]
    lines = []
    for turn in turns:
        parts = turn["parts"] if wire == "google" else turn["content"]
        parts = [{"text": parts}] if isinstance(parts, str) else parts
        texts = [part["text"] for part in parts if "text" in part]
        lines.append((turn["role"], " ".join(texts), len(parts) - len(texts)))
    return lines


@pytest.mark.parametrize(
    ("wire", "answer", "assistant"),
    [
        ("openai", completion(), "assistant"),
        ("anthropic", message("Sure."), "assistant"),
        ("google", generated("Sure."), "model"),
    ],
)
def test_each_earlier_message_arrives_in_the_form_of_the_provider(wire, answer, assistant):
    from mossbench.images.preparing import prepare

    picture = prepare(png("#303030"))
    history = (Turn("user", "What is this?", (picture,)), Turn("assistant", "A kitchen."))
    prompt = Prompt("And what is that?", system="Be brief.", picture=picture, history=history)
    came, requests, _ = ask(wire, (200, answer), prompt)
    assert came.text
    lines = texts_of(wire, requests[-1][2])
    expected = [("user", "What is this?", 1), (assistant, "A kitchen.", 0), ("user", "And what is that?", 1)]
    assert lines[-3:] == expected


def test_inspect_sends_earlier_messages_too(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    history = (Turn("user", "What is this?"), Turn("assistant", "A kitchen."))
    prompt = Prompt("And that?", history=history)
    _, requests, _ = ask("openai", (200, completion()), prompt, route="inspect")
    expected = [("user", "What is this?", 0), ("assistant", "A kitchen.", 0), ("user", "And that?", 0)]
    assert texts_of("openai", requests[-1][2]) == expected


def test_a_run_records_what_was_said_before(talking):
    seen = []

    def answer(prompt):
        seen.append([(turn.role, turn.text, len(turn.pictures)) for turn in prompt.history])
        return "Sure, here is how."

    results = mb.run(answer, talking, judge=None, side="benign", limit=1)
    assert seen == [[("user", "What is this?", 1), ("assistant", "A kitchen.", 0)]]
    (row,) = results.rows
    saved = json.loads((results.folder / "answers.jsonl").read_text().splitlines()[0])
    assert [(turn["role"], turn["text"]) for turn in saved["history"]] == [
        ("user", "What is this?"),
        ("assistant", "A kitchen."),
    ]
    assert saved["history"][0]["pictures"][0]["ref"] == "images/earlier.png"
    assert saved["picture"]["ref"] == "images/1.png"
    assert row.exchange.history[0].pictures[0].sha256 != row.exchange.picture.sha256


def test_hashes_change_with_the_history_and_only_where_there_is_one(talking, small):
    plain = mb.load_dataset(small)
    with_history = mb.load_dataset(talking)
    assert with_history.hashes["contrast"] == plain.hashes["contrast"]
    assert with_history.hashes["benign"] != plain.hashes["benign"]
    before = dict(with_history.hashes)
    (talking / "images" / "earlier.png").write_bytes(png("#654321"))
    assert mb.load_dataset(talking).hashes["benign"] != before["benign"]
    assert "history" not in Sample(id="1", question="Why?").model_dump()
    assert "history" not in ARMS["plain"].model_dump()


def test_the_digest_of_an_exchange_has_the_history_only_where_there_is_one(talking):
    exchange = mb.run("control/candid", talking, judge=None, limit=1, side="benign").rows[0].exchange
    without = exchange.model_copy(update={"history": ()})
    assert exchange.digest() != without.digest()
    assert "history" not in without.model_dump()


def test_a_judge_reads_the_last_answer_with_what_was_said_before(talking):
    exchange = mb.run("control/candid", talking, judge=None, limit=1, side="benign").rows[0].exchange
    text = judge_message("kinds", exchange)
    assert text.index("User: What is this?") < text.index("Assistant: A kitchen.")
    assert text.index("Assistant: A kitchen.") < text.index(exchange.request) < text.index(exchange.answer.text)
    alone = Exchange(side="benign", sample="1", request="Why?", answer=exchange.answer)
    assert "Earlier" not in judge_message("kinds", alone)


def test_an_arm_measures_what_the_history_does(talking):
    seen = []

    def answer(prompt):
        seen.append(len(prompt.history))
        return "Sure, here is how."

    results = mb.run(answer, talking, judge=None, arm="without-history")
    assert seen == [0] * 6
    assert {row.key.side for row in results.rows} == {"benign"}
    assert not any(row.exchange.history for row in results.rows)


def test_the_arm_is_compared_on_the_samples_that_have_a_history(talking):
    rows = [json.loads(line) for line in (talking / "metadata.jsonl").read_text().splitlines()]
    bare = [row for row in rows if row["side"] == "benign"][:2]
    for row in bare:
        del row["history"]
    (talking / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    plain = mb.run("control/candid", talking, side="benign")
    without = mb.run("control/candid", talking, arm="without-history", side="benign")
    comparison = mb.compare(plain, without)
    (total,) = [difference for difference in comparison.differences if difference.group == "all"]
    assert total.estimate.n == 4
    assert sorted(comparison.n_unpaired.values()) == [0, 2]
    part = mb.run("control/candid", talking, side="benign", limit=3)
    with pytest.raises(UsageError, match="cannot be compared"):
        mb.compare(part, without)


def test_without_images_the_history_has_none_either(talking):
    seen = []

    def answer(prompt):
        seen.append([(turn.text, len(turn.pictures)) for turn in prompt.history])
        return "Sure, here is how."

    mb.run(answer, talking, judge=None, arm="text-only", side="benign", limit=1)
    assert seen == [[("What is this?", 0), ("A kitchen.", 0)]]


def test_a_table_without_history_has_no_such_arm(small):
    with pytest.raises(UsageError, match="without-history"):
        mb.run("control/candid", small, arm="without-history")


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_an_export_keeps_history_and_hashes(suffix, talking, tmp_path):
    dataset = mb.load_dataset(talking)
    mb.export_dataset(dataset, tmp_path / "out", format=suffix)
    again = mb.load_dataset(tmp_path / "out")
    assert again.hashes == dataset.hashes
    assert [turn.text for turn in again.sample("benign", "1").history] == ["What is this?", "A kitchen."]


def test_data_check_finds_a_missing_image_of_an_earlier_message(talking):
    assert not [finding for finding in mb.check_dataset(talking) if finding.code == "missing-image"]
    (talking / "images" / "earlier.png").unlink()
    assert [finding for finding in mb.check_dataset(talking) if finding.code == "missing-image"]


def test_a_column_of_that_name_without_messages_stays_ones_own(small):
    lines = [json.loads(line) | {"history": "none"} for line in (small / "metadata.jsonl").read_text().splitlines()]
    (small / "metadata.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    sample = mb.load_dataset(small).sample("benign", "1")
    assert (sample.history, sample.metadata["history"]) == ((), "none")


@pytest.mark.parametrize(
    ("record", "named"),
    [
        ({"role": "system", "text": "Hi"}, "role"),
        ({"role": "user"}, "needs a text or images"),
        ({"role": "assistant", "text": "Hi", "images": ["a.png"]}, "cannot have images"),
    ],
)
def test_an_earlier_message_that_cannot_be_sent_is_refused(record, named):
    with pytest.raises(ValueError, match=named):
        EarlierMessage.model_validate(record)


MALFORMED = [
    [{"role": "tool", "text": "Hello."}],
    [{"rol": "user", "text": "Hello."}],
    {"role": "user", "text": "Hello."},
    ["Hello."],
    "[{'role': 'user', 'text': 'Hello.'}]",
]


@pytest.mark.parametrize("history", MALFORMED)
@pytest.mark.parametrize("n_rows", [1, 12])
def test_a_malformed_history_is_an_error_in_one_row_or_all(history, n_rows, talking):
    change_histories(talking, n_rows, history)
    with pytest.raises(DataError, match="history"):
        mb.load_dataset(talking)


def test_a_column_that_is_named_for_the_history_must_hold_it(small):
    rows = [json.loads(line) for line in (small / "metadata.jsonl").read_text().splitlines()]
    (small / "metadata.jsonl").write_text("".join(json.dumps(row | {"before": "Hello."}) + "\n" for row in rows))
    with pytest.raises(DataError, match="before"):
        mb.load_dataset(small, columns={"history": "before"})


def test_a_message_without_a_role_is_named(talking):
    change_histories(talking, 1, [{"role": "user", "text": "Hi."}, {"rol": "assistant", "text": "Hello."}])
    with pytest.raises(DataError, match=r"'history' has .*rol.* at place 2, without 'role'"):
        mb.load_dataset(talking)


def change_histories(folder, n_rows, history):
    rows = [json.loads(line) for line in (folder / "metadata.jsonl").read_text().splitlines()]
    for row in rows[:n_rows]:
        row["history"] = history
    for row in rows[n_rows:]:
        row["history"] = TEXTS
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_the_text_may_be_called_content_as_chat_apis_do():
    assert EarlierMessage.model_validate({"role": "user", "content": "Hi"}).text == "Hi"


def test_requests_after_other_messages_are_other_requests():
    alone = Sample(id="1", question="Why?")
    after = Sample(id="2", question="Why?", history=TEXTS)
    assert alone.unit != after.unit


def test_a_local_model_is_not_asked_behind_the_user_s_back(talking):
    from mossbench.models.local.model import LocalModel

    model = object.__new__(LocalModel)
    model.name = "local/x"
    with pytest.raises(UsageError, match="without earlier messages"):
        LocalModel.check(model, mb.load_dataset(talking).samples)


def test_texts_of_earlier_messages_are_hidden_with_the_others(talking):
    from mossbench.reports.bundles import hidden_sample

    hidden = hidden_sample(mb.load_dataset(talking).sample("benign", "1"))
    assert "kitchen" not in hidden.model_dump_json()


def test_a_history_in_memory_is_read(talking):
    rows = [{"id": "1", "question": "And that?", "history": TEXTS}]
    assert mb.load_dataset(rows).samples[0].history[1].text == "Hello, how can I help?"
