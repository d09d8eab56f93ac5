"""A folder for a paper: TeX takes it, whatever models are called, and it says only what is on record."""

import csv
import io
import re
import shutil
import subprocess

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import mossbench as mb
import tables
from answered import answered, samples
from mossbench.cli import cli
from mossbench.look.text_templates import tex
from mossbench.outcomes import Kind, Layer
from mossbench.reports.paper import paper_files
from mossbench.samples import Side
from waiting import LONG

WILD = "öpen/[x]*_%&#{}$~^\\--\"`<b>|中文😀\u202e'?m=½"


def unescaped(text, char):
    return re.findall(rf"(?<!\\){re.escape(char)}", text)


@given(st.text(max_size=80))
def test_any_text_becomes_ascii_that_tex_prints(text):
    made = tex(text)
    assert made.isascii() and "\n" not in made and not any(unescaped(made, char) for char in "&#%_")
    bare = re.sub(r"\\[{}]", "", made.replace(r"\\", ""))
    depth = [bare[: i + 1].count("{") - bare[: i + 1].count("}") for i in range(len(bare))]
    assert all(d >= 0 for d in depth) and (not depth or depth[-1] == 0)
    assert len(unescaped(made, "$")) % 2 == 0


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("gpt_4o", r"gpt\_\allowbreak{}4o"),
        ("a--b – c", "a-{}-b -- c"),
        ("é ï ß", r"\'{e} \"{\i} \ss{}"),
        ("中", r"\texttt{U+4E2D}"),
        ("[50%]", r"{[}50\%{]}"),
    ],
)
def test_characters_that_tex_takes_for_something_else_are_written_out(text, made):
    assert tex(text) == made


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    data = samples(folder / "data", 12, scene=lambda i: f"s{i // 2}")
    return [
        answered(data, folder / "one", refused=range(1, 5), failed=[12]),
        answered(data, folder / "two", refused=range(1, 9)),
    ]


def texts(runs, rule="system"):
    return {name: content.decode() for name, content in paper_files(runs, rule).items() if not name.endswith(".pdf")}


@pytest.mark.slow
def test_the_folder_holds_what_it_names_and_every_number_has_its_interval(runs, tmp_path):
    out = mb.write_paper(runs, tmp_path / "paper")
    whole = {path.name: path.read_bytes() for path in out.iterdir()}
    main = whole["main.tex"].decode()
    named = {f"{name}.tex" for name in re.findall(r"\\input{([\w-]+)}", main)}
    named |= set(re.findall(r"\\includegraphics\[[^]]*]{([\w.-]+)}", main)) | {"references.bib", "main.tex"}
    assert named | {"figure-rates.csv", "figure-stimuli.csv", "pairs.csv"} == set(whole)
    table = whole["table-rates.tex"].decode()
    assert "36.4 {[}" in table  # 4 of the 11 that did not fail
    assert r"\toprule" in table and r"\bottomrule" in table
    rows = list(csv.DictReader(io.StringIO(whole["figure-rates.csv"].decode())))
    first = rows[0]
    assert (first["n"], first["n_left_out"], first["refused"]) == ("11", "1", "4")
    assert float(first["low"]) < float(first["value"]) < float(first["high"])
    for name, content in whole.items():
        if name.endswith(".pdf"):
            assert content.startswith(b"%PDF") and b"/FontFile" in content
        else:
            assert content.count(b"{") - content.count(rb"\{") == content.count(b"}") - content.count(rb"\}")


@pytest.mark.slow
def test_a_caption_explains_the_marks_of_its_figure_and_no_others():
    harmless_only = tables.results(tables.sides([True, False] * 6, []), model="a/b")
    assert "diamonds" not in texts([harmless_only])["main.tex"]
    both_sides = tables.results(tables.sides([True, False] * 6, [True] * 12), model="a/b")
    assert "; diamonds: harmful requests." in texts([both_sides])["main.tex"]


@pytest.mark.slow
def test_every_citation_has_its_entry(runs):
    files = texts(runs)
    cited = set(re.findall(r"\\cite{(\w+)}", "".join(files.values())))
    assert "mossbench" in cited and cited <= set(re.findall(r"@\w+{(\w+),", files["references.bib"]))


@pytest.mark.slow
def test_methods_say_what_is_on_record_and_nothing_else(runs):
    methods = texts(runs)["methods.tex"]
    assert "were recorded before" in methods and "We asked" not in methods  # nobody knows how
    assert "temperature: not on record" in methods
    assert "12 harmless rows (1 failed, 11 judged; 1 left out of the rate)" in methods
    asked = tables.results(tables.sides([True, False] * 6, [True] * 12), model="a/b")
    methods = texts([asked])["methods.tex"]
    assert r"We asked a/\allowbreak{}b" in methods and "recorded before" not in methods
    assert "temperature: 0;" in methods and "system prompt: none" in methods and "The run has this protocol" in methods
    other = tables.results(tables.sides([True] * 12, [True] * 12), model="a/c", temperature=1.0)
    methods = texts([asked, other])["methods.tex"]
    assert "They differ in temperature: a" in methods
    assert "cannot be compared" not in methods.partition("Counting")[0]


@pytest.mark.slow
def test_one_row_is_one():
    one = tables.results(tables.sides([True], [False]), model="a/b")
    assert "1 harmless row (1 judged; all counted) and 1 harmful row (" in texts([one])["methods.tex"]


def test_other_data_or_another_judge_is_said_to_forbid_a_comparison():
    one = tables.results(tables.sides([True, False] * 6, [True] * 12), model="a")
    two = tables.results(tables.sides([True, False] * 5, [True] * 12), model="b")
    assert "Rates of runs that differ in harmless samples cannot be compared." in texts([one, two])["methods.tex"]


@pytest.mark.slow
def test_a_side_that_one_run_was_not_asked_forbids_no_comparison_of_the_other():
    both = tables.results(tables.sides([True, False] * 6, [True] * 12), model="a")
    alone = tables.results([tables.row(Side.BENIGN, i, i % 2 == 0) for i in range(12)], model="b")
    methods = texts([both, alone])["methods.tex"].partition("Counting")[0]
    assert "none asked" in methods and "cannot be compared" not in methods


@pytest.mark.slow
def test_intervals_are_named_for_each_side_where_they_differ():
    rows = [tables.row(Side.BENIGN, i, i % 2 == 0) for i in range(12)]
    rows += [tables.row(Side.CONTRAST, i, True, cluster=f"s{i // 2}") for i in range(12)]
    methods = texts([tables.results(rows)])["methods.tex"]
    assert "Wilson (harmless" in methods and "cluster-robust Wilson over 6 clusters (harmful)" in methods


@pytest.mark.slow
def test_the_data_of_others_are_cited():
    run = tables.results(tables.sides([True, False] * 6, [True] * 12))
    data = run.info.dataset.model_copy(update={"citation": "Their set & yours, 2024, arXiv:1"})
    object.__setattr__(run, "info", run.info.model_copy(update={"dataset": data}))
    files = texts([run])
    key = re.search(r"dataset: [^;]*~\\cite{(data\w+)}", files["methods.tex"])[1]
    assert (
        f"@misc{{{key},\n" in files["references.bib"]
        and r"Their set \&\allowbreak{} yours, 2024" in files["references.bib"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["model", "paper"])
def test_the_rule_is_said_with_what_it_counts(rule):
    rows = [*tables.sides([True, False] * 4, [True] * 8), tables.row(Side.BENIGN, 99, Layer.FAILED)]
    methods = texts([tables.results(rows)], mb.Rule(rule))["methods.tex"]
    assert ("and failed calls" in methods) == (rule == "paper")
    assert ("1 left out of the rate" in methods) == (rule == "model")


@pytest.mark.slow
def test_one_side_alone_is_one_line():
    only = [tables.row(Side.CONTRAST, i, Kind.REFUSED) for i in range(6)]
    table = texts([tables.results(only)])["table-rates.tex"]
    assert "& harmless" not in table and "& harmful & 100.0 {[}" in table


@pytest.mark.slow
def test_what_weakens_one_run_alone_is_said_of_it_alone():
    scenes = [tables.row(Side.BENIGN, i, i % 2 == 0, cluster=f"s{i // 2}") for i in range(60)]
    apart = [tables.row(Side.BENIGN, i, i % 2 == 0, stimulus=i % 3) for i in range(600)]
    methods = texts([tables.results(scenes, model="alike"), tables.results(apart, model="apart")])["methods.tex"]
    assert "alike: The interval is computed over 30 independent scenes or samples, not 60 rows." in methods


def test_what_is_there_already_and_runs_that_nobody_read_are_refused(runs, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "main.tex").write_text("my words")
    done = CliRunner().invoke(cli, ["paper", str(runs[0].folder), "--out", str(tmp_path / "mine")])
    assert done.exit_code == 2 and "is not an empty folder; name a new one" in done.output
    assert (tmp_path / "mine" / "main.tex").read_text() == "my words"
    unread = answered(samples(tmp_path / "d", 2), tmp_path / "unread", judge=None)
    with pytest.raises(mb.UsageError, match="has no verdicts"):
        mb.write_paper(unread, tmp_path / "paper")
    assert not (tmp_path / "paper").exists()


@pytest.mark.slow
def test_latex_compiles_it_with_the_wildest_names(tmp_path):
    """With Debian's: texlive-latex-recommended. Two runs, so that names are in sentences, tables and figures."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed; the tests beside this one look at braces, escapes and files")
    runs = [
        tables.results(tables.sides([True, False] * 6, [True] * 12, cluster=None), model=WILD),
        tables.results(
            tables.sides([False] * 12, [True] * 12), model="plain/model" + "x" * 90, system="Be_brief & 100%"
        ),
    ]
    out = mb.write_paper(runs, tmp_path / "paper")
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "main"]
    for command in (latex, ["bibtex", "main"], latex, latex):
        done = subprocess.run(command, cwd=out, capture_output=True, text=True, errors="replace", timeout=LONG)
        assert done.returncode == 0, done.stdout[-3000:]
    log = (out / "main.log").read_text(errors="replace")
    assert "undefined" not in log and "Output written on main.pdf" in log
    assert not re.search(r"\.\d*pk>", log)  # no bitmaps of letters


@pytest.mark.slow
def test_a_rate_that_is_not_corrected_has_a_dash():
    read = tables.results(tables.sides([True, False] * 6, [True] * 12))
    object.__setattr__(read, "judge", "nobody/1")
    files = texts([read])
    assert "& -- " in files["table-rates.tex"] and "None" not in files["table-rates.tex"] + files["table-stimuli.tex"]
    assert "Its errors on these answers are not known. The rate is not corrected." in files["methods.tex"]
