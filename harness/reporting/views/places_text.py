"""Text of the places of a run."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from harness.model.host import CLOCK
from harness.model.outcome import NANO
from harness.reporting.writing.numbers import format_seconds
from harness.reporting.writing.printable import printable, wrapped
from harness.reporting.writing.table import table_of
from harness.reporting.writing.writers import written
from puzzles.errors import plural

HEADS = ("place", "machine", "type", "core", "leases", "busy", "from (UTC)", "to", "reference", "drift", "over time")
BARS, DIGITS = "▁▂▃▄▅▆▇█", "01234567"
SMALLEST_SPAN = 1.5  # slowest against fastest, from which bars reach their full height
MOST_CHARACTERS = 60  # characters of a value in which places differ


def text(data: dict[str, Any], bars: str = BARS) -> str:
    """Return a table of places, a table of their contenders, and further lines; `bars` draw the lines."""
    scale = [point for found in (data["client"], *(p["reference"] for p in data["places"])) for point in found["line"]]
    rows = [place_row(place, scale, bars) for place in data["places"]]
    totals = [total_row(place["place"], c) for place in data["places"] for c in place["contenders"]]
    heads = ("place", "contender", "leases", "outcomes", "decided", "others", "wall time")
    return "\n\n".join(
        [
            written(table_of(HEADS, rows, left=3), "table"),
            written(table_of(heads, totals, left=2), "table"),
            "\n".join(wrapped(printable(line)) for line in lines_below(data, scale, bars)),
        ]
    )


def place_row(place: dict[str, Any], scale: Sequence[float], bars: str) -> list[str]:
    """Return the cells of one place."""
    began, ended = (moment(place[end]) for end in ("began", "ended"))
    leases = f"{place['leases']}" + (f" ({place['interrupted']} interrupted)" if place["interrupted"] else "")
    return [
        f"{place['place']}",
        f"{place['name'] or '-'}",
        "-" if place["type"] is None else f"{place['type']}",
        "-" if place["core"] is None else f"{place['core']}",
        leases,
        format_seconds(place["busy"]),
        began,
        ended.split()[-1] if ended.split()[0] == began.split()[0] else ended,
        *reference_cells(place["reference"], scale, bars),
    ]


def reference_cells(found: dict[str, Any], scale: Sequence[float], bars: str) -> list[str]:
    """Return the median of the reference work, its drift, and its line."""
    drift = "-" if found["drift"] is None else f"{found['drift']:.2f}x"
    return [format_seconds(found["median"]), drift, line(found["line"], scale, bars)]


def total_row(place: int, c: dict[str, Any]) -> list[str]:
    """Return the cells of one contender at one place."""
    others = [f"{number} {state}" for state, number in c["states"].items() if state != "decided"]
    numbers = [f"{c[key]}" for key in ("leases", "outcomes")]
    decided = f"{c['states'].get('decided', 0)}"
    return [f"{place}", c["name"], *numbers, decided, ", ".join(others) or "-", format_seconds(c["seconds"])]


def moment(nanoseconds: int | None) -> str:
    """Return a time since the epoch to the second; - if it is unknown."""
    return f"{datetime.fromtimestamp(nanoseconds / NANO, UTC):%Y-%m-%d %H:%M:%S}" if nanoseconds else "-"


def line(points: Sequence[float], scale: Sequence[float], bars: str) -> str:
    """Return points over time as bars on the scale of all places, from the fastest point upwards."""
    low = min(scale, default=0.0)
    span = max(max(scale, default=0.0), low * SMALLEST_SPAN) - low
    heights = (int((point - low) / span * len(bars)) if span else 0 for point in points)
    return "".join(bars[min(len(bars) - 1, height)] for height in heights)


def lines_below(data: dict[str, Any], scale: Sequence[float], bars: str) -> Iterator[str]:
    """Yield the lines on machine types, the client, differences between places, and refused results and places."""
    for kind in data["types"]:
        yield f"type {kind['number']}: {kind['name']}: {plural(len(kind['places']), 'place')}"
    if data["client"]["samples"]:
        median, drift, shown = reference_cells(data["client"], scale, bars)
        yield f"client, before and after the run: reference {median}, drift {drift} {shown}"
    for entry in data["differences"]:
        values = (f"{short(v['value'])} at {', '.join(map(str, v['places']))}" for v in entry["values"])
        yield f"{entry['of']} {entry['key']}: {'; '.join(values)}"
    for place in data["places"]:
        if CLOCK in place["host"]:
            yield f"clock of place {place['place']}: {place['host'][CLOCK]}"
    if data["late"]:
        yield f"late: {plural(data['late'], 'second answer')} refused"
    for place in data["refused"] or ():
        yield f"refused: {place}"
    yield "reference: median time of one pass of the reference work; drift: its last passes against its first"


def short(value: str | None) -> str:
    """Return a value shortened to a few characters."""
    if value is None:
        return "none"
    return value if len(value) <= MOST_CHARACTERS else f"{value[:MOST_CHARACTERS]}..."
