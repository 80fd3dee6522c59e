"""CP-SAT is loaded without pandas; each test is a process of its own."""

import subprocess
import sys

import pytest

pytest.importorskip("ortools")
SOLVE = """
from backends.contract.answer import Ask
from backends.contract.registry import find
from encoders.formula import AllDifferent
formula = AllDifferent(4, 4, ((0, 1, 2, 3),))
answer = find("cpsat").open(formula).ask(Ask((1, 15, 15, 15), count=9))
assert len(answer.solutions) == 6 and answer.complete
"""


def printed(*lines: str) -> list[str]:
    """Run lines in a new process; return what they print."""
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_solving_does_not_load_pandas() -> None:
    assert printed(SOLVE, "import sys; print('pandas' in sys.modules)") == ["False"]


@pytest.mark.slow
def test_series_of_variables_work_once_pandas_is_loaded() -> None:
    use = "print(type(cp_model.CpModel().new_bool_var_series('x', pandas.Index([1, 2]))).__name__)"
    assert printed(SOLVE, "import pandas", "from ortools.sat.python import cp_model", use) == ["Series"]


@pytest.mark.slow
def test_it_is_loaded_with_pandas_if_the_stand_in_is_not_enough() -> None:
    broken = "from backends.cpsat import importing; importing.ClassesOf = lambda module: None"
    assert printed(broken, SOLVE, "import sys; print('pandas' in sys.modules)") == ["True"]
