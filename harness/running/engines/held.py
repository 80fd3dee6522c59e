"""State of each place at the client of a cluster: a lease, the question to describe itself, and what has arrived."""

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import Future as ConcurrentFuture
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.model.errors import ClusterLost
from harness.model.host import NAME
from harness.model.lease import Lease, LeaseResult, Place
from harness.model.outcome import NANO
from harness.running.engines.clocks import now
from harness.running.engines.contents import Content
from harness.running.engines.limiting import MessageTooLarge
from harness.running.engines.scheduler_calls import PLACE
from harness.running.engines.status import PlaceStatus, seconds_since
from harness.running.engines.unpickling import Ended
from harness.running.engines.wire import BadResult

if TYPE_CHECKING:
    from distributed import Client, Future

Delivery = ConcurrentFuture[None]  # of contents, which arrive before the message of their lease
SILENT_S = 30.0  # until a place that does not report to the scheduler counts as lost
BUSY_S = 0.1  # until a place is asked again for what it holds
LONG_S = 10.0  # until turns of a lease are committed while it runs, or given to others


@dataclass
class Held:
    """A lease at a place: its message, what travels apart, and the bytes of its result at most.

    delivery  of what travels apart         task, sent  set when the place's machine has that
    taken     turns whose outcomes are committed         call, call_of, called  the last question while the lease runs
    """

    ticket: int
    lease: Lease
    message: bytes
    contents: list[Content]
    most: int
    delivery: "Delivery | None" = None
    task: "Future | None" = None
    sent: int = 0
    taken: tuple[int, ...] = ()
    call: "ConcurrentFuture[bytes] | None" = None
    call_of: str = ""
    called: int = 0
    given: float = field(default_factory=time.monotonic)

    def long(self) -> bool:
        """Return True if the lease has run for long, of more than one turn, and may be asked something."""
        return self.task is not None and self.call is None and self.rest > 1 and now() - self.sent > LONG_S * NANO

    @property
    def rest(self) -> int:
        """Number of turns that are not committed."""
        return len(self.lease.contenders) - len(self.taken)


def place_status(name: str, facts: Place, held: Held | None, work: tuple[int, int]) -> PlaceStatus:
    """Return the status of a place, with the numbers of leases and outcomes of its work so far."""
    lease, since = (str(held.lease), seconds_since(held.given)) if held else ("", 0)
    return PlaceStatus(name.removeprefix(PLACE), str(facts.host.get(NAME) or ""), facts.core, lease, since, *work)


@dataclass(frozen=True)
class Question:
    """The question to a place to describe itself, and when it was sent."""

    sent: int
    task: "Future"


class Arrival(NamedTuple):
    """A task or a call that is done, of a description (ticket 0) or a lease, and when that became known here.

    sent  of a finished task: what its place holds of it
    """

    place: str
    ticket: int
    task: Any
    at: int
    sent: "ConcurrentFuture[object] | None" = None


def result_of(arrival: Arrival, most: int) -> bytes:
    """Return the message of a finished task, straight from its place. Raises ClusterLost, Ended, BadResult."""
    if arrival.task.status == "cancelled":  # by the end of the connection: what we cancel, nobody takes
        raise ClusterLost("the connection to the scheduler was lost")
    try:
        sent = arrival.sent.result(0) if arrival.sent is not None else arrival.task.result(timeout=SILENT_S)
    except MessageTooLarge as e:
        raise BadResult(f"{e}, where at most {most:,} can be") from e
    except (Ended, OSError, TimeoutError) as e:
        raise Ended from e
    except Exception as e:  # of Dask at the place, and of loading what the place sent instead of bytes
        raise BadResult(f"{type(e).__name__}: {e}".partition("\n")[0]) from e
    if type(sent) is not bytes:
        raise BadResult(f"a {type(sent).__name__} instead of a message")
    if len(sent) > most:
        raise BadResult(f"a message of {len(sent):,} bytes, where at most {most:,} can be")
    return sent


def rest_of(result: LeaseResult, taken: Sequence[int]) -> LeaseResult:
    """Return a result without the turns that are committed already."""
    outcomes = tuple(some for some in result.outcomes if some.batch.contender not in taken)
    return replace(result, lease=result.lease.without(taken), outcomes=outcomes)


def begin_fetch(client: "Client", address: str, task: "Future") -> "ConcurrentFuture[object]":
    """Begin to fetch what a place holds of a task, without the scheduler, which would hold it too.

    Raises OSError, TimeoutError, Ended when it is done.
    """
    fetching = asyncio.wait_for(fetched(client, address, task.key), SILENT_S)
    return asyncio.run_coroutine_threadsafe(fetching, client.loop.asyncio_loop)


async def fetched(client: "Client", address: str, key: str) -> object:
    """Return what a place holds under a key. Raises OSError, Ended."""
    from distributed.worker import get_data_from_worker

    while (response := await get_data_from_worker(client.rpc, [key], address))["status"] == "busy":
        await asyncio.sleep(BUSY_S)
    if response["status"] != "OK" or key not in response["data"]:
        raise Ended
    return response["data"][key]
