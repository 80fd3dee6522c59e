"""What tests share: the command line, called in this process or in one of its own, with plug-ins."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from backends import registry
from backends.programs import VARIABLE
from harness.cli import main

settings.register_profile("house", derandomize=True, deadline=None)  # a failure comes again, and no clock is looked at
settings.load_profile("house")

ROOT = Path(__file__).resolve().parent.parent
WITHOUT_NUMBA = """
import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == 'numba' else real(name, *rest)
"""  # the start of a script that finds no numba
PLUGINS = ROOT / "tests" / "plugins"


@dataclass
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def summary(self) -> dict[str, Any]:
        """The JSON that it printed."""
        found: dict[str, Any] = json.loads(self.out)
        return found

    def contender(self, name: str) -> dict[str, Any]:
        """The entry of one contender."""
        found: dict[str, Any] = next(c for c in self.summary["contenders"] if c["name"] == name)
        return found


Harness = Callable[..., Done]


@pytest.fixture
def environment() -> dict[str, str]:
    """Under which the packages and the plug-ins are found from any folder."""
    path = os.pathsep.join([str(ROOT), str(PLUGINS)])
    mark = {"CROSSCHECK_TEST": uuid.uuid4().hex}
    return {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"PYTHONPATH": path} | mark


def left_running(environment: dict[str, str]) -> list[str]:
    """The commands of processes that were started under this environment and are still there (Linux; else none)."""
    mark = f"CROSSCHECK_TEST={environment['CROSSCHECK_TEST']}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (entry / "environ").read_bytes():
                found.append((entry / "cmdline").read_text().replace("\0", " "))
    return found


@pytest.fixture
def harness_process(tmp_path: Path, environment: dict[str, str]) -> Harness:
    """`python -m harness ARGUMENTS` in an empty folder: where it matters that the process is one of its own."""

    def run(*arguments: str | Path) -> Done:
        command = [sys.executable, "-m", "harness", *map(str, arguments)]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def harness(
    tmp_path: Path,
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Iterator[Harness]:
    """The command line called in this process, in an empty folder: what it prints and returns, with no Python to start.

    The plug-ins are there as for a process of its own, and what a command leaves behind in this one is undone: the
    folder, the environment (--program is kept there), the base names of backends, the handler of Ctrl-C.
    """
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv(VARIABLE, "{}")
    monkeypatch.syspath_prepend(str(PLUGINS))
    monkeypatch.setattr(registry, "bases", cache(registry.bases.__wrapped__))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> Done:
        capfd.readouterr()
        try:
            code = main(list(map(str, arguments)))
        except SystemExit as e:  # argparse's own
            code = int(e.code or 0)
        return Done(code, *capfd.readouterr())

    handler = signal.getsignal(signal.SIGINT)
    yield run
    signal.signal(signal.SIGINT, handler)
