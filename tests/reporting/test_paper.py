"""Figures and tables for papers: pgf with texts that LaTeX can set, chosen contenders, and columns with a caption."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.model.errors import BadUsage
from harness.reporting.views.comparing.measures import MEASURES
from harness.reporting.views.ranking.paper_table import number, paper_table
from harness.reporting.writing.directions import DIRECTIONS, Direction
from harness.runs.runner import Run
from harness.storing.journal import open_journal
from tests.conftest import Harness
from tests.journals import make, noisy
from tests.searching import Made, optimised

NAMES = ("native", "pysat:a_b/extended", "pysat:c/extended", "lines:liar")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    times = {name: noisy(k, 1, 30, factor=2.0**k) for k, name in enumerate(NAMES)}
    return make(tmp_path / "j.sqlite", times, odd={NAMES[3]: {"wrong": [3]}, NAMES[1]: {"undecided": [5]}})


def test_a_figure_as_pgf_has_escaped_texts_and_only_the_contenders_named(journal: Path, harness: Harness) -> None:
    path = journal.with_suffix(".pgf")
    words = ["--plot", "cactus", "-o", path, "--contenders", f"native,{NAMES[1]}", "--legend", "direct"]
    assert harness("report", journal, *words).code == 0
    text = path.read_text()
    assert text.count(r"\begin{pgfpicture}") == text.count(r"\end{pgfpicture}") == 1
    assert r"a\_b (29)" in text
    assert "c (30)" not in text
    assert text.count("{") == text.count("}")
    assert not set(text) - set(map(chr, range(128)))


def test_a_matrix_as_pgf_has_no_raster_image(journal: Path, harness: Harness) -> None:
    path = journal.with_suffix(".pgf")
    done = harness("report", journal, "--plot", "matrix", "-o", path)
    assert (done.code, done.err) == (0, "")
    assert r"\pgfimage" not in path.read_text()
    svg = journal.with_suffix(".svg")
    assert harness("report", journal, "--plot", "matrix", "-o", svg).code == 0
    assert svg.read_text().count("<image") <= 1, "that of the colour bar at most"


def test_a_legend_can_be_left_out_and_a_font_that_is_none_is_bad_usage(journal: Path, harness: Harness) -> None:
    path = journal.with_suffix(".pgf")
    assert harness("report", journal, "--plot", "cactus", "-o", path, "--legend", "none").code == 0
    assert r"a\_b" not in path.read_text()
    failed = harness("report", journal, "--plot", "cactus", "-o", path, "--font", journal)
    assert failed.code == 2
    assert failed.err.startswith(f"harness: --font {journal}: write sans, serif or the file of a font")


def test_a_table_for_a_paper_has_a_caption_one_unit_a_column_and_the_best_in_bold(journal: Path) -> None:
    with open_journal(journal) as opened:
        summary = Run(opened).rejudge().summary()
    text = paper_table(summary, "wall", ["solved", "PAR-2", "median"])
    rows = [line.split(" & ") for line in text.splitlines() if line.endswith(r"\\")]
    assert rows[0] == ["contender", "{solved}", "{PAR-2 (ms)}", r"{median (\textmu{}s)} \\"]
    assert [row[0] for row in rows[1:]] == ["native", "c", r"a\_b", "lines:liar (wrong)"]
    assert rows[1][2].startswith(r"\bfseries ")
    assert not any("bfseries" in row[3] for row in rows)  # not all decided the same instances
    assert r"\caption{30 puzzles, limit 10 s; wall time, one. Bold: best. Names without /extended and pysat:.}" in text


def test_of_values_reached_the_most_are_in_bold(tmp_path: Path, harness: Harness) -> None:
    good, bad = Made([(1.0, 4)], proved=2.0), Made([(1.0, 8)])
    path = optimised(tmp_path / "j", {"a": [good, good, good], "b": [good, bad, bad]})
    text = harness("report", path, "--format", "latex", "--columns", "optimal,feasible,best,gap").out
    a, b = (line.split(" & ") for line in text.splitlines() if line.startswith(("a &", "b &")))
    assert [r"\bfseries" in cell for cell in a] == [False, True, False, True, True]
    assert not any(r"\bfseries" in cell for cell in b)


def test_each_column_of_a_report_states_which_value_is_better(tmp_path: Path, harness: Harness) -> None:
    path = optimised(tmp_path / "j", {"a": [Made([(1.0, 4)])]})
    columns = harness("report", path, "--format", "csv").out.splitlines()[0].split(",")
    texts = {"corpora", "puzzles", "contender", "peak of", "limit", "CPU limit"}
    assert set(columns) - texts <= set(DIRECTIONS)
    assert not set(MEASURES) & {name for name in DIRECTIONS if DIRECTIONS[name] == Direction.MORE}


def test_a_table_without_named_columns_has_few_and_takes_both_columns_of_a_page(
    journal: Path, harness: Harness
) -> None:
    text = harness("report", journal, "--format", "latex").out
    assert text.count("table*") == 2
    assert "contender & {solved} & {PAR-2 (ms)} & {vs best} & {median" in text  # all that is solved is satisfiable
    assert harness("report", journal, "--format", "latex", "--columns", "solved").out.count("table*") == 0


def test_all_axes_of_times_have_labels_with_units_and_as_many_as_fit() -> None:
    style = pytest.importorskip("harness.reporting.plots.style")
    assert [style.time_text(s) for s in (0.0, 1e-7, 2e-6, 0.05, 1.0, 3600.0)] == [
        *("0 s", "100 ns", "2 us", "50 ms", "1 s", "3,600 s")
    ]
    decades = [style.time_text(10.0**k) for k in range(-7, 2)]
    assert style.spaced(decades, 20.0) == decades
    assert [text for text in style.spaced(decades, 6.0) if text] == ["100 ns", "10 us", "1 ms", "100 ms", "10 s"]


def test_numbers_of_a_paper_have_three_digits_and_no_exponent() -> None:
    assert [number(v) for v in (0.0, 0.00123, 0.5, 1.234, 98.76, 1234.5, 9999.0)] == [
        *("0", "0.00123", "0.5", "1.23", "98.8", "1230", "10000")
    ]


def test_a_column_that_is_none_is_bad_usage(journal: Path, harness: Harness) -> None:
    with open_journal(journal) as opened, pytest.raises(BadUsage, match="--columns PAR-3: known are solved"):
        paper_table(Run(opened).rejudge().summary(), "wall", ["PAR-3"])
    assert "--columns needs --format latex" in harness("report", journal, "--columns", "solved").err


def test_rankings_and_groups_float_with_caption_label_and_short_names_and_bold_follows_letters(
    journal: Path, harness: Harness
) -> None:
    ranked = harness("report", journal, "--rank", "par2", "--format", "latex").out
    assert ranked.count(r"\caption{Ranking of 30 instances by PAR-2") == ranked.count(r"\label{tab:ranking-par2}") == 1
    rows = [line.removesuffix(r" \\").split(" & ") for line in ranked.splitlines() if re.match(r"\d+ & ", line)]
    assert [r"\textbf" in row[2] for row in rows] == ["a" in row[-1] and row[1] != "lines:liar" for row in rows]
    assert r"\textbf" in rows[0][2]
    assert "Names without /extended and pysat:." in ranked
    grouped = harness("report", journal, "--by", "folder,status", "--format", "latex").out
    assert r"\label{tab:by-folder-status}" in grouped
    assert r"a\_b" in grouped


def test_a_contender_without_a_point_is_not_in_bold_and_too_few_instances_are_told(
    tmp_path: Path, harness: Harness
) -> None:
    times = {"native": noisy(1, 1, 4), "none": noisy(2, 1, 4)}
    path = make(tmp_path / "j.sqlite", times, odd={"none": {"undecided": [0, 1, 2, 3]}})
    for score in ("par2", "solved", "sgm", "borda"):
        text = harness("report", path, "--rank", score, "--format", "latex").out
        rows = [line.split(" & ") for line in text.splitlines() if re.match(r"\d+ & ", line)]
        assert {row[1]: r"\textbf" in row[2] for row in rows} == {"native": True, "none": False}, score
    told = harness("report", path, "--rank", "par2").out
    assert "4 instances are too few to tell 2 contenders apart: 6 that differ are needed" in told


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is missing: apt-get install texlive-science")
def test_latex_sets_every_table_and_figure(journal: Path, harness: Harness, tmp_path: Path) -> None:
    searches = {name: [Made([(0.1, 5 + k)], proved=0.2)] * 5 for k, name in enumerate(("a_b", "c%d", "e"))}
    values, figure = optimised(tmp_path / "values.sqlite", searches), tmp_path / "cactus.pgf"
    assert harness("report", journal, "--plot", "cactus", "-o", figure).code == 0
    asked: list[list[str | Path]] = [
        [journal],
        [journal, "--rank", "par2"],
        [journal, "--by", "folder,status"],
        [journal, "--matrix"],
    ]
    asked += [[values, "--rank", "best"], [values, "--rank", "gap", "--by", "kind"]]
    tables = [harness("report", *words, "--format", "latex").out for words in asked]
    needs = "booktabs,siunitx,graphicx,textcomp,pgf"
    body = "\n\n".join([*tables, rf"\input{{{figure.name}}}"])
    text = rf"\documentclass{{article}}\usepackage{{{needs}}}\begin{{document}}{body}\end{{document}}"
    (tmp_path / "paper.tex").write_text(text)
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
