"""Pages show what was said before a request, and what a model thought before its answer."""

import json

import pytest

import mossbench as mb
from mossbench.web import Settings, create_app
from small_set import small_set
from web.conftest import Browser

HISTORY = [
    {"role": "user", "text": "What <is> this?", "images": ["images/2.png"]},
    {"role": "assistant", "text": "A pan."},
]


@pytest.fixture
def talking(tmp_path):
    folder = small_set(tmp_path / "talking")
    rows = [json.loads(line) | {"history": HISTORY} for line in (folder / "metadata.jsonl").read_text().splitlines()]
    (folder / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    mb.run("control/candid", folder, effort="high", out=tmp_path / "runs" / "thinking")
    return Browser(create_app(Settings(tmp_path / "runs", data=(str(folder),))))


@pytest.mark.parametrize("path", ["/samples?data=talking", "/explorer?data=talking&id=1"])
def test_earlier_messages_stand_before_the_request(talking, path):
    page = talking.get(path)
    assert page.status_code == 200
    assert "Earlier, user: What &lt;is&gt; this? [1 image]" in page.text
    assert "Earlier, assistant: A pan." in page.text


def test_the_explorer_has_the_effort_in_the_name_and_the_thoughts_behind_the_answer(talking):
    page = talking.get("/explorer?data=talking&id=1").text
    assert "effort high" in page
    assert "thinking (not judged)" in page
    assert "At first sight I would say" in page
