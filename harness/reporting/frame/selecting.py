"""Frame: a journal that is read once, with one selection of its instances and machines.

Figures of a frame are functions of what it holds, so they know nothing of the selection: those of a part are the
figures of a journal that has only that part.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np

from harness.reporting.frame.filtering import InstanceFilter, chosen
from harness.reporting.frame.machine_types import Machines, client_type, only
from harness.reporting.frame.machine_types import chosen as machines_of
from harness.reporting.frame.reading import JudgedJournal, open_judged
from harness.reporting.frame.results import Results
from harness.storing.journal import Journal
from harness.storing.selected import PlacesAlone, selected


@contextmanager
def frame(
    path: Path | str, host: str | None = None, by: InstanceFilter | None = None, clock: str = "wall"
) -> Iterator[Results]:
    """Yield the results of a journal, of one machine type and of the instances that pass a filter, if stated.

    Raises BadUsage.
    """
    with open_judged(path) as judged:
        if host is None and by is None:
            yield judged.results()
            return
        machines = None if host is None else machines_of(judged.journal, host)
        with nullcontext() if machines is None else only(judged.journal, machines):
            results = judged.results()
        if by is None:
            asked = np.any([c.asked for c in results.contenders], axis=0)
            instances, shown = asked if asked.any() else np.arange(len(asked)) > 0, ""
        else:
            instances = chosen(results, by, clock)
            shown = by.words(int(instances.sum()))
        with selected(judged.journal, np.flatnonzero(instances).tolist(), places_of(judged.journal, machines)) as part:
            own = JudgedJournal(part)
            if machines is not None:  # what another machine has shown refutes an answer of this one too
                own.referee.evidence = judged.referee.evidence.of(np.flatnonzero(instances))
            yield replace(own.rejudge().results(), shown=shown, cut=machines)


def places_of(journal: Journal, machines: Machines | None) -> PlacesAlone | None:
    """Return the places of a machine type, None if it has all."""
    if machines is None or set(journal.places.used()) == set(machines.places):
        return None
    return PlacesAlone(machines.places, loose=machines.type == client_type(journal))
