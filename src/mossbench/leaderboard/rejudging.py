"""The judge that a submission names: whether a board ranks by it, and its verdicts once more.

A board ranks by judges that anybody can use. The embedded judges are run again on answers that are in a file; what
other judges said is taken as claimed.
"""

from urllib.parse import parse_qsl

from mossbench.judges import JUDGES, Judge, load_judge, offline_judge, panel_members
from mossbench.judges.panel import PanelJudge, majority_verdict
from mossbench.judges.rubric import RUBRICS
from mossbench.leaderboard.names import CONTROL_PROVIDER, OFFLINE, OWN_CODE, judge_wrong, provider_of
from mossbench.outcomes import Exchange, Verdict
from mossbench.plumbing.own_code import is_own_code
from mossbench.protocols import FILE_VERDICTS

RANKS_BY = "boards rank by judges that anyone can use"


def why_judge_is_private(label: str) -> str:
    """Why no board ranks by this judge, which only its owner can use; empty if anyone can use the judge."""
    name, _, version = label.rpartition("/")
    for member in panel_members(name):
        reason = why_judge_is_private(f"{member}/{version}")
        if reason:
            return reason
    if panel_members(name):
        return ""
    base, _, query = name.partition("?")
    kind, _, detail = base.partition("/")
    if kind == "human":
        return f"the judge {base[:60]} is a private file of labels; {RANKS_BY}"
    if kind == "python" or is_own_code(name):
        return f"the judge {base[:60]} is private code; {RANKS_BY}"
    if kind == "classifier":
        return _why_classifier_is_private(detail)
    if kind == "rubric":
        return _why_judging_model_is_private(base, detail, dict(parse_qsl(query)))
    if base == "cascade":
        return _why_judging_model_is_private(base, "kinds", dict(parse_qsl(query)))
    if label == FILE_VERDICTS:
        return f"the verdicts came with a results.json that does not name their judge; {RANKS_BY}"
    return _why_judge_is_unknown(label, kind, detail)


def _why_classifier_is_private(hub_id: str) -> str:
    from mossbench.judges.classifier import known_classifiers  # only here: it brings local models with it

    known_names = {known_id.rpartition("/")[2] for known_id in known_classifiers()}
    if hub_id.rpartition("/")[2] in known_names:
        return ""
    return f"the classifier {hub_id[:60]} is unknown to mossbench; {RANKS_BY}"


def _why_judge_is_unknown(label: str, kind: str, detail: str) -> str:
    is_known = kind in JUDGES and (JUDGES[kind].named or not detail)
    return "" if is_known else f"{ascii(label[:60])} is not a judge that mossbench knows; {RANKS_BY}"


def _why_judging_model_is_private(judge: str, rubric: str, settings: dict[str, str]) -> str:
    if rubric not in RUBRICS:
        return f"the judge {judge[:60]} has a rubric unknown to mossbench; {RANKS_BY}"
    model = settings.get("model", "")
    if not model:
        return f"the judge {judge[:60]} names no judging model; {RANKS_BY}"
    if provider_of(model) == CONTROL_PROVIDER:
        return f"the judging model {model[:60]} is a control model, which cannot judge; {RANKS_BY}"
    if provider_of(model) in (OWN_CODE, "replay"):
        return f"the judging model {model[:60]} is private code or a file; {RANKS_BY}"
    return ""


def embedded_judge(label: str) -> Judge | None:
    """The judge of this name and version if it can be run here without asking anybody; None if not.

    A single embedded judge can be run in any of its versions, a panel only in the version of its judges' newest ones.
    """
    name = label.rpartition("/")[0]
    members = panel_members(name) or [name]
    if not set(members) <= set(OFFLINE) or judge_wrong(label):
        return None
    if name in OFFLINE:
        return offline_judge(label)
    judge = load_judge(name)
    return judge if judge.label == label else None


def judge_again(judge: Judge, exchange: Exchange) -> Verdict:
    """The verdict of an embedded judge on an answer."""
    if isinstance(judge, PanelJudge):
        return majority_verdict([(member.label, judge_again(member, exchange)) for member in judge.parts])
    verdict = judge.verdict(exchange)
    if not isinstance(verdict, Verdict):
        raise TypeError(f"{judge.label} is not an embedded judge: its verdict has to be waited for")
    return verdict
