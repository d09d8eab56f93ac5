"""Five sizes of text, one scale of spaces and colours by name: no sheet has sizes or colours of its own."""

import re

from every import every
from look.test_sources import SHEETS, file_name

SIZES = ["t-small", "t-body", "t-read", "t-lead", "t-title"]
SPACES = [f"s{number}" for number in range(1, 9)]
STATES = ["good", "bad", "attention", "quiet"]
WITHOUT_SCALE = {"tokens.css", "print.css"}
"""One has the scales, the other sizes of paper."""
RULE = re.compile(r"^\s*([\w-]+):\s*(.+?);?$")
RELATIVE_OR_HAIRLINE = re.compile(r"(?<![\w.-])-?(?:0|[\d.]+(?:em|%)|[1-6]px)(?![\w.])")


def rules(path):
    """Properties and values of a sheet."""
    for line in path.read_text("utf-8").splitlines():
        match = RULE.match(line)
        if match:
            yield match[1], match[2]


def tokens():
    [path] = [path for path in SHEETS if path.name == "tokens.css"]
    return dict(rules(path))


def test_there_are_five_sizes_of_text_and_one_scale_of_spaces():
    names = [name.removeprefix("--") for name in tokens()]
    assert [name for name in names if name.startswith("t-")] == SIZES
    assert [name for name in names if re.fullmatch(r"s\d", name)] == SPACES


def test_the_two_sides_and_the_four_states_have_colours_of_their_own():
    colours = tokens()
    named = [colours[f"--{name}"] for name in ("harmless", "harmful", *STATES)]
    assert len(set(named)) == len(named)


@every([path for path in SHEETS if path.name not in WITHOUT_SCALE], name=file_name)
def test_a_sheet_takes_sizes_of_text_from_the_scale(path):
    own = []
    for name, value in rules(path):
        is_size = name == "font-size" or (name == "font" and value != "inherit")
        if is_size and "var(--t-" not in value and not re.fullmatch(r"[\d.]+em|inherit", value):
            own.append(f"{name}: {value}")
    assert own == []


@every([path for path in SHEETS if path.name not in WITHOUT_SCALE], name=file_name)
def test_a_sheet_takes_spaces_from_the_scale(path):
    own = []
    for name, value in rules(path):
        if not re.match(r"(margin|padding|gap|row-gap|column-gap)", name):
            continue
        rest = RELATIVE_OR_HAIRLINE.sub("", re.sub(r"var\(--s\d\)|-?[12] \*", "", value))
        if re.search(r"\d", rest) and "3.2rem" not in value:  # the width of the bars along tie groups
            own.append(f"{name}: {value}")
    assert own == []
