"""Programs of Debian that Crosscheck knows: each conforms, reads what our readers leave to it, and refuses by name.

These depend on what is installed (README's command leaves them out); CI installs all of PROGRAMS and runs them.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Reason, Status, Unsupported
from backends.contract.cases import NINE, NONE, board
from backends.contract.conformance import BRIEF, check
from backends.contract.objective_cases import CASES, ObjectiveCase
from backends.programs.known_programs import KNOWN
from encoders.cnf import extended
from encoders.direct import constraints
from encoders.lp import lp_blocks
from encoders.registry import default
from puzzles.constraints.linear import Linear
from puzzles.formats import read
from puzzles.objectives import stated
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import BOOLEAN, Problem
from puzzles.problem.check import violations
from puzzles.problem.values import Numbered
from tests.proofs import proof_fault

pytestmark = pytest.mark.programs
PROGRAMS = ("dimacs:minisat", "dimacs:cadical", "dimacs:cryptominisat5", "dimacs:picosat", "opb:clasp", "opb:minisatp")
WHEELS = ("dimacs:kissat", "dimacs:glucose", "xcsp3:cosoco")  # programs of packages of PyPI
HEAD = "* #variable= 3 #constraint= 1\n"
ROW = "+1 x1 +1 x2 >= 1 ;\n"


def installed(backend: str) -> str:
    """Return a backend, or skip the test if its program is not installed."""
    if KNOWN[backend.partition(":")[2]].words() is None:
        pytest.skip(f"{backend} is not installed")
    return backend


FAULTS = {"xcsp3:cosoco": ["tasks that exclude each other, best"]}  # 2.6.1 misses an optimum of tasks from before 0


@pytest.mark.parametrize("backend", [*PROGRAMS, "fzn:gecode", *WHEELS])
def test_a_program_conforms(backend: str) -> None:
    found = check(registry.find(installed(backend)), effort=BRIEF)
    assert [text.partition(":")[0] for text in found] == FAULTS.get(backend, [])


FILES = {
    "cnf": (
        "p cnf 3 2\n1 2 0\n-1 3 0\n",
        "c a\np cnf 3 2\n1\n2 0 -1 3 0\n",
        "p\tcnf\t3\t2\n1\t2 0\n-1 3 0\n",
        "\ufeffp cnf 3 2\n1 2 0\n-1 3 0\n",
        "p cnf 3 2\r\n1 2 0\r\n-1 3 0\r\n",
        "p cnf 3 9\n1 2 0\n%\n0\n",
        " c a\n p cnf 3 2\n\n1 2 2 0\n c b\n-1 1 0\n",
        "p cnf 3 1\n1 2",
    ),
    "opb": (
        f"{HEAD}{ROW}",
        ROW,
        f"* c\n{HEAD}{ROW}",
        f"\ufeff{HEAD}{ROW}",
        f"{HEAD}{ROW}".replace("\n", "\r\n"),
        f"{HEAD}+1 ~x1 +1 x2 >= 1 ;\n",
        f"{HEAD}+1 x1 +1 x2 <= 1 ;\n",
        f"{HEAD}+1 x1 +1 x2 != 1 ;\n",
        f"{HEAD}{ROW}min: +1 x1 ;\n",
        f"{HEAD}max: +1 x1 +1 x3 ;\n{ROW}",
        f"{HEAD}+1 x1\n* c\n +1 x2 >= 1 ; * d\n",
        f"{HEAD}>= -1 ;\n",
        f"{HEAD}+1*x1 + 1 x2 +x3 >= 1;\n",
        f"* nbvariable= 3 nbconstraint= 1\n{ROW}",
        f"{HEAD}".replace("1\n", "1 #equal= 0 intsize= 2\n") + ROW,
        "min: 1 y_x1_5 2 x0 ;\npreserved: x0 ;\n@a 1 y_x1_5 1 x0 1 z[1] >= 2 ;\n",
        "min: +1 x1 x2 ;\n+1 x1 +1 x2 >= 1 ;\n",
        "soft: 3 ;\n[2] +1 x1 >= 1 ;\n+1 x1 +1 x2 <= 1 ;\n",
    ),
}
TEXTS = [(backend, text) for backend in PROGRAMS for text in FILES["cnf" if backend.startswith("dimacs") else "opb"]]


@pytest.mark.parametrize(("backend", "text"), TEXTS)
def test_a_program_answers_every_file_that_is_read(backend: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(text.encode())
    (found,) = read(path)
    made = registry.find(installed(backend))
    session = made.open(default(made.accepts).formula(found.problem, found.domains))
    answer = session.ask(Ask(found.domains, source=found.source.path if found.source else None))
    session.close()
    assert (answer.status, answer.reason) == (Status.SATISFIABLE, Reason.NONE), answer.note
    assert not any(violations(found.problem, found.domains, solution) for solution in answer.solutions)


LARGE = {
    "a coefficient": (Linear.of([([1 << 31, 1], [0, 1], ">=", 1)]), None),
    "a bound": (Linear.of([([1, 1], [0, 1], ">=", 1 << 31)]), None),
    "a sum": (Linear.of([([1 << 30, 1 << 30], [0, 1], ">=", 1)]), None),
    "an objective": (Linear.of([([1, 1], [0, 1], ">=", 1)]), LinearObjective.of({0: 1 << 31})),
    "a constant": (Linear.of([([1, 1], [0, 1], ">=", 1)]), LinearObjective.of({0: 1}, -(1 << 70))),
}


@pytest.mark.parametrize(("row", "goal"), LARGE.values(), ids=LARGE)
def test_clasp_refuses_numbers_beyond_32_bits_by_name(row: Linear, goal: LinearObjective | None) -> None:
    problem = Problem("large", Numbered("x", 2), BOOLEAN, (row,), objective=goal)
    with pytest.raises(Unsupported, match="opb:clasp takes numbers up to 2,147,483,647: "):
        registry.find(installed("opb:clasp")).open(constraints(problem))


def test_proof_of_cadical_passes_the_checker() -> None:
    formula, domains = extended(NINE), board(NINE, NONE)
    session = registry.find(installed("dimacs:cadical")).open(formula)
    answer = session.ask(Ask(domains, proof=True))
    session.close()
    assert answer.proof is not None
    assert proof_fault(NINE, domains, formula, (), answer.proof) == ""


READERS = {  # of LP: what prints the value of the best solution, and where
    "glpsol": (["glpsol", "--lp", "{}", "-o", "/dev/stdout"], r"Objective: +obj = (\S+)"),
    "cbc": (["cbc", "{}", "solve"], r"Objective value: +(\S+)"),
}
SMALL = [case for case in CASES if case.optimum() is not None and isinstance(case.objective, LinearObjective)][::6]


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case.name)
@pytest.mark.parametrize("reader", READERS)
def test_readers_of_lp_find_the_value_of_a_written_file(reader: str, case: ObjectiveCase, tmp_path: Path) -> None:
    if shutil.which(reader) is None:
        pytest.skip(f"{reader} is not installed")
    words, pattern = READERS[reader]
    path = tmp_path / "a.lp"
    try:
        path.write_bytes(b"".join(lp_blocks(constraints(case.problem, case.domains), case.domains)))
    except Unsupported as e:
        pytest.skip(str(e))
    command = [word.format(path) for word in words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path, check=True)
    value = re.search(pattern, done.stdout)
    assert value, done.stdout
    assert abs(float(value[1])) == abs(stated(case.objective, case.optimum() or 0)), done.stdout
