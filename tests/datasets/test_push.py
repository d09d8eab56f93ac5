"""What goes to the hub, through the real client, to a hub on loopback; and what its own readers read of our files."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
import yaml
from click.testing import CliRunner
from huggingface_hub import DatasetCard, constants

import mossbench as mb
from answered import samples
from mossbench.cli import cli
from mossbench.datasets.push import push


@pytest.fixture
def hub(monkeypatch):
    """A hub that takes commits: `hub.commits` has (path, header, files), `hub.asked` every request."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            path = urlsplit(self.path).path
            server.asked.append((path, self.headers.get("Authorization")))
            if server.status != 200:
                return self.send({"error": "not for you"}, server.status)
            if path == "/api/repos/create":
                server.created.append(json.loads(body))
                return self.send({"url": f"{server.endpoint}/datasets/o/d"})
            if path == "/api/validate-yaml":  # the head of the card
                return self.send({"errors": [], "warnings": []})
            if "/preupload/" in path:
                names = [one["path"] for one in json.loads(body)["files"]]
                return self.send(
                    {"files": [{"path": n, "uploadMode": "regular", "shouldIgnore": False} for n in names]}
                )
            lines = [json.loads(line)["value"] for line in body.splitlines()]
            files = {one["path"]: base64.b64decode(one["content"]) for one in lines[1:]}
            server.commits.append((self.path, lines[0], files))
            address = f"{server.endpoint}/o/d/commit/{'0' * 40}"
            found = {"commitUrl": address, "commitOid": "0" * 40}
            if "create_pr" in self.path:
                found["pullRequestUrl"] = f"{server.endpoint}/o/d/discussions/1"
            return self.send(found)

        def send(self, content, status=200):
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.endpoint, server.status = f"http://127.0.0.1:{server.server_port}", 200
    server.asked, server.created, server.commits = [], [], []
    monkeypatch.setattr(constants, "ENDPOINT", server.endpoint)
    monkeypatch.setenv("HF_TOKEN", "hf_loopback")
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def exported(tmp_path):
    data = mb.load_dataset(samples(tmp_path / "data", 3))
    out = mb.export_dataset(data, tmp_path / "out", tasks=True)
    (out / ".token").write_text("secret")
    (out / "link").symlink_to(tmp_path / "data" / "metadata.jsonl")
    return out


def test_a_dry_run_lists_what_would_be_sent_and_asks_nobody(hub, exported):
    done = CliRunner().invoke(cli, ["push", str(exported), "o/d"])
    assert done.exit_code == 0 and "nothing was uploaded; with --yes: 13 files" in done.output
    assert "croissant.json" in done.output and ".token" not in done.output and "link" not in done.output
    assert hub.asked == []


def test_what_was_listed_is_sent_in_one_commit_to_a_private_repository(hub, exported):
    listed = push(exported, "o/d").files
    done = CliRunner().invoke(cli, ["push", str(exported), "o/d", "--yes", "--json"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert said["address"].startswith(f"{hub.endpoint}/o/d/commit/")
    (made,) = hub.created
    assert (
        made["name"] == "d"
        and made["organization"] == "o"
        and "private" in (made.get("visibility"), made.get("private") and "private")
        and made["type"] == "dataset"
    )
    ((path, _, files),) = hub.commits
    assert path == "/api/datasets/o/d/commit/main" and {name: len(data) for name, data in files.items()} == listed
    for name, data in files.items():
        assert name == "croissant.json" or data == (exported / name).read_bytes()
    told = json.loads(files["croissant.json"])
    assert told["url"] == f"{hub.endpoint}/datasets/o/d" and told["creator"]["name"] == "o" and told["datePublished"]
    required = (
        "@context",
        "@type",
        "conformsTo",
        "name",
        "description",
        "url",
        "creator",
        "datePublished",
        "distribution",
    )
    assert set(required) <= set(told)  # all that the specification asks for, but the licence, which this set has not
    assert {authorization for _, authorization in hub.asked} == {"Bearer hf_loopback"}


def test_results_of_a_model_go_as_a_pull_request_and_nothing_else_does(hub, tmp_path):
    (tmp_path / "README.md").write_text("the card of the model stays as it is")
    (tmp_path / ".eval_results").mkdir()
    (tmp_path / ".eval_results" / "m.yaml").write_text("[]\n")
    planned = CliRunner().invoke(cli, ["push", str(tmp_path), "o/m", "--kind", "model"])
    assert "with --yes: 1 file, 3 bytes, to the model o/m" in planned.output
    done = push(tmp_path, "o/m", kind="model", send=True)
    ((path, _, files),) = hub.commits
    assert list(files) == [".eval_results/m.yaml"] and path.startswith("/api/models/o/m/commit/main?create_pr=1")
    assert done.address.endswith("/discussions/1") and hub.created == []


@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_a_hub_that_refuses_is_told_in_one_message(hub, exported, status, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # the client tries again after some errors
    hub.status = status
    with pytest.raises(mb.DataError, match=r"cannot push to o/d at http://127.*check the name and HF_TOKEN"):
        push(exported, "o/d", send=True)
    assert hub.commits == []


@pytest.mark.parametrize("name", ["d", "o/d/e", "o/..", "../d", "o d/e"])
def test_names_that_the_hub_cannot_have_are_refused(exported, name):
    with pytest.raises(mb.UsageError, match="is not a repository of the hub; expected org/name"):
        push(exported, name)


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("croissant.json", "[1", "croissant.json is damaged: .*; write the dataset again"),
        ("croissant.json", "[]", "croissant.json is damaged"),
        ("dataset.json", "{", "dataset.json"),
        ("dataset.json", '{"licence": "none stated: reading only, no copies"}', "may not be published: its licence is"),
        ("dataset.json", '{"licence": "MIT", "copying": "requests"}', "and 'all' as `copying`"),
        ("dataset.json", '{"licence": "MIT", "copying": "some"}', "dataset.json is damaged"),
    ],
)
def test_damaged_files_and_data_that_may_not_be_copied_are_not_sent(hub, exported, name, content, fault):
    (exported / name).write_text(content)
    with pytest.raises((mb.DataError, mb.UsageError), match=fault):
        push(exported, "o/d", send=True)
    assert hub.asked == []


def test_nothing_to_push_is_said(tmp_path):
    with pytest.raises(mb.UsageError, match=r"no .eval_results/\*.yaml in"):
        push(tmp_path, "o/m", kind="model")


def test_the_hub_s_own_reader_reads_the_card(exported):
    card = DatasetCard.load(exported / "README.md")
    names = [config["config_name"] for config in card.data.to_dict()["configs"]]
    assert names == ["default", "refusal_harmless", "refusal_harmful"]


def test_inspect_s_own_reader_takes_eval_yaml_and_the_rows_of_its_tasks(exported):
    hf = pytest.importorskip("inspect_ai._eval.task.hf", reason="needs a version of Inspect that reads eval.yaml")
    content = yaml.safe_load((exported / "eval.yaml").read_text())
    tasks = [hf.HFTask.model_validate(task) for task in content["tasks"]]
    assert [task.id for task in tasks] == ["refusal_harmless", "refusal_harmful"]
    assert all(set(one["args"]) == {"template", "instructions"} for task in content["tasks"] for one in task["scorers"])
    rows = [json.loads(line) for line in (exported / "tasks" / "benign.jsonl").read_text().splitlines()]
    sample = hf._record_to_sample_hf(rows[0], tasks[0].field_spec)
    text, image = sample.input[0].content
    assert text.text == "What about number 1, benign?" and image.image.startswith("data:image/png;base64,")
    assert sample.target == "the answer refuses the request"
    assert mb.load_dataset(exported) == mb.load_dataset(exported.parent / "data")
