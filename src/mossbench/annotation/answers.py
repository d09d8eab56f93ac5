"""Answers of runs as items to label, and labels back as a file that `judge validate` and the judge `human` read."""

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mossbench.annotation.store import Item, Label
from mossbench.errors import UsageError
from mossbench.judges.human import RANDOM, majority
from mossbench.outcomes import REFUSED_KINDS, Kind, Layer
from mossbench.results.table import Results
from mossbench.samples import Side


@dataclass(frozen=True)
class Settled:
    kind: Kind | None
    refused: bool | None
    """Holds also where people agree on it and are tied on the kind."""
    by: str
    """`decision`, `all`, `majority`, `refused alone` where the kind is tied, or `nobody` where all is."""
    n_labels: int


def answer_items(
    runs: Iterable[Results], *, n: int | None = None, seed: int = 0, side: Side | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The answers that have a text, at most `n` of each run, drawn by `seed`; what each is, and its body.

    The store mixes them and gives them out in that order, so that what was labelled first is a random choice too.
    """
    for run in runs:
        with_text = (row for row in run.rows if row.outcome.layer in (Layer.UNJUDGED, Layer.JUDGED))
        rows = [row for row in with_text if side in (None, row.key.side)]
        if n is not None and len(rows) > n:
            rows = random.Random(f"{seed} {run.name}").sample(rows, n)
        for row in rows:
            assert row.exchange is not None
            arm, key = run.arm(row), {"run": run.name, **row.key._asdict(), "digest": row.exchange.digest()}
            body = {
                **key,
                "model": run.model,
                "scene": row.sample.cluster or f"sample {row.key.sample}",
                "alt": arm.alt(row.sample),
                "hashes": {side.value: digest for side, digest in run.info.dataset.hashes.items()},
                "shown": arm.picture if arm.shows_picture(row.sample) else "none",
                "question": row.exchange.request,
                "response": row.exchange.answer.text,
                "judge": run.judge,
                "judged": row.outcome.kind.value if row.outcome.kind else None,
                "draw": RANDOM,
            }
            yield json.dumps(key, sort_keys=True), body


def read_kind(value: str) -> dict[str, Any]:
    if value not in set(Kind):
        raise UsageError(f"no kind {value[:40]!r}; kinds are {', '.join(Kind)}")
    return {"kind": value}


def settle(labels: Sequence[Label], decision: Label | None = None) -> Settled:
    """What labels come to: the decision, else what most said, on refused or not and then on the kind."""
    kinds = [Kind((decision or label).value["kind"]) for label in labels]
    if not kinds:
        return Settled(None, None, "nobody", 0)
    verdict = majority(list(kinds))
    if verdict.kind is None:
        return Settled(None, verdict.refused, "nobody" if verdict.is_none else "refused alone", len(kinds))
    by = "decision" if decision else "all" if len(set(kinds)) == 1 else "majority"
    return Settled(verdict.kind, verdict.kind in REFUSED_KINDS, by, len(kinds))


def by_item(labels: Iterable[Label]) -> dict[str, list[Label]]:
    found = defaultdict(list)
    for label in labels:
        found[label.item].append(label)
    return dict(found)


def conflicts(labels: Iterable[Label]) -> dict[str, list[Label]]:
    """Items whose labels are not all the same."""
    return {ref: found for ref, found in by_item(labels).items() if len({label.value["kind"] for label in found}) > 1}


def check_decision(labels: Sequence[Label], reason: str) -> None:
    """A UsageError where nothing is labelled, or where labels that agree would be overridden without a reason."""
    if not labels:
        raise UsageError("nobody has labelled this yet, so there is nothing to decide")
    if all(label.value == labels[0].value for label in labels) and not reason.strip():
        raise UsageError("the labels agree: write the reason for overriding them into the note. Nothing was changed")


def export_labels(
    run: str | None, items: Mapping[str, Item], labels: Iterable[Label], decisions: Mapping[str, Label]
) -> list[dict[str, Any]]:
    """One row for each labelled answer, of a run or of all: what its labels come to, every label, and who decided.

    `disputed` is 1 where they come to nothing. Answers that were passed over, because people skipped them or have them
    open, have a row without a label: the labelled ones alone would be no random choice.
    """
    rows = []
    labelled = by_item(labels)
    for ref in [*labelled, *_passed_over(items, labelled)]:
        found = labelled.get(ref, [])
        body, decision = items[ref].body, decisions.get(ref)
        if run not in (None, body["run"]):
            continue
        settled, decided = settle(found, decision), None
        if decision is not None:
            decided = {"by": decision.annotator, **decision.value, "reason": decision.note, "at": decision.at}
        rows.append(
            {
                "id": body["sample"],
                **{name: body[name] for name in ("side", "arm", "epoch", "model", "run", "question", "response")},
                "kind": settled.kind and settled.kind.value,
                "refused": None if settled.refused is None else int(settled.refused),
                "disputed": int(bool(found) and settled.refused is None),
                "draw": body.get("draw", RANDOM),  # the app never had another way to choose answers
                "settled_by": settled.by,
                "n_labels": settled.n_labels,
                "labels": [{"annotator": one.annotator, **one.value, "note": one.note, "at": one.at} for one in found],
                "decision": decided,
            }
        )
    return sorted(rows, key=lambda row: (row["run"], row["side"], row["id"], row["epoch"]))


def _passed_over(items: Mapping[str, Item], labelled: Mapping[str, Sequence[Label]]) -> list[str]:
    """Items without a label that come before the last labelled one of their run; `items` are in their order."""
    passed: list[str] = []
    open_items: dict[str, list[str]] = defaultdict(list)
    for ref, item in items.items():
        run = item.body["run"]
        if ref in labelled:
            passed += open_items.pop(run, [])
        else:
            open_items[run].append(ref)
    return passed
