"""A builder: from an idea to a dataset that runs take, offline, and again with a model and an image endpoint."""

from __future__ import annotations

import base64
import io
import json
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from building.reviewers import rate_rows, read_rows_of, write_rows
from building.test_propose import Scripted
from mossbench.building.candidate_states import standings
from mossbench.building.folder import BuildFolder
from mossbench.building.imaging import recipes
from mossbench.cli import cli
from mossbench.datasets import check_dataset, load_dataset
from mossbench.models import Prompt
from mossbench.results.table import load_results
from mossbench.samples import Stimulus
from mossbench.statistics import wilson_interval
from servers.loopback import serve
from servers.wire import completion

PLANTED = {"Ann": 0.05, "Bob": 0.05, "Cid": 0.2}
"""How often each reviewer takes harmless for harmful, or the other way round."""
BY_CHANCE = 1 - 0.95 * 0.95 * 0.8 - 0.05 * 0.05 * 0.2
"""Share of candidates on which three such reviewers are not of one mind."""


def mossbench(*words, code=0):
    done = CliRunner().invoke(cli, [str(word) for word in words])
    assert done.exit_code == code, f"{words}: {done.output}"
    return done.stdout


def choose_licence(folder):
    file = folder.path / "build.toml"
    file.write_text(file.read_text().replace("to be chosen", "CC-BY-4.0"))


def review(folder, harmful, planted=PLANTED):
    """A sheet goes to everybody, and to one who does not read; all of them come back."""
    mossbench("build", "review", folder.path, "--sheet", "sheet.csv")
    rows = read_rows_of(Path("sheet.csv"))
    for name, error in planted.items():
        filled = rate_rows([dict(row) for row in rows], folder, name, harmful=harmful, error=error)
        mossbench("build", "review", folder.path, "--read", write_rows(Path(f"{name}.csv"), filled))
    filled = rate_rows(rows, folder, "Bot", error=0.5, reads=False)
    return json.loads(
        mossbench("build", "review", folder.path, "--read", write_rows(Path("Bot.csv"), filled), "--json")
    )


def settle(folder, harmful):
    """Somebody decides what is disputed, and knows better."""
    disputed = [
        one["id"] for one in json.loads(mossbench("build", "status", folder.path, "--state", "disputed", "--json"))
    ]
    for id in disputed:
        decision = "reject" if id in harmful else "accept"
        mossbench("build", "decide", folder.path, id, decision, "--reason", "looked at it", "--by", "Eve")
    return disputed


def released(folder, version):
    """A clean release of the folder, and the command that it names next."""
    shown = mossbench("build", "release", folder.path)
    path = folder.path / "releases" / version
    assert check_dataset(path) == ()
    command = shlex.split(shown.partition("next: ")[2].splitlines()[0])
    assert command[:4] == ["mossbench", "run", "--data", str(path)]
    return path, command[1:]


def rehearse(command, n):
    """Runs the command that a release names: what it planted is found, on both sides; the run's results."""
    shown = mossbench(*command, "--out", "rehearsal", "--quiet")
    results = load_results("rehearsal")
    for found, side in zip(results.planted(), ("harmless", "harmful"), strict=True):
        assert found.n_asked == found.n_counted == n and found.n_found == found.n_planted
        assert f"{side}: planted {found.n_planted} of {n}, found {found.n_found} of {n}" in shown
    assert 0 < sum(found.n_planted for found in results.planted()) < 2 * n
    assert "This is a rehearsal" in Path("rehearsal/report.html").read_text()
    return results


@pytest.mark.slow
def test_from_an_idea_to_a_run_without_a_network():
    folder = BuildFolder(Path("my-set"))
    mossbench("build", "propose", "my-set", "--n", 30)
    choose_licence(folder)
    mossbench("build", "image", "my-set", "--stand-ins", "sketches")
    mossbench("build", "screen", "my-set")
    ids = list(folder.candidates())
    assert len(ids) == 30 and {one.state.value for one in standings(folder)} == {"screened"}
    harmful = ids[::5]  # six that reviewers should not let through
    found = review(folder, harmful)

    people = {one["name"]: one for one in found["agreement"]["reviewers"]}
    assert not people.pop("Bot")["counts"]
    for name, one in people.items():  # of those on whom the two others agree, who are both wrong on 1 in 400 or less
        assert one["counts"] and one["agrees"]["low"] <= 1 - PLANTED[name] <= one["agrees"]["high"]
    disputed = settle(folder, harmful)
    low, high = wilson_interval(len(disputed) / 30, 30)
    assert low <= BY_CHANCE <= high

    path, command = released(folder, "1.0.0")
    results = rehearse(command, 24)
    kept = {sample.id for sample in load_dataset(path)}
    assert kept == set(ids) - set(harmful)  # nothing harmful got through, and nothing harmless was lost
    assert {row.key.sample for row in results.rows} == kept
    card = (path / "README.md").read_text()
    assert "24 harmless samples" in card and "4 reviewers; not counted, for failed attention checks: 1 " in card

    retired = next(iter(kept))
    mossbench("build", "decide", "my-set", retired, "retire", "--reason", "shows a brand", "--by", "Eve")
    mossbench("build", "release", "my-set")
    assert retired not in {sample.id for sample in load_dataset(folder.path / "releases" / "2.0.0")}
    assert check_dataset(path) == () and len(load_results("rehearsal").rows) == 48  # what was run on 1.0.0 still opens


class Studio:
    """An endpoint that proposes, draws, looks at images and answers, in OpenAI's formats."""

    def __init__(self):
        self.proposer, self.n_drawn, self.n_checked = Scripted(), 0, 0

    def __call__(self, body, headers):
        if "messages" not in body:
            self.n_drawn += 1
            return 200, {"created": 1, "data": [{"b64_json": drawn(body["prompt"])}]}
        text = body["messages"][-1]["content"]
        text = text if isinstance(text, str) else text[0]["text"]
        if any(f'"{stimulus.title}"' in text for stimulus in Stimulus):
            return 200, completion(self.proposer(Prompt(text)))
        if text.startswith("You check images"):
            self.n_checked += 1
            return 200, completion(json.dumps({"seen": "a scene", "missing": "", "shows": True}))
        return 200, completion("Sure. Start with the largest object and work towards the small ones.")


def drawn(prompt):
    """An image that is another for other words."""
    rng = np.random.default_rng(sum(prompt.encode()))
    image = Image.fromarray(rng.integers(0, 255, (8, 12, 3), dtype=np.uint8)).resize((480, 320))
    out = io.BytesIO()
    image.save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


@pytest.fixture
def studio():
    return Studio()


@pytest.mark.slow
def test_from_an_idea_to_a_run_with_a_model_and_an_image_endpoint(studio):
    folder = BuildFolder(Path("pets"))
    Path("notes.md").write_text("We sell food for pets.")
    with serve(studio) as (url, requests):
        there = ("--base-url", url)
        mossbench("build", "propose", "pets", "--n", 9, "--model", "openai/x", *there, "--from", "notes.md")
        choose_licence(folder)
        mossbench("build", "image", "pets", "--model", "openai/painter", *there)
        mossbench("build", "screen", "pets", "--model", "openai/x", *there, "--probe", "control/candid")
        review(folder, [], {"Ann": 0, "Bob": 0, "Cid": 0})
        path, command = released(folder, "1.0.0")
        rehearse(command, 9)
        mossbench("run", "--data", path, "--model", "openai/x", *there, "--out", "run", "--quiet", "--no-report")
    assert studio.n_checked == 9 and len(load_results("run").rows) == 18
    assert studio.n_drawn == sum(not one.marks for one in recipes(folder).values())  # marked ones are not drawn twice
    assert {one.source for one in recipes(folder).values()} == {"endpoint"}
    card = (path / "README.md").read_text()
    assert "control/candid refused " in card and "of all that it was tried on" in card
    assert "9 images are drawn by a model" in card and "We sell food for pets" not in card


@pytest.mark.slow
def test_an_endpoint_that_draws_some_is_asked_again_for_the_rest_alone(studio):
    folder = BuildFolder(Path("pets"))
    mossbench("build", "propose", "pets", "--n", 3)
    refused = next(one for one in folder.candidates().values() if one.stimulus is Stimulus.COUNTERINTUITIVE)

    def reply(body, headers):
        if refused.scene in body["prompt"]:
            return 400, {"error": {"message": "rejected by the safety system", "code": "moderation_blocked"}}
        return studio(body, headers)

    with serve(reply) as (url, _):
        mossbench("build", "image", "pets", "--model", "openai/painter", "--base-url", url, code=1)
    assert [one.candidate.id for one in standings(folder) if one.state.value == "proposed"] == [refused.id]
    before = studio.n_drawn
    with serve(studio) as (url, _):
        mossbench("build", "image", "pets", "--model", "openai/painter", "--base-url", url)
    assert studio.n_drawn == before + 2  # the image and its counterfactual
    assert {one.state.value for one in standings(folder)} == {"imaged"}
