"""Processes of ours forked from the process of the tests, which saves them the start of Python and all imports.

A forked process has guards, pipes and limits like any other, but also the memory, the modules and the compiled loops of
the tests: it suits tests that claim nothing about processes, memory or what a process loads.
"""

import contextlib
import faulthandler
import gc
import importlib
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Sequence
from threading import Lock
from types import SimpleNamespace
from typing import IO, Any, NoReturn

import pytest

from harness.running.environment import import_flags
from puzzles.plugins import entries

SUMS = "sums"
CHECKING = "harness.judging.checking"
STARTERS = ("harness.running.workers.worker_process", "puzzles.processes.child")
LOADED = ("harness.running.workers.guard", "harness.running.workers.worker")


class Forked(subprocess.Popen[bytes]):
    """Process that runs `main` of a module of ours, for which Popen would start `python -m MODULE`."""

    def __init__(self, command: Sequence[str], stdin: int, stdout: int, env: dict[str, str], **more: Any) -> None:
        at = command.index("-m") + 1 if "-m" in command else 0
        if [sys.executable, *import_flags(), "-m"] != list(command[:at]) or "preexec_fn" in more:
            super().__init__(
                command, stdin=stdin, stdout=stdout, env=env, **more
            )  # of another interpreter, or not of ours
            return
        main = importlib.import_module(command[at]).main
        if command[at] == CHECKING:
            compile_checkers(SUMS in command)
        read, self.stdin = pipe("wb") if stdin == subprocess.PIPE else (os.open(os.devnull, os.O_RDONLY), None)
        write, self.stdout = pipe("rb") if stdout == subprocess.PIPE else (os.dup(stdout), None)
        self.stderr, self.args, self.returncode, self._child_created = None, command, None, True
        self._waitpid_lock, self._sigint_wait_secs = Lock(), 0.25
        self.pid = os.fork()
        if not self.pid:
            own = more["stderr"] if more["stderr"] >= 0 else os.open(os.devnull, os.O_WRONLY)
            become(main, command[at:], (read, write, own), (*more.get("pass_fds", ()), 0, 1, 2), env)
        os.close(read)
        os.close(write)


def pipe(mode: str) -> tuple[int, IO[bytes]]:
    """Return the end of a pipe for the child, and the file of the parent's end, which is read or written."""
    read, write = os.pipe()
    return (read, os.fdopen(write, mode)) if mode == "wb" else (write, os.fdopen(read, mode))


def compile_checkers(sums: bool) -> None:
    """Load the loops of the checkers in this process, so that no child does."""
    from harness.judging.checking import compile_loops, compile_sums

    compile_loops()
    if sums:
        compile_sums()


def become(
    main: Any, arguments: Sequence[str], standard: Sequence[int], kept: Sequence[int], environment: dict[str, str]
) -> NoReturn:
    """Run `main` in this process, a new one, with these standard files and descriptors, and end it."""
    code = 1
    try:
        gc.freeze()  # files of the tests are not closed again by the collector, once others have their descriptors
        faulthandler.disable()
        os.setsid()
        for fd, own in enumerate(standard):
            os.dup2(own, fd)
        for fd in set(map(int, os.listdir("/proc/self/fd"))) - set(kept):
            with contextlib.suppress(OSError):  # the list of them had one too
                os.close(fd)
        sys.stdin, sys.stdout, sys.stderr = (open(fd, "r" if fd == 0 else "w", closefd=False) for fd in (0, 1, 2))  # noqa: SIM115
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:0] = [folder for folder in environment["PYTHONPATH"].split(os.pathsep) if folder not in sys.path]
        entries.cache_clear()  # of plug-ins found there
        sys.argv = list(arguments)
        main()
        code = 0
    except SystemExit as e:
        code = e.code if isinstance(e.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def fork_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the workers and checking processes of a test be forked, where the system can."""
    if sys.platform != "linux":
        return
    for name in LOADED:
        importlib.import_module(name)
    replaced = SimpleNamespace(**{name: getattr(subprocess, name) for name in subprocess.__all__} | {"Popen": Forked})
    for name in STARTERS:
        monkeypatch.setattr(importlib.import_module(name), "subprocess", replaced)


def run_here(*words: str) -> None:
    """Run a command that succeeds in this process, with forked workers: for a fixture that several tests share."""
    from harness.cli import main

    handler = signal.getsignal(signal.SIGINT)
    with pytest.MonkeyPatch.context() as patch:
        fork_processes(patch)
        assert main(list(words)) == 0
    signal.signal(signal.SIGINT, handler)
