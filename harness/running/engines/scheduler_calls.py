"""Functions that a client calls at its scheduler. They return the scheduler's identity too, which shows a new one."""

import time
from typing import Any

PLACE = "place-"  # begins the names of workers of Dask that are places
STOPPED = "stopped-places"  # key of the scheduler's metadata under which places say by name that they were stopped


def identity_of(dask_scheduler: Any) -> str:
    """Return the identity of a scheduler."""
    return str(dask_scheduler.id)


def places_of(dask_scheduler: Any) -> tuple[str, tuple[dict[str, tuple[str, float]], list[str]]]:
    """Return the identity, address and seconds of silence of each place by name, and the places that were stopped."""
    now = time.time()
    workers = dask_scheduler.workers.values()
    found = {w.name: (w.address, now - w.last_seen) for w in workers if str(w.name).startswith(PLACE)}
    return identity_of(dask_scheduler), (found, list(dask_scheduler.task_metadata.get(STOPPED, {})))


async def remove_place(dask_scheduler: Any, address: str, place: str) -> tuple[str, bool]:
    """Remove a place; return the identity, and True if the place was stopped."""
    await dask_scheduler.remove_worker(address, stimulus_id="lost-place", expected=True)
    return identity_of(dask_scheduler), place in dask_scheduler.task_metadata.get(STOPPED, {})


def seat_of(place: str) -> str:
    """Return the machine and core of a place, which all places of one seat share."""
    return place.rpartition("-")[0]
