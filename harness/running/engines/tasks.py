"""Tasks of a run at a Dask worker: a child process for each place, and what is asked of it.

    open_place(key, worker, order)     starts the child, which stays while the client holds this task
    run_lease(key, worker, message)    a lease; the child ends if the task is cancelled
    finished_batches(key, known)       of the lease that runs, beside its task

A task answers with one of the words below and a pickle. `worker` is the identity of the worker that was greeted: Dask
runs a task again at another one that has the same address.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future as ConcurrentFuture
from contextlib import suppress
from itertools import count
from select import POLLIN, poll
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from harness.running.engines import frames
from harness.running.environment import ROOT, import_flags, is_installed

if TYPE_CHECKING:
    from distributed import Worker

DONE, FAILED, LACKING, ENDED, GONE = "done", "failed", "lacking", "ended", "gone"
LOOK_S = 0.1  # seconds between looks whether a task is still wanted
ASK_S = 20.0  # seconds for an answer while a lease runs
DASKS = (  # variables that Dask's nanny sets for the worker, and that are none of a child's
    "MALLOC_TRIM_THRESHOLD_",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "PYTHONHASHSEED",
)
Answer = tuple[str, bytes]


class ChildEnded(Exception):
    """The process of a place has ended."""


class Child:
    """Process of a place as its worker sees it. It ends with the task that opened it, and with the worker."""

    def __init__(self, wanted: Callable[[], bool]) -> None:
        self.wanted, self.lock, self.numbers = wanted, Lock(), count(1)
        self.waiting: dict[int, ConcurrentFuture[Answer]] = {}
        self.process = subprocess.Popen(
            [sys.executable, *import_flags(), "-m", "harness.runs.place_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env=environment(),
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input, self.output = self.process.stdin.fileno(), self.process.stdout.fileno()
        Thread(target=self.listen, daemon=True).start()

    def ask(self, name: str, *args: Any) -> "ConcurrentFuture[Answer]":
        """Send a request; the future raises ChildEnded if the process ends first."""
        future = ConcurrentFuture[Answer]()
        with self.lock:
            number = next(self.numbers)
            self.waiting[number] = future
            try:
                if self.process.returncode is not None:
                    raise BrokenPipeError
                frames.write(self.input, number, (name, *args))
            except OSError:
                if self.waiting.pop(number, None):
                    future.set_exception(ChildEnded(self.end()))
        return future

    def listen(self) -> None:
        """Take answers until the process ends, or is no longer wanted."""
        ready = poll()
        ready.register(self.output, POLLIN)
        with suppress(EOFError, OSError):
            while True:
                if ready.poll(LOOK_S * 1000):
                    number, found = frames.read(self.output)
                    if future := self.waiting.pop(number, None):
                        future.set_result(found)
                elif not self.wanted():
                    self.process.kill()
        why = self.end()
        with self.lock:
            lost, self.waiting = list(self.waiting.values()), {}
            self.process.__exit__(None, None, None)
        for future in lost:
            future.set_exception(ChildEnded(why))

    def end(self) -> str:
        """End the process; return the reason why it has ended."""
        self.process.kill()
        code = self.process.wait()
        return f"its process has ended ({signal.Signals(-code).name if code < 0 else f'exit code {code}'})"


CHILDREN: dict[str, Child] = {}  # by the key of their place


def environment() -> dict[str, str]:
    """Return the variables of a child: those of the worker without Dask's, and our packages."""
    kept = {name: value for name, value in os.environ.items() if name not in DASKS}
    path = [*([] if is_installed() else [str(ROOT)]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return kept | ({"PYTHONPATH": os.pathsep.join(path)} if path else {})


def held(worker: "Worker", key: Any, states: tuple[str, ...]) -> Callable[[], bool]:
    """Return a function that is true while a task of a worker is in one of some states."""

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state in states and worker.status.name != "closed"

    return wanted


def open_place(key: str, worker: str, order: bytes) -> Answer:
    """Start the child of a place, and return how it describes itself."""
    from distributed import get_worker
    from distributed.worker import thread_state

    here, task = get_worker(), thread_state.key
    if here.id != worker:
        return GONE, b""
    child = CHILDREN[key] = Child(held(here, task, ("executing", "memory")))
    for other in [name for name, each in CHILDREN.items() if each.process.returncode is not None]:
        del CHILDREN[other]
    return answer(child.ask("open", order), child, held(here, task, ("executing",)))


def run_lease(key: str, worker: str, message: bytes) -> Answer:
    """Run a lease at a place that is open."""
    from distributed import get_worker
    from distributed.worker import thread_state

    here, task, child = get_worker(), thread_state.key, CHILDREN.get(key)
    if here.id != worker or child is None:
        return GONE, b""
    return answer(child.ask("lease", message), child, held(here, task, ("executing",)))


def answer(asked: "ConcurrentFuture[Answer]", child: Child, wanted: Callable[[], bool]) -> Answer:
    """Wait for an answer; end the child if the task is cancelled."""
    while wanted():
        try:
            return asked.result(LOOK_S)
        except ChildEnded as e:
            return ENDED, str(e).encode()
        except TimeoutError:
            continue
    child.end()
    return GONE, b""


async def finished_batches(key: str, known: list[int]) -> bytes:
    """Return the complete batches of the lease that runs at a place, b'' if there is none to tell."""
    import asyncio

    child = CHILDREN.get(key)
    if child is None:
        return b""
    with suppress(TimeoutError, ChildEnded):
        return (await asyncio.wait_for(asyncio.wrap_future(child.ask("finished_batches", known)), ASK_S))[1]
    return b""
