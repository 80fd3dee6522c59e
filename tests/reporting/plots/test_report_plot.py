"""`report --plot`: its mistakes, and plots in the terminal; none of this needs matplotlib."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from harness.model.errors import BadUsage
from harness.reporting.plots import canvas
from harness.reporting.plots.request import Plot, pair_outputs, parse_plot, parse_width
from harness.reporting.plots.terminal import number_ticks
from tests.conftest import Harness
from tests.journals import make, noisy


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    times = {"one": noisy(1, 1, 20), "two": noisy(2, 1, 20, factor=9.0), "three": noisy(3, 1, 20)}
    return make(tmp_path_factory.mktemp("made") / "j.sqlite", times, odd={"two": {"undecided": [0, 1], "wrong": [2]}})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "pie"], "--plot pie: known are cactus, score, ecdf, scatter, par2, matrix, scaling, compare"),
        (["--plot", "cactus:one"], "--plot cactus:one: write cactus"),
        (["--plot", "scatter:one"], "--plot scatter:one: write scatter:A,B"),
        (["--plot", "scatter"], "name two contenders, scatter:A,B, of one, two, three"),
        (["--plot", "scatter:one,nobody"], "no contender 'nobody': choose from one, two, three"),
        (["--plot", "cactus", "-o", "f.gif"], "f.gif: the name of a plot ends in .svg, .pdf, .png"),
        (["--plot", "cactus", "-o", "f"], "f: the name of a plot ends in .svg, .pdf, .png"),
        (["--plot", "cactus", "--plot", "ecdf", "-o", "f.svg"], "2 --plot and 1 -o: write one -o for each"),
        (["--plot", "cactus", "-o", "f.svg", "-o", "f.svg"], "-o names a file twice"),
        (["--plot", "cactus", "--width", "3"], "--width 3: write 1 or 2 columns of text, or a length"),
        (["--plot", "cactus", "--json", "-"], "leave out --json"),
        (["--plot", "cactus", "--rank", "par2"], "leave out --rank"),
        (["--plot", "cactus", "--format", "csv"], "leave out --format csv"),
        (["--format", "junit", "--rank", "par2"], "--format junit is the report alone: leave out --rank"),
        (["other", "--html", "page.html", "--json", "-"], "two journals make a page alone: leave out --json"),
        (["-o", "f.svg"], "-o needs --plot"),
        (["--plot", "matrix"], "--plot matrix needs a file, -o PATH; --matrix prints a table"),
        (["--plot", "compare:one,two"], "compare --instances` prints a table"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_one_line(arguments: list[str], message: str, journal: Path, harness: Harness) -> None:
    done = harness("report", journal, *arguments)
    assert done.code == 2
    assert done.out == "" or message in json.loads(done.out)["error"]
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("words", [("report", "--plot", "scatter"), ("compare",)], ids=" ".join)
def test_one_contender_is_not_asked_to_be_two(words: tuple[str, ...], tmp_path: Path, harness: Harness) -> None:
    verb, *options = words
    done = harness(verb, make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 3)}), *options)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "name two contenders" not in done.err
    assert "needs two contenders: " in done.err or "has 1 contender: compare it with another journal" in done.err


@pytest.mark.parametrize("kind", ["cactus", "score", "ecdf", "scatter", "compare"])
def test_nothing_decided_is_one_line(kind: str, tmp_path: Path, harness: Harness) -> None:
    every = {"undecided": [0, 1, 2]}
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 3), "y": noisy(2, 1, 3)}, odd={"x": every, "y": every})
    if kind == "compare":
        pytest.importorskip("matplotlib", reason="compare is drawn in files only")
    done = harness("report", path, "--plot", kind, *(["-o", tmp_path / "f.svg"] if kind == "compare" else []))
    assert (done.code, done.out) == (2, "")
    assert "nothing to draw" in done.err
    assert done.err.count("\n") == 1


def test_without_matplotlib_a_file_names_the_command_that_installs_it(
    journal: Path, tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "harness.reporting.plots.style", raising=False)
    monkeypatch.delattr("harness.reporting.plots.style", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = harness("report", journal, "--plot", "cactus", "-o", tmp_path / "f.svg")
    assert (done.code, done.out) == (2, "")
    assert done.err == "harness: plots as files need matplotlib: pip install matplotlib\n"


def test_commas_in_brackets_belong_to_a_name() -> None:
    assert parse_plot("scatter:cpsat[a=1,b=2],native") == Plot("scatter", ("cpsat[a=1,b=2]", "native"))


def test_widths_are_columns_or_lengths() -> None:
    assert [parse_width(text) for text in ("1", "2", "12cm", "9.5 cm")] == [8.4, 17.7, 12.0, 9.5]
    for text in ("0", "1cm", "12", "12in", "nan", "999cm"):
        with pytest.raises(BadUsage):
            parse_width(text)


def test_one_plot_goes_to_several_files_and_several_to_one_each() -> None:
    cactus, ecdf, a, b = Plot("cactus"), Plot("ecdf"), Path("a.svg"), Path("b.pdf")
    assert pair_outputs(["cactus"], ["a.svg", "b.pdf"]) == [(cactus, a), (cactus, b)]
    assert pair_outputs(["cactus", "ecdf"], ["a.svg", "b.pdf"]) == [(cactus, a), (ecdf, b)]
    assert pair_outputs(["cactus", "ecdf"], []) == [(cactus, None), (ecdf, None)]


@pytest.mark.parametrize("chars", [canvas.UNICODE, canvas.ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("kind", ["cactus", "score", "ecdf", "par2", "scatter:one,two"])
def test_a_plot_in_the_terminal_fits_80_characters(
    kind: str, chars: canvas.Charset, journal: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.reporting.plots.terminal.charset", lambda: chars)
    done = harness("report", journal, "--plot", kind, "--vbs")
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert done.out.isascii() == (chars is canvas.ASCII)


def test_a_legend_ranks_by_number_solved(journal: Path, harness: Harness) -> None:
    lines = harness("report", journal, "--plot", "cactus").out.splitlines()
    legend = [line.split() for line in lines if line.startswith("  ") and line.endswith(")")]
    assert [(letter, number) for letter, _, number in legend] == [("a", "(20)"), ("b", "(20)"), ("c", "(17)")]
    assert [name for _, name, _ in legend][2] == "two"
    assert "timeout" not in lines[0]


def test_a_scatter_counts_undecided_instances_by_state(journal: Path, harness: Harness) -> None:
    out = harness("report", journal, "--plot", "scatter:one,two").out
    assert "two alone undecided: 2 timeout, 1 wrong" in out
    rows = {line.split()[0]: line for line in out.splitlines() if line.startswith((" wrong", "timeout", "  wrong"))}
    assert sum(int(c) for c in rows["timeout"] if c.isdigit()) == 2
    assert sum(int(c) for c in rows["wrong"] if c.isdigit()) == 1


def test_the_character_set_follows_the_encoding_of_the_output(monkeypatch: pytest.MonkeyPatch) -> None:
    class Output:
        encoding = "latin-1"

    monkeypatch.setattr(sys, "stdout", Output())
    assert canvas.charset() is canvas.ASCII
    Output.encoding = "utf-8"
    assert canvas.charset() is canvas.UNICODE


def test_dots_of_a_canvas_are_where_the_points_are() -> None:
    drawn = canvas.Canvas(2, 1)
    drawn.dots(np.array([0.0, 0.3, 1.0]), np.array([0.0, 1.0, 0.99]))
    assert "".join(drawn.rows[0]) == "⡈⠈"


def test_hostile_names_in_the_terminal_are_escaped_and_short(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"\x1b[31mred\u202e\n": noisy(1, 1, 3), "x" * 500: noisy(2, 1, 3)})
    for kind in ("cactus", "par2", "scatter"):
        out = harness("report", path, "--plot", kind).out
        assert not {"\x1b", "\u202e"} & set(out)
        assert max(map(len, out.splitlines())) <= 100


def test_contenders_with_untrusted_times_are_left_out_with_a_note(tmp_path: Path, harness: Harness) -> None:
    late = {"batches": 1, "puzzles": 1, "reported": 10**9, "waited": 10**10}
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 3), "liar": noisy(2, 1, 3)}, clocks={"liar": late})
    done = harness("report", path, "--plot", "cactus")
    assert done.code == 0
    assert "liar" not in done.out
    assert done.err == "note: liar is left out: its times do not match the parent's clock\n"
    done = harness("report", path, "--plot", "scatter:x,liar")
    assert (done.code, done.err.splitlines()[-1].endswith("do not match the parent's clock")) == (2, True)


def test_ticks_of_numbers_are_whole_and_where_they_belong() -> None:
    assert number_ticks(0, 1) == [(0.0, "0"), (1.0, "1")]
    assert number_ticks(-15, 2) == [(0.0, "-15"), (4 / 17, "-11"), (9 / 17, "-6"), (13 / 17, "-2"), (1.0, "2")]
