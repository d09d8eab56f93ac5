"""A page's template knows the fields of its records, and nothing else."""

from dataclasses import dataclass, fields

import pytest
from jinja2 import meta, nodes

from mossbench.look.page import LOOK, environment
from mossbench.reports.comparison_page import ComparisonView
from mossbench.web import (
    agreement,
    analyses,
    annotate,
    build,
    compare,
    desk_pages,
    explorer,
    home,
    model,
    review,
    runs,
    samples,
    search,
    site,
)
from mossbench.web.changed_samples import ChangedSamples
from mossbench.web.model_history import GroupTable, Headline, History
from mossbench.web.pages import MessagePage, template_values
from mossbench.web.run_line import RunLine
from mossbench.web.run_progress import RunProgress

RECORDS = {
    "agreement.html": (desk_pages.AtDesk, agreement.AgreementPage),
    "analysis_shown.html": (analyses.ShownAnalysis,),
    "annotate.html": (desk_pages.AtDesk, desk_pages.WorkPage, annotate.ItemPictures),
    "annotate_new.html": (desk_pages.AtDesk, annotate.NewPage),
    "build.html": (build.BuildPage,),
    "compare.html": (compare.ComparePage, ComparisonView, ChangedSamples),
    "compare_choose.html": (compare.ChoosePage,),
    "conflict.html": (desk_pages.AtDesk, agreement.ConflictPage, agreement.Conflicts, annotate.ItemPictures),
    "conflicts_done.html": (desk_pages.AtDesk, agreement.Conflicts),
    "downloads.html": (site.DownloadsPage,),
    "explorer.html": (explorer.ExplorerPage, explorer.ExplorerControls, site.OnlyOnSites),
    "home.html": (home.HomePage,),
    "invited.html": (desk_pages.AtDesk, desk_pages.InvitedPage),
    "labelled.html": (desk_pages.AtDesk, desk_pages.LabelledPage),
    "labels.html": (desk_pages.AtDesk, agreement.LabelsPage),
    "message.html": (MessagePage,),
    "mine.html": (desk_pages.AtDesk, desk_pages.MinePage),
    "model.html": (
        model.ModelName,
        History,
        Headline,
        GroupTable,
        model.ModelStanding,
        model.ModelParts,
        model.ModelWords,
    ),
    "name.html": (desk_pages.AtDesk, desk_pages.NamePage),
    "people.html": (desk_pages.AtDesk, desk_pages.PeoplePage),
    "review.html": (desk_pages.AtDesk, desk_pages.WorkPage, review.CandidateShown),
    "review_results.html": (desk_pages.AtDesk, review.ReviewResultsPage),
    "run_broken.html": (runs.BrokenRunPage,),
    "runs.html": (runs.RunsPage,),
    "samples.html": (samples.SamplesPage,),
    "search.html": (search.SearchPage,),
    "site_samples.html": (site.SiteSamplesPage,),
}


@pytest.mark.parametrize("template", RECORDS)
def test_a_template_names_only_what_its_records_have(template):
    parsed = environment().parse((LOOK / "templates" / template).read_text("utf-8"))
    names = meta.find_undeclared_variables(parsed) - _names_of_its_own(parsed) - environment().globals.keys()
    assert names - {"frame"} <= {field.name for record in RECORDS[template] for field in fields(record)}


def _names_of_its_own(parsed):
    """What a template imports, or defines above its blocks, which `meta` takes for names from outside there."""
    names = {macro.name for macro in parsed.find_all(nodes.Macro)}
    for imported in parsed.find_all(nodes.FromImport):
        names.update(name if isinstance(name, str) else name[1] for name in imported.names)
    for name in parsed.find_all(nodes.Name):
        if name.ctx == "store":
            names.add(name.name)
    return names


def test_what_is_in_a_field_stays_as_it_is_and_a_later_record_goes_before():
    @dataclass(frozen=True)
    class Inner:
        n: int

    @dataclass(frozen=True)
    class Outer:
        inner: Inner
        title: str = "first"

    @dataclass(frozen=True)
    class Other:
        title: str

    inner = Inner(1)
    assert template_values(Outer(inner), Other("second")) == {"inner": inner, "title": "second"}


def test_a_line_says_of_its_run_what_its_progress_says():
    line = RunLine("a", "/runs/a", RunProgress("in progress", n_answers=3, n_rows=9))
    assert (line.n_answers, line.n_rows, line.is_going, line.state, line.phase) == (
        3,
        9,
        True,
        "in progress",
        "in progress",
    )
    assert (line.is_finished, line.has_rates, line.listed_under) == (False, False, "going")
    whole = RunLine("a", "/runs/a", RunProgress("ended", n_answers=9, n_rows=9))
    assert (whole.is_finished, whole.has_rates, whole.listed_under) == (True, True, "finished")
    unjudged = RunLine("a", "/runs/a", whole.progress, is_unjudged=True)
    broken = RunLine("a", "/runs/a", RunProgress("cannot be read"), error="damaged")
    assert unjudged.listed_under == broken.listed_under == "attention"
