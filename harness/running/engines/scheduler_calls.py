"""Functions that a client calls at its scheduler. They return the scheduler's identity too, which shows a new one."""

import time
from typing import Any

PLACE = "place-"  # begins the names of workers of Dask that are places
RUNS = "runs"  # key under which the status of each run is kept, with the time of the scheduler
SILENT_S = 30.0  # until a run that does not ask counts as ended
Places = dict[str, tuple[str, float]]
STOPPED = "stopped-places"  # key of the scheduler's metadata under which places say by name that they were stopped


def identity_of(dask_scheduler: Any) -> str:
    """Return the identity of a scheduler."""
    return str(dask_scheduler.id)


def places_of(dask_scheduler: Any, run: str, status: bytes) -> tuple[str, tuple[Places, list[str]]]:
    """Return the identity, all places, and those that were stopped; keep the status of the run that asks."""
    dask_scheduler.task_metadata.setdefault(RUNS, {})[run] = time.time(), status
    return identity_of(dask_scheduler), (found(dask_scheduler), list(dask_scheduler.task_metadata.get(STOPPED, {})))


def end_run(dask_scheduler: Any, run: str) -> tuple[str, None]:
    """Forget the status of a run."""
    dask_scheduler.task_metadata.get(RUNS, {}).pop(run, None)
    return identity_of(dask_scheduler), None


def runs_of(dask_scheduler: Any) -> tuple[str, tuple[Places, list[bytes]]]:
    """Return the identity, all places, and the status of each run that has asked lately."""
    kept = dask_scheduler.task_metadata.get(RUNS, {})
    for run in [run for run, (told, _) in kept.items() if time.time() - told > SILENT_S]:
        del kept[run]
    return identity_of(dask_scheduler), (found(dask_scheduler), [status for _, status in kept.values()])


def found(dask_scheduler: Any) -> Places:
    """Return the address and the seconds of silence of each place, by name."""
    now, workers = time.time(), dask_scheduler.workers.values()
    return {w.name: (w.address, now - w.last_seen) for w in workers if str(w.name).startswith(PLACE)}


async def remove_place(dask_scheduler: Any, address: str, place: str) -> tuple[str, bool]:
    """Remove a place; return the identity, and True if the place was stopped."""
    await dask_scheduler.remove_worker(address, stimulus_id="lost-place", expected=True)
    return identity_of(dask_scheduler), place in dask_scheduler.task_metadata.get(STOPPED, {})


def seat_of(place: str) -> str:
    """Return the machine and core of a place, which all places of one seat share."""
    return place.rpartition("-")[0]
