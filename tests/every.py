"""One test for many cases that check one thing: it goes through all of them and names each that fails."""


def every(cases, name=str):
    """Makes a test of a check on one case: `@every(SAMPLES, name=lambda s: s.id)`.

    For hundreds of cheap cases, of which pytest would keep a report each; for a few, parametrise.
    """
    named = [(name(case), case) for case in cases]
    assert named and len({title for title, _ in named}) == len(named), "no cases, or two of one name"

    def as_test(check):
        def test():
            failed = {}
            for title, case in named:
                try:
                    check(case)
                except AssertionError as error:
                    failed[title] = str(error)
                except Exception as error:
                    failed[title] = repr(error)
            assert failed == {}

        return test

    return as_test
