"""Layer order: puzzles <- encoders <- backends <- harness; --help loads no heavy package."""

import ast
import subprocess
import sys
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
LEVELS = {  # of the packages of harness/: imports go to a lower level or stay in the package
    "model": 0,
    "storing": 1,
    "running": 1,
    "judging": 2,
    "reporting": 3,
    "importing": 4,
    "showing": 4,
    "fuzzing": 4,
    "runs": 5,
    "commands": 6,
    "interface": 7,
    "__init__": 8,
    "cli": 9,
    "__main__": 10,
}
VERBS = ROOT / "harness/commands"  # as many files as verbs
ROOMS = sorted({path.parent for path in (ROOT / "harness").rglob("*.py")} - {VERBS})
FILES = [path for layer in MAY_IMPORT for path in sorted((ROOT / layer).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """Return the top-level packages that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_follow_the_layer_order(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    forbidden = set(MAY_IMPORT) - MAY_IMPORT[layer]
    assert not imported(path) & forbidden


def package_of(module: str) -> str:
    """Return the package in harness of a dotted module name."""
    return [*module.split("."), "__init__"][1]


def modules(path: Path) -> set[str]:
    """Return the dotted names of the harness modules that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            named = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {n if is_module(n) else node.module for n in named}
    return {m for m in found if m.partition(".")[0] == "harness"}


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


@pytest.mark.parametrize("path", sorted((ROOT / "harness").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_packages_of_the_harness_import_only_lower_levels(path: Path) -> None:
    here = (*path.relative_to(ROOT / "harness").with_suffix("").parts,)[0]
    against = [m for m in modules(path) if package_of(m) != here and LEVELS[package_of(m)] >= LEVELS[here]]
    assert not against


def test_harness_modules_have_no_import_cycle() -> None:
    files = sorted((ROOT / "harness").rglob("*.py"))
    named = {".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p for p in files}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join((*way[way.index(name) :], name))
        if name not in done and name in named:
            for target in sorted(modules(named[name]) - {name}):
                visit(target, (*way, name))
            done.add(name)

    for name in named:
        visit(name, ())


@pytest.mark.parametrize("room", ROOMS, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_folder_of_the_harness_has_at_most_fourteen_files_and_folders(room: Path) -> None:
    entries = [p.name for p in room.iterdir() if p.name not in ("__pycache__", "py.typed")]
    assert len(entries) <= 14, entries


@pytest.mark.parametrize("layer", ["puzzles", "encoders"])
def test_puzzles_and_encoders_import_no_solver(layer: str) -> None:
    for path in (ROOT / layer).rglob("*.py"):
        assert not imported(path) & SOLVERS, path


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
