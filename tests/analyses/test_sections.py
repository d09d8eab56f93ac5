"""What a reader is told: sentences that hold back where there is little, and names that can be told apart."""

import math
from dataclasses import replace

import pytest

import mossbench as mb
from mossbench.analyses import analyse
from mossbench.analyses.causes import Cause, Causes
from mossbench.analyses.fields import Field, Placed
from mossbench.analyses.tradeoff import Several
from mossbench.look.charts import vega_lite
from mossbench.reports.analyses import access, causes, consistency, section_of, tradeoff
from mossbench.reports.analyses.plane import HEIGHT, place_labels
from mossbench.samples import Stimulus
from mossbench.statistics import Estimate


def share(value, n, reach=0.1):
    return Estimate(value, value - reach, value + reach, n, 0, "planted")


@pytest.mark.parametrize(("n", "cautious"), [(4, True), (9, True), (10, False)])
def test_a_cause_named_from_few_requests_carries_a_caution(n, cautious):
    named = Cause("object", Stimulus.EXAGGERATED_RISK, share(0.9, n), 0.001, 0.004, 0.3)
    record = Causes((named,), share(0.5, n), share(0.0, n), 1, math.nan)
    assert any(f"rests on only {n} requests" in text for text in causes.section(record).cautions) is cautious


def test_a_correlation_whose_interval_holds_0_is_no_finding():
    def said(rho):
        points = tuple(Placed(name, share(0.1, 9), share(0.9, 9), True, 1.0) for name in "abcd")
        return tradeoff.section(Several((Field("All", points, rho, rho, p=0.01),))).finding

    assert "do not refuse significantly more or fewer harmless requests (rank correlation 0.30" in said(
        share(0.3, 4, 0.5)
    )
    assert "safer models refuse more harmless requests (rank correlation 0.80" in said(share(0.8, 4))
    assert "safer models refuse fewer" in said(share(-0.8, 4)) and "correlation" not in said(share(0.8, 4, math.nan))


@pytest.mark.parametrize(
    ("routes", "heads"),
    [
        (("control/ideal", "control/candid"), ("control/ideal", "control/candid")),
        (("replay/a/long/way/web.jsonl", "replay/a/long/way/api.jsonl"), ("replay/web.jsonl", "replay/api.jsonl")),
        (("replay/a/one/web.jsonl", "replay/a/two/web.jsonl"), ("one/web.jsonl", "two/web.jsonl")),
        (("replay/web.jsonl", "replay/a/web.jsonl"), ("replay/web.jsonl", "a/web.jsonl")),
        (("same", "same"), ("same", "same")),
    ],
)
def test_routes_are_told_apart_in_narrow_columns(routes, heads):
    assert access.heads(*routes) == heads


def test_names_on_the_plane_lie_inside_it():
    places = [(0.0, 0.0), (0.01, 0.0), (0.0, 1.0), (0.5, 0.01), (1.0, 1.0), (0.02, 0.98)]
    cells = [{"x": x, "y": y, "behind": False, "name": "All"} for x, y in places]
    labels = place_labels(cells, 1.0)
    assert len(labels) == len(places) and all(0 < label["up"] < 1 + 9 / HEIGHT for label in labels)


def test_a_name_on_the_plane_that_stands_apart_is_joined_to_its_own_dot():
    places = {"Negated Harm": (0.021, 1.0), "Counterintuitive": (0.033, 0.925), "All": (0.131, 0.967)}
    ends = {"x1": 0.0, "x2": 0.2, "y1": 0.8, "y2": 1.0}
    labels = place_labels([{"x": x, "y": y, **ends, "behind": False, "name": n} for n, (x, y) in places.items()], 0.5)
    chart = vega_lite("plane", cells=[], labels=labels, title="", subtitle="", width=460, height=HEIGHT, edge=0.5)
    (joined,) = (one for one in chart["layer"] if "x2" in one.get("encoding", {}) and "y2" in one["encoding"])
    drawn = [joined["encoding"][end]["field"] for end in ("x", "y", "x2", "y2")]
    assert drawn == ["x", "y", "at", "up"]
    assert {one["name"]: (one["x"], one["y"]) for one in joined["data"]["values"]} == places


def test_no_interval_of_the_plane_strikes_a_name_through_where_there_is_room():
    ends = {"x1": 0.1, "x2": 0.5, "y1": 0.7, "y2": 0.9}
    (label,) = place_labels([{"x": 0.3, "y": 0.8, **ends, "behind": False, "name": "Exaggerated Risk"}], 1.0)
    assert abs(label["up"] - 0.8) * HEIGHT > 9 and (label["at"] > 0.31 or label["at"] < 0.29)


@pytest.mark.slow
def test_a_side_that_was_asked_once_is_not_in_the_tables_of_steadiness():
    found = analyse("consistency", "control/jumpy", out="r", limit=3, epochs=2, side="both")
    section = section_of(found.parts[0])
    assert [row[0] for row in section.tables[0].rows] == ["harmless"]
    assert any("No harmful request was asked twice" in text for text in section.cautions)
    record = found.record("consistency")
    assert "harmful, always" not in str(consistency.chart(record))
    nothing = replace(record, sides=tuple(replace(side, n_askings=0) for side in record.sides))
    assert "No answer counts" in consistency.section(nothing).finding


@pytest.mark.slow
@pytest.mark.parametrize(("name", "said"), [("distortions", False), ("counterfactuals", True)])
def test_notices_on_oracle_texts_are_for_analyses_that_use_them(name, said):
    bare = mb.load_dataset("sketches").select(ids=["er-beach-flag"])
    samples = tuple(sample.model_copy(update={"oracle_description": None}) for sample in bare)
    found = analyse(name, "control/candid", replace(bare, samples=samples), out="r", epochs=1)
    assert any("oracle descriptions" in str(notice) for notice in found.notices) is said
