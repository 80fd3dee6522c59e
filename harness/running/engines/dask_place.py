"""Process of a place of a cluster: a worker of Dask with one thread, which runs leases on one core.

The functions below are called here by clients: `describe` with plain data alone, so that a place with other versions
can still report them; `open_run` once for each run, whose result stays here as long as its client holds it;
`run_lease`.
"""

import asyncio
import json
import os
import platform
import shutil
import signal
import sys
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from harness.model.errors import BadUsage
from harness.model.host import NAME, default_memory
from harness.model.settings import RunSettings
from harness.running.engines.configuration import configure, without_http
from harness.running.engines.joining import place_host
from harness.running.engines.security import security
from harness.running.engines.wire import NotWanted, Returned, RunOrder, SentLease
from harness.running.fingerprint import fingerprint
from harness.running.place import LeaseRunner, facts, lease_runners
from harness.running.reaper import Reaper

if TYPE_CHECKING:
    from distributed import Worker

LOOK_S = 0.2  # seconds between checks that a lease is still wanted
CLOSE_S = 2.0  # seconds for taking leave of client and scheduler
LEAVE_S = 0.05


@dataclass(frozen=True)
class Seat:
    """Parameters of the process of a place; `places` counts those of its machine."""

    name: str
    address: str
    certificates: str | None
    core: int | None
    places: int
    folder: str


class RunAtPlace:
    """Workers of a run at this place; closed when the client releases the run, or ends."""

    def __init__(self, order: RunOrder, seat: Seat) -> None:
        self.settings = settings_here(order.settings, seat.places)
        self.reaper = Reaper(Path(tempfile.mkdtemp(prefix="crosscheck-", dir=seat.folder)))
        (self.runner,) = lease_runners(
            order.contenders, self.settings, [seat.core], seat.places, self.reaper, note, order.checker
        )
        self.finalizer = weakref.finalize(self, close, self.runner, self.reaper)

    def run(self, sent: SentLease, wanted: Callable[[], bool]) -> Returned:
        """Run a lease. Raises NotWanted, BadUsage, OSError; afterwards nothing runs here any more."""
        try:
            self.runner.begin(sent.unpacked(self.reaper.folder))
            while (result := self.runner.advance()) is None:
                if not wanted():
                    raise NotWanted
                self.runner.wait(LOOK_S)
        except BaseException:
            self.finalizer()
            raise
        return Returned.of(result, self.runner.pool.opened)

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


def describe(names: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts and fingerprint of this place for a run, or under `refused` why it can't take part."""
    try:
        asked = RunSettings.from_dict(settings)
        found = fingerprint(names, asked)
    except (BadUsage, LookupError, TypeError) as e:
        return {"refused": str(e)}
    here = asdict(facts(seat().core, asked.pass_env, asked.salt))
    here["host"][NAME] = platform.node()
    return {"facts": here, "fingerprint": found}


def open_run(order: RunOrder) -> RunAtPlace:
    """Prepare a run at this place."""
    return RunAtPlace(order, seat())


def run_lease(run: RunAtPlace, sent: SentLease) -> Returned:
    """Run a lease; give up when Dask no longer wants its result, or when the place has to end."""
    from distributed import get_worker
    from distributed.worker import thread_state

    worker, key = get_worker(), thread_state.key

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing" and not worker.gone.is_set()

    return run.run(sent, wanted)


def note(text: str) -> None:
    """Print a note to standard error."""
    print(f"note: {text}", file=sys.stderr, flush=True)


async def serve(here: Seat) -> None:
    """Serve as a place until the scheduler, or the command that started this process, is gone."""
    from distributed import Worker

    loop, gone = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), gone.set)
    worker = without_http(Worker)(
        here.address,
        nthreads=1,
        name=here.name,
        security=security(Path(here.certificates) if here.certificates else None),
        host=place_host(here.address),
        local_directory=here.folder,
        memory_limit=0,
        death_timeout=30,
        dashboard=False,
    )
    worker.seat, worker.gone = here, gone
    started = asyncio.create_task(worker.start())
    ended = asyncio.create_task(gone.wait())
    await asyncio.wait((started, ended), return_when=asyncio.FIRST_COMPLETED)
    if started.done():
        await started
        finished = asyncio.create_task(worker.finished())
        await asyncio.wait((finished, ended), return_when=asyncio.FIRST_COMPLETED)
    with suppress(TimeoutError):
        await asyncio.wait_for(leave(worker), CLOSE_S)


async def leave(worker: "Worker") -> None:
    """End the running lease, tell the client, and leave the scheduler."""
    while worker.state.executing_count and worker.status.name == "running":
        await asyncio.sleep(LEAVE_S)
    await asyncio.sleep(LEAVE_S)  # for the message
    await worker.close(nanny=False, executor_wait=False)


def main() -> NoReturn:
    """Run the process of a place. Standard input ends with the command that started it."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # and not SIG_IGN, which programs would inherit
    here = Seat(**json.loads(sys.argv[1]))
    configure(note)
    try:
        asyncio.run(serve(here))
    except Exception as e:  # of Dask: the command starts another process
        note(f"{here.name}: {type(e).__name__}: {e}".partition("\n")[0])
    finally:
        shutil.rmtree(here.folder, ignore_errors=True)
        os._exit(0)  # a thread may still run a lease: the guards of its workers end them
