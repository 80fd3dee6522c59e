"""Machine types of a journal, and its part that ran on one type.

machine  one computer, described by its places; two of one type may differ in name
type     properties on which times depend: harness/model/host.py, decision 44
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from harness.model.errors import BadUsage
from harness.model.host import NAME, PLACE_CORES, MachineType, machine_type
from harness.storing.journal import Journal

STATE = ("release", "memory", PLACE_CORES)  # parts of a machine's description that may change


class Machines(NamedTuple):
    """Machine type of a journal: its number, from 1, and the ids of its places that have leases."""

    number: int
    type: MachineType
    places: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.number}: {self.type}"

    def as_dict(self) -> dict[str, Any]:
        """Return JSON-compatible data (docs/reference/summary.md)."""
        return {"number": self.number, "name": str(self.type)} | self.type._asdict()


def machine_types(journal: Journal) -> tuple[Machines, ...]:
    """Return the machine types on which leases ran, in order of place; none for imported results.

    A run without leases has the type of the machine where it was started.
    """
    if journal.facts.imported:
        return ()
    found = dict[MachineType, list[int]]()
    for number, place in journal.places.used().items():
        found.setdefault(machine_type(place.host), []).append(number)
    if not found:
        found[client_type(journal)] = []
    return tuple(Machines(i, kind, tuple(ids)) for i, (kind, ids) in enumerate(found.items(), 1))


def client_type(journal: Journal) -> MachineType:
    """Return the type of the machine where the run was started."""
    return machine_type(journal.facts.get("host"))


def pairs_need_leases(journal: Journal) -> bool:
    """Return True if outcomes of one instance and repeat may come from several machines, or leases."""
    used = [
        {key: value for key, value in place.host.items() if key not in STATE}
        for place in journal.places.used().values()
    ]
    return any(host != used[0] for host in used[1:]) or journal.leases.split()


@contextmanager
def only(journal: Journal, machines: Machines) -> Iterator[None]:
    """Let queries show only what ran on machines of this type."""
    if set(journal.places.used()) == set(machines.places):
        yield
        return
    with journal.selection.of_places(machines.places, machines.type == client_type(journal)):
        yield


def chosen(journal: Journal, text: str) -> Machines:
    """Return the machine type of a number, or of a part of a description or a machine's name. Raises BadUsage."""
    every = machine_types(journal)
    places = journal.places.used()

    def described(machines: Machines) -> str:
        names = [str(places[number].host.get(NAME, "")) for number in machines.places]
        return "\n".join([str(machines.type), *names]).casefold()

    found = [m for m in every if text == str(m.number)] or [m for m in every if text.casefold() in described(m)]
    if len(found) != 1:
        why = "may be several" if found else "is none of its machine types"
        raise BadUsage(f"{journal.path}: --host {text!r} {why}: choose from {'; '.join(map(str, every)) or 'none'}")
    return found[0]
