"""Messages name packages that pip can install, and no extra of a distribution that is on no index."""

import re
import tomllib
from importlib.metadata import packages_distributions

import pytest

from backends.contract import registry
from puzzles.packages import DISTRIBUTIONS, distribution_of, install
from tests.conftest import ROOT

INSTALLED = packages_distributions()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TOLD_ELSEWHERE = {"tabulate", "tqdm"}  # required by the command line: cli.py says how to install the project
NO_HINT = {"interop", "browser", "test"}  # extras that only tests need
FOLDERS = ("puzzles", "encoders", "backends", "harness", "docs", "tests", "scripts", "benchmarks")


def name_of(requirement: str) -> str:
    return re.split(r"[><=~!\[; ]", requirement)[0]


def test_the_table_has_the_distributions_that_the_project_requires() -> None:
    extras = PROJECT["optional-dependencies"]
    lists = [PROJECT["dependencies"], *(wanted for name, wanted in extras.items() if name not in NO_HINT)]
    required = {name_of(requirement) for wanted in lists for requirement in wanted} - TOLD_ELSEWHERE
    assert set(DISTRIBUTIONS.values()) - required <= {"polars"}  # frame() takes it instead of pandas
    assert required <= set(DISTRIBUTIONS.values())


def test_a_command_names_distributions_and_not_modules() -> None:
    assert install("pysat", "z3") == "pip install python-sat z3-solver"


@pytest.mark.parametrize("module", sorted(DISTRIBUTIONS.keys() & INSTALLED))
def test_an_installed_module_belongs_to_the_distribution_of_the_table(module: str) -> None:
    distribution = DISTRIBUTIONS[module]
    assert distribution in {name.lower() for name in INSTALLED[module]}
    assert distribution_of(module) == distribution_of(distribution) == distribution
    assert distribution_of(f"{module}.x") is None


def test_a_backend_that_lacks_its_package_says_what_to_install() -> None:
    why = registry.why_not_loaded(ModuleNotFoundError("No module named 'pysat'", name="pysat.solvers"), "pysat")
    assert why == "not installed: pip install python-sat, or `get pysat`"


def test_nothing_tells_users_to_install_an_extra_from_an_index() -> None:
    files = [path for folder in FOLDERS for end in ("py", "md", "sh") for path in (ROOT / folder).rglob(f"*.{end}")]
    files += [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "docs/notebook.ipynb"]
    extra = re.compile(rf"({PROJECT['name']}|{PROJECT['name'].partition('-')[0]})\[\w")
    files = [path for path in files if path.parent.name != "releases"]  # which say what was true then
    assert [path for path in files if extra.search(path.read_text(encoding="utf-8"))] == []
