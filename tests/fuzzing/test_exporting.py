"""Exported scripts and formulas run without Crosscheck, on right solvers and on solvers made to fail."""

import shlex
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from backends.contract.cases import board
from harness.fuzzing.clausal import clause_problem
from harness.fuzzing.exporting.exporting import to_dimacs, to_python
from harness.fuzzing.findings.finding import Case, Finding, write
from harness.model.errors import BadUsage
from puzzles.boards.families import layout
from tests.conftest import Done, Harness
from tests.effort import slow_after

LATIN = layout("latin 3")
TWO = board(LATIN, "1...1....")  # has two solutions
PYSAT = (
    "pysat:minisat22/extended",
    "pysat:minisat22/minimal+sequential+warm",
    "pysat:cadical195/reduced",
    "pysat:cadical195[elim=0,seed=3]/extended",
    "pysat:glucose42[rnd-pol=true]/minimal+warm",
    "pysat:kissat404/extended",
    "pysat:gluecard4/extended+cardinality",
    "pysat:gluecard4/extended+cardinality+warm",
)
CPSAT = ("cpsat", "cpsat[search_branching=FIXED_SEARCH]/booleans", "cpsat/channelled")


def finding(contender: str, count: int = 3, signature: str = "too few") -> Finding:
    return Finding(Case(contender, LATIN, (LATIN.open, TWO), count, seconds=20), signature, "2 solutions", "1")


@cache
def run_script(script: str, preamble: str = "") -> Done:
    """Run the script in an isolated process, after lines that spoil its solver."""
    command = [sys.executable, "-I", "-c", preamble + "\n" + script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    ("contender", "count"), slow_after(4, [(c, 3) for c in PYSAT + CPSAT] + [(PYSAT[1], 1), (CPSAT[2], 1)])
)
def test_a_script_does_not_fail_where_the_solver_is_right(contender: str, count: int) -> None:
    done = run_script(to_python(finding(contender, count)))
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-1] == "does not fail"
    first, last = (line for line in done.out.splitlines() if " found" in line)
    assert first.startswith("ask 1: ")
    assert f"{count} found" in first
    assert last.startswith("ask 2: ")
    assert f"{min(count, 2)} found" in last
    assert done.out.count("a model with" if "pysat" in contender else "\n  [") == count + min(count, 2)


def test_a_script_prints_the_solutions() -> None:
    out = run_script(to_python(finding("cpsat"))).out
    assert {"  [0, 1, 2, 2, 0, 1, 1, 2, 0]", "  [0, 2, 1, 1, 0, 2, 2, 1, 0]"} <= set(out.splitlines())


SPOIL_PYSAT = """
from pysat.solvers import Solver as spoilt
asked = []
honest, shown = spoilt.solve, spoilt.get_model
def solve(self, assumptions=[]):
    asked.append(self)
    return {answer}
def get_model(self):
    return {model}
spoilt.solve, spoilt.get_model = solve, get_model
"""


@pytest.mark.parametrize("contender", PYSAT)
def test_a_script_shows_a_solver_that_misses_a_model_in_a_later_ask(contender: str) -> None:
    spoilt = SPOIL_PYSAT.format(answer="len(asked) != 5 and honest(self, assumptions)", model="shown(self)")
    done = run_script(to_python(finding(contender)), spoilt)
    assert done.code == 1, done.err
    assert "FAILS: ask 2: it finds 1 and no more, but this is a model: [" in done.out


@pytest.mark.parametrize("contender", PYSAT[1:5])
def test_a_script_shows_a_model_that_breaks_a_clause(contender: str) -> None:
    spoilt = SPOIL_PYSAT.format(answer="honest(self, assumptions)", model="[-x for x in shown(self)]")
    done = run_script(to_python(finding(contender, 1)), spoilt)
    assert done.code == 1, done.err
    assert "FAILS: ask 1: its model breaks [" in done.out


SPOIL_CPSAT = """
from ortools.sat.python.cp_model import CpSolver, CpSolverSolutionCallback, INFEASIBLE
honest = CpSolver.solve
CpSolver.solve = {solve}
CpSolver.value = CpSolverSolutionCallback.value = {value}
"""


@pytest.mark.parametrize("contender", slow_after(1, CPSAT))
def test_a_script_shows_cp_sat_calling_a_model_infeasible(contender: str) -> None:
    spoilt = SPOIL_CPSAT.format(solve="lambda *_: INFEASIBLE", value="CpSolver.value")
    done = run_script(to_python(finding(contender)), spoilt)
    assert done.code == 1, done.err
    assert "FAILS: ask 1: it finds 0 and no more, but this is a solution: [" in done.out


@pytest.mark.slow
def test_a_script_shows_cp_sat_breaking_a_unit() -> None:
    spoilt = SPOIL_CPSAT.format(solve="honest", value="lambda self, x: 0")
    done = run_script(to_python(finding("cpsat", 1)), spoilt)
    assert done.code == 1, done.err
    assert "FAILS: ask 1: its solution breaks [0, 1, 2]" in done.out


def test_a_script_ends_a_solver_that_hangs_in_compiled_code() -> None:
    hanging = SPOIL_PYSAT.format(answer="__import__('collections').deque(iter(int, 1), maxlen=0)", model="[]")
    slow = finding(PYSAT[0], 1, "timeout")
    done = run_script(to_python(replace(slow, case=replace(slow.case, seconds=0.1))), hanging)
    assert done.code == 1
    assert "Timeout (" in done.err


@pytest.mark.slow
def test_a_script_ends_a_solver_that_exceeds_its_memory() -> None:
    greedy = SPOIL_PYSAT.format(answer="[bytearray(1 << 26) for _ in iter(int, 1)]", model="[]")
    large = finding(PYSAT[0], 1, "memory")
    done = run_script(to_python(replace(large, case=replace(large.case, memory=1 << 29))), greedy)
    assert done.code == 1
    assert "MemoryError" in done.err


def formula_finding() -> Finding:
    at_least = clause_problem(((1, 2), (-1, 3), (-2, -3)))
    return Finding(Case("pysat:minisat22/extended", at_least, (at_least.open,), 1), "unsatisfiable")


def test_a_formula_without_a_board_is_exported_as_a_script() -> None:
    assert run_script(to_python(formula_finding())).code == 0
    spoilt = SPOIL_PYSAT.format(answer="False", model="[]")
    assert "it finds 0 and no more, but this is a model: [" in run_script(to_python(formula_finding()), spoilt).out


def body(text: str) -> tuple[list[list[int]], int, list[str]]:
    """Return clauses, number of variables and comments of a .cnf file; assert that it is well formed."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("p cnf "))
    assert all(line == "c" or line.startswith("c ") for line in lines[:at])
    variables, many = map(int, lines[at].split()[2:])
    clauses = [list(map(int, line.split())) for line in lines[at + 1 :]]
    assert len(clauses) == many
    assert all(clause[-1] == 0 and 0 not in clause[:-1] for clause in clauses)
    assert max(abs(x) for clause in clauses for x in clause) <= variables
    return [clause[:-1] for clause in clauses], variables, [line[2:] for line in lines[:at]]


@pytest.mark.parametrize("contender", ["pysat:minisat22/extended", "pysat:minisat22/minimal+ladder"])
def test_an_exported_formula_contains_the_givens_and_explains_its_variables(contender: str) -> None:
    clauses, _, comments = body(to_dimacs(finding(contender)))
    literal = {line.split()[0]: list(map(int, line.split()[1:])) for line in comments if line[:2] in LATIN.squares}
    assert list(literal) == list(LATIN.squares)
    for square, mask in zip(LATIN.squares, TWO, strict=True):
        given = [[literal[square][mask.bit_length() - 1]]] if mask != LATIN.full else []
        assert all(unit in clauses for unit in given)
    assert sum(len(clause) == 1 for clause in clauses) == 2
    assert any("the last of 2 asks" in line for line in comments)
    model = next(line.split(":")[1].split()[:-1] for line in comments if line.startswith("a model of it: "))
    assert all(set(clause) & set(map(int, model)) for clause in clauses)


def test_an_exported_formula_has_one_model_per_solution() -> None:
    from pysat.solvers import Solver

    clauses, variables, _ = body(to_dimacs(finding("pysat:minisat22/extended")))
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        assert len(list(solver.enum_models())) == 2
    assert variables == 27


def test_an_exported_formula_is_valid_dimacs(tmp_path: Path) -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    path = tmp_path / "a.cnf"
    path.write_text(to_dimacs(formula_finding()))
    with Solver("cadical195", bootstrap_with=CNF(from_file=str(path))) as solver:
        assert solver.solve()


@pytest.mark.parametrize(
    ("contender", "to", "message"),
    [
        ("native", "python", "replay the finding itself"),
        ("native", "dimacs", "takes no clauses"),
        ("cpsat", "dimacs", "export it --to python"),
        ("pysat:gluecard4/extended+cardinality", "dimacs", "export it --to python"),
        ("native", "line", "replay the finding itself"),
        ("lines:true", "python", "export it --to line"),
        ("lines:true", "dimacs", "export it --to line"),
        ("pysat:minisat22/extended", "line", "export it --to dimacs or python"),
    ],
)
def test_a_contender_that_cannot_be_exported_is_refused_in_one_line(
    harness: Harness, tmp_path: Path, contender: str, to: str, message: str
) -> None:
    path = tmp_path / "a.finding"
    write(finding(contender, 1), path)
    done = harness("export", path, "--to", to)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert message in done.err


def test_a_program_s_formula_is_exported(harness: Harness, tmp_path: Path) -> None:
    write(finding("dimacs:true/extended", 1), tmp_path / "a.finding")
    done = harness("export", "a.finding", "--to", "dimacs", "-o", "a.cnf")
    assert (done.code, done.out) == (0, "")
    assert len(body((tmp_path / "a.cnf").read_text())[0]) > 27


@pytest.mark.parametrize("contender", ["dimacs:absent", "dimacs:absent/minimal+product"])
def test_a_formula_is_exported_without_the_program(harness: Harness, tmp_path: Path, contender: str) -> None:
    write(finding(contender, 1), tmp_path / "a.finding")
    done = harness("export", "a.finding", "--to", "dimacs")
    assert (done.code, done.err) == (0, "")
    assert done.out == harness("export", "a.finding", "--to", "dimacs", "--program", "absent=true").out


READER = "import sys; [print(line.strip().replace('.', '3')) for line in sys.stdin]"


@pytest.mark.parametrize(("contender", "boards"), [("lines:mine", 1), ("lines:mine:batch", 2)])
def test_a_finding_of_a_program_is_the_command_that_pipes_its_boards(
    harness: Harness, tmp_path: Path, contender: str, boards: int
) -> None:
    command = f"{sys.executable} -c {shlex.quote(READER)}"
    found = replace(finding(contender, 1), provenance={"program": [f"mine={command}", "other=false"]})
    write(found, tmp_path / "a.finding")
    done = harness("export", "a.finding", "--to", "line", "-o", "a.sh")
    assert (done.code, done.out, done.err) == (0, "", "")
    ran = subprocess.run(["sh", "a.sh"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["333333333", "133313333"][-boards:]


def test_a_program_without_a_recorded_command_is_called_by_its_name(harness: Harness, tmp_path: Path) -> None:
    write(finding("lines:mine", 1), tmp_path / "a.finding")
    assert harness("export", "a.finding", "--to", "line").out.splitlines()[-1] == "echo 1...1.... | mine"


def test_a_finding_of_an_unknown_contender_is_refused() -> None:
    with pytest.raises(BadUsage):
        to_python(finding("pysat:nosuch/extended"))


def test_text_of_several_lines_stays_in_its_comment() -> None:
    loud = replace(finding(PYSAT[0], 1), seen="first\nsecond\u2028third\r")
    body(to_dimacs(loud))
    assert run_script(to_python(loud)).code == 0
