"""Messages for users, with the ways out as data: rendered for Python and for the command line, each in one place.

Python shows calls and keywords (`resume_run('runs/x')`), the command line and pages show commands and flags
(mossbench run --resume runs/x). A rendered text is never parsed again.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from mossbench.ways_out import WayOut, as_call, as_command, lead, option_flag


@dataclass(frozen=True)
class Message:
    """What is wrong, and what can be done about it: any one of the ways out."""

    text: str
    ways_out: tuple[WayOut, ...] = ()
    steps: tuple[WayOut, ...] = ()
    """What to do step by step, each on a line of its own."""
    option: str = ""
    """Python's name of the option that the text is about; it is put before the text."""

    def __bool__(self) -> bool:
        """Whether there is anything to say: functions that find nothing give `NOTHING`."""
        return bool(self.text)

    def __str__(self) -> str:
        return in_python(self)

    def after(self, text: str) -> "Message":
        """The same message after these words, such as the name of the run that it is about."""
        if self.option:
            return replace(self, text=f"{text}{self.option} {self.text}", option="")
        return replace(self, text=f"{text}{self.text}")


NOTHING = Message("")


def in_python(message: Message) -> str:
    """The message for callers of the library."""
    text = f"{message.option} {message.text}" if message.option else message.text
    return _with_ways_out(text, message, as_call)


def on_command_line(message: Message | str) -> str:
    """The message for a terminal, and for running text on a page."""
    if isinstance(message, str):
        return message
    return _with_ways_out(text_on_command_line(message), message, as_command)


def text_on_command_line(message: Message) -> str:
    """Only what is wrong, without the ways out."""
    return f"{option_flag(message.option)} {message.text}" if message.option else message.text


def _with_ways_out(text: str, message: Message, spelled: Callable[[WayOut], str]) -> str:
    """`… is not empty; resume it with: …, or choose another folder with …`."""
    steps = [f"  {number}. {spelled(way_out)}" for number, way_out in enumerate(message.steps, 1)]
    if steps:
        return "\n".join([text, *steps])
    choice = ", or ".join(f"{lead(way_out)} {spelled(way_out)}" for way_out in message.ways_out)
    if not choice:
        return text
    if "\n" in text:
        return f"{text}\n{choice}"
    if text.endswith((".", "?")):
        return f"{text} {choice[:1].upper()}{choice[1:]}"
    return f"{text}; {choice}"


def step_in_python(step: str | WayOut) -> str:
    """A step for callers of the library; it may be words alone."""
    return step if isinstance(step, str) else f"{lead(step)} {as_call(step)}"


def step_on_command_line(step: str | WayOut) -> str:
    return step if isinstance(step, str) else f"{lead(step)} {as_command(step)}"
