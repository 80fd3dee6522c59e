"""Kernels are compiled in parts: inner functions without wrappers and machine code, each kept for a later attempt."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.cli import main
from tests.conftest import ROOT

pytest.importorskip("numba")

NAMES = """
from numba.core import event
from backends.native import kernel9
from tests.native.boards import FORMULA

with event.install_recorder("numba:compile") as compiled:
    kernel9.open(FORMULA)
print(*sorted({happened.data["dispatcher"].py_func.__name__ for _, happened in compiled.buffer}))
"""
STOPPED = """
from numba.core import event
from backends.native import board9, kernel9
from tests.native.boards import FORMULA

class Stop(event.Listener):
    def on_start(self, happened): pass
    def on_end(self, happened):
        if happened.data["dispatcher"] is board9.split:
            import os
            os._exit(9)

with event.install_listener("numba:compile", Stop()):
    kernel9.open(FORMULA)
"""


def run(cache: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, timeout=120)


def test_compile_fills_the_cache_so_that_an_opening_compiles_nothing(tmp_path: Path) -> None:
    done = run(tmp_path, "-m", "harness", "compile", "native:kernel")
    assert done.returncode == 0
    assert done.stdout.startswith("native:kernel ")
    assert done.stdout.endswith(" s of CPU time\n")
    again = run(tmp_path, "-c", NAMES)
    assert (again.stdout, again.stderr) == ("\n", "")


def test_what_a_killed_attempt_has_compiled_is_kept(tmp_path: Path) -> None:
    assert run(tmp_path, "-c", STOPPED).returncode == 9
    compiled = run(tmp_path, "-c", NAMES).stdout.split()
    assert "search" in compiled
    assert not {"step", "sweep", "clear_boxes", "choose_square", "read_board"} & set(compiled)


def test_inner_functions_have_one_version_and_no_wrapper() -> None:
    from backends.native import board9, board9_io, kernel9
    from tests.native.boards import FORMULA

    kernel9.open(FORMULA)
    functions: tuple[Any, ...] = (board9.put, board9.get, board9_io.write_solution)
    for function in functions:
        assert len(function.overloads) <= 1, "a version for each constant argument"
        assert function.targetoptions["no_cpython_wrapper"]
        assert function.targetoptions["no_cfunc_wrapper"]


def test_compile_names_what_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "native:norvig"]) == 2
    assert "native:norvig is not compiled; native:engine" in capsys.readouterr().err
