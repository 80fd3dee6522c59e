"""The programs of docs/programs do what their comments say, in an empty folder; type checkers see what they call."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

PROGRAMS = ROOT / "docs" / "programs"
SHOWN = {  # what each program prints; None: whatever it is
    "cp_models": "6 [0, 1, 2, 3]\n[2, 2]\n",
    "formulas": "correct 1 True\nunsatisfiable uncertified\n['correct']\n",
    "frames": None,
    "job_shop": None,
    "keeping": "True ('native:python',)\nTrue\n",
    "pool": "8\n",
    "service": None,
}
NEEDS = {"cp_models": ("cpmpy", "pandas"), "formulas": ("pandas",), "frames": ("pandas",)}
MISUSES = """
import harness

harness.run("hardest", timeout="30")
harness.run("hardest", limit=3)
harness.solve("hardest", cout=2)
harness.solve(text=3)
harness.Solver("cpsat", number=2)
results = harness.open("a.sqlite")
results.rank("par3")
results.plot("cactsu")
results.table("html")
results.frame("outcome")
results.sumary
for step in harness.improve("a.opb"):
    step.valeu
"""


def ran(words: list[str], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with the variables of a reader."""
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=200)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
def test_a_program_of_the_documentation_runs(name: str, environment: dict[str, str], tmp_path: Path) -> None:
    for package in NEEDS.get(name, ()):
        pytest.importorskip(package, reason=f"{package} is not installed")
    done = ran([sys.executable, str(PROGRAMS / f"{name}.py")], tmp_path, environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout == SHOWN[name] or SHOWN[name] is None
    if name == "job_shop":
        assert done.stdout.endswith("\n['unsatisfiable', 'satisfiable', 'satisfiable']\n")
        assert re.search(r"^uncertified 11 \[\d+, \d+, \d+\]$", done.stdout, re.MULTILINE)
    if name == "service":
        assert done.stdout.splitlines()[:2] == ["200 satisfiable: correct"] * 2
        assert done.stdout.splitlines()[2].startswith("400 text:1: ")


@pytest.mark.slow
def test_the_test_of_the_documentation_passes(environment: dict[str, str], tmp_path: Path) -> None:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(PROGRAMS / "test_board.py")]
    done = ran(words, tmp_path, environment)
    assert (done.returncode, done.stdout.split()[0]) == (0, ".."), done.stdout


@pytest.mark.slow
def test_an_editable_install_shows_its_types_and_mypy_finds_each_misuse(
    environment: dict[str, str], tmp_path: Path
) -> None:
    lines = MISUSES.splitlines()
    wrong = {i for i, line in enumerate(lines, 1) if line.startswith(("harness.", "results.", "    "))}
    assert len(wrong) > 10
    (tmp_path / "misused.py").write_text(MISUSES)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--ignore-missing-imports"]
    done = ran([*mypy, "misused.py", *map(str, sorted(PROGRAMS.glob("*.py")))], tmp_path, environment)
    places = [re.match(r"(.+?):(\d+): error", line) for line in done.stdout.splitlines()]
    found = {(Path(place[1]).name, int(place[2])) for place in places if place}
    assert found == {("misused.py", i) for i in wrong}, done.stdout
