import re
from pathlib import Path

import pytest
from test_check import FAULTS

from mossbench.datasets import DATASETS, load_dataset
from mossbench.datasets.peers import NAMES, Part, read_peer
from mossbench.samples import Sample

PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text()


def test_the_example_file_loads(tmp_path):
    (example,) = re.findall(r"```\n(\{.*?)```", PAGE, re.DOTALL)
    (tmp_path / "kites.jsonl").write_text(example)
    benign, contrast = load_dataset(tmp_path / "kites.jsonl")
    assert (benign.id, contrast.twin) == ("kite-1", "kite-1")


@pytest.mark.parametrize(
    "name", sorted({code for code, *_ in FAULTS} | set(Sample.model_fields) | set(DATASETS) - set(NAMES))
)
def test_every_dataset_field_and_finding_is_documented(name):
    assert f"`{name}`" in PAGE


PEERS = (Path(__file__).parents[2] / "docs" / "peers.md").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_the_table_of_peers_says_what_the_files_say(name):
    peer = read_peer(name)
    sizes = ["–" if n is None else f"{n:,}" for n in (peer.harmless, peer.harmful)]
    revision = peer.revision[:7] if peer.revision else "not pinned" + (f" ({peer.seen} seen)" if peer.seen else "")
    layout = {"opened": "read at this revision", "copy": "seen in copies", "not verified": "not verified"}[peer.layout]
    layout += "; gated" * peer.gated + "; images by hand" * bool(peer.images)
    what = f"[{peer.title}]({peer.page}): {peer.what}"
    assert f"| `{name}` | {' | '.join([what, *sizes, peer.modality, peer.licence, revision, layout])} |" in PEERS


def test_every_key_of_a_part_is_documented():
    assert [key for key in Part.model_fields if f"`{key}`" not in PEERS.partition("## Add a set")[2]] == []
