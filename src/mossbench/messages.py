"""What a user is told, with the ways out as data: rendered for Python and for the command line, each in one place.

Python shows calls and keywords (`resume_run('runs/x')`), the command line and pages show commands and flags
(mossbench run --resume runs/x). Nobody reads a rendered text again.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from mossbench.ways_out import WayOut, as_call, as_command, lead, option_flag


@dataclass(frozen=True)
class Message:
    """What is the matter, and what can be done about it: any one of the ways out."""

    text: str
    ways_out: tuple[WayOut, ...] = ()
    option: str = ""
    """Python's name of the option that the text is about: it is put before the text."""

    def __str__(self) -> str:
        return in_python(self)

    def after(self, text: str) -> "Message":
        """The same message after these words, such as the name of the run that it is about."""
        if self.option:
            return replace(self, text=f"{text}{self.option} {self.text}", option="")
        return replace(self, text=f"{text}{self.text}")


def in_python(message: Message) -> str:
    """For whoever calls the library."""
    text = f"{message.option} {message.text}" if message.option else message.text
    return _with_ways_out(text, message.ways_out, as_call)


def on_command_line(message: Message | str) -> str:
    """For a terminal, and where a page shows running text."""
    if isinstance(message, str):
        return message
    return _with_ways_out(text_on_command_line(message), message.ways_out, as_command)


def text_on_command_line(message: Message) -> str:
    """Only what is the matter."""
    return f"{option_flag(message.option)} {message.text}" if message.option else message.text


def _with_ways_out(text: str, ways_out: Iterable[WayOut], spelled: Callable[[WayOut], str]) -> str:
    """`… is not empty; resume it with: …, or choose another folder with …`."""
    steps = ", or ".join(f"{lead(way_out)} {spelled(way_out)}" for way_out in ways_out)
    if not steps:
        return text
    if text.endswith("\n"):
        return f"{text}{steps}"
    if text.endswith((".", "?")):
        return f"{text} {steps[:1].upper()}{steps[1:]}"
    return f"{text}; {steps}"
