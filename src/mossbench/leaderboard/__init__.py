"""Boards of models ranked under one protocol, and what may be added to them."""

from mossbench.leaderboard.boards import (
    Board,
    BoardRow,
    add_submission,
    check_board,
    init_board,
    load_board,
    make_boards,
    read_board,
    sorted_board,
)
from mossbench.leaderboard.checking import check_submission
from mossbench.leaderboard.printed import published_boards
from mossbench.leaderboard.submissions import Submission, make_submission, write_submission

__all__ = [
    "Board",
    "BoardRow",
    "Submission",
    "add_submission",
    "check_board",
    "check_submission",
    "init_board",
    "load_board",
    "make_boards",
    "make_submission",
    "published_boards",
    "read_board",
    "sorted_board",
    "write_submission",
]
