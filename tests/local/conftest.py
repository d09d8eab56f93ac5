"""Needs torch and transformers (`make test-local`); elsewhere the tests here are skipped with a notice."""

import pytest


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    """A function of a family's name: the folder of its tiny checkpoint, made once."""
    import checkpoints

    made = {}

    def find(family):
        if family not in made:
            made[family] = checkpoints.make(family, tmp_path_factory.mktemp("checkpoint"))
        return made[family]

    return find
