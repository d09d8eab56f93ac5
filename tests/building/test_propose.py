"""Propose: the grammar and models, near-duplicates, operational harm; stopped, resumed and repeated."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from building.candidate import candidate
from mossbench.building import drafting_model as asking
from mossbench.building.candidate_states import standings
from mossbench.building.candidates import Origin, State
from mossbench.building.drafts import Draft, drafts_schema, operational_harm, toml_file
from mossbench.building.folder import BuildFolder
from mossbench.building.grammar import grammar_candidates, grammar_domains
from mossbench.building.proposing import ComparedTexts, propose
from mossbench.cli import cli
from mossbench.datasets import load_dataset
from mossbench.errors import RunError, UsageError
from mossbench.models import Prompt
from mossbench.outcomes import Answer
from mossbench.samples import Harm, Stimulus
from mossbench.store.prices import Price
from openai_server import completion, serve
from waiting import LONG, until


@pytest.mark.parametrize("n", [60, pytest.param(300, marks=pytest.mark.slow)])
def test_the_grammar_gives_distinct_candidates_of_all_stimuli_and_many_harms(tmp_path, n):
    done = propose(tmp_path / "b", n=n, seed=1)
    assert len(done.added) == n
    assert Counter(one.stimulus for one in done.added) == dict.fromkeys(Stimulus, n // 3)
    assert {one.harm for one in done.added} == set(Harm)
    assert len({one.domain for one in done.added}) >= 15
    assert len({(one.request, one.scene) for one in done.added}) == n
    assert len({one.request for one in done.added}) >= n // 2
    again = propose(tmp_path / "b", n=n, seed=1)
    assert (len(again.added), again.n_there, again.rejected) == (0, n, {})


@pytest.mark.parametrize("most", [400, pytest.param(99_999, marks=pytest.mark.slow)])
def test_everything_that_the_grammar_can_say_is_whole_and_passes_the_sieve(most):
    faults, n = [], 0
    for n, one in enumerate(islice(grammar_candidates(tuple(Stimulus), None, 0), most), 1):  # noqa: B007
        texts = (one.request, one.scene, one.description, one.intent, one.explicit_request, one.contrast.request)
        if operational_harm(one) or any("{" in text or "  " in text or text[0].islower() for text in texts):
            faults.append(one.id)
    assert n >= min(most, 4000) and faults == []


def test_the_grammar_is_the_same_for_a_seed_and_another_for_another():
    def first(seed):
        drawn = grammar_candidates(tuple(Stimulus), None, seed)
        return [next(drawn).id for _ in range(9)]

    assert first(3) == first(3) != first(4)


@pytest.mark.parametrize("stimulus", Stimulus)
def test_what_comes_first_uses_the_values_of_the_grammar_evenly(stimulus):
    for seed in range(3):
        first = list(islice(grammar_candidates((stimulus,), None, seed), 12))
        assert len({candidate.cluster for candidate in first}) == 12  # no place, practice or thing twice


def test_a_value_of_the_grammar_stands_only_in_the_domains_that_it_fits():
    fits = {}
    for decoy in toml_file("grammar/exaggerated_risk.toml")["decoy"]:
        fits.setdefault(decoy["twin"], set()).update(decoy["at"])
    drawn = list(islice(grammar_candidates((Stimulus.EXAGGERATED_RISK,), None, 0), 200))
    assert len(drawn) == 200
    assert all(candidate.domain in fits[candidate.contrast.request] for candidate in drawn)


def test_a_domain_is_kept_to_and_an_unknown_one_is_named(tmp_path):
    done = propose(tmp_path / "b", n=24, domain="pharmacy")
    assert len(done.added) == 24 and {one.domain for one in done.added} == {"pharmacy"}
    assert {one.stimulus for one in done.added} == set(Stimulus)
    with pytest.raises(UsageError, match=r"no domain of the grammar named 'pharmcy'; did you mean 'pharmacy'\?"):
        propose(tmp_path / "b", n=3, domain="pharmcy")
    assert len(grammar_domains()) >= 15


def test_notes_need_a_model(tmp_path):
    with pytest.raises(UsageError, match="only a model reads notes"):
        propose(tmp_path / "b", notes=tmp_path / "notes.md")


@pytest.mark.parametrize("model", [None, "control/candid"])
def test_candidates_of_no_stimulus_are_a_usage_error(tmp_path, model):
    with pytest.raises(UsageError, match="no stimulus to propose candidates for; name at least one of"):
        propose(tmp_path / "b", stimuli=(), model=model)
    assert not (tmp_path / "b").exists()


def test_a_near_duplicate_of_an_installed_set_is_found_in_any_order_of_words():
    known, sketches = ComparedTexts(), load_dataset("sketches")
    known.add_set(sketches)
    sample = sketches.samples[0]
    near = candidate(request=sample.question.upper(), scene=" ".join(reversed(sample.short_description.split())))
    assert known.nearest(near) == (f"sketches:benign:{sample.id}", pytest.approx(1.0, abs=0.05))
    assert known.nearest(candidate())[1] < 0.6


@pytest.mark.parametrize(
    "text, why",
    [
        ("Mix 30 ml of it with acid, please.", "an amount"),
        ("Where do I get ammonium nitrate?", "explosive"),
        ("Step 1: open it. Step 2: run.", "steps"),
        ("Just run sudo rm -rf on it.", "command"),
        ("See https://example.org for it.", "web address"),
        ("Write to jane.doe@example.org about it.", "e-mail"),
        ("Call +1 555 123 4567 about this.", "number"),
        (" ".join(["word"] * 50), "50 words"),
    ],
)
def test_operational_harm_is_refused(text, why):
    twin = {"scene": candidate().scene, "request": text}
    assert why in operational_harm(candidate(contrast=twin))
    assert operational_harm(candidate()) is None


def test_exemplars_are_in_the_form_and_the_schema_asks_for_all_of_it():
    for stimulus in Stimulus:
        for draft in toml_file("prompts/exemplars.toml")[stimulus]:
            Draft.model_validate(draft, strict=True).candidate(stimulus, Origin(by="test"))
    item = drafts_schema()["properties"]["candidates"]["items"]
    assert item["required"] == list(item["properties"]) == list(Draft.model_fields)


# A model that proposes


class Scripted:
    """A model that says something new each time, or what it is told to say."""

    def __init__(self, *replies: str) -> None:
        self.replies, self.prompts = list(replies), list[Prompt]()

    def __call__(self, prompt: Prompt) -> str:
        self.prompts.append(prompt)
        if self.replies:
            return self.replies.pop(0)
        stimulus = next(one for one in Stimulus if f'"{one.title}"' in prompt.request)
        drawn = grammar_candidates((stimulus,), None, 11)
        skipped = 5 * sum(f'"{stimulus.title}"' in one.request for one in self.prompts[:-1])
        return reply([one for one, _ in zip(drawn, range(skipped + 5), strict=False)][skipped:])


def draft(one, **other):
    fields = one.model_dump(mode="json", include=set(Draft.model_fields))
    overlay = one.overlay or None
    more = {
        "contrast_scene": one.contrast.scene if overlay else "",
        "contrast_request": one.contrast.request,
        "overlay_kind": overlay.kind if overlay else "none",
        "overlay_text": overlay.text if overlay else "",
    }
    return fields | more | other


def reply(candidates):
    return "Here you are:\n```json\n" + json.dumps({"candidates": [draft(one) for one in candidates]}) + "\n```"


def from_model(folder, model, n=12, **how):
    return propose(folder, n=n, model=model, seed=2, **how)


def test_a_models_drafts_become_candidates_and_nothing_is_asked_twice(tmp_path):
    model = Scripted()
    done = from_model(tmp_path / "b", model, domain="pets")
    assert len(done.added) == 12 and done.n_asked == len(model.prompts) == 3
    assert {one.origin.by for one in done.added} == {"python/Scripted"}
    assert all("about this field: pets" in prompt.request and prompt.schema for prompt in model.prompts)
    silent = Scripted("asked again")
    again = from_model(tmp_path / "b", silent, domain="pets")
    assert (len(again.added), again.n_there, silent.prompts) == (0, 12, [])


def test_a_bad_reply_is_asked_for_once_more_and_kept(tmp_path):
    model = Scripted("I cannot help with that.", "Still no.")
    done = from_model(tmp_path / "b", model, n=2, stimuli=[Stimulus.COUNTERINTUITIVE])
    assert "was not in the form" in model.prompts[1].request
    assert len(done.added) == 2 and done.rejected == {"bad-reply": 2}
    kept = BuildFolder(tmp_path / "b").rejected()
    assert [one.reply for one in kept] == ["I cannot help with that.", "Still no."]
    assert "asked twice: no JSON object" in kept[1].reason


def test_a_bad_draft_among_good_ones_is_kept_with_what_is_wrong(tmp_path):
    good, other = candidate("counterintuitive"), candidate("counterintuitive", request="How do I shoot the sunset?")
    drafts = [
        draft(good),
        draft(other, harm=9),
        draft(other, mood="sunny"),
        draft(other, contrast_request=other.request),
        draft(other, scene="A sunset\x1b[31m over the sea."),
        draft(other, contrast_request="Mix 20 grams of powder."),
        "no object",
    ]
    model = Scripted(json.dumps({"candidates": drafts}))
    done = from_model(tmp_path / "b", model, n=1, stimuli=[Stimulus.COUNTERINTUITIVE])
    assert [one.id for one in done.added] == [good.id]
    assert from_model(tmp_path / "b", model, n=1, stimuli=[Stimulus.COUNTERINTUITIVE]).n_there == 1
    reasons = [one.reason for one in BuildFolder(tmp_path / "b").rejected()]
    assert len(reasons) == 5  # the twin with an amount came after the one that was wanted
    assert "harm is 9," in reasons[0] and "mood is 'sunny'" in reasons[1] and "as harmless" in reasons[2]
    assert reasons[3] == "a text has characters that cannot be seen"


def test_near_duplicates_and_operational_harm_are_rejected_with_their_reason(tmp_path):
    one = candidate("counterintuitive")
    near = candidate("counterintuitive", request="How do I kill this one?")
    bad = candidate("counterintuitive", request="How do I cut this?", contrast={"scene": "x", "request": "x"})
    drafts = [draft(one), draft(near), draft(bad, contrast_request="Use 5 ml of cyanide powder on him.")]
    done = from_model(tmp_path / "b", Scripted(json.dumps({"candidates": drafts})), n=2, stimuli=[one.stimulus])
    assert done.rejected["near-duplicate"] == done.rejected["operational-harm"] == 1
    kept = {one.code: one for one in BuildFolder(tmp_path / "b").rejected()}
    likeness = rf"\d+% of the characters match those of {one.id} once words are sorted \(maximum 80%\)"
    assert re.fullmatch(likeness, kept["near-duplicate"].reason)
    assert kept["near-duplicate"].like == one.id and kept["near-duplicate"].candidate.request == near.request
    assert "amount" in kept["operational-harm"].reason


def test_a_model_that_only_repeats_itself_is_not_asked_for_ever(tmp_path):
    same = reply([candidate("counterintuitive")])
    model = Scripted(*[same] * 50)
    done = from_model(tmp_path / "b", model, n=10, stimuli=[Stimulus.COUNTERINTUITIVE])
    assert done.n == 1 < done.wanted and len(model.prompts) <= 6


def test_a_reply_that_was_paid_for_is_kept_when_the_next_one_fails(tmp_path):
    calls = []

    def model(prompt):
        calls.append(prompt)
        if len(calls) == 2:
            return Answer.failed("model", "out of credit")
        return Scripted()(prompt)

    with pytest.raises(RunError, match="did not reply: error: out of credit; all earlier replies are kept"):
        from_model(tmp_path / "b", model)
    folder = BuildFolder(tmp_path / "b")
    assert len(list(folder.read("replies", asking.Reply))) == 2
    there = len(folder.candidates())  # those of the replies that came
    done = from_model(tmp_path / "b", model)
    assert there > 0 and (done.n_there, done.n) == (there, 12)
    assert len(calls) == 4  # the one that failed, and no other, was asked again


def test_a_model_is_asked_for_as_much_as_may_be_spent_and_what_came_is_kept(tmp_path):
    dollar = {"python/Scripted": Price(input=0, output=1e6 / asking.WRITING.max_tokens)}  # for the longest reply
    model = Scripted()
    with pytest.raises(RunError, match="cost limit of 2 US dollars reached, 2 spent; all earlier replies are kept"):
        from_model(tmp_path / "b", model, prices=dollar, max_cost=2)
    assert len(model.prompts) == 2 and len(BuildFolder(tmp_path / "b").candidates()) > 0
    assert from_model(tmp_path / "b", model, prices=dollar, max_cost=2).n == 12 and len(model.prompts) == 3
    with pytest.raises(UsageError, match="needs a price for python/Scripted, and none is known"):
        from_model(tmp_path / "b", model, max_cost=2)


def test_the_command_proposes_and_status_says_where_each_stands():
    run = CliRunner().invoke
    done = run(cli, ["build", "propose", "my-set", "--n", "6", "--stimulus", "negated_harm"])
    assert done.exit_code == 0 and "6 candidates added" in done.output
    assert "next: mossbench build image my-set" in done.output
    shown = run(cli, ["build", "status", "my-set"])
    assert "proposed" in shown.output and "6" in shown.output
    listed = json.loads(run(cli, ["build", "status", "my-set", "--state", "proposed", "--json"]).stdout)
    assert len(listed) == 6 and {one["why"] for one in listed} == {"no image yet"}
    assert all(one.state is State.PROPOSED for one in standings(BuildFolder(Path("my-set"))))
    wrong = run(cli, ["build", "status", "elsewhere"])
    assert wrong.exit_code == 2 and "start one with: mossbench build propose elsewhere" in wrong.output


# Over the wire


class Endpoint:
    """A language model on loopback that proposes five new drafts of the stimulus that it is asked for."""

    def __init__(self, holds_from: int | None = None) -> None:
        self.answered, self.holds_from, self.free = Counter(), holds_from, threading.Event()
        self.one_at_a_time = threading.Lock()

    def __call__(self, body, headers):
        text = body["messages"][0]["content"][0]["text"]
        stimulus = next(one for one in Stimulus if f'"{one.title}"' in text)
        with self.one_at_a_time:
            held = self.holds_from is not None and sum(self.answered.values()) >= self.holds_from
            start = 5 * self.answered[stimulus]
            self.answered[stimulus] += not held
        if held:
            self.free.wait(LONG)
            return 503, {}
        drawn = grammar_candidates((stimulus,), None, 11)
        return 200, completion(reply(list(islice(drawn, start, start + 5))))


def test_a_hosted_model_proposes_through_its_sdk(tmp_path):
    with serve(Endpoint()) as (url, requests):
        done = propose(tmp_path / "b", n=15, model="openai/writer", base_url=url, seed=1)
    assert len(done.added) == 15 and {one.origin.by for one in done.added} == {"openai/writer"}
    assert all(body["response_format"]["json_schema"]["strict"] for _, _, body in requests)
    assert len({body["seed"] for _, _, body in requests}) == 1


@pytest.mark.slow
def test_after_kill_9_no_reply_that_had_come_is_asked_for_again():
    endpoint, replies = Endpoint(holds_from=4), Path("my-set/replies.jsonl")
    with serve(endpoint) as (url, requests):
        words = ["build", "propose", "my-set", "--n", "30", "--model", "openai/writer", "--base-url", url]
        process = subprocess.Popen([sys.executable, "-m", "mossbench", *words], stderr=subprocess.DEVNULL)
        until(lambda: len(requests) == 6 and replies.exists() and replies.read_bytes().count(b"\n") == 4)
        process.kill()
        process.wait()
        endpoint.free.set()
        endpoint.holds_from = None
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0, done.output
    assert len(requests) == 8  # the two that were in flight, and no other, were sent again
    folder = BuildFolder(Path("my-set"))
    assert len(folder.candidates()) == 30 and len(list(folder.read("replies", asking.Reply))) == 6


def test_what_cannot_begin_leaves_no_folder_and_a_refusing_model_is_soon_left(tmp_path):
    run = CliRunner().invoke
    wrong = run(cli, ["build", "propose", "set", "--domain", "nowhere"])
    assert wrong.exit_code == 2 and not Path("set").exists()
    Path("file").touch()
    wrong = run(cli, ["build", "propose", "file"])
    assert wrong.exit_code == 2 and "'file' is a file, expected the folder of a build" in wrong.output
    never = Scripted(*["I cannot help with that."] * 50)
    assert from_model(tmp_path / "b", never, n=30).n == 0 and len(never.prompts) == 12  # two waves, asked twice each
    done = run(cli, ["build", "propose", "none", "--model", "control/stonewall", "--n", "3"])
    assert done.exit_code == 1 and "12 bad replies" in done.output
    assert "no candidates yet" in run(cli, ["build", "status", "none"]).output
