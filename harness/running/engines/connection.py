"""Connection of a run to the scheduler of a Dask cluster, by an asynchronous client in a thread of its own.

Encryption and trust are Dask's: its client reads `distributed.comm.tls` from the user's configuration.
"""

import asyncio
import json
import logging
import warnings
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from concurrent.futures import Future as ConcurrentFuture
from contextlib import suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from secrets import token_hex
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from harness.model.errors import BadUsage, ClusterLost
from puzzles.packages import install

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")
CONNECT_S = 10.0
SILENT_S = 30.0  # until a scheduler or a worker that does not answer counts as lost
LOST = "the connection to the scheduler was lost"
ADVICE = "is a `dask scheduler` running, and do its TLS files fit Dask's settings here (docs/reference/cluster.md)?"


class DaskConnection:
    """Client of Dask for a run, whose random name is in the keys of its tasks. It has to be closed. Raises BadUsage."""

    def __init__(self, target: str) -> None:
        if not find_spec("distributed"):
            raise BadUsage(f"a cluster needs Dask: {install('distributed')}")
        self.address, self.run, self.tasks = address_of(target), token_hex(4), count(1)
        import distributed  # noqa: F401  # sets the levels of its log

        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what is lost is noted once, by the run
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        try:
            self.client: Client = self.start(self.connected()).result(3 * CONNECT_S)
        except Exception as e:  # of many kinds, by what answers at that address
            self.end_loop()
            raise BadUsage(f"{self.address}: {str(e).partition(chr(10))[0] or type(e).__name__}: {ADVICE}") from e

    async def connected(self) -> "Client":
        """Return a client that is connected."""
        from distributed import Client

        with warnings.catch_warnings(action="ignore"):  # of other versions: a worker that has them is refused
            return await Client(self.address, asynchronous=True, timeout=CONNECT_S, set_as_default=False)

    def start(self, call: Coroutine[Any, Any, T]) -> "ConcurrentFuture[T]":
        """Start a call in the thread of the client."""
        return asyncio.run_coroutine_threadsafe(call, self.loop)

    def workers(self) -> dict[str, dict[str, Any]]:
        """Return what the scheduler knows of each worker, by address. Raises ClusterLost."""
        try:
            found = self.start(asyncio.wait_for(self.client.scheduler.identity(n_workers=-1), SILENT_S)).result()
        except Exception as e:  # of many kinds, by the state in which it finds the client
            raise ClusterLost("the scheduler does not answer") from e
        if self.client.status != "running":
            raise ClusterLost(LOST)
        workers: dict[str, dict[str, Any]] = found["workers"]
        return workers

    def submit(self, address: str, function: Callable[..., Any], *args: object) -> "Future":
        """Submit a task for one worker alone, in the thread of the client."""
        with warnings.catch_warnings(action="ignore"):  # of large arguments: a lease may be one
            return self.client.submit(
                function,
                *args,
                workers=[address],
                allow_other_workers=False,
                pure=False,
                retries=0,
                key=f"crosscheck-{function.__name__}-{self.run}-{next(self.tasks)}",
            )

    async def result(self, task: "Future") -> Any:
        """Return the result of a task; it is cancelled if this is. Raises ClusterLost, and what the task raises."""
        try:
            return await task
        except CancelledError as e:  # by Dask: what we cancel ends with the other kind
            raise ClusterLost(LOST) from e
        except asyncio.CancelledError:
            await self.release(task)
            raise

    async def release(self, task: "Future") -> None:
        """Cancel a task, wherever it is."""
        await self.client.cancel([task], force=True)

    async def disconnect(self) -> None:
        """Leave the scheduler, which then releases all tasks of the run."""
        await self.client.close(timeout=CONNECT_S)

    async def ask(self, address: str, function: Callable[..., Any], *args: object) -> Any:
        """Run a function at a worker beside its tasks. Raises TimeoutError, OSError."""
        call = self.client.run(function, *args, workers=[address])
        return (await asyncio.wait_for(call, SILENT_S))[address]

    def close(self) -> None:
        """Disconnect."""
        with suppress(Exception):  # of many kinds, by the state in which it finds the client
            self.start(self.disconnect()).result(2 * CONNECT_S)
        self.end_loop()

    def end_loop(self) -> None:
        """End the thread of the client."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(CONNECT_S)


def address_of(target: str) -> str:
    """Return the address of a scheduler, from its file or itself. Raises BadUsage."""
    if "://" in target:
        return target
    try:
        return str(json.loads(Path(target).expanduser().read_text())["address"])
    except OSError as e:
        raise BadUsage(f"{target}: {e.strerror}: `dask scheduler --scheduler-file {target}` writes it") from e
    except (ValueError, LookupError, TypeError, RecursionError) as e:
        raise BadUsage(f"{target}: not a scheduler file of Dask") from e
