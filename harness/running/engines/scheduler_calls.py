"""Functions that a client calls at its scheduler. They return the scheduler's identity too, which shows a new one."""

import time
from typing import Any

PLACE = "place-"  # begins the names of workers of Dask that are places


def identity_of(dask_scheduler: Any) -> str:
    """Return the identity of a scheduler."""
    return str(dask_scheduler.id)


def places_of(dask_scheduler: Any) -> tuple[str, dict[str, tuple[str, float]]]:
    """Return the identity, and address and seconds of silence of each place by name."""
    now = time.time()
    workers = dask_scheduler.workers.values()
    found = {w.name: (w.address, now - w.last_seen) for w in workers if str(w.name).startswith(PLACE)}
    return identity_of(dask_scheduler), found


async def remove_place(dask_scheduler: Any, address: str) -> tuple[str, None]:
    """Remove a place; return the identity."""
    await dask_scheduler.remove_worker(address, stimulus_id="lost-place", expected=True)
    return identity_of(dask_scheduler), None


def seat_of(place: str) -> str:
    """Return the machine and core of a place, which all places of one seat share."""
    return place.rpartition("-")[0]
