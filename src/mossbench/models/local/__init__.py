"""`local/<checkpoint>`: open models on this machine, through transformers; needs the extra [local].

checkpoint.py   what is in a folder or on the hub, and whether it can be run here
families.py     how a question and a picture are put into each family's prompt
chats.py        families that bring code of their own, with a `chat` method
batches.py      which of the waiting questions are answered together
classifier.py   a classifier of texts, for the judge of that name
engine.py       the checkpoint in memory: loaded once, asked a batch at a time
model.py        the model: gathers questions, halves a batch that does not fit into memory
"""

from mossbench.models.local.model import LocalModel

__all__ = ["LocalModel"]
