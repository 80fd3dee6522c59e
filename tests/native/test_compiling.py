"""Kernels are compiled in parts: inner functions without wrappers and machine code, each kept for a later attempt."""

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import GenericAlias
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from encoders.formula import AllDifferent, Cnf
from harness.cli import main
from puzzles.caches import source_digest
from puzzles.kernel_caches import cached_in
from puzzles.problem.arrays import Int32Array
from tests.conftest import ROOT

pytest.importorskip("numba")

import numba

from backends.native import compiling
from backends.native.memory import element_of, view, words

NAMES = """
from numba.core import event
from backends.native.sudoku import kernel9
from tests.native.boards import FORMULA

with event.install_recorder("numba:compile") as compiled:
    kernel9.open(FORMULA)
print(*sorted({happened.data["dispatcher"].py_func.__name__ for _, happened in compiled.buffer}))
"""
STOPPED = """
from numba.core import event
from backends.native.sudoku import board9, kernel9
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


@pytest.mark.slow
def test_compile_fills_the_cache_so_that_an_opening_compiles_nothing(tmp_path: Path) -> None:
    done = run(tmp_path, "-m", "harness", "compile", "native:kernel")
    assert done.returncode == 0
    assert done.stdout.startswith("native:kernel ")
    assert done.stdout.endswith(" s of CPU time\n")
    again = run(tmp_path, "-c", NAMES)
    assert (again.stdout, again.stderr) == ("\n", "")


@pytest.mark.slow
def test_what_a_killed_attempt_has_compiled_is_kept(tmp_path: Path) -> None:
    assert run(tmp_path, "-c", STOPPED).returncode == 9
    compiled = run(tmp_path, "-c", NAMES).stdout.split()
    assert "search" in compiled
    assert not {"step", "sweep", "clear_boxes", "choose_square", "read_board"} & set(compiled)


def test_inner_functions_have_one_version_and_no_wrapper() -> None:
    from backends.native.sudoku import board9, board9_io, kernel9
    from tests.native.boards import FORMULA

    kernel9.open(FORMULA)
    functions: tuple[Any, ...] = (board9.put, board9.get, board9_io.write_solution)
    for function in functions:
        assert len(function.overloads) <= 1, "a version for each constant argument"
        assert function.targetoptions["no_cpython_wrapper"]
        assert function.targetoptions["no_cfunc_wrapper"]


def test_no_function_of_the_solvers_takes_an_array_apart() -> None:
    """Arrays are their addresses, in the words of the functions that Python calls; all others take pointers."""
    from numba.core import types

    from backends.native.cdcl import session as cdcl
    from backends.native.engine import session as engine

    engine.open(AllDifferent(1, 1, ()))
    cdcl.open(Cnf(np.array([1, 0], np.int32), 1, ((1,),)))
    modules = [
        m for name, m in sys.modules.items() if name.startswith(("backends.native.engine", "backends.native.cdcl"))
    ]
    functions = {f for m in modules for f in vars(m).values() if hasattr(f, "overloads")}
    signatures = {f.py_func.__name__: kinds for f in functions for kinds in f.overloads}
    taking = {name for name, kinds in signatures.items() if any(isinstance(k, types.Array) for k in kinds)}
    assert taking <= {"solve_all", "search", "load", "walk", "enlist", "eliminate", "extend"}


class Fields(NamedTuple):
    number: int
    row: Int32Array


@pytest.mark.parametrize(
    "row",
    [np.zeros(4, np.int64), np.zeros((4, 4), np.int32)[:, 1], np.broadcast_to(np.int32(1), 4)],
    ids=["of other elements", "not contiguous", "not writable"],
)
def test_an_array_that_a_pointer_would_misread_is_refused(row: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        words(Fields(1, row))


def test_compiled_code_reads_and_writes_the_callers_arrays() -> None:
    @compiling.compiled
    def add(memory: Any) -> int:
        fields = view(memory, Fields)
        fields.row[1] += fields.number
        return fields.row[1]  # type: ignore[no-any-return]

    row = np.arange(3, dtype=np.int32)
    assert (add(words(Fields(5, row))), row.tolist()) == (6, [0, 6, 2])


def test_an_operator_is_typed_once_for_the_same_types_and_apart_for_equal_subscripts() -> None:
    class Context:
        calls: ClassVar[list[Any]] = []

        def resolve_function_type(self, function: Any, args: Any, kws: Any) -> str:
            self.calls.append(args)
            return f"{function}{args}"

    memo = compiling.TypingMemo(Context())
    for args in ((1, 2), (1, 2), (1, True), (1, 1)):
        assert memo.resolve_function_type("test", args, {}) == f"test{args}"
    assert Context.calls == [(1, 2), (1, True), (1, 1)]


def test_a_cache_of_the_user_holds_the_kernels_of_these_sources_apart(tmp_path: Path) -> None:
    script = "from backends.native import compiling; print(compiling.CACHE_DIRECTORY)"
    directory = Path(run(tmp_path, "-c", script).stdout.strip())
    assert directory.parent == tmp_path
    assert directory.name == source_digest(Path(compiling.__file__).parent, numba.__version__)


def test_two_installations_of_the_same_sources_share_their_kernels(tmp_path: Path) -> None:
    hits = list[int]()
    for folder in ("one", "two"):
        source = tmp_path / folder / "kernels.py"
        source.parent.mkdir()
        source.write_text("def double(n):\n    return n + n\n")
        made = module_from_spec(spec := spec_from_file_location("kernels", source))  # type: ignore[arg-type]
        spec.loader.exec_module(made)  # type: ignore[union-attr]
        with cached_in(tmp_path / "cache"):
            double = numba.njit(cache=True)(made.double)
        assert double(2) == 4
        hits.append(sum(double.stats.cache_hits.values()))
    assert hits == [0, 1]
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["kernels"]


def test_compile_names_what_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "native:norvig"]) == 2
    assert "native:norvig is not compiled; native:engine" in capsys.readouterr().err


@pytest.mark.parametrize("hint", [npt.NDArray[np.int8], GenericAlias(list, (np.int8,))])
def test_the_elements_of_an_array_are_known_by_either_form_of_its_type(hint: Any) -> None:
    assert element_of(hint) == np.int8  # the last is that of NumPy 2.5, NDArray[TYPE]
