"""Text of a cluster while runs go on: its places, their leases, and when each run is expected to end."""

from collections.abc import Iterator

from harness.reporting.printable import printable, wrapped
from harness.reporting.tables import plural
from harness.reporting.writing.table import table_of
from harness.reporting.writing.writers import written
from harness.running.engines.status import ClusterStatus, PlaceStatus, RunStatus

HEADS = ("place", "machine", "core", "lease", "for", "leases", "outcomes")
SILENT_S = 5.0  # seconds of silence of a place that are told
UNITS = (("d", 86400), ("h", 3600), ("min", 60))


def text(status: ClusterStatus) -> str:
    """Return a line on the scheduler, a table for each run, and lines on places outside all runs."""
    head = f"scheduler at {status.address}: {plural(len(status.places), 'place')}, {plural(len(status.runs), 'run')}"
    return "\n\n".join([head, *map(run_text, status.runs), *lines_below(status)])


def run_text(run: RunStatus) -> str:
    """Return a line on a run, and the table of its places."""
    rows = [row(place) for place in sorted(run.places, key=lambda place: place.name)]
    refused = [f"refused: {line}" for line in run.refused]
    lines = [progress(run.journal or "run", run.done, run.total, run.elapsed, run.left), *refused]
    table = written(table_of(HEADS, rows, left=4), "table") if rows else "no place takes part"
    return "\n".join([*(wrapped(printable(line)) for line in lines), table])


def row(place: PlaceStatus) -> list[str]:
    """Return the cells of a place."""
    core = "-" if place.core is None else f"{place.core}"
    since = duration(place.since) if place.lease else "-"
    name, machine = printable(place.name), printable(place.machine or "-")
    return [name, machine, core, printable(place.lease or "-"), since, f"{place.leases}", f"{place.outcomes}"]


def lines_below(status: ClusterStatus) -> Iterator[str]:
    """Yield lines on places that take part in no run, and on silent ones."""
    busy = {place.name for run in status.runs for place in run.places}
    for what, names in (
        ("in no run", [name for name in status.places if name.removeprefix("place-") not in busy]),
        ("silent", [f"{name} for {silent:.0f} s" for name, silent in status.places.items() if silent > SILENT_S]),
    ):
        if names:
            yield wrapped(printable(f"{what}: {', '.join(names)}"))


def progress(name: str, done: int, total: int, elapsed: float, left: float | None, unit: str = "outcomes") -> str:
    """Return how far a run is, and when it may end."""
    share = f" ({done / total:.0%})" if total else ""
    when = f", about {duration(left)} left" if left else ""
    return f"{name}: {done:,} of {total:,} {unit}{share} in {duration(elapsed)}{when}"


def duration(seconds: float) -> str:
    """Return a duration in whole units, the largest two of days, hours, minutes and seconds."""
    for at, (unit, size) in enumerate(UNITS):
        if seconds >= size:
            below, part = (UNITS[at + 1] if at + 1 < len(UNITS) else ("s", 1)), seconds % size
            rest = int(part // below[1])
            return f"{int(seconds // size)} {unit}" + (f" {rest} {below[0]}" if rest else "")
    return f"{int(seconds)} s"
