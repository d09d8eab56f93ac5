"""Review: sheets out and in, the review page's ratings, attention checks, agreement, disputes and decisions."""

from __future__ import annotations

import pytest
from PIL import Image

from building.reviewers import rate_rows, read_rows_of, ready, write_rows
from mossbench.annotation.reviews import review_items as page_items
from mossbench.annotation.store import Store
from mossbench.building.candidate_states import standings
from mossbench.building.candidates import Gold, Rating
from mossbench.building.rating import agreement_of, rated_state
from mossbench.building.reviewing import (
    decide,
    read_review_page,
    read_review_sheet,
    review_items,
    write_review_page,
    write_review_sheet,
)
from mossbench.datasets import load_dataset
from mossbench.errors import DataError, UsageError


@pytest.fixture
def folder(tmp_path):
    return ready(tmp_path / "set", 6, reviewers=2)


@pytest.fixture
def sheet(folder, tmp_path):
    path = tmp_path / "sheet.csv"
    write_review_sheet(folder, path)
    return path


def states(folder):
    return [one.state.value for one in standings(folder)]


def fill(folder, sheet, name, **how):
    out = sheet.with_name(f"{name.replace('/', '-')}.csv")
    return write_rows(out, rate_rows(read_rows_of(sheet), folder, name, **how))


def test_a_sheet_goes_out_and_comes_in_again(folder, sheet):
    rows = read_rows_of(sheet)
    assert len(rows) == 8 and all(row["item"].startswith("i") for row in rows)  # six, and two checks among them
    assert not any("check" in row["item"] for row in rows)
    for name in ("Ann", "Bob"):
        found = read_review_sheet(folder, fill(folder, sheet, name))
        assert (found.new, found.changed, found.same, found.empty, found.half) == (8, 0, 0, 0, ())
    assert states(folder) == ["accepted"] * 6
    again = read_review_sheet(folder, sheet.with_name("Ann.csv"))
    assert (again.new, again.same) == (0, 8) and len(folder.ratings()) == 16


def test_a_sheet_is_never_written_over(folder, sheet):
    before = sheet.read_bytes()
    with pytest.raises(UsageError, match="may be filled in"):
        write_review_sheet(folder, sheet)
    assert sheet.read_bytes() == before
    with pytest.raises(UsageError, match="must end in .csv"):
        write_review_sheet(folder, sheet.with_suffix(".xlsx"))


def test_a_half_filled_sheet_is_read_as_far_as_it_goes(folder, sheet):
    rows = rate_rows(read_rows_of(sheet), folder, "Ann")
    rows[1]["harmfulness"] = ""
    for row in rows[4:]:
        row["harmfulness"] = row["naturalness"] = ""
    found = read_review_sheet(folder, write_rows(sheet, rows))
    assert (found.new, found.half, found.empty) == (3, (3,), 4)
    rows = rate_rows(rows, folder, "Ann")
    found = read_review_sheet(folder, write_rows(sheet, rows))
    assert (found.new, found.same) == (5, 3)


@pytest.mark.parametrize(
    "change, said",
    [
        ({"harmfulness": "6"}, r"line 2: harmfulness is '6'; expected 1 to 5"),
        ({"naturalness": "very"}, r"line 2: naturalness is 'very'"),
        ({"item": "i00000000"}, r"line 2: no item 'i00000000' in this build"),
        ({"request": "What else?"}, r"line 2: the request is not that of i\w+; was the line edited"),
        ({"reviewer": " "}, r"line 2: it names no reviewer"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_read_in(folder, sheet, change, said):
    rows = rate_rows(read_rows_of(sheet), folder, "Ann")
    rows[0] |= change
    with pytest.raises(DataError, match=said) as error:
        read_review_sheet(folder, write_rows(sheet, rows))
    assert "nothing was imported" in str(error.value) and folder.ratings() == []


@pytest.mark.parametrize("lacking", ["harmfulness", "naturalness"])
def test_a_line_with_one_of_its_two_ratings_is_not_read_in(folder, sheet, lacking):
    rows = rate_rows(read_rows_of(sheet), folder, "Ann")
    rows[2][lacking] = ""
    done = read_review_sheet(folder, write_rows(sheet, rows))
    assert (done.new, done.empty, done.half) == (7, 0, (4,))


def test_a_sheet_without_its_columns_says_which_are_missing(folder, sheet):
    rows = [{"item": row["item"], "harm": "1"} for row in read_rows_of(sheet)]
    with pytest.raises(DataError, match="has no column 'harmfulness'; its columns are item, harm"):
        read_review_sheet(folder, write_rows(sheet, rows))


def test_two_ratings_by_one_reviewer_in_a_sheet_are_a_fault_unless_the_same(folder, sheet):
    rows = rate_rows(read_rows_of(sheet), folder, "Ann")
    twice = rows[0] | {"reviewer": " ANN "}
    assert read_review_sheet(folder, write_rows(sheet, [*rows, twice])).new == 8
    other = twice | {"harmfulness": "3"}
    with pytest.raises(DataError, match=r"line 10: 'ANN' rated this differently on line 2"):
        read_review_sheet(folder, write_rows(sheet, [*rows, other]))


def test_names_that_differ_in_capitals_are_one_reviewer_who_may_change_their_mind(folder, sheet):
    read_review_sheet(folder, fill(folder, sheet, "Ann"))
    rows = rate_rows(read_rows_of(sheet), folder, "ann")
    rows[0]["note"] = "on second thoughts"
    found = read_review_sheet(folder, write_rows(sheet, rows))
    assert (found.new, found.changed) == (0, 1)
    assert len(agreement_of(folder).reviewers) == 1


@pytest.mark.parametrize(
    "written",
    [
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("utf-16"),
        lambda text: b"sep=;\r\n" + text.replace(",", ";").encode(),
        lambda text: text.replace(",", "\t").encode(),
        lambda text: (text + ",,,,,,\r\n").encode(),
    ],
)
def test_what_spreadsheets_make_of_a_sheet_can_be_read(folder, sheet, written):
    rows = rate_rows(read_rows_of(sheet), folder, "Ann")
    for row in rows:
        row["harmfulness"] += ".0"
        row |= {"request": row["request"].replace(",", ""), "image": ""}
    rows = [row for row in rows if "please" not in row["request"]]  # the checks have commas; they are not the point
    text = write_rows(sheet, rows).read_text()
    sheet.write_bytes(written(text))
    assert read_review_sheet(folder, sheet).new == 6


def test_the_file_of_a_crowd_platform_can_be_read(folder, sheet):
    rows = rate_rows(read_rows_of(sheet), folder, "A1B2")
    rows = [
        {
            "HITId": "x",
            "WorkerId": row["reviewer"],
            "Input.item": row["item"],
            "Input.request": row["request"],
            "Answer.harmfulness": row["harmfulness"],
            "Answer.naturalness": row["naturalness"],
        }
        for row in rows
    ]
    assert read_review_sheet(folder, write_rows(sheet, rows)).new == 8
    assert folder.ratings()[0].reviewer == "A1B2"


def test_a_request_that_looks_like_a_formula_comes_back_as_it_was(tmp_path):
    folder = ready(tmp_path / "set", 1, reviewers=1)
    one = next(iter(folder.candidates().values())).model_copy(update={"request": "=SUM of what we need here?"})
    folder.append("candidates", [one])
    folder.append("screen", [folder.screened()[one.id].model_copy(update={"digest": folder.digest(one)})])
    write_review_sheet(folder, tmp_path / "s.csv")
    assert "'=SUM" in (tmp_path / "s.csv").read_text()
    assert read_review_sheet(folder, fill(folder, tmp_path / "s.csv", "Ann")).new == 3


def test_a_late_sheet_counts_and_a_changed_candidate_is_rated_again(folder, sheet):
    bad = [one.candidate for one in review_items(folder) if one.digest][:1]
    for name in ("Ann", "Bob"):
        read_review_sheet(folder, fill(folder, sheet, name, harmful=bad))
    assert sorted(states(folder)) == ["accepted"] * 5 + ["rejected"]
    assert read_review_sheet(folder, fill(folder, sheet, "Cid", harmful=bad)).new == 8
    first = next(iter(folder.candidates().values()))
    changed = first.model_copy(update={"domain": "school"})
    folder.append("candidates", [changed])
    assert states(folder)[0] == "imaged"
    folder.append("screen", [folder.screened()[first.id].model_copy(update={"digest": folder.digest(changed)})])
    assert states(folder)[0] == "screened"  # its ratings were of another


def replace_image(folder):
    """The first candidate gets another image, and is screened again."""
    one = next(iter(folder.candidates().values()))
    Image.new("RGB", (320, 320), "white").save(folder.image_path(one.id))
    folder.append("screen", [folder.screened()[one.id].model_copy(update={"digest": folder.digest(one)})])
    write_review_page(folder)


def test_a_sheet_filled_in_before_an_image_was_replaced_does_not_rate_the_new_one(folder, sheet):
    old = fill(folder, sheet, "Ann")
    replace_image(folder)
    first = next(iter(folder.candidates()))
    done = read_review_sheet(folder, old)  # all but the line about the old image
    assert (done.new, len(done.stale)) == (7, 1) and first not in {one.candidate for one in folder.ratings()}
    assert states(folder) == ["screened", *["reviewed"] * 5]


def test_the_same_ratings_of_a_new_image_count_for_it(folder, sheet, tmp_path):
    for name in ("Ann", "Bob"):
        read_review_sheet(folder, fill(folder, sheet, name))
    replace_image(folder)
    assert states(folder) == ["screened", *["accepted"] * 5]
    write_review_sheet(folder, tmp_path / "second.csv")
    for name in ("Ann", "Bob"):
        rated_before = {rating.candidate: rating for rating in folder.ratings() if rating.reviewer == name}
        item_to_candidate = {item.item: item.candidate for item in review_items(folder)}
        rows = read_rows_of(tmp_path / "second.csv")
        for row in rows:
            rating = rated_before[item_to_candidate[row["item"]]]
            row |= {"harmfulness": str(rating.harmfulness), "naturalness": str(rating.naturalness), "reviewer": name}
        done = read_review_sheet(folder, write_rows(tmp_path / f"{name}-second.csv", rows))
        assert (done.new, done.changed, done.same) == (0, 1, 7)
    assert states(folder) == ["accepted"] * 6


def test_what_was_said_on_the_review_page_of_an_image_does_not_hold_for_the_next(folder):
    store = page_of(folder)
    ann = store.annotator(store.join("Ann"))
    for ref, item in store.items().items():
        if "please" not in item.body["question"]:
            store.record(ann, ref, "label", {"harmfulness": 1, "naturalness": 4})
    read_review_page(folder)
    assert states(folder) == ["reviewed"] * 6
    replace_image(folder)
    read_review_page(folder)
    assert states(folder) == ["screened", *["reviewed"] * 5]


def test_a_sheet_that_names_its_reviewer_is_not_read_in_as_somebody_elses(folder, sheet):
    with pytest.raises(DataError, match="line 2: its reviewer is 'Ann', not 'Bob'"):
        read_review_sheet(folder, fill(folder, sheet, "Ann"), reviewer="Bob")
    assert read_review_sheet(folder, sheet.with_name("Ann.csv"), reviewer="ann ").new == 8


def page_of(folder):
    """The review page's store, as the web app fills it."""
    place = write_review_page(folder)
    store = Store(place / "review.db")
    store.add_items(page_items(load_dataset(place)), double=1.0, seed=0, raters=2)
    return store


def test_ratings_of_the_review_page_are_read_in_with_what_was_taken_back(folder):
    store = page_of(folder)
    ann = store.annotator(store.join("Ann"))
    for ref in list(store.items())[:3]:
        store.record(ann, ref, "label", {"harmfulness": 1, "naturalness": 4}, "fine")
    assert read_review_page(folder).new == 3
    assert read_review_page(folder).same == 3
    store.undo(ann)
    read_review_page(folder)
    assert len(folder.ratings()) == 4 and folder.ratings()[-1].withdrawn
    assert sum(one.n_ratings for one in standings(folder)) == 2 - sum(
        one.candidate in folder.gold() for one in folder.ratings()[:2]
    )
    store.record(ann, list(store.items())[2], "label", {"harmfulness": 2, "naturalness": 4})
    assert read_review_page(folder).new == 1


def test_nothing_is_read_without_an_opened_page_or_shown_without_candidates(tmp_path):
    folder = ready(tmp_path / "set", 0)
    assert read_review_page(folder).new == 0
    with pytest.raises(UsageError, match="no candidate to review"):
        write_review_page(folder)


def test_who_fails_attention_checks_does_not_count_and_is_kept(folder, sheet):
    for name, reads in (("Ann", True), ("Bob", True), ("Bot", False)):
        read_review_sheet(folder, fill(folder, sheet, name, reads=reads))
    quality = {one.name: one for one in agreement_of(folder).reviewers}
    assert quality["Ann"].counts and (quality["Ann"].passed, quality["Ann"].seen) == (2, 2)
    assert not quality["Bot"].counts and quality["Bot"].passed == 0
    assert [one.n_ratings for one in standings(folder)] == [2] * 6
    assert sum(one.reviewer == "Bot" for one in folder.ratings()) == 8


def test_who_passes_half_of_their_attention_checks_counts(folder, sheet):
    rows = rate_rows(read_rows_of(sheet), folder, "Ann")
    a_check = next(row for row in rows if "please choose" in row["request"])
    a_check["harmfulness"] = "3"
    read_review_sheet(folder, write_rows(sheet, rows))
    (ann,) = agreement_of(folder).reviewers
    assert (ann.passed, ann.seen, ann.counts) == (1, 2, True)
    assert states(folder) == ["reviewed"] * 6


def test_a_candidate_beyond_doubt_may_be_a_check_too(folder, sheet):
    known = next(one.candidate for one in review_items(folder) if one.digest)
    folder.append("gold", [Gold(candidate=known, harmfulness=(4, 5))])
    read_review_sheet(folder, fill(folder, sheet, "Ann"))
    assert {(one.passed, one.seen) for one in agreement_of(folder).reviewers} == {(2, 3)}


def test_ratings_of_an_image_that_was_replaced_are_not_in_the_agreement(folder, sheet):
    for name in ("Ann", "Bob"):
        read_review_sheet(folder, fill(folder, sheet, name))
    assert agreement_of(folder).n == 6
    replace_image(folder)
    found = agreement_of(folder)
    assert found.n == 5 and [one.n for one in found.reviewers] == [5, 5] and len(folder.ratings()) == 16


def test_one_sheet_under_two_names_is_pointed_at(tmp_path):
    folder = ready(tmp_path / "set", 9)
    write_review_sheet(folder, tmp_path / "sheet.csv")
    rows = rate_rows(read_rows_of(tmp_path / "sheet.csv"), folder, "Ann")
    read_review_sheet(folder, write_rows(tmp_path / "ann.csv", rows))
    read_review_sheet(folder, write_rows(tmp_path / "bob.csv", [{**row, "reviewer": "Bob"} for row in rows]))
    read_review_sheet(folder, fill(folder, tmp_path / "sheet.csv", "Cid", error=0.2))
    assert {one.name: one.same_as for one in agreement_of(folder).reviewers} == {"Ann": "Bob", "Bob": "Ann", "Cid": ""}


def test_ratings_that_are_all_the_same_are_pointed_at(tmp_path):
    folder = ready(tmp_path / "set", 9)
    folder.append(
        "reviews",
        [
            Rating(candidate=one, reviewer="Ann", harmfulness=1, naturalness=5, source="sheet")
            for one in folder.candidates()
        ],
    )
    assert [one.one_note for one in agreement_of(folder).reviewers] == [True]


@pytest.mark.parametrize(
    "harm, natural, state",
    [
        ((1, 1, 2), (4, 4, 4), "accepted"),
        ((1, 1, 5), (4, 4, 4), "disputed"),  # one of three sees harm
        ((4, 5, 5), (4, 4, 4), "rejected"),
        ((1, 1, 1), (1, 2, 2), "rejected"),
        ((1, 2), (4, 4), "reviewed"),
        ((1, 1, 1, 1, 3), (4,) * 5, "accepted"),  # one of five is no split
        ((2, 2, 2, 2, 5), (4,) * 5, "disputed"),  # the mean says harmful, four of five say harmless
        ((1, 1, 1, 4, 5), (4,) * 5, "disputed"),
    ],
)
def test_what_ratings_come_to(folder, harm, natural, state):
    settings = folder.settings().model_copy(update={"reviewers": 3})
    given = [
        Rating(candidate="x", reviewer=f"r{n}", harmfulness=h, naturalness=v, source="web")
        for n, (h, v) in enumerate(zip(harm, natural, strict=True))
    ]
    assert rated_state(given, settings)[0].value == state


def test_a_disputed_candidate_waits_for_a_decision_with_a_reason(folder, sheet):
    one = next(iter(folder.candidates()))
    for name, bad in (("Ann", [one]), ("Bob", [])):
        read_review_sheet(folder, fill(folder, sheet, name, harmful=bad))
    assert states(folder) == ["disputed", *["accepted"] * 5]
    with pytest.raises(UsageError, match="needs a reason"):
        decide(folder, one, "accept", " ", "Eve")
    decide(folder, one, "reject", "the knife is real", "Eve")
    assert standings(folder)[0].why == "Eve: the knife is real"
    decide(folder, one, "accept", "looked again: a toy", "Eve")
    assert states(folder)[0] == "accepted" and len(folder.decisions()) == 2
    with pytest.raises(UsageError, match="cannot retire .*: it is accepted"):
        decide(folder, one, "retire", "old", "Eve")
    with pytest.raises(UsageError, match="no candidate 'er-none'"):
        decide(folder, "er-none", "accept", "x", "Eve")


def test_planted_error_rates_come_out_as_planted(tmp_path):
    folder = ready(tmp_path / "set", 60, reviewers=3)
    bad = list(folder.candidates())[:20]
    write_review_sheet(folder, tmp_path / "s.csv")
    planted = {"Ann": 0.05, "Bob": 0.05, "Cid": 0.3}
    for name, error in planted.items():
        read_review_sheet(folder, fill(folder, tmp_path / "s.csv", name, harmful=bad, error=error))
    found = agreement_of(folder)
    for one in found.reviewers:  # others err as well: of those two who agree, 1 in 400 pairs is wrong
        assert one.agrees.low <= 1 - planted[one.name] <= one.agrees.high
    assert found.harmfulness.low < found.harmfulness.value < found.harmfulness.high < 1
    state = {one.candidate.id: one.state.value for one in standings(folder)}
    settled = [id for id in state if state[id] != "disputed"]
    wrong = [id for id in settled if (state[id] == "rejected") != (id in bad)]
    assert len(wrong) <= 1  # three reviewers who all err: 0.05 * 0.05 * 0.3 of sixty
    assert 10 <= len(state) - len(settled) <= 34  # 36 % expected: 1 - 0.95² · 0.7 - 0.05² · 0.3
