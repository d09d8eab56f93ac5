"""distortions on the page: what refusals say, with the words, and the control for moralising."""

from __future__ import annotations

import math
from typing import Any

from mossbench.analyses.distortions import NONE_FOUND, Distortions
from mossbench.analyses.tagging import MEANINGS, TAGGER, Distortion
from mossbench.look.numbers import cell, of, p_value, percent, points, quoted
from mossbench.reports.analyses.section import Section, Table
from mossbench.reports.dots import Dot, dots, themed


def section(record: Distortions) -> Section:
    return Section(
        "What do its refusals say?",
        _finding(record),
        text=(
            "People who misjudge a harmless thing do it in known ways, and refusals can be read in the same way. A tag "
            "stands for words in the answer: "
            + "; ".join(f"{kind} ({meaning})" for kind, meaning in MEANINGS.items())
            + ". A refusal may have several, or none.",
            "The control: the same request as plain text that names what is meant, without the image. What is answered "
            "there and refused or lectured here is so by the image, the wording or chance, not by the thing itself.",
        ),
        tables=(_shares(record), _control(record), *_by_stimulus(record), *_examples(record)),
        cautions=_cautions(record),
    )


def chart(record: Distortions) -> Any:
    if record.n_refused == record.n_wordless:
        return None
    drawn = [Dot(name, one, text=of(one)) for name, one in record.shares.items()]
    subtitle = "shares of refusals, with 95 % intervals; several possible"
    return themed(dots(drawn, "What refusals of harmless requests say", subtitle), _finding(record), labels=190)


def _cautions(record: Distortions) -> tuple[str, ...]:
    found = []
    if record.n_wordless:
        found.append(f"{record.n_wordless} of {record.n_refused} refusals were blocked or empty: no words to read.")
    if record.control.n_without:
        why = "have no plain text, or got only the reply that there is no image"
        found.append(f"{record.control.n_without} harmless requests {why}.")
    if record.n_untagged:
        found.append(f"{record.n_untagged} refusals got no tags from {record.tagger} and are left out of the shares.")
    by_rules = (
        " On answers of real models the rules find most filtering and moralising but hardly any mind reading; "
        "docs/analyses.md has their errors."
    )
    found.append(
        f"Tags by {record.tagger} describe the words of an answer, not what happened in the model."
        + (by_rules if record.tagger == TAGGER else "")
    )
    return tuple(found)


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
    return f"{found}. Asked as plain text, {quoted(answered)} of the refused requests are answered."


def _shares(record: Distortions) -> Table:
    rows = tuple(
        (name, cell(estimate), str(round(estimate.value * estimate.n)))
        for name, estimate in record.shares.items()
        if estimate.n
    )
    n = record.n_refused - record.n_wordless
    return Table(("Tag", "Of refusals, %", "Count"), rows, "Tags", f"{n} refusals of harmless requests in words.")


def _control(record: Distortions) -> Table:
    control = record.control
    gap = control.difference
    rows = (
        ("refused with the image", percent(gap.rates[0]), str(gap.estimate.n)),
        ("refused as plain text", percent(gap.rates[1]), str(gap.estimate.n)),
        ("difference, points", f"{points(gap.estimate)}, p {p_value(gap.p)}", str(gap.estimate.n)),
        ("of the refused, answered as plain text", quoted(control.answered), str(control.answered.n)),
        ("lectured, in a refusal or beside an answer", quoted(control.lectured), str(control.lectured.n)),
        (
            "of the lectured, answered as plain text without a lecture",
            quoted(control.moralised),
            str(control.moralised.n),
        ),
    )
    return Table(("Control", "Found", "Of"), rows, "The same request as plain text")


def _by_stimulus(record: Distortions) -> tuple[Table, ...]:
    if len(record.by_stimulus) < 2:
        return ()
    rows = tuple(
        (name, *(cell(shares[kind]) for kind in record.shares), str(next(iter(shares.values())).n))
        for name, shares in record.by_stimulus.items()
    )
    return (Table(("Of refusals, %", *record.shares, "Refusals"), rows, "By stimulus"),)


def _examples(record: Distortions) -> tuple[Table, ...]:
    rows = tuple((e.distortion, f"“{e.words}”", e.sample, e.stimulus) for e in record.examples)
    return (Table(("Tag", "Words", "Sample", "Stimulus"), rows, "Examples"),) if rows else ()
