"""Work of each place of a run: leases, outcomes, reference work over time, and differences between places.

Reference work without a lease ran on the machine where the run was started, and is listed as the client's.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.model.host import CLOCK, NAME, machine_type
from harness.model.lease import LATE_ANSWERS, REFUSED_PLACES, Place
from harness.model.outcome import NANO
from harness.reporting.frame.machine_types import machine_types
from harness.reporting.frame.results import State, state_table
from harness.storing.journal import Journal

SCHEMA = 1
ENDS = 5  # samples at each end that show a drift, of which there are at least twice as many
POINTS = 24  # points of a line over time


def places(journal: Journal) -> dict[str, Any]:
    """Return JSON-compatible data on all places (docs/reference/summary.md)."""
    found, samples = journal.places.numbered(), defaultdict[int | None, list[int]](list)
    for at, wall in journal.places.placed_samples():
        samples[at].append(wall)
    kinds = machine_types(journal)
    types = {machines.type: machines.number for machines in kinds}
    contenders, work = contender_entries(journal), journal.leases.work()
    entries = []
    for number, place in found.items():
        leases = work.get(number)
        entries.append(
            {
                "place": number,
                "name": place.host.get(NAME),
                "type": types.get(machine_type(place.host)),
                "core": place.core,
                "leases": leases.leases if leases else 0,
                "interrupted": leases.leases - leases.whole if leases else 0,
                "began": leases.began if leases else None,
                "ended": leases.ended if leases else None,
                "busy": leases.busy / NANO if leases else 0.0,
                "contenders": contenders.get(number, []),
                "reference": reference_entry(samples[number]),
                "host": place.host,
                "versions": place.versions,
            }
        )
    return {
        "schema": SCHEMA,
        "journal": str(journal.path),
        "types": [machines.as_dict() | {"places": list(machines.places)} for machines in kinds],
        "places": entries,
        "client": reference_entry(samples[None]),
        "differences": differences({number: place for number, place in found.items() if number in work}),
        "late": journal.facts.get(LATE_ANSWERS),
        "refused": journal.facts.get(REFUSED_PLACES),
    }


def contender_entries(journal: Journal) -> dict[int, list[dict[str, Any]]]:
    """Return, by place, the totals of each contender: leases, outcomes by state, and seconds of wall time."""
    names, states, leases = [c.name for c in journal.contenders.all()], state_table(), journal.leases.counts()
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for totals in journal.outcomes.batch_totals():
        key = totals.place, totals.contender
        empty = {"name": names[key[1]], "leases": leases[key], "outcomes": 0, "seconds": 0.0, "states": {}}
        entry, state = found.setdefault(key, empty), State(int(states[totals.verdict, totals.reason])).name.lower()
        entry["outcomes"] += totals.outcomes
        entry["seconds"] += totals.wall / NANO
        entry["states"][state] = entry["states"].get(state, 0) + totals.outcomes
    by_place: dict[int, list[dict[str, Any]]] = {}
    for (place, _), entry in sorted(found.items()):
        by_place.setdefault(place, []).append(entry)
    return by_place


def reference_entry(samples: Sequence[int]) -> dict[str, Any]:
    """Return number and median of samples, the change from the first to the last, and medians over time."""
    seconds = np.array(samples, np.float64) / NANO
    ends = min(ENDS, len(seconds) // 2)
    first, last = (float(np.median(part)) if ends else None for part in (seconds[:ends], seconds[-ends:]))
    pieces = np.array_split(seconds, max(1, min(POINTS, len(seconds))))
    return {
        "samples": len(seconds),
        "median": float(np.median(seconds)) if len(seconds) else None,
        "first": first,
        "last": last,
        "drift": last / first if first and last else None,
        "line": [float(np.median(part)) for part in pieces if len(part)],
    }


def differences(found: Mapping[int, Place]) -> list[dict[str, Any]]:
    """Return the differences between places: host, versions or environment, the key, and each value with its places."""
    result = []
    for part in ("host", "versions", "environment"):
        described: dict[int, Mapping[str, object]] = {i: getattr(place, part) for i, place in found.items()}
        for key in dict.fromkeys(key for facts in described.values() for key in facts):
            values: dict[str | None, list[int]] = {}
            for i, facts in described.items():
                value = facts.get(key)
                values.setdefault(None if value is None else str(value), []).append(i)
            if len(values) > 1 and (part, key) not in (("host", NAME), ("host", CLOCK)):
                listed = [{"value": value, "places": numbers} for value, numbers in values.items()]
                result.append({"of": part, "key": key, "values": listed})
    return result
