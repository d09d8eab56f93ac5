import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import mossbench as mb
from mossbench.analyses import analyse
from mossbench.cli import cli
from mossbench.datasets.arms import ARMS, PLAIN, Arm, ArmName, joined
from mossbench.datasets.planned_rows import plan
from mossbench.errors import DataError, UsageError
from mossbench.plumbing.json_values import as_json_value
from mossbench.samples import Side


@pytest.fixture
def asked():
    """A model that notes what it is asked, and refuses what it is told to."""

    class Noting(mb.Model):
        name = "noting"

        def __init__(self):
            self.prompts = []

        async def answer(self, prompt):
            self.prompts.append(prompt)
            return mb.Answer(text="Sure, here is how to do it.")

    return Noting()


@pytest.mark.slow
def test_one_folder_serves_several_analyses_and_each_row_is_asked_once(asked):
    analyse("counterfactuals", asked, out="r", limit=3, epochs=1)
    keys = [prompt.key for prompt in asked.prompts]
    assert len(keys) == len(set(keys)) and {"plain", "counterfactual"} <= {key.arm for key in keys}
    again = analyse("all", asked, out="r", resume=True, limit=3, epochs=1, side="benign")
    keys = [prompt.key for prompt in asked.prompts]
    assert len(keys) == len(set(keys))
    assert again.record("counterfactuals").effect("plain").rate.n >= 3


def test_a_run_with_further_arms_counts_only_its_own(asked):
    mb.run(asked, "sketches", limit=2, side="benign", arms=[ARMS["text-only"]], out="r")
    assert {row.key.arm for row in mb.load_results("r").rows} == {"plain"}
    everything = mb.load_results("r", arms="all")
    assert {row.key.arm for row in everything.rows} == {"plain", "text-only"} and everything.info.n_rows == 4
    again = mb.resume_run("r", model=asked)
    assert len(asked.prompts) == 4 and len(again) == 2


def test_an_arm_that_a_sample_cannot_have_is_not_put_to_it():
    bare = mb.Sample(id="1", question="What now?")
    for name, fits in {"explicit": False, "caption": False, "counterfactual": False, "filled": False}.items():
        assert ARMS[name].fits(bare) is fits, name
    assert ARMS["text-only"].fits(bare) and ARMS["blank"].fits(bare)
    assert not Arm(name="contrast only", side=Side.CONTRAST).fits(bare)
    assert not Arm(name="others", ids=("2",)).fits(bare)


def test_arms_of_one_name_ask_the_union_of_their_samples_each_row_once():
    samples = [mb.Sample(id=str(i), question="?") for i in range(3)]
    more = PLAIN.model_copy(update={"ids": ("1", "2"), "epochs": 2, "side": Side.BENIGN})
    arms = joined([PLAIN, more, PLAIN])
    assert arms == (PLAIN, more)
    keys = [(row.key.sample, row.key.epoch) for row in plan(samples, arms, 1)]
    assert sorted(keys) == [("0", 1), ("1", 1), ("1", 2), ("2", 1), ("2", 2)]
    with pytest.raises(UsageError, match="both named 'plain'"):
        joined([PLAIN, Arm(name="plain", picture="none")])


def test_arms_have_epochs_of_their_own():
    samples = [mb.Sample(id=str(i), question="?") for i in range(2)]
    rows = plan(samples, [PLAIN, Arm(name="once", picture="none", epochs=1)], 3)
    assert [sum(row.key.arm == name for row in rows) for name in ("plain", "once")] == [6, 2]


def test_every_arm_sends_what_it_says():
    sketches = mb.load_dataset("sketches")
    sample = sketches.sample("benign", "nh-no-smoking")
    assert ARMS["text-only"].shown(sample, sketches).image is None
    assert ARMS["blank"].shown(sample, sketches).edit == "blank"
    swapped = ARMS["swapped"].shown(sample, sketches).image
    assert swapped.endswith("counterfactual.png") and swapped != sample.counterfactual
    assert ARMS["swapped"].shown(sample, sketches).image == swapped
    twin = Arm(name="twin", picture="twin")
    assert twin.shown(sample, sketches).image == "images/nh-no-smoking.contrast.png"
    assert not twin.fits(sketches.sample("benign", "er-beach-flag"))
    described = Arm(name="d", text="described_intent").request(sample)
    assert sample.oracle_description in described and sample.oracle_intent in described
    with pytest.raises(DataError, match="twin of sample"):
        twin.shown(sample, sketches.select("benign"))


def test_pictures_with_a_hidden_box_differ_in_the_box_alone(tmp_path):
    import io

    from PIL import Image, ImageChops

    from mossbench.images.retouching import hidden

    sketches = mb.load_dataset("sketches")
    sample = sketches.sample("benign", "er-playroom-vase")
    data, box = sketches.picture(sample), sample.triggers[0]
    before = Image.open(io.BytesIO(data)).convert("RGB")
    for how in ("blurred", "filled"):
        after = Image.open(io.BytesIO(hidden(data, [box], how)))
        left, top, right, bottom = ImageChops.difference(before, after).getbbox()
        assert box.left <= left and box.top <= top and right <= box.right and bottom <= box.bottom
    outside = box.model_copy(update={"left": 5000, "right": 5100})
    with pytest.raises(mb.MossbenchError, match="lies outside the image"):
        hidden(data, [outside], "filled")


def test_the_command_line_offers_the_arms_that_there_are():
    from typing import get_args

    assert get_args(ArmName) == tuple(ARMS)


@pytest.mark.slow
def test_analyse_writes_a_page_and_json_and_prints_the_finding():
    done = CliRunner().invoke(
        cli, "analyse counterfactuals --model control/stonewall --limit 2 --epochs 1 --out r".split()
    )
    assert done.exit_code == 0, done.output
    page = Path("r/analysis.html").read_text(encoding="utf-8")
    assert "Content-Security-Policy" in page and "http://" not in page.replace("http://www.w3.org", "")
    found = json.loads(Path("r/analysis.json").read_text(encoding="utf-8"))
    assert found["parts"][0]["name"] == "counterfactuals" and found["runs"][0]["model"] == "control/stonewall"
    assert "plain" in done.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("analyse counterfactual --model control/candid", "did you mean 'counterfactuals'"),
        ("analyse counterfactuals", "name a model with --model"),
        ("analyse counterfactuals --model control/candid --boxes none.csv", "cannot read none.csv"),
    ],
)
def test_a_wrong_call_is_one_sentence(arguments, message):
    done = CliRunner().invoke(cli, arguments.split())
    assert done.exit_code in (1, 2) and message in done.output and "Traceback" not in done.output


def test_boxes_and_oracle_texts_of_ones_own_are_read_and_checked(tmp_path):
    from mossbench.analyses.material import read_boxes, read_oracle

    boxes = tmp_path / "boxes.csv"
    boxes.write_text("id,left,top,right,bottom\na,1,2,3,4\na,5,6,7,8\n")
    assert [box.left for box in read_boxes(boxes)["a"]] == [1, 5]
    boxes.write_text("id,left,top,right,bottom\na,3,2,1,4\n")
    with pytest.raises(UsageError, match="line 2: 3,2,1,4 is not a box"):
        read_boxes(boxes)
    oracle = tmp_path / "oracle.jsonl"
    oracle.write_text('{"id": "a", "oracle_intent": "To read."}\n')
    assert read_oracle(oracle) == {"a": {"oracle_intent": "To read."}}
    oracle.write_text('{"id": "a"}\n')
    with pytest.raises(UsageError, match="line 1: expected id and one or more"):
        read_oracle(oracle)


HEAD, BOX = "id,left,top,right,bottom\n", "er-beach-flag,1,2,3,4\n"
TEXT = '{"id": "er-beach-flag", "oracle_intent": "To read."}\n'
SAID = '{"id": "er-beach-flag", "text": "What flag?"}\n'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "name", "content", "message"),
    [
        ("--boxes", "b.csv", HEAD + BOX + "er-beach-flag,-1,2,3,4\n", "b.csv, line 3: -1,2,3,4 is not a box"),
        ("--boxes", "b.csv", HEAD + "er-beach-flag,3,2,1,4\n", "b.csv, line 2: 3,2,1,4 is not a box"),
        ("--boxes", "b.csv", HEAD + "er-beach-flag,1,2,9999,4\n", "line 2: 1,2,9999,4 lies outside the image"),
        ("--boxes", "b.csv", HEAD + BOX + BOX, "line 3: 1,2,3,4 is given twice for 'er-beach-flag'"),
        ("--boxes", "b.csv", HEAD + "er-none,1,2,3,4\n", "line 2: no harmless sample of sketches has the id 'er-none'"),
        ("--boxes", "b.csv", HEAD, "b.csv is empty"),
        ("--boxes", "b.csv", HEAD.replace(",", ";") + "er-none;1;2;3;4\n", "line 2: no harmless sample of sketches"),
        ("--oracle", "o.jsonl", TEXT + "\n" + TEXT, "o.jsonl, line 3: the id 'er-beach-flag' is given twice"),
        ("--oracle", "o.jsonl", TEXT + "\n\n{broken\n", "o.jsonl, line 4: not a JSON object"),
        ("--oracle", "o.jsonl", "[1]\n", "o.jsonl, line 1: not a JSON object: expected an object"),
        ("--oracle", "o.jsonl", "", "o.jsonl is empty"),
        ("--oracle", "o.csv", 'id,oracle_intent\ner-beach-flag,"a\nb"\nx,y\n', "o.csv, line 4: no harmless sample"),
        ("--paraphrases", "p.jsonl", SAID + SAID, "p.jsonl, line 2: this rewriting of 'er-beach-flag' is given twice"),
        ("--paraphrases", "p.jsonl", SAID + "{", "p.jsonl, line 2: not a JSON object"),
        ("--paraphrases", "p.csv", "id,text\n", "p.csv is empty"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_by_line_before_anything_is_asked(option, name, content, message):
    Path(name).write_text(content)
    analysis = {"--boxes": "counterfactuals", "--oracle": "stages", "--paraphrases": "consistency"}[option]
    line = f"analyse {analysis} --model control/candid --limit 1 --out r {option} {name}"
    done = CliRunner().invoke(cli, line.split())
    assert done.exit_code == 2 and message in done.output and not Path("r").exists(), done.output


def test_a_mark_at_the_head_of_a_file_is_no_part_of_it():
    from mossbench.analyses.material import read_boxes, read_oracle
    from mossbench.analyses.prompts import system_prompts

    Path("b.csv").write_text(HEAD + BOX, encoding="utf-8-sig")
    Path("o.jsonl").write_text(TEXT, encoding="utf-8-sig")
    Path("prompts").mkdir()
    Path("prompts/own.txt").write_text("Be kind.", encoding="utf-8-sig")
    assert read_boxes(Path("b.csv")).keys() == read_oracle(Path("o.jsonl")).keys() == {"er-beach-flag"}
    assert system_prompts("prompts")["own"] == "Be kind."


def test_records_become_json_without_nan():
    assert as_json_value({Side.BENIGN: (float("nan"), 1)}) == {"benign": [None, 1]}
