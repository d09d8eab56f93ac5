"""Faults of a submission: many rows with the same one are one message, whatever their ids and texts look like."""

from mossbench.leaderboard.submission_faults import MISSING, MOST_FAULTS, Fault, fault_messages, row_fault


def test_a_fault_of_many_rows_is_said_once():
    faults = [row_fault("benign", id, "pid: is missing") for id in ("1", "a: b", "3")]
    assert fault_messages(faults) == ("sides.benign.responses: 3 rows (1, a: b, 3): pid: is missing",)


def test_a_fault_of_one_row_names_its_place():
    faults = [row_fault("benign", "1", "was not asked yet"), row_fault("contrast", "1", "was not asked yet")]
    assert fault_messages(faults) == (
        "sides.benign.responses.1: was not asked yet",
        "sides.contrast.responses.1: was not asked yet",
    )


def test_a_text_that_reads_like_a_place_is_a_text():
    text = "sides.benign.responses.{}: unknown field"
    assert fault_messages([Fault(text.format(1)), Fault(text.format(2))]) == (text.format(1), text.format(2))


def test_more_rows_and_faults_than_anybody_reads_are_counted():
    (message,) = fault_messages(row_fault("benign", str(n), "odd") for n in range(9))
    assert message == "sides.benign.responses: 9 rows (0, 1, 2, 3, 4, 5, 6, 7 …): odd"
    messages = fault_messages(Fault(str(n)) for n in range(MOST_FAULTS + 2))
    assert len(messages) == MOST_FAULTS + 1 and messages[-1] == "and 2 more"


def test_fields_that_are_missing_are_named_in_one_message():
    faults = [
        Fault(MISSING, ("format",)),
        Fault("'x', expected API", ("availability",)),
        Fault(MISSING, ("sides", "benign", "layers")),
        row_fault("benign", "1", "pid: is missing"),
        Fault(MISSING, ("provider",)),
        Fault(MISSING, ("format",)),
    ]
    assert fault_messages(faults) == (
        "format, sides.benign.layers and provider are missing; write the file again with mossbench submit",
        "availability: 'x', expected API",
        "sides.benign.responses.1: pid: is missing",
    )
    assert fault_messages(faults[:1]) == ("format is missing; write the file again with mossbench submit",)
