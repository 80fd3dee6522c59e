"""Process of a place of a cluster: a worker of Dask with one thread, which runs leases on one core.

Clients call the functions below with bytes (`messages.py`), which they return too: `describe`, so that a place with
other versions can say so; `open_run` once for each run, which stays here as long as its client holds it; `run_lease`.
They raise nothing: an error is an answer too.
"""

import asyncio
import os
import platform
import queue
import shutil
import signal
import sys
import tempfile
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future as ConcurrentFuture
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from harness.model.errors import BadUsage
from harness.model.host import NAME, default_memory
from harness.model.settings import RunSettings
from harness.running.control_groups import maker
from harness.running.cores import Cpus
from harness.running.engines.configuration import configure, without_http
from harness.running.engines.contents import Cache, MissingContent, StoredContent
from harness.running.engines.joining import place_host
from harness.running.engines.layout import Malformed, decode, encode
from harness.running.engines.limiting import limit_messages
from harness.running.engines.messages import (
    ANSWER,
    ASKED,
    DESCRIBED,
    GIVEN,
    LEASE,
    ORDER,
    SENT,
    TOLD,
    Described,
    GivenTurns,
    LeaseReply,
    Returned,
    RunOrder,
    Sent,
)
from harness.running.engines.scheduler_calls import STOPPED
from harness.running.engines.security import security_of
from harness.running.engines.unpickling import PLACE as PLACE_NAMES
from harness.running.engines.unpickling import restrict
from harness.running.engines.wire import NotWanted
from harness.running.fingerprint import fingerprint
from harness.running.logs.travelling import PackedLogs
from harness.running.place import LeaseRunner, facts, workers_of_place
from harness.running.reaper import Reaper
from harness.running.workers.run_context import LeaseChecker, OpenState, RunContext

if TYPE_CHECKING:
    from distributed import Security, Worker

LOOK_S = 0.2  # seconds between checks that a lease is still wanted
CLOSE_S = 10.0  # seconds for taking leave of client and scheduler
LEAVE_S = 0.05
CALL_S = 20.0  # seconds for an answer while a lease runs
Call = Callable[[LeaseRunner], bytes]  # made by the thread that runs a lease
Checker = Callable[..., LeaseChecker]  # of contenders, settings, and a folder for copies of proofs, None here


@dataclass(frozen=True)
class Seat:
    """Parameters of the process of a place; `places` counts those of its machine, which share `cache`, a folder."""

    name: str
    address: str
    core: int | None
    places: int
    folder: str
    cache: str
    cache_bytes: int
    cache_kept: bool

    @property
    def cpus(self) -> Cpus:
        """The only core of the place, () for any."""
        return () if self.core is None else (self.core,)


class RunAtPlace:
    """Workers of a run at this place; closed when the client releases the run, or ends."""

    def __init__(self, order: RunOrder, seat: Seat, make_checker: Checker, cache: Cache) -> None:
        self.cache = cache
        self.settings = settings_here(RunSettings.from_dict(order.settings), seat.places)
        checker = partial(make_checker, order.contenders, self.settings, None) if self.settings.proof else None
        wanted = maker(self.settings.memory, self.settings.peak)
        self.logs = PackedLogs()
        self.reaper = Reaper(Path(tempfile.mkdtemp(prefix="crosscheck-", dir=seat.folder)), wanted)
        context = RunContext(
            order.contenders,
            self.settings,
            [OpenState(self.settings.warmup) for _ in order.contenders],
            self.reaper,
            note,
            workers_of_place(seat.places),
            checker,
            keep=self.logs.pack if order.logs else None,
        )
        self.runner = LeaseRunner(context, seat.cpus, seat.places == 1)
        self.calls: queue.SimpleQueue[tuple[Call, ConcurrentFuture[bytes]]] = queue.SimpleQueue()
        self.finalizer = weakref.finalize(self, close, self.runner, self.reaper)

    def run(self, sent: Sent, wanted: Callable[[], bool]) -> Returned:
        """Run a lease. Raises MissingContent; NotWanted, BadUsage, OSError, after which nothing runs here any more."""
        try:
            lease = decode(LEASE, self.cache.read(sent.lease) if isinstance(sent.lease, StoredContent) else sent.lease)
            self.logs.begin()
            self.runner.begin(lease.unpacked(self.reaper.folder, self.cache.read))
            while (result := self.runner.advance()) is None:
                if not wanted():
                    raise NotWanted
                self.answer_calls()
                self.runner.wait(LOOK_S)
        except MissingContent:
            raise
        except BaseException:
            self.finalizer()
            raise
        return Returned.of(result, self.runner.pool.opened)

    def answer_calls(self) -> None:
        """Answer what the client asks while a lease runs."""
        with suppress(queue.Empty):
            while True:
                function, reply = self.calls.get_nowait()
                if reply.set_running_or_notify_cancel():
                    reply.set_result(function(self.runner))

    def __reduce__(self) -> NoReturn:
        raise TypeError("a run at a place stays there")


def settings_here(settings: RunSettings, places: int) -> RunSettings:
    """Return the settings with the default memory limit of this machine."""
    return replace(settings, default_memory=default_memory(places)) if settings.default_memory else settings


def close(runner: LeaseRunner, reaper: Reaper) -> None:
    """End all workers of a run."""
    runner.close()
    reaper.close()


def seat() -> Seat:
    """Return the seat of this thread's place."""
    from distributed import get_worker

    found: Seat = get_worker().seat
    return found


def describe(sent: bytes) -> bytes:
    """Return the facts and the fingerprint of this place for a run, or the reason why it can't take part."""
    began = time.time_ns()
    try:
        asked = decode(ASKED, sent)
        settings = RunSettings.from_dict(asked.settings)
        found = fingerprint(asked.names, settings)
    except (BadUsage, Malformed, LookupError, TypeError) as e:
        return encode(DESCRIBED, Described(str(e) or type(e).__name__))
    here = facts(seat().cpus, settings.pass_env, settings.salt)
    here.host[NAME] = platform.node()
    return encode(DESCRIBED, Described("", here, found, began, time.time_ns()))


def hear_refusal(sent: bytes) -> bytes:
    """Print why this place can't take part in a run."""
    with suppress(Malformed):
        why = decode(TOLD, sent).why
        note(f"{seat().name} is refused by a run: {why if why.isprintable() else repr(why)}")
    return b""


def open_run(sent: bytes) -> RunAtPlace | bytes:
    """Prepare a run at this place; return it, or an answer that states the error."""
    from distributed import get_worker

    try:
        worker = get_worker()
        return RunAtPlace(decode(ORDER, sent), worker.seat, worker.make_checker, worker.contents)
    except Exception as e:
        return encode(ANSWER, LeaseReply(failed=line_of(e)))


def run_lease(run: RunAtPlace | bytes, sent: bytes) -> bytes:
    """Run a lease and return the answer; give up when Dask no longer wants it, or when the place has to end."""
    from distributed import get_worker
    from distributed.worker import thread_state

    if isinstance(run, bytes):
        return run
    worker, key = get_worker(), thread_state.key
    if worker.draining.is_set():
        return encode(ANSWER, LeaseReply(stopped=True))

    worker.current = key, run

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing" and not worker.gone.is_set()

    try:
        return encode(ANSWER, LeaseReply(run.run(decode(SENT, sent), wanted)))
    except MissingContent:
        return encode(ANSWER, LeaseReply(missing=True))
    except NotWanted:
        return encode(ANSWER, LeaseReply(stopped=True))
    except Exception as e:
        return encode(ANSWER, LeaseReply(failed=line_of(e)))
    finally:
        worker.current = None


def handlers(worker: "Worker") -> dict[str, Callable[..., Any]]:
    """Return what a client may ask a place beside Dask's tasks, by name: all take and return plain data."""
    contents = worker.contents

    async def finished_turns(key: str, known: list[int]) -> bytes:
        return await call(worker, key, partial(finished, known=known))

    async def give_up(key: str, most: int) -> bytes:
        return await call(worker, key, partial(given, most=most))

    return {
        "want_content": contents.want,
        "take_content": contents.take,
        "finished_turns": finished_turns,
        "give_up": give_up,
    }


async def call(worker: "Worker", key: str, function: Call) -> bytes:
    """Let the thread that runs the lease of a task call a function; return its answer, b'' without one."""
    current = worker.current
    if current is None or current[0] != key:
        return b""
    reply: ConcurrentFuture[bytes] = ConcurrentFuture()
    current[1].calls.put((function, reply))
    with suppress(TimeoutError):
        return await asyncio.wait_for(asyncio.wrap_future(reply), CALL_S)
    return b""


def finished(runner: LeaseRunner, known: Sequence[int]) -> bytes:
    """Return the outcomes of the running lease's complete turns that are not known; b'' if there are none."""
    result = runner.part(known)
    return encode(ANSWER, LeaseReply(Returned.of(result, []))) if result else b""


def given(runner: LeaseRunner, most: int) -> bytes:
    """Give up at most `most` turns of the lease that runs, and return them."""
    return encode(GIVEN, GivenTurns(tuple(runner.give_up(most))))


def line_of(error: Exception) -> str:
    """Return an error in one line."""
    text = str(error).partition("\n")[0]
    return text if isinstance(error, BadUsage) else f"{type(error).__name__}: {text}"


def note(text: str) -> None:
    """Print a note to standard error."""
    print(f"note: {text}", file=sys.stderr, flush=True)


async def serve(here: Seat, secure: "Security | None", make_checker: Checker) -> None:
    """Serve as a place until the scheduler, or the command that started this process, is gone, with its cache."""
    from distributed import Worker

    gone, draining = asyncio.Event(), asyncio.Event()
    asyncio.get_running_loop().add_reader(0, hear, gone, draining)
    worker = without_http(Worker)(
        here.address,
        nthreads=1,
        name=here.name,
        security=secure,
        host=place_host(here.address),
        local_directory=here.folder,
        memory_limit=0,
        death_timeout=30,
        dashboard=False,
    )
    worker.contents, worker.current = Cache(Path(here.cache), here.cache_bytes), None
    worker.handlers |= handlers(worker)
    worker.seat, worker.gone, worker.draining, worker.make_checker = here, gone, draining, make_checker
    started = asyncio.create_task(worker.start())
    ended = asyncio.create_task(gone.wait())
    await asyncio.wait((started, ended), return_when=asyncio.FIRST_COMPLETED)
    if started.done():
        await started
        others = asyncio.create_task(worker.finished()), asyncio.create_task(drained(worker))
        await asyncio.wait((*others, ended), return_when=asyncio.FIRST_COMPLETED)
        draining.set()
    with suppress(TimeoutError):
        await asyncio.wait_for(leave(worker), CLOSE_S)
    if gone.is_set() and not here.cache_kept:
        shutil.rmtree(here.cache, ignore_errors=True)


def hear(gone: asyncio.Event, draining: asyncio.Event) -> None:
    """Take a line of the command, to end after the lease that runs, or the end of its input, to end at once."""
    if not os.read(0, 1 << 12):
        gone.set()
    draining.set()


async def drained(worker: "Worker") -> None:
    """Wait until this place has been told to end and runs no lease."""
    await worker.draining.wait()
    while worker.state.executing_count:
        await asyncio.sleep(LEAVE_S)


async def leave(worker: "Worker") -> None:
    """Announce the end, wait until the client has the answer to the last lease, and take leave of the scheduler."""
    if worker.status.name == "running":
        await worker.scheduler.set_metadata(keys=[STOPPED, worker.name], value=True)
        while worker.state.executing_count or any(str(key).startswith(run_lease.__name__) for key in worker.data):
            await asyncio.sleep(LEAVE_S)
    await worker.close(nanny=False, executor_wait=False)


def main(data: Mapping[str, Any], make_checker: Checker) -> NoReturn:
    """Run the process of a place by what `hiding.begin` read. Standard input ends with the command that started it."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # and not SIG_IGN, which programs would inherit
    here = Seat(**data["seat"])
    files = {name: text.encode() for name, text in data["certificates"].items()}
    if data["visible"]:
        note(f"{here.name}: solvers can read {data['hide']}, as this system does not hide it: {data['visible']}")
    configure(note)
    restrict(PLACE_NAMES)
    limit_messages()
    try:
        asyncio.run(serve(here, security_of(files) if files else None, make_checker))
    except Exception as e:  # of Dask: the command starts another process
        note(f"{here.name}: {type(e).__name__}: {e}".partition("\n")[0])
    finally:
        shutil.rmtree(here.folder, ignore_errors=True)
        os._exit(0)  # a thread may still run a lease: the guards of its workers end them
