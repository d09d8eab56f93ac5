"""distortions on the page: what refusals say, with the words, and the control for moralising."""

import math
from collections.abc import Iterator

from mossbench.analyses.distortions import NONE_FOUND, Control, Distortions
from mossbench.analyses.tagging import MEANINGS, TAGGER, Distortion
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import cell, p_value, percent, percent_of_n, points, quoted
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots
from mossbench.statistics import Estimate

ERRORS_OF_RULES = (
    "On answers of real models the rules find most filtering and moralising but hardly any mind reading; "
    "docs/analyses.md has their errors."
)


def section(record: Distortions) -> Section:
    return Section(
        title="What do its refusals say?",
        finding=_finding(record),
        text=_how_to_read(),
        tables=tuple(_tables(record)),
        cautions=tuple(_cautions(record)),
    )


def _how_to_read() -> tuple[str, ...]:
    meanings = "; ".join(f"{kind} ({meaning})" for kind, meaning in MEANINGS.items())
    return (
        "People who misjudge a harmless thing do it in known ways, and refusals can be read in the same way. A tag "
        f"stands for words in the answer: {meanings}. A refusal may have several, or none.",
        "The control: the same request as plain text that names what is meant, without the image. What is answered "
        "there and refused or lectured here is due to the image, the wording or chance, not to the thing itself. "
        "Requests that were refused once are refused less often when asked a second time, whatever is changed "
        "(regression to the mean), so they are also asked again as they are: what is answered then is the share to "
        "expect.",
    )


def chart(record: Distortions) -> Chart | None:
    if record.n_refused == record.n_wordless:
        return None
    drawn = [Dot(name, share, text=percent_of_n(share)) for name, share in record.shares.items()]
    title = "What refusals of harmless requests say"
    drawing = dots(drawn, title, "shares of refusals, with 95 % intervals; several possible")
    return themed(drawing, _finding(record), labels=190)


def _cautions(record: Distortions) -> Iterator[str]:
    n_without = record.control.n_without
    if record.n_wordless:
        yield f"{record.n_wordless} of {record.n_refused} refusals were blocked or empty: no words to read."
    if n_without:
        yield f"{n_without} harmless requests have no plain text, or got only the reply that there is no image."
    if record.n_untagged:
        yield f"{record.n_untagged} refusals got no tags from {record.tagger} and are left out of the shares."
    tags = f"Tags by {record.tagger} describe the words of an answer, not what happened in the model."
    yield f"{tags} {ERRORS_OF_RULES}" if record.tagger == TAGGER else tags


def _finding(record: Distortions) -> str:
    n = record.n_refused - record.n_wordless
    if not record.n_counted:
        return "No answer counts, so there is nothing to read."
    if not n:
        return "No harmless request was refused in words, so there is nothing to read."
    finding = _tags_found(record, n)
    answered = record.control.answered
    if math.isnan(answered.value):
        return f"{finding}."
    control = f"Asked as plain text, {quoted(answered)} of the refused requests are answered."
    return f"{finding}. {control}{_expectation(record)}"


def _tags_found(record: Distortions, n: int) -> str:
    """The tags by how frequent they are among `n` refusals."""
    shares = sorted(((str(kind), record.shares[kind]) for kind in Distortion), key=lambda pair: -pair[1].value)
    _, largest = shares[0]
    if not largest.n:
        return f"None of {n} refusals got tags, so there is nothing to read"
    parts = [f"{quoted(share)} {kind}" for kind, share in shares if share.value > 0]
    parts.append(f"{percent(record.shares[NONE_FOUND].value)} none of the four")
    return f"Of {largest.n} refusals, by their words: {', '.join(parts)}"


def _expectation(record: Distortions) -> str:
    """What is to be expected of any second asking, since the refused requests were chosen by one refusal."""
    expected = record.control.expected
    if expected is not None and not math.isnan(expected.value):
        return f" Only asked again, {quoted(expected)} are: regression to the mean."
    if math.isnan(record.control.most_expected):
        return ""
    most = percent(record.control.most_expected)
    return f" Only asking again may answer up to {most}: regression to the mean."


def _tables(record: Distortions) -> Iterator[Table]:
    yield _shares_table(record)
    yield _control_table(record.control)
    if len(record.by_stimulus) > 1:
        yield _by_stimulus_table(record)
    if record.examples:
        yield _examples_table(record)


def _shares_table(record: Distortions) -> Table:
    rows = []
    for name, share in record.shares.items():
        if share.n:
            rows.append((name, cell(share), str(round(share.value * share.n))))
    return Table(
        title="Tags",
        head=("Tag", "Of refusals, %", "Count"),
        rows=tuple(rows),
        note=f"{record.n_refused - record.n_wordless} refusals of harmless requests in words.",
    )


def _control_table(control: Control) -> Table:
    gap = control.difference
    lines = {
        "refused with the image": (percent(gap.rates[0]), gap.estimate),
        "refused as plain text": (percent(gap.rates[1]), gap.estimate),
        "difference, points": (f"{points(gap.estimate)}, p {p_value(gap.p)}", gap.estimate),
        "of the refused, answered as plain text": (quoted(control.answered), control.answered),
        **_expected_rows("of the refused, answered when only asked again", control.expected),
        **_beyond_rows(control),
        "lectured, in a refusal or beside an answer": (quoted(control.lectured), control.lectured),
        "of the lectured, answered as plain text without a lecture": (quoted(control.moralised), control.moralised),
        **_expected_rows("of the lectured, answered without one when only asked again", control.expected_moralised),
    }
    return Table(
        title="The same request as plain text",
        head=("Control", "Found", "Of"),
        rows=tuple((name, text, str(estimate.n)) for name, (text, estimate) in lines.items()),
    )


def _expected_rows(name: str, expected: Estimate | None) -> dict[str, tuple[str, Estimate]]:
    """A line with what regression to the mean gives, where requests were asked again."""
    return {name: (quoted(expected), expected)} if expected is not None and expected.n else {}


def _beyond_rows(control: Control) -> dict[str, tuple[str, Estimate]]:
    beyond = control.beyond
    if beyond is None or not beyond.n:
        return {}
    return {"what the plain text adds to asking again, points": (points(beyond), beyond)}


def _by_stimulus_table(record: Distortions) -> Table:
    rows = []
    for name, shares in record.by_stimulus.items():
        n_refusals = next(iter(shares.values())).n
        rows.append((name, *(cell(shares[kind]) for kind in record.shares), str(n_refusals)))
    return Table(
        title="By stimulus",
        head=("Of refusals, %", *record.shares, "Refusals"),
        rows=tuple(rows),
    )


def _examples_table(record: Distortions) -> Table:
    rows = []
    for example in record.examples:
        rows.append((example.distortion, f"“{example.words}”", example.sample, example.stimulus))
    return Table(title="Examples", head=("Tag", "Words", "Sample", "Stimulus"), rows=tuple(rows))
