"""The order of the house: puzzles <- encoders <- backends <- harness, and nothing heavy where --help passes."""

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
SOLVERS = {"pysat", "ortools", "numba", "pysolvers"}
HEAVY = sorted(SOLVERS | {"numpy", "pandas", "scipy", "tqdm"})
FILES = [path for layer in MAY_IMPORT for path in sorted((ROOT / layer).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """The top-level packages that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_run_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    forbidden = set(MAY_IMPORT) - MAY_IMPORT[layer]
    assert not imported(path) & forbidden


@pytest.mark.parametrize("layer", ["puzzles", "encoders"])
def test_nothing_below_the_backends_imports_a_solver(layer: str) -> None:
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
