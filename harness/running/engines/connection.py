"""Connection of a run to its scheduler, and straight to places: calls there, and what a place holds of a task."""

import asyncio
import warnings
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future as ConcurrentFuture
from contextlib import suppress
from itertools import count
from secrets import token_hex
from typing import TYPE_CHECKING, Any, TypeVar

from harness.model.errors import BadUsage, ClusterLost
from harness.running.engines.contents import Ask
from harness.running.engines.held import SILENT_S, begin_fetch
from harness.running.engines.limiting import limit_messages
from harness.running.engines.scheduler_calls import end_run, identity_of
from harness.running.engines.unpickling import CLIENT, restrict

if TYPE_CHECKING:
    from distributed import Future, Security

T = TypeVar("T")
CONNECT_S = 10.0
MOST_SCHEDULED = 1 << 29  # bytes of a message of the scheduler, which has limits of its own


class ClusterClient:
    """Client of Dask for a run, whose tasks have its random name in their keys. It has to be closed. Raises BadUsage.

    largest  bytes that a message of a place may have
    """

    def __init__(self, address: str, secure: "Security | None", largest: int) -> None:
        from distributed import Client

        self.address, self.largest = address, largest
        self.run, self.tasks = token_hex(4), count(1)
        self.undo = [restrict(CLIENT), limit_messages(self.limit_of)]
        with warnings.catch_warnings(action="ignore"):  # of other versions: a place that has them is refused later
            try:
                self.client = Client(address, security=secure, timeout=CONNECT_S, set_as_default=False)
            except OSError as e:
                self.restore()
                raise BadUsage(f"{address}: {e}".partition("\n")[0]) from e
        self.scheduler: str = self.client.run_on_scheduler(identity_of)

    def limit_of(self, address: str) -> int:
        """Return the bytes that a message of a process may have: of a place, those of the largest result expected."""
        return MOST_SCHEDULED if address == self.address else self.largest + (1 << 16)

    def ask(self, function: Callable[..., Any], **parameters: Any) -> Any:
        """Call a function at the scheduler. Raises ClusterLost, also if another scheduler has its address."""
        try:
            scheduler, answer = self.client.run_on_scheduler(function, **parameters)
        except Exception as e:  # of many kinds, by the state in which it finds the client
            raise ClusterLost("the scheduler does not answer") from e
        if scheduler != self.scheduler:
            raise ClusterLost("another scheduler has taken the place of this run's")
        self.check()
        return answer

    def check(self) -> None:
        """Raise ClusterLost if the connection to the scheduler was lost."""
        if self.client.status != "running":
            raise ClusterLost("the connection to the scheduler was lost")

    def submit(self, place: str, function: Callable[..., Any], *args: "bytes | Future") -> "Future":
        """Call a function of `dask_place` at an address, with bytes and results held there. Raises ClusterLost."""
        self.check()
        with warnings.catch_warnings(action="ignore"):  # of large arguments: a lease may be one
            return self.client.submit(
                function,
                *args,
                workers=[place],
                allow_other_workers=False,
                pure=False,
                retries=0,
                key=f"{function.__name__}-{self.run}-{next(self.tasks)}",
            )

    def cancel(self, tasks: "Sequence[Future]") -> None:
        """Release tasks, wherever they are. Raises ClusterLost."""
        self.check()
        self.client.cancel(list(tasks), force=True)

    def handlers(self, place: str) -> Ask:
        """Return a function that calls a handler of the place at an address."""
        rpc = self.client.rpc(place)

        async def ask(name: str, **parameters: object) -> object:
            return await asyncio.wait_for(getattr(rpc, name)(**parameters), SILENT_S)

        return ask

    def start(self, call: Coroutine[Any, Any, T]) -> "ConcurrentFuture[T]":
        """Start a call of a handler. Raises ClusterLost."""
        self.check()
        return asyncio.run_coroutine_threadsafe(call, self.client.loop.asyncio_loop)

    def fetch(self, place: str, task: "Future") -> "ConcurrentFuture[object]":
        """Begin to fetch what the place at an address holds of a task."""
        return begin_fetch(self.client, place, task)

    def close(self, places: Callable[[], None]) -> None:
        """Let the scheduler forget the run, release its places by a function, and disconnect."""
        with suppress(ClusterLost):
            self.ask(end_run, run=self.run)
            places()
        with suppress(OSError, TimeoutError):
            self.client.close(timeout=CONNECT_S)
        self.restore()

    def restore(self) -> None:
        """Let Dask in this process be as it was."""
        while self.undo:
            self.undo.pop()()
