"""Mutants: each makes one change, its code runs, crashes and hangs are detected, no cache stores it."""

import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "benchmarks"))

import mutants  # noqa: E402
import mutation  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:This process"),  # Python 3.12 warns of forks in processes with threads
]

TOY = """
from functools import cache, cached_property

LIMIT = 3


class Scale:
    def __init__(self, size):
        self.size = size + 1

    @property
    def half(self):
        return self.size // 2

    @cached_property
    def low(self):
        return not self.size

    @classmethod
    def small(cls):
        return cls(1)


@cache
def less(a, b):
    return a < b


def total(numbers):
    found = 0
    for x in numbers:
        if x < 0 or x == 7:
            continue
        found += x
    return found


def made(numbers):
    def nested(x):
        return -x

    numbers.append(nested(1))
    return [n & 1 for n in numbers]
"""


def toy(folder: Path) -> ModuleType:
    (folder / "toy_to_mutate.py").write_text(TOY)
    sys.modules.pop("toy_to_mutate", None)
    importlib.invalidate_caches()
    return importlib.import_module("toy_to_mutate")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_every_counted_change_is_distinct_and_changes_one_loaded_function(folder: Path) -> None:
    def work(report: Callable[[str], None]) -> None:
        for n in range(mutants.count_sites(toy(folder).__name__)):
            report(mutants.patch_loaded(toy(folder).__name__, n))  # raises unless one function has other code

    messages = mutation.run_isolated(work, 100)
    assert len(set(messages)) == len(messages) == mutants.count_sites("toy_to_mutate") == 21
    with pytest.raises(IndexError):
        mutants.mutant("toy_to_mutate", 21)


def test_functions_imported_and_cached_earlier_are_changed_too(folder: Path) -> None:
    less: Callable[[int, int], bool] = toy(folder).less
    assert not less(1, 1)
    (n,) = [n for n in range(mutants.count_sites("toy_to_mutate")) if "a < b" in mutants.mutant("toy_to_mutate", n)[1]]

    def work(report: Callable[[str], None]) -> None:
        mutants.patch_loaded("toy_to_mutate", n)
        report(str(less(1, 1)))

    assert mutation.run_isolated(work, 100) == ["True"]
    assert not less(1, 1)


def loop(report: Callable[[str], None]) -> None:
    report("begun")
    while True:
        pass


@pytest.mark.parametrize(
    ("work", "messages"),
    [
        (lambda report: report("seen\nby tests"), ["seen by tests"]),
        (lambda report: report("begun") or os._exit(3), ["begun", "death"]),
        (lambda report: report("begun") or 1 / 0, ["begun", "death"]),
        (loop, ["begun", "time"]),
    ],
)
def test_normal_end_crash_and_hang_are_distinguished(
    work: Callable[[Callable[[str], None]], None], messages: list[str]
) -> None:
    assert mutation.run_isolated(work, 1 if work is loop else 100) == messages


@pytest.mark.parametrize("group", mutation.GROUPS)
def test_a_group_has_changes_in_every_module_and_existing_tests(group: str) -> None:
    modules, tests = mutation.GROUPS[group].names(), mutation.GROUPS[group].tests.split()
    assert all(mutants.count_sites(name) > 0 for name in modules)
    for path, _, name in (test.partition("::") for test in tests):
        assert (ROOT / path).exists()
        assert not name or f"def {name.partition('[')[0]}(" in (ROOT / path).read_text()


def test_a_compiled_mutant_runs_and_neither_reads_nor_writes_the_cache(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        f"sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'benchmarks')!r}]\n"
        "from mutants import patch_import, mutant, count_sites\n"
        "from mutation import disable_cache\n"
        "if sys.argv[1:]:\n"
        "    name = 'backends.native.luby'\n"
        "    wanted = [n for n in range(count_sites(name)) if 'luby: 1 << power' in mutant(name, n)[1]]\n"
        "    disable_cache()\n"
        "    patch_import(name, wanted[0])\n"
        "import numba\n"
        "from backends.native.luby import luby\n"  # for compiled callers only
        "print(numba.njit(lambda: luby(6))())\n"
    )
    kept = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    environment = kept | {"XDG_CACHE_HOME": str(tmp_path)}

    def printed(*arguments: str) -> str:
        command = [sys.executable, "-c", script, *arguments]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True)
        return run.stdout.strip()

    assert printed() == "4"
    cached = sorted(tmp_path.rglob("*.nb?"))
    assert cached
    assert printed("changed") == "0"
    assert sorted(tmp_path.rglob("*.nb?")) == cached
    assert printed() == "4"
