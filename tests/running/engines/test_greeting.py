"""The greeting of a worker: text that loads nothing which may be missing there, and differences by name."""

import platform
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

from harness.model.release import installed
from harness.running.engines.greeting import COMPARED, Greeting, call, loaded_source

EQUAL = Greeting("w", platform.python_version(), {name: installed(name) for name in COMPARED}, loaded_source(), "", 1)
WORKER = """
import sys, types
import distributed
state = types.SimpleNamespace(nthreads=3)
distributed.get_worker = lambda: types.SimpleNamespace(id="w", state=state)
print(eval(sys.stdin.read()))
"""


def greeted(folder: Path, *flags: str) -> Greeting:
    """Return the answer of a process that looks like a worker, started in a folder."""
    done = subprocess.run(
        [sys.executable, *flags, "-c", WORKER], input=call(1), cwd=folder, capture_output=True, text=True, check=True
    )
    return Greeting(**eval(done.stdout))


def test_a_worker_with_our_source_tells_nothing_that_differs(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[3]
    found = greeted(root)
    assert found.difference() == ""
    assert (found.worker, found.places >= 1) == ("w", True)


def test_a_worker_that_lacks_our_source_says_so_and_lives(tmp_path: Path) -> None:
    (tmp_path / "harness").mkdir()
    (tmp_path / "harness" / "__init__.py").write_text("raise ImportError('none here')\n")
    why = greeted(tmp_path).difference()
    assert why == "Crosscheck can't be loaded there: ImportError: none here"


def test_differences_are_named() -> None:
    assert EQUAL.difference() == ""
    assert replace(EQUAL, python="3.1").difference() == f"Python: {platform.python_version()} here, 3.1 there"
    other = replace(EQUAL, packages={**EQUAL.packages, "numpy": None}, source="0f" * 32)
    assert other.difference().startswith(
        f"numpy: {installed('numpy')} here, missing there; source of Crosscheck: sha256 "
    )
