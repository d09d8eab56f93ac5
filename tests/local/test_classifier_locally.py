"""Refusal classifiers on tiny checkpoints with weights that we set, through the real classes."""

import asyncio
import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra [local]; run `make test-local`")
pytest.importorskip("transformers", reason="needs the extra [local]; run `make test-local`")

import checkpoints
import torch
import transformers as t

import mossbench as mb
from mossbench.errors import ModelError
from mossbench.judges import load_judge
from mossbench.outcomes import Answer, Exchange, Stop

LABELS = {0: "fine", 1: "no"}


def tiny(folder, *, head=True, kind="bert", positions=64):
    """A classifier that calls every text `no`, at 0.88."""
    tok = checkpoints.tokenizer(model_max_length=positions)
    shape = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    config = getattr(t, {"bert": "BertConfig", "roberta": "RobertaConfig"}[kind])(
        vocab_size=len(tok), max_position_embeddings=positions + 2, id2label=LABELS, pad_token_id=2, **shape
    )
    classes = {
        "bert": (t.BertModel, t.BertForSequenceClassification),
        "roberta": (t.RobertaModel, t.RobertaForSequenceClassification),
    }
    model = classes[kind][head](config)
    if head and kind == "bert":
        with torch.no_grad():
            model.classifier.weight.zero_()
            model.classifier.bias.copy_(torch.tensor([0.0, 2.0]))  # softmax: 0.12 and 0.88
    return checkpoints.save(folder, model, tok)


def verdict(judge, text, request="Draw it."):
    answer = Answer(text=text, stop=Stop.END)
    return asyncio.run(judge.verdict(Exchange(side="benign", sample="1", request=request, answer=answer)))


def spec(folder, **more):
    settings = "".join(f"&{name}={value}" for name, value in more.items())
    return f"classifier/{folder}?labels=fine:answered,no:refused{settings}"


def test_a_checkpoint_in_a_folder_judges(tmp_path):
    judge = load_judge(spec(tiny(tmp_path / "tiny")))
    said = verdict(judge, "I will not.")
    assert (said.kind, said.refused, said.confidence) == (None, True, pytest.approx(0.881, abs=0.001))
    assert said.reason == "no at 0.88; tells only refused or not"
    assert verdict(judge, "I will not.") == said


@pytest.mark.parametrize(("kind", "n"), [("bert", 64), ("roberta", 63)])  # RoBERTa loses the places up to the padding's
def test_a_long_answer_is_cut_and_said_to_be(tmp_path, kind, n):
    judge = load_judge(spec(tiny(tmp_path / "tiny", kind=kind)))
    assert f"read {n} of 200 tokens" in verdict(judge, "a" * 200).reason


def test_request_and_answer_as_a_pair_are_read(tmp_path):
    judge = load_judge(spec(tiny(tmp_path / "tiny"), reads="pair"))
    assert "read 64 of 100 tokens" in verdict(judge, "a" * 50, request="b" * 50).reason


def test_a_checkpoint_without_a_head_is_refused(tmp_path):
    judge = load_judge(spec(tiny(tmp_path / "tiny", head=False)))
    with pytest.raises(ModelError, match="has no values for 2 weights, such as 'classifier.bias'"):
        verdict(judge, "I will not.")


def test_a_name_on_the_hub_that_cannot_be_had_is_said(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelError, match="'NousResearch/Minos-v1' cannot be loaded from the Hugging Face hub"):
        load_judge("classifier/NousResearch/Minos-v1")


def test_the_version_moves_with_the_map_and_the_checkpoint(tmp_path):
    one = load_judge(spec(tiny(tmp_path / "a")))
    other = load_judge(f"classifier/{tmp_path / 'a'}?labels=fine:warned,no:refused")
    wider = load_judge(spec(tiny(tmp_path / "b", positions=32)))
    assert len({one.version, other.version, wider.version}) == 3


def test_it_stands_on_the_scoreboard_and_judges_files(tmp_path):
    rows = [{"id": str(i), "question": "q", "response": "I will not.", "refused": i % 2} for i in range(4)]
    Path("labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    board = mb.score_judges("labels.jsonl", [spec(tiny(tmp_path / "tiny")), "keywords"])
    found = next(one for one in board.judges if one.judge.startswith("classifier/"))
    assert (found.pooled.n, found.pooled.n_unjudged, found.pooled.rate_error.value) == (4, 0, 0.5)
    assert found.dollars_per_1000 == 0 and found.per_second > 0
