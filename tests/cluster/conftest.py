"""Needs Ray (`make test-ray`); elsewhere the tests here are skipped with a notice."""

import pytest


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A real Ray cluster of this machine, with room for four workers."""
    ray = pytest.importorskip("ray", reason="needs the extra [ray]: make test-ray")
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield ray
    ray.shutdown()
