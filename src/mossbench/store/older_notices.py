"""What older runs say only in the words of their notices: where their answers came from, or that they lack rows.

Today such facts are fields of `RunInfo`. Runs that were written before a field was there get it when they are read,
here and nowhere else.
"""

from collections.abc import Sequence
from typing import Any

from mossbench.models.notices import NoticeFact, NoticeTopic, endpoint_notice
from mossbench.protocols import ANSWERS_COME_FROM

REST_IS_NOT_HERE = "the others are not in this run"
"""How the notice ends of a run that was imported with fewer rows than were planned."""
SAY_WHO_ANSWERED = "say which model answered with `model_name`"
"""How a notice about an unknown model ended before notices had facts beside them."""


def with_facts_of_notices(run_json: dict[str, Any]) -> dict[str, Any]:
    """The content of a run.json, with the fields that an older version told only in its notices."""
    notices = _texts(run_json.get("notices"))
    facts: dict[str, Any] = {}
    if any(notice.endswith(REST_IS_NOT_HERE) for notice in notices):
        facts["is_partial_import"] = True
    if "notice_facts" not in run_json:
        facts["notice_facts"] = _facts_in(notices)
    config = run_json.get("config")
    # Version 0.1.0 recorded no subject, and some endpoints only in notices.
    if isinstance(config, dict) and not run_json.get("subject") and config.get("base_url") is None:
        endpoints = _endpoints_in(notices)
        if len(endpoints) == 1:
            facts["config"] = {**config, "base_url": endpoints[0]}
        elif endpoints:
            facts["has_several_endpoints"] = True
    return {**run_json, **facts}


def _texts(notices: object) -> list[str]:
    """The notices of a file that was not validated yet; what is no text is left to pydantic to refuse."""
    if not isinstance(notices, (list, tuple)):
        return []
    return [notice for notice in notices if isinstance(notice, str)]


def _facts_in(notices: Sequence[str]) -> tuple[NoticeFact, ...]:
    """What the notices are about, as far as their words show it."""
    facts = []
    for notice in notices:
        if notice.startswith(ANSWERS_COME_FROM):
            facts.append(endpoint_notice(notice.removeprefix(ANSWERS_COME_FROM)))
        elif notice.endswith(SAY_WHO_ANSWERED):
            facts.append(NoticeFact(text=notice, topic=NoticeTopic.UNKNOWN_MODEL))
    return tuple(dict.fromkeys(facts))


def _endpoints_in(notices: Sequence[str]) -> list[str]:
    """The endpoints that the notices name, each once."""
    return [fact.endpoint for fact in _facts_in(notices) if fact.topic is NoticeTopic.ENDPOINT]
