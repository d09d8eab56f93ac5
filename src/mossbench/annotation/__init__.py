"""Labels by people: a queue of answers or candidate samples, append-only labels, agreement, adjudication, export."""

from mossbench.annotation.agreement import agreement_of
from mossbench.annotation.answers import add_answers
from mossbench.annotation.store import Store
