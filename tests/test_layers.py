"""Layer order: puzzles <- encoders <- backends <- harness; --help loads no heavy package."""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "puzzles": {"puzzles"},
    "encoders": {"puzzles", "encoders"},
    "backends": {"puzzles", "encoders", "backends"},
    "harness": {"puzzles", "encoders", "backends", "harness"},
}
SOLVERS = {"pysat", "ortools", "numba", "pysolvers", "highspy", "pyscipopt", "exact"}
HEAVY = sorted(SOLVERS | {"numpy", "pandas", "scipy", "tqdm"})
HARNESS = {  # levels of the packages of harness/
    "model": 0,
    "storing": 1,
    "running": 1,
    "judging": 2,
    "reporting": 3,
    "importing": 4,
    "showing": 4,
    "fuzzing": 4,
    "recording": 4,
    "runs": 5,
    "explaining": 6,
    "rehearsing": 6,
    "commands": 7,
    "interface": 8,
    "__init__": 9,
    "cli": 10,
    "__main__": 11,
}
REPORTING = {  # levels of the packages of harness/reporting/
    "__init__": 0,
    "statistics": 0,
    "writing": 0,
    "frame": 1,
    "views": 2,
    "plots": 3,
    "page": 3,
    "formats": 3,
    "site": 4,
}
FILES = [path for layer in MAY_IMPORT for path in sorted((ROOT / layer).rglob("*.py"))]


@cache
def imported(path: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the modules that a file imports, anywhere in it: in functions and for types too, each with names of it."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append((node.module, tuple(alias.name for alias in node.names)))
    return tuple(found)


def packages_of(path: Path) -> set[str]:
    """Return the top-level packages that a file imports."""
    return {module.partition(".")[0] for module, _ in imported(path)}


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_imports_follow_the_layer_order(layer: str) -> None:
    forbidden = set(MAY_IMPORT) - MAY_IMPORT[layer]
    files = [path for path in FILES if path.relative_to(ROOT).parts[0] == layer]
    assert len(files) > 10
    assert [str(path) for path in files if packages_of(path) & forbidden] == []


def module_of(path: Path) -> str:
    """Return the dotted name of a file's module."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in FILES}


def targets(path: Path) -> set[str]:
    """Return the modules of the four layers that a file imports."""
    found: set[str] = set()
    for module, names in imported(path):
        whole = {f"{module}.{name}" for name in names}
        found |= {name if name in MODULES else module for name in whole} or {module}
    return found & MODULES.keys() - {module_of(path)}


@cache
def imports() -> dict[str, set[str]]:
    """Return the modules of the four layers, each with those that it imports."""
    return {name: targets(path) for name, path in MODULES.items()}


PACKAGES = sorted(name for name, path in MODULES.items() if path.name == "__init__.py")


def room_of(module: str, package: str) -> str | None:
    """Return the file or folder of a package that holds a module, `__init__` for the package's own; None: outside."""
    inside = module == package or module.startswith(f"{package}.")
    return (module.removeprefix(package)[1:].partition(".")[0] or "__init__") if inside else None


def rooms(package: str) -> dict[str, set[str]]:
    """Return the rooms of a package, each with those of the same package that it imports."""
    found: dict[str, set[str]] = {}
    for module, used in imports().items():
        if (here := room_of(module, package)) is not None:
            others = {room for name in used if (room := room_of(name, package)) is not None}
            found.setdefault(here, set()).update(others - {here})
    return found


def cycle(graph: Mapping[str, set[str]]) -> str:
    """Return a cycle of a graph as text, or '' if it has none."""
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> str:
        if name in way:
            return " -> ".join((*way[way.index(name) :], name))
        if name in done:
            return ""
        found = next(filter(None, (visit(target, (*way, name)) for target in sorted(graph[name]))), "")
        done.add(name)
        return found

    return next(filter(None, (visit(name, ()) for name in graph)), "")


@pytest.mark.parametrize(("package", "levels"), [("harness", HARNESS), ("harness.reporting", REPORTING)])
def test_imports_go_to_a_lower_level_or_stay_in_the_package(package: str, levels: Mapping[str, int]) -> None:
    below = rooms(package)
    assert below.keys() == levels.keys()
    assert [f"{room} imports {other}" for room in below for other in below[room] if levels[other] >= levels[room]] == []


def test_modules_have_no_import_cycle() -> None:
    assert cycle(imports()) == ""


@pytest.mark.parametrize("package", PACKAGES)
def test_files_and_folders_of_a_package_have_no_import_cycle(package: str) -> None:
    assert cycle(rooms(package)) == ""


TWICE = {"AllDifferent", "Results"}  # class names for two things by intent: decision 80


def test_a_class_name_stands_for_one_class() -> None:
    trees = (ast.parse(path.read_text()) for path in FILES)
    names = Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    assert {name for name, times in names.items() if times > 1} == TWICE


def test_a_cycle_is_found_and_named() -> None:
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == "b -> c -> b"


COMPILE = {ROOT / "puzzles" / name for name in ("readers/compiled/compiling.py", "kernel_caches.py")}


@pytest.mark.parametrize("layer", ["puzzles", "encoders"])
def test_puzzles_and_encoders_import_no_solver(layer: str) -> None:
    for path in (ROOT / layer).rglob("*.py"):
        assert packages_of(path) & SOLVERS <= ({"numba"} if path in COMPILE else set()), path


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["list", "--corpora"]], ids=" ".join)
def test_help_and_corpora_load_neither_numpy_nor_a_solver(arguments: list[str]) -> None:
    script = (
        "import sys\n"
        "from harness.cli import main\n"
        "try:\n"
        f"    main({arguments!r})\n"
        "except SystemExit:\n"
        "    pass\n"
        f"print('loaded:', *[m for m in {HEAVY!r} if m in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines()[-1].strip() == "loaded:"
