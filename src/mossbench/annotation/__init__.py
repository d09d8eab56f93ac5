"""Labels by people: a queue of answers or candidate samples, append-only labels, agreement, adjudication, export."""

from mossbench.annotation.agreement import Agreement, agreement_of
from mossbench.annotation.answers import answer_items, export_labels, settle
from mossbench.annotation.people import Annotator, Person
from mossbench.annotation.reviews import Thresholds, review_items, review_results, write_reviews
from mossbench.annotation.store import Item, Label, Progress, Store

__all__ = [
    "Agreement",
    "Annotator",
    "Item",
    "Label",
    "Person",
    "Progress",
    "Store",
    "Thresholds",
    "agreement_of",
    "answer_items",
    "export_labels",
    "review_items",
    "review_results",
    "settle",
    "write_reviews",
]
