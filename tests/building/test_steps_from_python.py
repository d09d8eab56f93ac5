"""A dataset is built from Python alone, with the public functions and a path."""

import mossbench as mb


def test_a_build_goes_from_proposals_to_images_with_public_functions(tmp_path):
    folder = tmp_path / "my-set"
    proposed = mb.propose(folder, n=3, seed=1)
    imaged = mb.make_images(folder, mb.stand_in_source(mb.load_dataset("sketches")))
    assert len(imaged.made) == len(proposed.added) == 3
    mb.screen(folder)
    assert {standing.state.value for standing in mb.standings(str(folder))} <= {"screened", "rejected"}


def test_a_candidate_is_decided_by_path_and_the_sheet_is_written_there(tmp_path):
    folder = tmp_path / "my-set"
    mb.propose(folder, n=3, seed=1)
    mb.make_images(folder, mb.stand_in_source(mb.load_dataset("sketches")))
    mb.screen(folder)
    waiting = [standing for standing in mb.standings(folder) if standing.state.value == "screened"]
    n_lines = mb.write_review_sheet(str(folder), str(tmp_path / "sheet.csv"))
    assert n_lines >= len(waiting)
    decision = mb.decide(str(folder), waiting[0].candidate.id, "reject", "too close to another", "Ann")
    assert decision.decision == "reject"
    states = {standing.candidate.id: standing.state.value for standing in mb.standings(folder)}
    assert states[waiting[0].candidate.id] == "rejected"
