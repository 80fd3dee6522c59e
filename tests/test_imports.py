"""A process loads only the modules that its work needs: most of the start of a run is imports."""

import subprocess
import sys
from pathlib import Path

import pytest

from harness.running import reaper

ROOT = Path(__file__).resolve().parent.parent
WORKER = """
import sys
import harness.running.workers.guard
from harness.running.workers import worker
worker.load({name!r})
"""
RUN = """
import sys
from harness.cli import main
assert main(["run", {path!r}, "-b", "pysat:minisat22,cpsat", "-w", "0", "-o", {journal!r}]) == 0
"""


def loaded(code: str, modules: list[str]) -> list[str]:
    """Return those of the modules that a process has loaded after running this code."""
    shown = f"\nprint('loaded:', *[m for m in {modules!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code + shown], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.splitlines()[-1].split()[1:]


def test_a_run_loads_only_what_its_report_and_its_place_need(tmp_path: Path) -> None:
    (tmp_path / "a.cnf").write_text("p cnf 2 2\n1 2 0\n-1 2 0\n")
    code = RUN.format(path=str(tmp_path / "a.cnf"), journal=str(tmp_path / "j.sqlite"))
    idle = ["numpy.ma", "tqdm", "multiprocessing", "ssl", "distributed", "pandas"]
    ours = ["harness.fuzzing", "harness.reporting.formats.junit"]
    lazy = ["encoders.lowering", "pysat.solvers", "ortools.sat.python.cp_model", "puzzles.plugins.requirements"]
    assert loaded(code, [*idle, *ours, *lazy, "tabulate"]) == ["tabulate"]


@pytest.mark.parametrize(
    ("name", "solver"), [("pysat:minisat22", "pysat.solvers"), ("cpsat", "ortools.sat.python.cp_model")]
)
def test_a_worker_loads_its_solver_but_no_metadata_of_packages(name: str, solver: str) -> None:
    idle = ["importlib.metadata", "email", "numpy.ma", "sqlite3", "argparse", "pandas"]
    assert loaded(WORKER.format(name=name), [*idle, solver]) == [solver]


def test_the_reaper_loads_none_of_the_modules_that_only_its_parent_needs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-X", "importtime", str(reaper.__file__), "token", str(tmp_path / "none")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    names = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "signal" in names
    assert not names & {"subprocess", "shutil", "pathlib", "secrets", "typing", "contextlib"}
