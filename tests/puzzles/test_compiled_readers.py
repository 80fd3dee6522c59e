"""Large files are read by compiled loops as small ones are read: the same instance, notes, refusal and line.

The loops are cached: what is damaged is compiled anew, and without a cache, or Numba, or a large file nothing changes.
"""

import gzip
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.readers.compiled import loading
from tests.effort import examples
from tests.puzzles.test_mutated_files import damaged

pytest.importorskip("numba")

HUGE = 1 << 62
FILES = examples(300)  # of each form
SOUND = {
    "a.cnf": (
        "c one\np cnf 12 7\n1 -2 0\n0\nc inside\n3 3 -3 0\n-1 2\n3 0 4 5 6 7 8 9 10 11 -12 0\n  c x\n"
        "1 2 3 4 5 6 7 8 9 -9 0\n\t5\n"
    ),
    "percent.cnf": "p cnf 2 2\n1 2 0 -1\r\n-2 0\n%\n0\n",
    "old.wcnf": "c old\np wcnf 3 4 16\n16 1 -2 0\n3 -1 0\n\n 16 3 0\n4 2 3 0\n017 0\n",
    "top.wcnf": (
        "p wcnf 3 4 18446744073709551616\n18446744073709551616 1 -2 0\n"
        "9223372036854775807 -1 0\n0018446744073709551616 3 0\n"
    ),
    "none.wcnf": "p wcnf 3 3\n16 1 -2 0\n0 3 0\n3 -1 0\n",
    "new.wcnf": "c new\n7 -1 0\nh 1 -2 0\nc{\n3 -1 3 0\n9223372036854775807 0\n0 2 0\r\nh 0\n",
    "linear.opb": (
        "* #variable= 3 #constraint= 4\nmax: 3 x1 -2 ~x2 ;\n2 x1 +2 x2 >= 1 ;\n* comment\n-3 x2\n +5 x3 = 0 ;\n\n"
        "1 ~x1 -2 x2 != -1;\n+1 x3 +4 ~x3 <= +3 ; \n"
    ),
    "long.opb": (
        f"min: +1 x1 ;\n1 x1 >= 0 ;\n+{10**20} x1 +1 x3 = 0 ;\n-1 x2 >= -1 ;\n999999999999 x1 >= {10**17} ;\n"
    ),
    "products.opb": "min: +3 x1 x2 -2 ~x3 ;\n+1 x1 ~x2 +2 x2 <= 2 ;\n+1 x1 +1 x2 >= 1 ;\n1 x1>=0;\n",
    "soft.wbo": (
        "* #variable= 2 #constraint= 3\nsoft: 6 ;\n[2] +1 x1 >= 1 ;\n+1 x1 +1 x2 >= 1 ;\n"
        "[3] -1 x1 +1 x2 = 0 ;\n+1 x2 != 2 ;\n"
    ),
}
BLOCKS = (1, 7, 24, 1 << 18)
MODULES = ("cnf", "wcnf", "source")


def outcome(path: Path, least: int, block: int, ignored: bool) -> tuple[object, ...]:
    """Return all that a file gives: instances and notes, or its refusal; files from `least` bytes are large."""
    notes = list[object]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzles.formats.OPENING_LINES", 1)  # so that no more is decoded ahead than with real blocks
        for module in MODULES:
            patch.setattr(f"puzzles.readers.{module}.BLOCK_BYTES", block)
        for form in loading.LEAST_BYTES:
            patch.setitem(loading.LEAST_BYTES, form, least)
        try:
            for found in read(path, ReaderOptions(notify=notes.append, ignore_objective=ignored)):
                notes += [found.problem, len(found.problem.variables), found.domains, found.source]
        except BadInput as e:
            notes.append(str(e))
    return tuple(notes)


@pytest.mark.hypothesis  # so that CI runs it with all files
@pytest.mark.parametrize("name", SOUND)
def test_a_damaged_file_gives_the_same_whether_it_counts_as_large_or_small(name: str, tmp_path: Path) -> None:
    random, path = Random(name), tmp_path / name
    refused = 0
    for k in range(FILES):
        text = damaged(SOUND[name], random) if k else SOUND[name]
        raw = text.encode(errors="surrogateescape") or b" "
        path.write_bytes(gzip.compress(raw) if k % 50 == 1 else raw)
        block, ignored = random.choice(BLOCKS), random.random() < 0.1
        small = outcome(path, HUGE, block, ignored)
        assert outcome(path, 0, block, ignored) == small, text
        refused += isinstance(small[-1], str)
    assert FILES // 20 < refused < FILES - FILES // 20


LARGE = {  # a first line, another that comes often, and the function that reads a block without the loop
    "cnf": ("p cnf 3 90000", "1 -2 3 0", "literals"),
    "wcnf": ("h 1 0", "7 1 -2 3 0", "hard_and_soft"),
    "opb": ("* #variable= 3 #constraint= 90000", "+3 x1 -2 ~x2 >= -1 ;", "in_columns"),
}


@pytest.mark.parametrize("form", LARGE)
def test_a_large_file_is_read_by_the_loops(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (first, often, plain), path = LARGE[form], tmp_path / f"a.{form}"
    path.write_text("\n".join([first, *[often] * 90_000, ""]))
    expected = outcome(path, HUGE, 1 << 16, ignored=False)
    calls, module = list[object](), import_module(f"puzzles.readers.{form}")
    real = getattr(module, plain)

    def counted(*arguments: object) -> object:
        calls.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(module, plain, counted)
    assert outcome(path, 0, 1 << 16, ignored=False) == expected
    assert len(calls) <= 1  # for the block in which the clauses begin


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache that is empty, in a process that has loaded no loops."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    monkeypatch.setattr(loading, "LOADED", {})
    loading.cache_directory.cache_clear()
    yield folder
    loading.cache_directory.cache_clear()


def count_three() -> int:
    """Return the number of literals that the loop finds in three words, -1 if there is no loop."""
    from ctypes import c_int32

    loops = loading.loops_for("cnf", HUGE, "literals")
    target = (c_int32 * 9)()
    return loops[0](b"1 -2 0\n", 7, 2, target) if loops else -1


@pytest.mark.slow
def test_a_damaged_loop_is_compiled_anew(cache: Path) -> None:
    assert count_three() == 3
    (file,) = cache.rglob("*.o")
    sound = file.read_bytes()
    for wrong in (b"", sound[:-1], sound[:500] + b"\xff" + sound[501:]):
        file.write_bytes(wrong)
        loading.LOADED.clear()
        assert loading.loops_for("cnf", loading.LEAST_BYTES["cnf"], "literals") is None  # not worth the compilation
        assert count_three() == 3
        assert file.read_bytes() != wrong


@pytest.mark.slow
def test_on_a_full_disk_a_loop_is_compiled_and_not_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert count_three() == 3
    assert [path.name for path in cache.rglob("*") if path.is_file()] == []


def test_without_a_cache_directory_there_are_no_loops(cache: Path) -> None:
    cache.write_text("a file")
    assert count_three() == -1


def test_compilation_can_be_turned_off(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert count_three() == -1


def test_a_small_file_loads_no_compiler(tmp_path: Path) -> None:
    (tmp_path / "a.cnf").write_text("p cnf 2 1\n1 -2 0\n")
    script = (
        "import sys\nfrom puzzles.formats import read\n"
        "list(read('a.cnf'))\nassert 'numpy' in sys.modules\n"
        "print([name for name in ('numba', 'llvmlite') if name in sys.modules])"
    )
    root = Path(__file__).resolve().parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(root)}, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
