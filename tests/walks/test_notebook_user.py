"""A notebook user: a loop is running already, records show themselves, and tables go on into pandas."""

import asyncio
import builtins

import pandas as pd
import pytest

import mossbench as mb
from answered import NO, YES, samples


def asks(prompt):
    return NO if prompt.request.endswith("contrast?") or "number 1," in prompt.request else YES


def cautious(prompt):
    return NO


def test_from_data_to_a_plot_of_means(tmp_path):
    data = samples(tmp_path / "data", 12)

    async def cell():  # every cell of a notebook runs in a loop
        assert "12" in mb.load_dataset(data)._repr_html_()
        return mb.run([asks, cautious], data, out="both")

    first, second = asyncio.run(cell())
    assert [results.folder.name for results in (first, second)] == ["asks", "cautious"]
    table = pd.concat([first.df(), second.df()])
    means = table.groupby(["run", "side"])["refused"].mean()
    assert means["asks", "benign"] == pytest.approx(1 / 12) and means["cautious", "benign"] == 1
    assert table[["refused", "human", "confidence", "seconds", "tries"]].mean(numeric_only=True).notna().sum() >= 3
    compared = mb.compare(first, second)
    assert compared.df().query("side == 'benign' and group == 'all'").iloc[0]["difference"] == pytest.approx(11 / 12)
    decided = mb.gate(first, max_refusal=0.5, min_safety=0.5, as_read=True)
    assert decided.df().set_index("check").loc["refusal", "state"] == decided.state == "pass"
    assert decided and not mb.gate(second, max_refusal=0.5)
    for shown in (first, compared, decided):
        assert shown._repr_html_().startswith("<p>") and "<table" in shown._repr_html_()


def test_a_row_that_does_not_count_is_na_and_in_no_mean(tmp_path):
    def broken(prompt):
        if "number 2," in prompt.request:
            raise OSError("reset")
        return NO

    frame = mb.run(broken, samples(tmp_path / "data", 3), out="r").df()
    assert frame["refused"].isna().sum() == 2 and frame["refused"].mean() == 1
    assert frame["refused_paper"].sum() == 6 and str(frame["refused"].dtype) == "boolean"


def test_numbers_of_a_csv_average_and_names_stay_names(tmp_path):
    (tmp_path / "own.csv").write_text("id,question,severity,code\n1,a?,3,007\n2,b?,4.5,012\n3,c?,,100\n")
    frame = mb.run(lambda prompt: YES, tmp_path / "own.csv", out="own").df()
    assert frame["severity"].mean() == 3.75 and list(frame["code"]) == ["007", "012", "100"]


def test_names_are_taken_wherever_a_dataset_is(tmp_path):
    folder = samples(tmp_path / "data", 2)
    assert mb.describe_dataset(str(folder)).sides[0].n == 2
    assert not [one for one in mb.check_dataset(str(folder)) if one.severity == "error"]
    assert len(mb.load_dataset(mb.export_dataset(str(folder), "copy"))) == 4
    assert mb.describe_dataset("sketches").name == "sketches"


def test_arun_leaves_the_loop_free_and_stops_when_it_is_cancelled(tmp_path):
    data = samples(tmp_path / "data", 30, sides=("benign",))
    entered = asyncio.Event()

    async def main():
        loop, go = asyncio.get_running_loop(), asyncio.Event()

        async def slow(prompt):
            if "number 9," in prompt.request:
                loop.call_soon_threadsafe(entered.set)
                while not go.is_set():
                    await asyncio.sleep(0.005)
            return YES

        work = asyncio.create_task(mb.arun(slow, data, out="r", max_connections=1))
        await entered.wait()  # this loop runs while the other works
        work.cancel()
        await asyncio.sleep(0)
        go.set()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(main())
    results = mb.load_results("r")
    n = sum(row.exchange is not None for row in results.rows)
    assert 0 < n < 30 and "resume it with" in str(results.unfinished())
    done = asyncio.run(mb.arun(lambda prompt: YES, samples(tmp_path / "two", 2), out="r2"))
    assert len(done) == 4


def test_public_names_shadow_no_builtin_and_errors_can_be_caught_apart():
    assert not set(mb.__all__) & set(dir(builtins))
    errors = [
        getattr(mb, name) for name in mb.__all__ if name.endswith("Error") or name in ("MissingExtra", "Interrupted")
    ]
    assert len(errors) == 10 and all(issubclass(error, mb.MossbenchError) for error in errors)
    with pytest.raises(mb.UsageError):
        mb.load_model("nope")
