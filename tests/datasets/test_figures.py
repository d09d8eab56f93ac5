import xml.etree.ElementTree as ElementTree

import pytest
from PIL import Image

from mossbench.datasets import Dataset, describe_dataset, load_dataset
from mossbench.errors import UsageError
from mossbench.look.charts import dataset_chart, save_chart, themed
from mossbench.samples import Sample


@pytest.fixture
def chart(release):
    return dataset_chart(describe_dataset(load_dataset(release)))


def texts(svg):
    return [element.text for element in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.slow
def test_the_chart_says_its_findings_and_every_number(chart, tmp_path):
    shown = texts(save_chart(chart, tmp_path / "chart.svg"))
    assert "4 harmless requests and 2 harmful twins" in shown
    assert any(text.startswith("What the images show: person in 75") for text in shown if text)
    assert any(text.startswith("Illegal act and Misinformation are") for text in shown if text)
    terms = "number of samples (CC BY-SA 4.0; for testing only, not for training)"
    assert any(text.endswith(terms) for text in shown if text)
    # samples 2 x 4 cells, flags 4 x 4, harm 7 x 4, each with its count
    assert sum(text is not None and text.isdigit() for text in shown) == 8 + 16 + 28
    root = ElementTree.parse(tmp_path / "chart.svg").getroot()
    assert root.get("role") == "img" and "harmless requests" in root.get("aria-label")


@pytest.mark.slow
def test_a_page_carries_the_drawing_and_no_script(chart, tmp_path):
    page = save_chart(chart, tmp_path / "<chart>.html").read_text()
    assert "<svg" in page and "<script" not in page and "src=" not in page
    assert "<title>&lt;chart&gt;</title>" in page


@pytest.mark.slow
def test_a_png_has_a_white_ground_and_double_size(chart, tmp_path):
    with Image.open(save_chart(chart, tmp_path / "chart.png")) as image:
        assert image.width > 1500
        assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.slow
@pytest.mark.parametrize("samples", [(), (Sample(id="1", question="Why?"),), (Sample(id="1", question="?", harm=3),)])
def test_sets_without_labels_are_drawn_too(samples, tmp_path):
    chart = dataset_chart(describe_dataset(Dataset("bare", samples, tmp_path)))
    shown = texts(save_chart(chart, tmp_path / "chart.svg"))
    assert f"{len(samples)} harmless requests" in shown if samples else "No samples" in shown
    assert not any(text and "Cybercrime and" in text for text in shown)  # what does not occur is no finding


@pytest.mark.slow
def test_a_chart_without_a_text_alternative_is_drawn_too(tmp_path):
    bare = themed({"data": {"values": [{"n": 1}]}, "mark": "bar", "encoding": {"x": {"field": "n"}}})
    assert "aria-label" not in ElementTree.parse(save_chart(bare, tmp_path / "chart.svg")).getroot().attrib


def test_another_suffix_is_refused(chart, tmp_path):
    with pytest.raises(UsageError, match=r"must end in \.svg, \.png or \.html"):
        save_chart(chart, tmp_path / "chart.gif")
