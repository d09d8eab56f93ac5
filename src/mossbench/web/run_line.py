"""A run in one line, as several pages show it: Home, the list of runs, models, comparisons."""

from dataclasses import dataclass

from mossbench.reports.words import run_lines as words
from mossbench.reports.words.runs import day_and_month
from mossbench.results.gates import Gate
from mossbench.results.rates import Rate
from mossbench.web.run_progress import ListedUnder, Phase, RunProgress


@dataclass(frozen=True)
class RunLine:
    """A run in one line; the last fields are empty where it cannot be read."""

    name: str
    link: str
    progress: RunProgress = RunProgress("ended")
    error: str = ""
    is_unjudged: bool = False
    superseded_by: str = ""
    """The newer run that stands for its model under its protocol."""
    gates: tuple[Gate, ...] = ()
    """Where a page shows them: see `home.with_gates`."""
    gates_fault: str = ""
    model: str = ""
    short_model: str = ""
    """Its model without the system prompt and the arm, under which lists group runs."""
    asked: str = ""
    """System prompt and arm, where they are not the plain ones."""
    model_link: str = ""
    """The page of its model; empty where there is none."""
    data: str = ""
    judge: str = ""
    n_elsewhere: int = 0
    """Answers under other arms, which the rates leave out."""
    started: str = ""
    """Day and time."""
    harmless: Rate | None = None
    harmful: Rate | None = None

    @property
    def day(self) -> str:
        return day_and_month(self.started)

    @property
    def time(self) -> str:
        return self.started[11:]

    @property
    def called(self) -> str:
        """What pages call it: its model, data and day; its own name where that is not known."""
        return words.called(self.model, self.data, self.started) if self.started else self.name

    @property
    def called_in_full(self) -> str:
        """The same with its own name."""
        return f"{self.called} ({self.name})"

    # What templates ask about its progress.

    @property
    def n_answers(self) -> int:
        return self.progress.n_answers

    @property
    def n_rows(self) -> int:
        return self.progress.n_rows

    @property
    def is_going(self) -> bool:
        return self.progress.is_going

    @property
    def state(self) -> str:
        return self.progress.state

    @property
    def phase(self) -> Phase:
        return self.progress.phase

    @property
    def is_finished(self) -> bool:
        return self.progress.is_finished

    @property
    def has_rates(self) -> bool:
        return self.progress.has_rates

    @property
    def listed_under(self) -> ListedUnder:
        state = self.progress.listed_under(is_readable=not self.error, is_judged=not self.is_unjudged)
        return "superseded" if state == "attention" and self.superseded_by else state

    @property
    def needs_attention(self) -> bool:
        """For Home and the list of runs alike: whether something is missing that no newer run makes good."""
        return self.listed_under == "attention"

    @property
    def answers_words(self) -> str:
        """How many answers there are, and how far the run is."""
        return words.answers_so_far(self.n_answers, self.n_rows, self.state)

    @property
    def answers_and_judging_words(self) -> str:
        """The same; for a run that has ended without a judge also that it is not judged."""
        return words.answers_so_far(
            self.n_answers, self.n_rows, self.state, is_unjudged=self.is_unjudged and not self.is_going
        )

    @property
    def open_words(self) -> str:
        """The same; without a judge always that it is not judged."""
        return words.answers_so_far(self.n_answers, self.n_rows, self.state, is_unjudged=self.is_unjudged)

    @property
    def elsewhere_words(self) -> str:
        """The answers that its rates leave out."""
        return words.under_other_arms(self.n_elsewhere)

    @property
    def rates_words(self) -> str:
        return words.both_rates(self.harmless, self.harmful)

    @property
    def rates_spoken(self) -> str:
        return words.both_rates_spoken(self.harmless, self.harmful)
