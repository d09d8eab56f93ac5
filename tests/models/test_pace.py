"""The pace after a cluster of busy signs: what comes late from an earlier round is a sign too."""

from mossbench.models.pace import Pace


def test_a_late_sign_of_an_earlier_round_ends_a_quiet_time():
    pace = Pace(64, 64)
    for _ in range(11):
        pace.troubled("rate_limit", 0)
    assert pace.round == 1
    for _ in range(20):
        pace.answered(busy=True)
    pace.troubled("rate_limit", 0)  # it was in flight all the time
    for _ in range(12):
        pace.answered(busy=True)
    assert pace._worst == 2  # only 12 answers were without a sign
    for _ in range(20):
        pace.answered(busy=True)
    assert pace._worst == 0
