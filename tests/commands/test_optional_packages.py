"""Packages of extras are imported by no process that does not use them, although they are installed.

A package that records its import stands for each of them, first on the path of every process.
"""

import os
import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT, Harness

MODULES = {  # what each distribution of an extra is imported as
    "axe-playwright-python": "axe_playwright_python",
    "benchexec": "benchexec",
    "clingo": "clingo",
    "cpmpy": "cpmpy",
    "cvc5": "cvc5",
    "d4Solver": "py_d4",
    "dd": "dd",
    "distributed": "distributed",
    "exact": "exact",
    "highspy": "highspy",
    "ipykernel": "ipykernel",
    "matplotlib": "matplotlib",
    "nbclient": "nbclient",
    "nbformat": "nbformat",
    "oxidd": "oxidd",
    "pindakaas": "pindakaas",
    "playwright": "playwright",
    "pyapproxmc": "pyapproxmc",
    "pyganak": "pyganak",
    "PySDD": "pysdd",
    "tididi-cnf": "tididi_cnf",
    "polars": "polars",
    "pychoco": "pychoco",
    "pycryptosat": "pycryptosat",
    "pycsp3": "pycsp3",
    "pynaps": "naps",
    "pumpkin-solver": "pumpkin_solver",
    "pytoulbar2": "pytoulbar2",
    "pyscipopt": "pyscipopt",
    "z3-solver": "z3",
}
OF_ORTOOLS = {"pandas", "pyarrow"}  # OR-Tools imports pandas, which imports pyarrow where it is installed
RECORDING = """
import os
with open(os.environ["CROSSCHECK_IMPORTED"], "a") as file:
    file.write(f"{__name__} ")
"""
ONE = "#: sudoku 2x2\n..4.2.......41..\n"


def distributions() -> set[str]:
    """Return the distributions of all extras but those that the tests need and those that OR-Tools imports."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    wanted = (extra for name, extra in extras.items() if name != "test")
    return {re.split(r"[><=~!\[; ]", requirement)[0] for extra in wanted for requirement in extra} - OF_ORTOOLS


@pytest.fixture
def imported(tmp_path: Path, environment: dict[str, str]) -> Path:
    """Install the recording packages for new processes; the file names those that were imported."""
    packages, record = tmp_path / "packages", tmp_path / "imported"
    for distribution, module in MODULES.items():
        (packages / module).mkdir(parents=True)
        (packages / module / "__init__.py").write_text(RECORDING)
        facts = packages / f"{distribution.replace('-', '_')}-99.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 99\n")
    record.touch()
    environment["PYTHONPATH"] = os.pathsep.join([str(packages), environment["PYTHONPATH"]])
    environment["CROSSCHECK_IMPORTED"] = str(record)
    (tmp_path / "one.txt").write_text(ONE)
    return record


def test_every_distribution_of_an_extra_has_a_package_that_records() -> None:
    assert distributions() == set(MODULES)


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "list",
        "run one.txt -b native:python",
        "run one.txt -b native:norvig -b pysat -b cpsat",
        "run one.txt -b native -b z3[random_seed=1] --count 0",  # refused, after all names were looked up
    ],
)
def test_a_command_imports_no_package_that_it_does_not_use(
    command: str, imported: Path, harness_process: Harness
) -> None:
    done = harness_process(*command.split())
    assert (done.code == 0) == ("--count 0" not in command), done.err
    assert imported.read_text() == ""


@pytest.mark.slow
def test_a_worker_that_uses_a_package_imports_it(imported: Path, harness_process: Harness) -> None:
    """So the record is kept in every process of a run."""
    done = harness_process("run", "one.txt", "-b", "native:python", "-b", "clingo")
    assert "clingo" in imported.read_text().split(), done.err
    assert set(imported.read_text().split()) == {"clingo"}


def test_the_packages_count_as_installed(imported: Path, harness_process: Harness) -> None:
    done = harness_process("list", "--backends")
    lines = [line for line in done.out.splitlines() if line and line.split()[0] in MODULES.values()]
    assert not [line for line in lines if "not installed" in line]
    assert "clingo 99" in done.out
