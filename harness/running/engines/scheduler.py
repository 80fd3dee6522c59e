"""Scheduler of Dask in this process, from the writing of its scheduler file to its end by a signal."""

import asyncio
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.model.errors import BadUsage
from harness.running.engines.configuration import Notify, configure, without_http
from harness.running.engines.limiting import limit_messages
from harness.running.engines.security import check_address, require_packages, scheduler_address, security
from harness.running.engines.signals import ending_signals
from harness.running.engines.unpickling import SCHEDULER, restrict

if TYPE_CHECKING:
    from distributed import Scheduler

WRITES = ("dump_cluster_state_to_url", "benchmark_hardware")  # what clients may ask Dask to write to files here


def run_scheduler(
    file: Path, certificates: Path | None, host: str, port: int, started: Callable[[str], None], notify: Notify
) -> int | None:
    """Run a scheduler until a signal or a client ends it. Returns the signal. Raises BadUsage.

    The file names the scheduler to places and runs, and is removed at its end. `started` receives the address.
    """
    secure = certificates is not None
    address = f"{'tls' if secure else 'tcp'}://{f'[{host}]' if ':' in host else host}:{port}"
    check_address(address, secure)
    require_packages()
    if os.path.lexists(file):
        scheduler_address(file)  # raises BadUsage rather than replace another kind of file
    settings = security(certificates)
    configure(notify)
    restrict(SCHEDULER)
    limit_messages()
    return asyncio.run(serve(file, address, settings, started))


async def serve(file: Path, address: str, settings: Any, started: Callable[[str], None]) -> int | None:
    """Run a scheduler in this event loop. Returns the signal that ended it, None if a client did. Raises BadUsage."""
    signals: asyncio.Queue[int] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    for number in ending_signals():
        loop.add_signal_handler(number, signals.put_nowait, int(number))
    scheduler = await start(address, settings)
    try:
        write_file(file, scheduler.identity())
        started(scheduler.address)
        signalled, finished = asyncio.create_task(signals.get()), asyncio.create_task(scheduler.finished())
        await asyncio.wait((signalled, finished), return_when=asyncio.FIRST_COMPLETED)
        return signalled.result() if signalled.done() else None
    finally:
        remove_file(file, scheduler.id)
        await scheduler.close()


async def start(address: str, settings: Any) -> "Scheduler":
    """Return a scheduler that listens on an address. Raises BadUsage."""
    from distributed import Scheduler

    try:
        scheduler = await without_http(Scheduler)(host=address, security=settings, dashboard=False)
    except (RuntimeError, ValueError) as e:  # from whatever went wrong; of the configuration
        cause = e.__cause__ or e
        raise BadUsage(f"{address}: {getattr(cause, 'strerror', None) or cause}") from e
    for name in WRITES:
        scheduler.handlers.pop(name, None)
    return scheduler


def write_file(file: Path, identity: dict[str, Any]) -> None:
    """Write a scheduler file, which its owner alone can read, in one step. Raises BadUsage."""
    written = None
    try:
        number, written = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
        with open(number, "w", encoding="utf-8") as target:
            json.dump(identity, target)
        os.replace(written, file)
    except OSError as e:
        if written is not None:
            Path(written).unlink(missing_ok=True)
        raise BadUsage(f"{file}: {e.strerror}") from e


def remove_file(file: Path, scheduler: str) -> None:
    """Remove the file of a scheduler, unless another scheduler has replaced it."""
    try:
        if json.loads(file.read_bytes())["id"] == scheduler:
            file.unlink()
    except (OSError, ValueError, LookupError, TypeError):
        pass
