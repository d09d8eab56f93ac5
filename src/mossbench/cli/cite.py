"""`mossbench cite`."""

from __future__ import annotations

import click

from mossbench import __version__
from mossbench.cli.commands import Command
from mossbench.cli.printing import say

PAPER = """\
@inproceedings{li2025mossbench,
  title     = {{MOSSBench}: Is Your Multimodal Language Model Oversensitive to Safe Queries?},
  author    = {Li, Xirui and Zhou, Hengguang and Wang, Ruochen and Zhou, Tianyi and Cheng, Minhao and Hsieh, Cho-Jui},
  booktitle = {International Conference on Learning Representations},
  year      = {2025},
  eprint    = {2406.17806},
  archiveprefix = {arXiv},
}"""
SOFTWARE = f"""\
@software{{mossbench,
  title   = {{mossbench}},
  author  = {{{{The mossbench developers}}}},
  version = {{{__version__}}},
  license = {{Apache-2.0}},
}}"""


@click.command(cls=Command)
def cite() -> None:
    """Print how to cite this software and the paper, as BibTeX.

    The paper set the task and published the 300 + 244 samples.

    Example: mossbench cite
    """
    say(f"{SOFTWARE}\n\n{PAPER}")
