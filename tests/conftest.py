"""Shared fixtures: the command line, called in this process or in a new one, with the test plug-ins."""

import contextlib
import gc
import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from backends.contract import catalogue
from encoders import plugged as encodings
from harness.cli import main
from harness.model.host import cores
from puzzles.boards import families, plugged_families
from puzzles.plugins import close_processes, entries
from tests import compiling
from tests.effort import SHORT
from tests.forking import fork_processes

settings.load_profile(SHORT)

ROOT = Path(__file__).resolve().parent.parent
WITHOUT_NUMBA = """
import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == 'numba' else real(name, *rest)
"""  # prefix of a script that must not find numba
PLUGINS = ROOT / "tests" / "plugins"
SOLVERS = ("choco", "clingo", "cpmpy", "cryptominisat", "cvc5", "flat", "minizinc", "pumpkin", "toulbar2", "z3")
OPTIONAL = tuple(  # starts of the paths of tests that need packages of the extras
    f"{ROOT}/tests/{name}"
    for name in (
        *("browser/", "interface/", "running/engines/", "running/test_gauntlet_solvers.py"),
        *("judging/test_translations.py", "reporting/formats/test_round_trips.py"),
        *(f"backends/test_{name}.py" for name in (*SOLVERS, "zero_one")),
    )
)
STARTED = {"attacks", "browser", "engines", "running"}  # folders of tests whose processes start as for a user


@dataclass
class Done:
    """Result of a command."""

    code: int
    out: str
    err: str

    @property
    def summary(self) -> dict[str, Any]:
        """The JSON printed by the command."""
        found: dict[str, Any] = json.loads(self.out)
        return found

    def contender(self, name: str) -> dict[str, Any]:
        """Return the entry of one contender."""
        found: dict[str, Any] = next(c for c in self.summary["contenders"] if c["name"] == name)
        return found


Harness = Callable[..., Done]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one process more than cores for `-n auto`: tests wait for processes and time limits."""
    return 1 + (len(cores()) or os.cpu_count() or 1)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Start to compile, and tell a worker which file is locked until that is done."""
    node.workerinput["compiling"] = compiling.compile_once()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests that need packages of the extras."""
    if str(item.path).startswith(OPTIONAL):
        item.add_marker("optional")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect in the first worker, then in the others."""
    worker = getattr(session.config, "workerinput", {})
    if worker and worker["workerid"] != compiling.FIRST:
        compiling.wait_for_modules(worker["compiling"])
    gc.disable()  # what is collected stays
    try:
        return (yield)
    finally:
        gc.enable()
        if worker and worker["workerid"] == compiling.FIRST:
            compiling.collected(worker["compiling"]).touch()


def pytest_collection_finish() -> None:
    """Leave what was collected out of later collections of garbage, which would search it again and again."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    compiling.end()


@pytest.fixture(scope="session", autouse=True)
def kernels_compiled(request: pytest.FixtureRequest) -> None:
    """Kernels that another process has compiled for all workers."""
    if path := getattr(request.config, "workerinput", {}).get("compiling"):
        compiling.wait_for(path)


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> Iterator[None]:
    """Let SIGINT interrupt tests and what they start as in a terminal, though the parent of the tests may ignore it.

    A shell ignores it for what a script starts with `&`, and processes inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers and checking processes that are forked from this process."""
    fork_processes(monkeypatch)


@pytest.fixture(autouse=True)
def processes(request: pytest.FixtureRequest) -> None:
    """Fork the processes of a test, but in folders with tests that claim something about processes."""
    if request.path.parent.name not in STARTED:
        request.getfixturevalue("forked")


@pytest.fixture
def environment() -> dict[str, str]:
    """Environment in which the packages and the plug-ins are found from any folder."""
    path = os.pathsep.join([str(ROOT), str(PLUGINS)])
    mark = {"CROSSCHECK_TEST": uuid.uuid4().hex}
    return {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"PYTHONPATH": path} | mark


def left_running(environment: dict[str, str]) -> list[str]:
    """Return the commands of processes of this environment that still run (on Linux; elsewhere none)."""
    mark = f"CROSSCHECK_TEST={environment['CROSSCHECK_TEST']}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (entry / "environ").read_bytes():
                found.append((entry / "cmdline").read_text().replace("\0", " "))
    return found


@pytest.fixture
def harness_process(tmp_path: Path, environment: dict[str, str]) -> Harness:
    """Run `python -m harness ARGUMENTS` in a new process, in an empty folder."""

    def run(*arguments: str | Path) -> Done:
        command = [sys.executable, "-m", "harness", *map(str, arguments)]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=250,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run


def forget_plugins() -> None:
    """Make this process look for plug-ins again."""
    entries.cache_clear()
    close_processes()
    families._built.cache_clear()
    for descriptions in (catalogue.PLUGINS, encodings.PLUGINS, plugged_families.PLUGINS):
        descriptions.known.clear()


@pytest.fixture
def installed_plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The test plug-ins, installed for this process."""
    monkeypatch.syspath_prepend(str(PLUGINS))
    forget_plugins()
    yield
    forget_plugins()


@pytest.fixture
def plugins(installed_plugins: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test plug-ins, installed for this process and its workers."""
    before = [p for p in [os.environ.get("PYTHONPATH", "")] if p]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PLUGINS), *before]))


@pytest.fixture
def harness(
    tmp_path: Path,
    environment: dict[str, str],
    installed_plugins: None,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Iterator[Harness]:
    """Run the command line in this process, in an empty folder, which saves the start of Python.

    The plug-ins are installed as for a new process, and side effects of a command are undone: the folder, the
    environment, the base names of backends, the handler of Ctrl-C.
    """
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> Done:
        capfd.readouterr()
        try:
            code = main(list(map(str, arguments)))
        except SystemExit as e:  # raised by argparse
            code = int(e.code or 0)
        return Done(code, *capfd.readouterr())

    handler = signal.getsignal(signal.SIGINT)
    yield run
    signal.signal(signal.SIGINT, handler)
