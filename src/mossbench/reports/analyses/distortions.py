"""distortions on the page: what refusals say, with the words, and the control for moralising."""

import math
from collections.abc import Iterator

from mossbench.analyses.distortions import NONE_FOUND, Control, Distortions
from mossbench.analyses.tagging import MEANINGS, TAGGER, Distortion
from mossbench.look.charts import Chart, themed
from mossbench.look.numbers import cell, of, p_value, percent, points, quoted
from mossbench.reports.analyses.section import PAGES, Section, Table, table
from mossbench.reports.dots import Dot, dots
from mossbench.statistics import Estimate

WORDS = PAGES["distortions"]


def section(record: Distortions) -> Section:
    meanings = "; ".join(f"{kind} ({meaning})" for kind, meaning in MEANINGS.items())
    return Section(
        WORDS["title"],
        _finding(record),
        tuple(text.format(meanings=meanings) for text in WORDS["text"]),
        (_shares(record), _control(record), *_by_stimulus(record), *_examples(record)),
        tuple(_cautions(record)),
    )


def chart(record: Distortions) -> Chart | None:
    if record.n_refused == record.n_wordless:
        return None
    drawn = [Dot(name, one, text=of(one)) for name, one in record.shares.items()]
    return themed(dots(drawn, *WORDS["chart"]), _finding(record), labels=190)


def _cautions(record: Distortions) -> Iterator[str]:
    says: dict[str, str] = WORDS["cautions"]
    here = {"wordless": record.n_wordless, "without": record.control.n_without, "untagged": record.n_untagged}
    yield from (says[name].format(r=record) for name, n in here.items() if n)
    yield says["tags"].format(r=record) + (f" {says['rules']}" if record.tagger == TAGGER else "")


def _finding(record: Distortions) -> str:
    n = record.n_refused - record.n_wordless
    if not record.n_counted:
        return "No answer counts, so there is nothing to read."
    if not n:
        return "No harmless request was refused in words, so there is nothing to read."
    shares = sorted(((record.shares[kind], str(kind)) for kind in Distortion), key=lambda pair: -pair[0].value)
    if not shares[0][0].n:
        found = f"None of {n} refusals got tags, so there is nothing to read"
    else:
        seen = [f"{quoted(share)} {kind}" for share, kind in shares if share.value > 0]
        seen.append(f"{percent(record.shares[NONE_FOUND].value)} none of the four")
        found = f"Of {shares[0][0].n} refusals, by their words: {', '.join(seen)}"
    answered = record.control.answered
    if math.isnan(answered.value):
        return f"{found}."
    return (
        f"{found}. Asked as plain text, {quoted(answered)} of the refused requests are answered.{_expectation(record)}"
    )


def _expectation(record: Distortions) -> str:
    """What is to be expected of any second asking, since the refused requests were chosen by one refusal."""
    expected = record.control.expected
    if expected is not None and not math.isnan(expected.value):
        return f" Only asked again, {quoted(expected)} are: regression to the mean."
    if math.isnan(record.control.most_expected):
        return ""
    most = percent(record.control.most_expected)
    return f" Only asking again may answer up to {most}: regression to the mean."


def _shares(record: Distortions) -> Table:
    found = [(name, one) for name, one in record.shares.items() if one.n]
    rows = [(name, cell(one), str(round(one.value * one.n))) for name, one in found]
    return table(WORDS["shares"], rows, n=record.n_refused - record.n_wordless)


def _control(record: Distortions) -> Table:
    control, gap = record.control, record.control.difference
    found = {
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
    return table(WORDS["control"], [(name, text, str(of.n)) for name, (text, of) in found.items()])


def _expected_rows(name: str, expected: Estimate | None) -> dict[str, tuple[str, Estimate]]:
    """A line with what regression to the mean gives, where requests were asked again."""
    return {name: (quoted(expected), expected)} if expected is not None and expected.n else {}


def _beyond_rows(control: Control) -> dict[str, tuple[str, Estimate]]:
    beyond = control.beyond
    if beyond is None or not beyond.n:
        return {}
    return {"what the plain text adds to asking again, points": (points(beyond), beyond)}


def _by_stimulus(record: Distortions) -> Iterator[Table]:
    if len(record.by_stimulus) > 1:
        rows = [
            (name, *(cell(shares[kind]) for kind in record.shares), str(next(iter(shares.values())).n))
            for name, shares in record.by_stimulus.items()
        ]
        yield table(WORDS["by_stimulus"], rows, ("Of refusals, %", *record.shares, "Refusals"))


def _examples(record: Distortions) -> Iterator[Table]:
    rows = [(e.distortion, f"“{e.words}”", e.sample, e.stimulus) for e in record.examples]
    if rows:
        yield table(WORDS["examples"], rows)
