"""Process of a place of a cluster: it runs leases on its own cores for one run, by the frames of a Dask worker.

It answers `open`, then `lease`, and `finished_batches` while a lease runs; an error is an answer too. It holds the
locks on its cores, and ends at once when its input does: guards and reaper then end all that it has started.
"""

import os
import pickle
import platform
import queue
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import Any, NoReturn

from backends.contract.cores import cores_of
from harness.judging.proof_checker import ProofChecker
from harness.model.errors import BadUsage
from harness.model.host import NAME, cores, default_memory
from harness.model.settings import RunSettings
from harness.running.control_groups import maker
from harness.running.cores import Cpus, claim, most_places
from harness.running.engines import contents, frames
from harness.running.engines.packing import Described, Returned, RunOrder, lease_of
from harness.running.engines.tasks import DONE, FAILED, LACKING, Answer
from harness.running.environment import temporary_folder
from harness.running.fingerprint import fingerprint
from harness.running.logs.travelling import PackedLogs
from harness.running.place import LeaseRunner, facts, workers_of_place
from harness.running.reaper import Reaper
from harness.running.workers.problem_file import GIVEN
from harness.running.workers.run_context import OpenState, RunContext
from harness.running.workers.sandboxes import Sandboxes, require_sandbox

LOOK_S = 0.2  # seconds between looks at requests while a lease runs
Request = tuple[int, tuple[Any, ...]]


class OpenPlace:
    """Runner of the leases of one run on its cores, `most` places of which this machine has. Raises BadUsage."""

    def __init__(self, order: RunOrder, settings: RunSettings, cpus: Cpus, most: int) -> None:
        if settings.default_memory:
            settings = replace(settings, default_memory=default_memory(most))
        self.reaper = Reaper(temporary_folder(), maker(settings.memory, settings.peak))
        self.given = self.reaper.folder / GIVEN
        inside = Sandboxes(settings) if settings.sandbox else None
        if inside:
            require_sandbox(inside, order.contenders, self.reaper.folder / "journal")
        if cpus:
            os.sched_setaffinity(0, cpus)
        checker = partial(ProofChecker, order.contenders, settings, None) if settings.proof else None
        self.logs = PackedLogs()
        context = RunContext(
            order.contenders,
            settings,
            [OpenState(settings.warmup) for _ in order.contenders],
            self.reaper,
            note,
            workers_of_place(most),
            checker,
            inside,
            self.logs.pack if order.logs else None,
        )
        self.runner = LeaseRunner(context, cpus)

    def lease(self, message: bytes, between: Callable[[], None]) -> Returned:
        """Run a lease. Raises MissingContent; BadUsage, OSError."""
        self.logs.begin()
        self.given.mkdir(0o700, exist_ok=True)  # any contender can delete it
        self.runner.begin(lease_of(message, self.given, contents.read))
        while (result := self.runner.advance()) is None:
            between()
            self.runner.wait(LOOK_S)
        return Returned.of(result, self.runner.pool.opened)

    def finished_batches(self, known: Collection[int]) -> bytes:
        """Return the complete batches of the lease that runs, b'' if all are known."""
        result = self.runner.part(known)
        return pickle.dumps(Returned.of(result, [])) if result else b""


class Serving:
    """Requests of the worker, and the place once it is open."""

    def __init__(self, output: int, requests: "queue.SimpleQueue[Request]") -> None:
        self.output, self.requests = output, requests
        self.place: OpenPlace | None = None

    def open(self, order: bytes) -> Answer:
        """Open the place; the answer describes it, or says why it takes no part."""
        try:
            return DONE, pickle.dumps(self.opened(pickle.loads(order), time.time_ns()))
        except (BadUsage, LookupError, TypeError) as e:
            return DONE, pickle.dumps(Described(str(e) or type(e).__name__))

    def opened(self, order: RunOrder, began: int) -> Described:
        """Open the place, if it gets cores. Raises BadUsage, LookupError, TypeError."""
        settings, width = RunSettings.from_dict(order.settings), max(cores_of(c.backend) for c in order.contenders)
        most, cpus = max(1, most_places(width)), claim(width)
        if cores() and not cpus:
            return Described(busy=True)
        found = fingerprint([c.name for c in order.contenders], settings)
        here = facts(cpus, settings.pass_env, settings.salt)
        here.host[NAME] = platform.node()
        self.place = OpenPlace(order, settings, cpus, most)
        return Described(place=here, fingerprint=found, began=began, ended=time.time_ns())

    def lease(self, message: bytes) -> Answer:
        """Run a lease."""
        assert self.place is not None
        try:
            return DONE, pickle.dumps(self.place.lease(message, self.answer_between))
        except contents.MissingContent:
            return LACKING, b""
        except Exception as e:  # of a machine that can't run leases, as with a full disk
            return FAILED, f"{type(e).__name__}: {e}".partition("\n")[0].encode()

    def answer_between(self) -> None:
        """Answer what is asked while a lease runs."""
        assert self.place is not None
        while not self.requests.empty():
            number, (name, *args) = self.requests.get()
            found = self.place.finished_batches(*args) if name == "finished_batches" else b""
            frames.write(self.output, number, (DONE, found))

    def run(self) -> NoReturn:
        """Answer requests until the process ends."""
        answers: dict[str, Callable[..., Answer]] = {"open": self.open, "lease": self.lease}
        while True:
            number, (name, *args) = self.requests.get()
            frames.write(self.output, number, answers[name](*args) if name in answers else (DONE, b""))


def hear(given: int, requests: "queue.SimpleQueue[Request]") -> None:
    """Queue requests until the input ends, and the process with it."""
    try:
        while True:
            requests.put(frames.read(given))
    finally:
        os._exit(0)


def note(text: str) -> None:
    """Print a note to standard error, which is the worker's."""
    print(f"note: {text}", file=sys.stderr, flush=True)


def main() -> NoReturn:
    """Serve on standard input and output, which nothing else in this process reads or writes from now on."""
    given, output = os.dup(0), os.dup(1)
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    Thread(target=hear, args=(given, requests), daemon=True).start()
    try:
        Serving(output, requests).run()
    finally:
        os._exit(1)


if __name__ == "__main__":
    main()
