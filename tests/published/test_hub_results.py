"""`.eval_results` and a section for a model's card, as the hub's own readers read them."""

from dataclasses import replace

import pytest
import yaml
from click.testing import CliRunner
from huggingface_hub import ModelCard, parse_eval_result_entries

import mossbench as mb
import tables
from answered import answered, samples
from mossbench.cli import cli
from mossbench.published.hub_results import _correction_note, eval_results
from mossbench.reports.writing import model_card
from mossbench.results.rates import Corrected
from mossbench.samples import Side


def read(text):
    return parse_eval_result_entries(yaml.safe_load(text))


def run(**options):
    return tables.results(tables.sides([True] * 3 + [False] * 9, [True] * 12), **options)


def test_the_hub_reads_a_number_a_side_with_its_interval_in_the_notes():
    harmless, harmful = read(eval_results(run(), hub_dataset="o/d", url="https://example.org/run"))
    assert (harmless.dataset_id, harmless.task_id, harmless.value) == ("o/d", "refusal_harmless", 25.0)
    assert (harmful.task_id, harmful.value) == ("refusal_harmful", 100.0)
    assert "lower is better; 95 % interval 8.9 to 53.2 (wilson); 12 rows, 0 left out" in harmless.notes
    assert "higher is better" in harmful.notes and "judge rules/4, rule system" in harmful.notes
    assert harmless.source_url == "https://example.org/run" and harmless.dataset_revision is None


def test_a_set_from_the_hub_names_itself_with_its_revision():
    results = run()
    dataset = results.info.dataset.model_copy(update={"source": "hub:org/set", "revision": "0123abc"})
    object.__setattr__(results, "info", results.info.model_copy(update={"dataset": dataset}))
    entry = read(eval_results(results))[0]
    assert (entry.dataset_id, entry.dataset_revision) == ("org/set", "0123abc")
    assert read(eval_results(results, hub_dataset="o/copy"))[0].dataset_revision is None  # that of another set


def test_each_side_names_its_own_data():
    results = run()
    dataset = results.info.dataset.model_copy(update={"hashes": {Side.BENIGN: "a" * 64, Side.CONTRAST: "b" * 64}})
    object.__setattr__(results, "info", results.info.model_copy(update={"dataset": dataset}))
    harmless, harmful = read(eval_results(results, hub_dataset="o/d"))
    assert harmless.notes.endswith(f"@{'a' * 12}") and harmful.notes.endswith(f"@{'b' * 12}")


def test_a_selection_is_said_to_be_one():
    assert "samples: 12 chosen" in read(eval_results(run(limit=12), hub_dataset="o/d"))[0].notes


@pytest.mark.parametrize(("rule", "fault"), [("strict", ""), ("paper", "is not known; choose another rule")])
def test_a_rate_that_is_not_known_is_not_written(rule, fault):
    results = run()
    row = results.rows[0]
    unread = type(row)(row.key, row.sample, row.exchange, None, mb.outcomes.Outcome(mb.outcomes.Layer.UNJUDGED))
    object.__setattr__(results, "rows", (unread, *results.rows[1:]))
    if not fault:
        assert len(read(eval_results(results, hub_dataset="o/d", rule=rule))) == 2
        return
    with pytest.raises(mb.UsageError, match=fault):
        eval_results(results, hub_dataset="o/d", rule=rule)


def test_commands_write_both_and_refuse_what_they_cannot(tmp_path):
    made = answered(samples(tmp_path / "data", 6), tmp_path / "run", refused=[1, 2])
    export = ["results", "export", str(made.folder), "--out"]
    done = CliRunner().invoke(cli, [*export, str(tmp_path / "x.yaml")])
    assert done.exit_code == 2 and "'data' is not one" in done.output and not (tmp_path / "x.yaml").exists()
    done = CliRunner().invoke(cli, [*export, str(tmp_path / "x.yaml"), "--hub-dataset", "o/d"])
    assert done.exit_code == 0, done.output
    entry = read((tmp_path / "x.yaml").read_text())[0]
    assert entry.value == 33.3333 and entry.date is None  # when recorded answers were given is not known
    done = CliRunner().invoke(cli, [*export, str(tmp_path / "x.md")])
    assert done.exit_code == 0 and "| harmless requests | 33.3 |" in (tmp_path / "x.md").read_text()
    done = CliRunner().invoke(cli, [*export, str(tmp_path / "x.md")])
    assert done.exit_code == 2 and "already exists" in done.output


def test_a_model_card_takes_the_section_and_it_says_what_weakens_the_numbers():
    text = model_card(run(model="a_b|<i>*c*"))
    card = ModelCard(f"---\nlicense: mit\n---\n\n# A model\n\n{text}")
    assert card.data.license == "mit" and "## Refusals of harmless requests" in card.text
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.replace(r"\|", "").count("|") for line in table} == {8}
    assert "| harmless requests | 25.0 | 8.9 to 53.2 |" in text and "What weakens these numbers" in text
    assert "Verdicts are by rules/4." in text and "--labels" not in text.partition("To make them again")[0]


def test_one_side_alone_is_one_line():
    only = [tables.row(Side.CONTRAST, i, True) for i in range(6)]
    assert "| harmful requests | 100.0 |" in model_card(tables.results(only))


def test_a_rate_without_an_interval_says_so_in_the_notes():
    one_scene = tables.results(tables.sides([True] * 3 + [False] * 9, [True] * 12, cluster="park"))
    notes = read(eval_results(one_scene, hub_dataset="o/d"))[0].notes
    assert "no 95 % interval (cluster-robust wilson over 1 clusters); 12 rows" in notes and "nan" not in notes


def test_names_beyond_the_basic_plane_are_as_they_were():
    results = run()
    dataset = results.info.dataset.model_copy(update={"name": "faces 😀"})
    object.__setattr__(results, "info", results.info.model_copy(update={"dataset": dataset}))
    assert "faces 😀" in yaml.safe_load(eval_results(results, hub_dataset="o/d"))[0]["notes"]


def test_a_corrected_rate_has_its_unit_and_says_what_its_interval_is():
    rate = run().rates(by=None)[0]
    corrected = replace(rate, corrected=Corrected(rate.estimate, "labels", "60 labels"))
    assert _correction_note(corrected).endswith("(labels) 25.0 %, 95 % interval 8.9 to 53.2")
