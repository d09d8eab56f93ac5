"""The page of several runs has a name of its own, which every file system takes."""

from click.testing import CliRunner

from answered import answered, samples
from mossbench.cli import cli


def test_the_page_of_many_runs_with_long_names_is_written(tmp_path):
    data = samples(tmp_path / "data", 4)
    folders = [tmp_path / f"{number}-{'run' * 20}" for number in range(6)]
    for folder in folders:
        answered(data, folder)
    pages = set()
    for n in (2, 5, 6):
        runs = [f"--run={folder}" for folder in folders[:n]]
        done = CliRunner().invoke(cli, ["analyse", "tradeoff", *runs])
        assert done.exit_code == 0, done.output
        pages.add(len(list(folders[0].glob("analysis*.html"))))
    assert pages == {1, 2, 3}
