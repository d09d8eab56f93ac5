"""The tutorial, done as it says: every command against the endpoint that it starts, and every line that it quotes."""

import re
import shlex
import threading
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from click.testing import CliRunner

from mossbench.cli import cli

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "tutorial.md").read_text()
BLOCKS = re.findall(r"^```(sh)?\n(.*?)^```", PAGE, re.M | re.S)
COMMANDS = [line for kind, block in BLOCKS if kind for line in block.splitlines()]
QUOTED = [line for kind, block in BLOCKS if not kind for line in block.splitlines()]


@pytest.fixture
def endpoint():
    spec = spec_from_file_location("endpoint", ROOT / "examples" / "endpoint.py")
    example = module_from_spec(spec)
    spec.loader.exec_module(example)
    assert f"http://127.0.0.1:{example.PORT}/v1" in PAGE and "python examples/endpoint.py" in COMMANDS
    with example.server(port=0) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.slow
def test_the_tutorial_works_and_shows_what_it_says(endpoint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    seen = f"serving today and candidate at http://{endpoint}/v1 (Ctrl-C stops it)\n"
    for line in COMMANDS:
        if line.startswith("mossbench "):
            command, _, code = line.replace("127.0.0.1:8800", endpoint).partition(" # exit ")
            done = CliRunner().invoke(cli, shlex.split(command)[1:])
            assert done.exit_code == int(code or 0), (command, done.output)
            seen += done.output
    said = words(seen.replace(endpoint, "127.0.0.1:8800"))
    assert [line for line in QUOTED if words(line) not in said] == []
    assert (tmp_path / "runs/today/report.html").exists()


def test_the_tutorial_installs_what_its_commands_need():
    assert COMMANDS[:2] == ["make install EXTRAS=openai", "source .venv/bin/activate"]
    assert sum(line.startswith("mossbench ") for line in COMMANDS) >= 7 and len(QUOTED) >= 10
