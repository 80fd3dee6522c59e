"""`list`: what is shown of encodings."""

import re
from pathlib import Path

import pytest

from backends.programs.backend import FORMATS, PROGRAM_BASES
from backends.programs.protocols import PROTOCOLS
from encoders.formula import Cnf
from encoders.registry import Encoding, lookup, names, spec
from harness.commands.list import encodings, sizes, table
from puzzles.boards import families
from puzzles.boards import kinds as boards
from puzzles.boards.layout import Layout
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.table import Table
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers
from tests.conftest import Harness


@pytest.mark.parametrize("width", [80, 100])
def test_no_table_is_wider_than_the_terminal_and_no_word_is_lost(
    width: int, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    piped = harness("list", "--backends", "--corpora").out
    monkeypatch.setattr("harness.reporting.writing.printable.terminal_width", lambda: width)
    shown = harness("list", "--backends", "--corpora").out
    assert max(map(len, shown.splitlines())) <= width
    assert sorted(shown.replace("-", "").split()) == sorted(piped.replace("-", "").split())


def test_a_table_fits_80_columns_whatever_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.reporting.writing.printable.terminal_width", lambda: 80)
    takes, can = "zero-one, minizinc-flattened, alldifferent", "assumptions, interrupt, optimise, only-optimise, proof"
    rows = [[f"backend-of-{i}:variant", "2025.3.1.post1+g0123456", takes, can] for i in range(3)]
    rows += [["exact", "2.1.0", "zero-one", "optimise"], ["x" * 40, "y" * 60, takes, can]]
    for some in (rows[:3], rows[:4], rows):
        lines = table(["backend", "version", "encodings", "can"], some).splitlines()
        assert max(map(len, lines)) <= 80
    assert "backend-of-0:variant" in table(["backend", "version", "encodings", "can"], rows[:4])


def test_the_sizes_of_encodings_fit_80_columns() -> None:
    assert max(map(len, encodings("sudoku 3x3").text().splitlines())) <= 80


def test_piped_backends_have_a_line_each_and_the_encodings_of_clauses_are_named_once(harness: Harness) -> None:
    out = harness("list", "--backends").out
    for name in ("native", "native:cdcl", "pysat:minicard", "cpsat"):
        assert out.count(f"\n{name} ") == 1, name
    named = re.findall(r"clauses: (.*)", out)
    assert [name for line in named for name in line.split(", ")] == [
        e.name for e in lookup(names()).values() if isinstance(e, Encoding) and e.formula is Cnf
    ]


@pytest.mark.parametrize(("symbols", "shown"), [(("1", "2"), "Text"), (("10", "11"), "unsupported")])
def test_an_encoding_that_does_not_take_a_layout_is_listed_as_unsupported(
    monkeypatch: pytest.MonkeyPatch, symbols: tuple[str, ...], shown: str
) -> None:
    monkeypatch.setattr(families, "layout", lambda name: Layout(name, ("a", "b"), symbols, ((0, 1),)))
    formulas = {line.split()[0]: line.split()[1] for line in encodings("two squares").text().splitlines()[2:]}
    assert formulas["text"] == shown
    assert formulas["extended+pairwise"] == "Cnf"


def test_sizes_of_an_instance_are_listed_by_axis_without_choices_that_change_nothing() -> None:
    table = Table.of([(0, 1, 2)], [(0, 1, 3), (3, 3, 0), (1, 0, 0)])
    problem = Problem("p", ("a", "b", "c"), Integers((0, 1, 3)), (table,))
    lines = [line.split() for line in sizes(Instance("p.xml", problem, (7, 7, 3))).text().splitlines()[2:]]
    labels = [line[0] for line in lines]
    assert labels[:1] == ["direct"]
    assert {"direct+table=conflict", "direct+table=mdd", "order", "order+table=mdd", "log"} <= set(labels)
    assert not any("linear=" in label for label in labels)  # there is no sum
    formula = spec("order+table=mdd").formula(problem, (7, 7, 3))
    assert isinstance(formula, Cnf)
    assert lines[labels.index("order+table=mdd")][1:3] == ["Cnf", str(formula.variables)]


@pytest.mark.slow
def test_a_domain_too_large_for_pairs_is_refused_once_with_what_to_add_and_that_helps() -> None:
    wide = Problem("p", ("a", "b"), Integers(tuple(range(1600))), (AllDifferent(((0, 1),)),))
    lines = sizes(Instance("p.xml", wide, wide.open)).text().splitlines()[2:]
    assert [line.split()[0] for line in lines if "unsupported" in line] == ["direct"]
    assert lines[-1].startswith("direct: as clauses, the domains are too large: 2 groups of 1,600 literals as pairs")
    assert lines[-1].endswith("add another at-most-one encoding, such as +product")
    assert any(line.split()[:2] == ["direct+product", "Cnf"] for line in lines)


def test_every_family_is_listed_with_how_it_is_stated(harness: Harness) -> None:
    done = harness("list", "--families")
    usage = {line.split()[0]: line.split(maxsplit=1)[1] for line in done.out.splitlines() if line.split()[1:]}
    for name in (*families.families(), *boards.names()):
        assert usage[name].startswith(name)


def test_sizes_of_a_board_are_those_of_its_files_with_its_givens(harness: Harness) -> None:
    board = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    head, _, *lines = harness("list", board).out.splitlines()
    sizes = {line.split()[0]: line.split()[2:4] for line in lines}
    assert head.startswith("sizes of puzzle:1 ")
    for encoding in ("extended", "reduced"):
        written = re.search(r"^p cnf (\d+) (\d+)$", harness("encode", board, "--encoding", encoding).out, re.MULTILINE)
        assert written
        assert [number.replace(",", "") for number in sizes[f"{encoding}+pairwise"]] == list(written.groups())


def test_sizes_of_clauses_are_one_line(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.cnf").write_text("p cnf 3 2\n1 -2 0\n3 0\n")
    done = harness("list", "a.cnf")
    assert (done.code, len(done.out.splitlines())) == (0, 3)
    assert done.out.splitlines()[2].split() == ["direct", "Cnf", "3", "2", "3", "0"]
    done = harness("list", "nosuch.cnf")
    assert (done.code, len(done.err.splitlines())) == (2, 1)


def test_soft_clauses_are_counted_beside_hard_ones(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.wcnf").write_text("h 1 -2 0\n3 2 0\n4 -1 3 0\n")
    (tmp_path / "a.opb").write_text("min: +3 x1 +2 x2 ;\n+1 x1 +1 x2 >= 1 ;\n")
    out = harness("list", "a.wcnf").out.splitlines()
    assert [line.split() for line in out[2:]] == [["direct", "Wcnf", "3", "1", "+", "2", "soft", "5", "0"]]
    line = next(line for line in harness("list", "a.opb").out.splitlines() if line.startswith("direct"))
    assert " ".join(line.split()) == "direct Wcnf 2 1 + 2 soft 4 0"


def test_a_backend_without_options_says_so(harness: Harness) -> None:
    done = harness("list", "--options", "native:norvig")
    assert (done.code, done.out) == (0, "native:norvig takes no options\n")


def test_corpora_with_an_objective_and_backends_that_optimise_are_marked(harness: Harness) -> None:
    out = harness("list", "--corpora", "--backends").out.splitlines()
    marked = {line.split()[0] for line in out if line.split()[1:3] == ["the", "best"]}
    assert marked == {"wcnf", "opb-opt", "cop"}
    assert "optimise" in next(line for line in out if line.startswith("cpsat "))
    assert "optimise" not in next(line for line in out if line.startswith("native:dlx "))


def test_duplicates_are_named_by_list_and_run_and_left_out_on_request(harness: Harness, tmp_path: Path) -> None:
    for name, text in (("a", "1 -2 0\n2 3 0\n"), ("b", "1 -2 0 2 3 0"), ("c", "3 -1 0 2 1 0"), ("d", "1 2 0 2 3 0")):
        (tmp_path / f"{name}.cnf").write_text(f"p cnf 3 2\n{text}")
    rows = [line.split() for line in harness("list", "--ids", str(tmp_path)).out.splitlines()[2:]]
    assert [row[4:] for row in rows] == [[], ["equal:", "a.cnf"], ["renamed:", "a.cnf"], []]
    assert rows[0][2] == rows[1][2] == "5c199826eee734c6484e691f3c129214"
    run = harness("run", str(tmp_path), "-b", "native:cdcl", "-o", str(tmp_path / "one.sqlite"))
    assert "b.cnf (a.cnf)" in run.err
    assert "c.cnf (a.cnf)" in run.err
    run = harness("run", str(tmp_path), "--distinct", "-b", "native:cdcl", "-o", str(tmp_path / "two.sqlite"))
    assert "2 of 2 instances" in run.out


def test_the_first_screen_is_one_screen(harness: Harness) -> None:
    lines = harness("list").out.splitlines()
    assert len(lines) <= 28  # with the plug-ins of the tests: 23 without
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("installed   ")


def test_every_base_of_programs_has_a_protocol(harness: Harness) -> None:
    assert set(PROGRAM_BASES) <= set(PROTOCOLS)
    out = harness("list", "--protocols").out
    assert all(f"{{{form}}}" in out for form in FORMATS.values())
