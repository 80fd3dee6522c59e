"""Plug-ins that exit, crash, hang or raise on import: nothing but them is lost, and the parent never imports one."""

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from harness.model.contender import resolve
from harness.model.lineage import lineage
from puzzles.boards import families
from puzzles.errors import BadLayout
from puzzles.plugins.process import PluginProcess
from puzzles.plugins.text import raised
from tests.attacks.planting import running, wait_for
from tests.conftest import PLUGINS, ROOT, Done, Harness, forget_plugins

LINE = "#: sudoku 2x2, count 1\n1...\n..2.\n.3..\n...4\n"
GOOD = """
from dataclasses import dataclass
from backends.contract import registry
from encoders.formula import AllDifferent
@dataclass
class B:
    name: str
    version: str = '1.0'
    accepts: frozenset = frozenset({AllDifferent})
    can: frozenset = frozenset({'count', 'domains'})
    def open(self, formula):
        return registry.find('native:python').open(formula)
def backends():
    return [B(NAME)]
"""
UNPRINTABLE = "a backend's name is not a printable text"
BAD = {
    "exits": ("import sys; sys.exit(0)", "SystemExit: 0 ({folder}/exits.py:1)"),
    "leaves": ("import os; os._exit(0)", "its process exited with 0"),
    "crashes": ("import ctypes; ctypes.string_at(0)", "its process died of SIGSEGV"),
    "raises": ("\n\nraise RuntimeError('no\\x1b[2Jday')", "RuntimeError: no\\x1b[2Jday ({folder}/raises.py:3)"),
    "typo": ("import no_module_xyz", "ModuleNotFoundError: No module named 'no_module_xyz' ({folder}/typo.py:1)"),
    "closes": ("import os; os.closerange(3, 64)", "its process "),
    "writes": (
        "import os\nfor fd in range(3, 64):\n  try: os.write(fd, b'[]\\n')\n  except OSError: pass",
        "its process sent an invalid reply",
    ),
    "escape": (GOOD.replace("NAME", "'escape:\\x1b[2J'"), UNPRINTABLE),
    "number": (GOOD.replace("NAME", "7"), UNPRINTABLE),
    "stranger": (GOOD.replace("NAME", "'native'"), "its backend is named 'native', not 'stranger'"),
    "wordy": (
        GOOD.replace("NAME", "'wordy'").replace("'1.0'", "'x' * 5000"),
        "the version of wordy is not a printable text",
    ),
    "forger": (
        "import os, json\nfor fd in range(3, 64):\n  try: os.write(fd, json.dumps({'id': 1, 'value': {'backends':"
        " [{'name': 'forger', 'version': '1', 'accepts': [[]], 'can': [7]}]}}).encode() + b'\\n')\n"
        "  except OSError: pass",
        "a capability of forger is not a printable text",
    ),
    "nests": (
        "import os\nfor fd in range(3, 64):\n  try: os.write(fd, b'[' * 50000 + b'\\n')\n  except OSError: pass",
        "its process sent an invalid reply",
    ),
    "long": (GOOD.replace("B(NAME)", "B('long:%d' % i) for i in range(1001)"), "it must have 1 to 1000 backends"),
    "none": ("def backends():\n    return []", "it has no backends"),
}


def install(folder: Path, name: str, code: str, requires: str = "", group: str = "backends") -> None:
    """Plant a distribution with one entry point of the group, the module's `backends`."""
    (folder / f"{name}.py").write_text(code)
    facts = folder / f"{name}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{requires}")
    (facts / "entry_points.txt").write_text(f"[crosscheck.{group}]\n{name} = {name}:{group}\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "small.txt").write_text(LINE)
    return tmp_path / "site"


Crosscheck = Callable[..., Done]


@pytest.fixture
def crosscheck(folder: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch) -> Crosscheck:
    """Run the command line in this process with the plug-ins that a folder has at that moment, and no others."""
    monkeypatch.setattr(sys, "path", [str(folder), *(entry for entry in sys.path if entry != str(PLUGINS))])
    importlib.invalidate_caches()
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(folder)]))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent / "cache"))

    def run(*arguments: str) -> Done:
        forget_plugins()
        return harness(*arguments)

    return run


@pytest.mark.slow
def test_a_plug_in_that_cant_be_loaded_is_listed_with_a_reason_and_harms_no_other(
    folder: Path, crosscheck: Crosscheck
) -> None:
    for name, (code, _) in BAD.items():
        install(folder, name, code)
    install(folder, "good", GOOD.replace("NAME", "'good'"))
    done = crosscheck("list", "--backends")
    assert (done.code, done.err) == (0, "")
    lines = {line.split()[0]: line for line in done.out.splitlines() if line}
    assert "1.0" in lines["good"]
    assert "cpsat" in lines
    for name, (_, why) in BAD.items():
        assert why.format(folder=folder) in lines[name], name
    assert "pip install" not in "".join(lines[name] for name in BAD)
    assert "\x1b" not in done.out


def test_a_version_that_changes_at_each_access_is_said_as_what_it_is(folder: Path, crosscheck: Crosscheck) -> None:
    changing = "version = property(lambda self, seen=[]: seen.append(1) or f'1.{len(seen)}')"
    install(folder, "moody", GOOD.replace("NAME", "'moody'").replace("version: str = '1.0'", changing))
    done = crosscheck("run", "easy", "-n", "1", "-b", "moody")
    assert (done.code, "its version changes between accesses ('1." in done.err) == (2, True), done


@pytest.mark.slow
def test_a_plug_in_that_ends_its_process_costs_two_more_however_many_others_there_are(
    folder: Path, crosscheck: Crosscheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(folder, "leaves", "import os; os._exit(0)")
    for name in ("early", "late", "zealous"):
        install(folder, name, GOOD.replace("NAME", repr(name)))
    calls: dict[int, list[str]] = {}
    asked = PluginProcess.call

    def noted(process: PluginProcess, function: str, *args: str) -> object:
        calls.setdefault(process.child.process.pid, []).append(args[0])
        return asked(process, function, *args)

    monkeypatch.setattr(PluginProcess, "call", noted)
    out = crosscheck("list", "--backends").out
    assert "its process exited with 0" in next(line for line in out.splitlines() if line.startswith("leaves"))
    assert len(calls) <= 3
    assert sum(names == ["leaves"] for names in calls.values()) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["crashes", "raises"])
def test_a_run_that_names_a_broken_plug_in_is_bad_usage_and_a_glob_leaves_it_out(
    folder: Path, crosscheck: Crosscheck, name: str
) -> None:
    code, why = BAD[name]
    install(folder, name, code)
    done = crosscheck("run", "small.txt", "-b", name)
    assert done.code == 2
    (line,) = done.err.splitlines()
    assert line == f"harness: backend '{name}': can't be loaded: {why.format(folder=folder)}"
    install(folder, f"{name}2", GOOD.replace("NAME", f"'{name}2'"))
    done = crosscheck("run", "small.txt", "-b", f"{name}*")
    assert done.code == 0, done.err
    (note,) = [line for line in done.err.splitlines() if line.startswith("note: ")]
    assert note == f"note: {name} left out: can't be loaded: {why.format(folder=folder)}"


@pytest.mark.slow
def test_a_plug_in_that_hangs_on_import_is_given_up(
    folder: Path, crosscheck: Crosscheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(folder, "hangs", "import time\ntime.sleep(600)")
    install(folder, "spins", "import itertools, collections\ncollections.deque(itertools.repeat(0), maxlen=0)")
    monkeypatch.setattr("puzzles.plugins.process.CALL_SECONDS", 0.5)
    for name in ("hangs", "spins"):
        done = crosscheck("run", "small.txt", "-b", name)
        assert done.code == 2
        assert done.err == f"harness: backend '{name}': can't be loaded: it did not answer in time\n"


def test_a_plug_in_that_takes_all_memory_is_described_as_failed(folder: Path, crosscheck: Crosscheck) -> None:
    install(folder, "hoards", "hoard = bytearray(3 << 30)")
    done = crosscheck("run", "small.txt", "-b", "hoards")
    assert done.code == 2
    assert "MemoryError" in done.err


@pytest.mark.slow
def test_only_other_processes_import_plug_ins_and_only_when_a_run_reaches_them(
    folder: Path, crosscheck: Crosscheck
) -> None:
    trace = folder.parent / "pids"
    note = f"import os\nopen({str(trace)!r}, 'a').write(f'{{os.getpid()}} ')\n"
    install(folder, "good", note + GOOD.replace("NAME", "'good'"))
    assert crosscheck("run", "small.txt", "-b", "native:python").code == 0
    assert not trace.exists()
    assert crosscheck("run", "small.txt", "-b", "good").code == 0
    pids = trace.read_text().split()
    assert len(set(pids) - {str(os.getpid())}) == 2  # of the process that described it, and of the worker
    assert len(pids) == 2


@pytest.mark.slow
def test_a_description_is_cached_until_the_plug_in_changes(folder: Path, crosscheck: Crosscheck) -> None:
    trace = folder.parent / "imports"
    code = f"open({str(trace)!r}, 'a').write('1')\n" + GOOD.replace("NAME", "'good'")
    install(folder, "good", code)
    for version, imports in (("'1.0'", "1"), ("'1.0'", "1"), ("'2.00'", "11")):
        (folder / "good.py").write_text(code.replace("'1.0'", version))
        os.utime(folder / "good.py", (1, 1))
        done = crosscheck("list", "--backends")
        assert version.strip("'") in next(line for line in done.out.splitlines() if line.startswith("good"))
        assert trace.read_text() == imports
    for path in (folder.parent / "cache").rglob("*.json"):
        path.write_text('{"key": [], "data": 7}')  # damaged: described again
    assert "2.00" in crosscheck("list", "--backends").out
    assert trace.read_text() == "111"


def test_an_unwritable_cache_is_no_trouble(folder: Path, crosscheck: Crosscheck) -> None:
    (folder.parent / "cache").write_text("a file, no folder")
    install(folder, "good", GOOD.replace("NAME", "'good'"))
    done = crosscheck("list", "--backends")
    assert (done.code, done.err) == (0, "")
    assert "\ngood " in done.out


def test_only_a_required_distribution_is_offered_for_installation(folder: Path, crosscheck: Crosscheck) -> None:
    code = "import solver_of_mine.core"
    install(folder, "honest", code, requires='Requires-Dist: Solver-Of.Mine>=2; python_version > "3"\n')
    install(folder, "mistyped", code, requires="Requires-Dist: numpy\n")
    done = crosscheck("list", "--backends")
    lines = {line.split()[0]: line for line in done.out.splitlines() if line}
    assert "not installed: pip install solver-of-mine" in lines["honest"]
    assert "pip install" not in lines["mistyped"]
    assert f"No module named 'solver_of_mine' ({folder}/mistyped.py:1)" in lines["mistyped"]


@pytest.mark.slow
def test_a_plug_in_refuses_layouts_from_its_own_process(folder: Path, crosscheck: Crosscheck) -> None:
    for name, code in (("choosy", "return 'it takes\\n9x9 only'"), ("choking", "import os; os.abort()")):
        refuses = f"    def refuses(self, formula):\n        {code}\n    def open"
        install(folder, name, GOOD.replace("NAME", repr(name)).replace("    def open", refuses))
    done = crosscheck("run", "small.txt", "-b", "choosy")
    assert (done.code, done.err) == (2, "harness: contender 'choosy' is not supported: it takes 9x9 only\n")
    done = crosscheck("run", "small.txt", "-b", "chok*", "-b", "native:python")
    assert done.code == 0
    assert "note: left out: choking can't be asked: its process died of SIGABRT" in done.err


FAMILY = """
from random import Random
from puzzles.boards.family import Family
from puzzles.boards.layout import Layout
def build(parameters, alphabet):
    return Layout('odd ' + parameters, tuple(map(str, range(50))), ('1', '2'), ((0, 1), (2, 3)))
def guess(squares):
    return '4' if squares in (50, 81) else None
def draw(layout, cells):
    return ' '.join(cells)
def symmetry(layout, random):
    return (1, 0, *range(2, 50))
{}
families = Family('odd', 'odd N', build, guess, draw, symmetry)
"""
PUZZLE = "." * 4 + "1" * 46 + "\n"
BOARD = f"#: odd 4, count 4\n{PUZZLE}"
BAD_FAMILIES = {
    "import sys; sys.exit(0)": "family 'odd' can't be loaded: SystemExit: 0",
    "import os; os.abort()": "family 'odd' can't be loaded: its process died of SIGABRT",
    "def build(p, a): import os; os._exit(3)": "family 'odd' failed: its process exited with 3",
    "def build(p, a): return 7": "family 'odd' failed: TypeError: build returned int, not a layout",
    "def build(p, a): return Layout('sudoku 3x3', ('a',), ('1',), ())": "name 'sudoku 3x3' does not start with 'odd'",
    "def build(p, a): return Layout('odd 4', ('a', 'a'), ('1',), ())": "it needs 1 to 65536 different squares",
    "def build(p, a): return Layout('odd 4', ('a\\x1b[2J',), ('1',), ())": "one of its squares is not a printable text",
    "def build(p, a): return Layout('odd 4', ('a',), ('1',), ((0, -1),))": "a unit does not consist of different",
    "def build(p, a): return Layout('odd ' + p + '1', ('a',), ('1',), ())": "built another layout for 'odd 41'",
    "def build(p, a, calls=[0]): calls[0] += 1; return Layout('odd 4', ('a', 'b')[: calls[0]], ('1',), ())": (
        "built another layout for 'odd 4' when it was asked again"
    ),
    "def symmetry(l, r): return (0, 2, 1, *range(3, 50))": "its symmetry does not map units to units",
    "def symmetry(l, r): return (0, 0, 0, 10**30)": "its symmetry is no permutation of the squares",
    "def symmetry(l, r): raise SystemExit(0)": "family 'odd' failed: SystemExit: 0",
}


def draw_symmetry(name: str) -> None:
    board = families.layout(name)
    family = families.family_of(board)
    assert family
    family.symmetry(board, Random(1))


@pytest.mark.slow
@pytest.mark.parametrize("code", BAD_FAMILIES)
def test_a_family_that_fails_is_an_error_in_one_line(
    folder: Path, installed_plugins: None, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent / "cache"))
    install(folder, "odd", FAMILY.format(code), group="families")
    with pytest.raises(BadLayout) as raised:
        draw_symmetry("odd 4")
    assert BAD_FAMILIES[code] in str(raised.value)
    assert str(raised.value).isprintable()


@pytest.mark.slow
def test_a_family_of_a_plug_in_is_read_guessed_drawn_and_scrambled_but_changes_no_built_in_size(
    folder: Path, crosscheck: Crosscheck
) -> None:
    install(folder, "odd", FAMILY.format(""), group="families")
    (folder.parent / "odd.txt").write_text(PUZZLE + BOARD)
    done = crosscheck("run", "odd.txt", "hardest", "-n", "2", "-b", "native:python", "--scramble", "--count", "5")
    assert done.code == 0, done.err
    assert "sudoku 3x3" in done.out
    install(folder, "broken", "raise RuntimeError('no')", group="families")
    assert crosscheck("run", "odd.txt", "-b", "native:python").code == 0
    out = crosscheck("list", "--families").out
    assert "odd N" in out
    assert "can't be loaded: RuntimeError: no" in out
    assert crosscheck("show", "odd.txt").out.startswith(". . . . 1 1")


ENCODING = """
from encoders.direct import alldifferent
from encoders.encoding import Encoding
from encoders.formula import AllDifferent, Cnf
from encoders.cnf import minimal
def encode(*rest):
    return alldifferent(*rest)
encodings = Encoding('mine', AllDifferent, encode)
{}
"""


@pytest.mark.slow
def test_an_encoding_of_a_plug_in_harms_nothing_else(folder: Path, crosscheck: Crosscheck) -> None:
    install(folder, "mine", ENCODING.format(""), group="encodings")
    install(folder, "gone", "import os; os._exit(0)", group="encodings")
    run = ("run", "small.txt", "-b")
    assert crosscheck(*run, "native:python", "-b", "native:python/mine").code == 0
    native, mine = resolve(["native:python", "cpsat/mine"])[0]
    assert lineage(native).encoder == ""  # the formula is the problem itself
    assert lineage(mine).encoder == "mine"  # so its code may be wrong
    done = crosscheck(*run, "native:python/gone")
    assert (done.code, done.err) == (2, "harness: encoding 'gone' can't be loaded: its process exited with 0\n")
    done = crosscheck(*run, "native:python/[mg]*")
    assert done.code == 0
    assert "note: encoding gone left out: it can't be loaded: its process exited with 0" in done.err
    assert "can't be loaded: its process exited with 0" in crosscheck("list", "--encodings").out


@pytest.mark.slow
def test_an_encoding_that_crashes_when_asked_is_an_outcome_of_its_contender(
    folder: Path, crosscheck: Crosscheck
) -> None:
    crash = "import os\ndef encode(*rest): os.abort()\nencodings = Encoding('mine', AllDifferent, encode)"
    install(folder, "mine", ENCODING.format(crash), group="encodings")
    done = crosscheck("run", "small.txt", "-b", "native:python", "-b", "native:python/mine")
    assert done.code == 4
    assert "SIGABRT" in done.out
    assert "encoding 'mine' failed: its process died of SIGABRT" in crosscheck("list", "--encodings").out


@pytest.mark.slow
def test_a_plug_in_is_described_with_the_environment_of_a_worker(
    folder: Path, crosscheck: Crosscheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_USER", "hidden")
    monkeypatch.setenv("LICENCE", "given")
    seen = folder / "seen"
    note = f"open({str(seen)!r}, 'a').write(str([os.environ.get(n) for n in ('SECRET_OF_THE_USER', 'LICENCE', 'TZ')]))"
    install(folder, "curious", f"import os\n{note}\n{GOOD.replace('NAME', repr('curious'))}")
    assert crosscheck("run", "small.txt", "-b", "curious", "--pass-env", "LICENCE").code == 0
    described, *workers = seen.read_text().replace("][", "]\n[").splitlines()
    assert described == "[None, None, 'UTC']"  # a description is cached, and of no run
    assert set(workers) == {"[None, 'given', 'UTC']"}


def test_a_daemon_that_a_plug_in_starts_while_it_is_described_ends_with_it(
    folder: Path, crosscheck: Crosscheck
) -> None:
    command = ["env", "-i", "setsid", "sh", "-c", "sleep 60; :", os.environ["CROSSCHECK_TEST"]]
    start = f"import subprocess\nsubprocess.Popen({command}, stdout=-3, stderr=-3)"
    install(folder, "haunting", f"{start}\nopen({str(folder)!r} + '/started', 'w').close()\n")
    assert "haunting" in crosscheck("list", "--backends").out
    assert (folder / "started").exists()
    assert wait_for(lambda: running(command[-1]) == [], 10)


@pytest.mark.parametrize("folder", ["backends", "backends/programs"])
def test_an_exception_is_told_with_the_innermost_line_of_the_backend_that_raised_it(folder: str) -> None:
    """Beyond it are the standard library and our contract, which calls the backend."""
    named: dict[str, Callable[[], object]] = {}
    text = "import json\n\ndef ask():\n    return json.loads('no')\n"
    exec(compile(text, f"{ROOT}/{folder}/new.py", "exec"), named)
    with pytest.raises(ValueError, match="Expecting value") as failed:
        named["ask"]()
    failed.value.__traceback__ = failed.tb.tb_next
    assert raised(failed.value) == f"JSONDecodeError: Expecting value: line 1 column 1 (char 0) ({folder}/new.py:4)"
    failed.value.__traceback__ = None
    assert raised(failed.value) == "JSONDecodeError: Expecting value: line 1 column 1 (char 0)"
