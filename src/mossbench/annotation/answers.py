"""Turns answers of runs into items to label, and labels into a file for `judge validate` and the judge `human`."""

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mossbench.annotation.store import Item, Label, Store
from mossbench.errors import UsageError
from mossbench.judges.human import RANDOM, majority
from mossbench.outcomes import REFUSED_KINDS, Kind, Layer
from mossbench.results.rows import ResultRow
from mossbench.results.table import Results
from mossbench.samples import Side


@dataclass(frozen=True)
class Settled:
    """The result of the labels of one item."""

    kind: Kind | None
    refused: bool | None
    """Known even if people agree on it but are tied on the kind."""
    by: str
    """`decision`, `all`, `majority`, `refused alone` if the kind is tied, or `nobody` if everything is."""
    n_labels: int


def answer_items(
    runs: Iterable[Results], *, n: int | None = None, seed: int = 0, side: Side | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The answers that have a text, at most `n` of each run, drawn by `seed`; the key of each as JSON, and its body.

    The store shuffles them and hands them out in that order, so that those labelled first are a random choice too.
    """
    for run in runs:
        with_text = (row for row in run.rows if row.outcome.layer in (Layer.UNJUDGED, Layer.JUDGED))
        rows = [row for row in with_text if side in (None, row.key.side)]
        if n is not None and len(rows) > n:
            rows = random.Random(f"{seed} {run.name}").sample(rows, n)
        for row in rows:
            yield answer_item(run, row)


def answer_item(run: Results, row: ResultRow, *, draw: str = RANDOM) -> tuple[str, dict[str, Any]]:
    """The key of an answer as JSON and its body; `draw` says how it was chosen."""
    assert row.exchange is not None
    arm = run.arm(row)
    key = {"run": run.name, **row.key._asdict(), "digest": row.exchange.digest()}
    body = {
        **key,
        "model": run.model,
        "scene": row.sample.cluster or f"sample {row.key.sample}",
        "alt": arm.alt(row.sample),
        "hashes": {side.value: digest for side, digest in run.info.dataset.hashes.items()},
        "shown": arm.picture if arm.shows_picture(row.sample) else "none",
        "question": row.exchange.conversation,
        "response": row.exchange.answer.text,
        "judge": run.judge,
        "judged": row.outcome.kind.value if row.outcome.kind else None,
        "draw": draw,
    }
    return json.dumps(key, sort_keys=True), body


def add_answers(
    store: Store,
    runs: Iterable[Results],
    *,
    n: int | None = None,
    labels_each: int = 1,
    people: Sequence[str] = (),
    seed: int = 0,
    side: Side | None = None,
) -> int:
    """Puts answers into the queue of a store, each for `labels_each` people; how many that is.

    Args:
        store: The labels, such as `Store("runs/annotations.db")`.
        runs: Runs with answers.
        n: At most so many answers of each run, drawn by `seed`; None: all.
        labels_each: How many people label each answer.
        people: Who is to label them: by turns, `labels_each` people an answer; empty: whoever comes.
        seed: Of the draw and of the order.
        side: Only answers of this side.
    """
    items = answer_items(runs, n=n, seed=seed, side=side)
    return store.add_items(items, double=1.0, seed=seed, raters=labels_each, people=people)


def read_kind(value: str) -> dict[str, Any]:
    if value not in set(Kind):
        raise UsageError(f"no kind {value[:40]!r}; kinds are {', '.join(Kind)}")
    return {"kind": value}


def settle(labels: Sequence[Label], decision: Label | None = None) -> Settled:
    """The result of labels: the decision, or what most people said, on refused or not and then on the kind."""
    kinds = [Kind((decision or label).value["kind"]) for label in labels]
    if not kinds:
        return Settled(None, None, "nobody", 0)
    verdict = majority(list(kinds))
    if verdict.kind is None:
        return Settled(None, verdict.refused, "nobody" if verdict.is_none else "refused alone", len(kinds))
    if decision is not None:
        by = "decision"
    else:
        by = "all" if len(set(kinds)) == 1 else "majority"
    return Settled(verdict.kind, verdict.kind in REFUSED_KINDS, by, len(kinds))


def by_item(labels: Iterable[Label]) -> dict[str, list[Label]]:
    """The labels of each item."""
    groups = defaultdict(list)
    for label in labels:
        groups[label.item].append(label)
    return dict(groups)


def conflicts(labels: Iterable[Label]) -> dict[str, list[Label]]:
    """Items whose labels are not all the same."""
    groups = by_item(labels).items()
    return {ref: group for ref, group in groups if len({label.value["kind"] for label in group}) > 1}


def check_decision(labels: Sequence[Label], reason: str) -> None:
    """A UsageError if nothing is labelled, or if labels that agree would be overridden without a reason."""
    if not labels:
        raise UsageError("nobody has labelled this yet, so there is nothing to decide")
    if all(label.value == labels[0].value for label in labels) and not reason.strip():
        raise UsageError("the labels agree: write the reason for overriding them into the note. Nothing was changed")


def export_labels(
    run: str | None, items: Mapping[str, Item], labels: Iterable[Label], decisions: Mapping[str, Label]
) -> list[dict[str, Any]]:
    """One row for each labelled answer, of a run or of all: the result, every label, and who decided.

    `disputed` is 1 if there is no result. Answers that people skipped or left open have a row without a label: the
    labelled ones alone would not be a random choice.
    """
    labels_by_item = by_item(labels)
    rows = []
    for ref in [*labels_by_item, *_passed_over(items, labels_by_item)]:
        if run in (None, items[ref].body["run"]):
            rows.append(_export_row(items[ref], labels_by_item.get(ref, []), decisions.get(ref)))
    return sorted(rows, key=lambda row: (row["run"], row["side"], row["id"], row["epoch"]))


def _export_row(item: Item, labels: Sequence[Label], decision: Label | None) -> dict[str, Any]:
    body = item.body
    settled = settle(labels, decision)
    decision_row = None
    if decision is not None:
        decision_row = {"by": decision.annotator, **decision.value, "reason": decision.note, "at": decision.at}
    return {
        "id": body["sample"],
        **{name: body[name] for name in ("side", "arm", "epoch", "model", "run", "question", "response")},
        "kind": settled.kind and settled.kind.value,
        "refused": None if settled.refused is None else int(settled.refused),
        "disputed": int(bool(labels) and settled.refused is None),
        "draw": body.get("draw", RANDOM),  # the app never had another way to choose answers
        "settled_by": settled.by,
        "n_labels": settled.n_labels,
        "labels": [
            {"annotator": label.annotator, **label.value, "note": label.note, "at": label.at} for label in labels
        ],
        "decision": decision_row,
    }


def _passed_over(items: Mapping[str, Item], labels_by_item: Mapping[str, Sequence[Label]]) -> list[str]:
    """Items without a label that come before the last labelled one of their run; `items` are in their order."""
    passed_over: list[str] = []
    open_items: dict[str, list[str]] = defaultdict(list)
    for ref, item in items.items():
        run = item.body["run"]
        if ref in labels_by_item:
            passed_over += open_items.pop(run, [])
        else:
            open_items[run].append(ref)
    return passed_over
