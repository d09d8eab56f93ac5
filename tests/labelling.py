"""People who label a run as its plan asks them: what they say is decided by a function of the answer."""

from answered import NO
from mossbench.annotation.label_queue import LabelQueue
from mossbench.annotation.store import Store
from mossbench.samples import Side


def truth(body):
    """What somebody says who is always right."""
    return "refused" if body["response"] == NO else "answered"


def queue_of(results, database, *, side=Side.BENIGN, seed=1, within=0.05):
    return LabelQueue(results, Store(database), side=side, seed=seed, within=within)


def seat(queue, name="Ines"):
    return queue.store.annotator(queue.store.join(name, may_exist=True))


def label(queue, who, n=None, say=truth):
    """Labels `n` answers, or all that are asked for; the items in the order in which they were shown."""
    shown = []
    while n is None or len(shown) < n:
        item = queue.next_item(who)
        if item is None:
            break
        queue.store.record(who, item.ref, "label", {"kind": say(item.body)})
        shown.append(item)
    return shown
