"""Lists of instances by who decided them.

unsolved  by no contender
alone     by one contender alone
family    by several contenders, but all of one solver, such as versions and encodings of cadical
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from harness.model.errors import BadUsage
from harness.model.lineage import family
from harness.reporting.frame.results import Results
from harness.reporting.writing.table import ResultTable, table_of
from puzzles.errors import plural

LISTS = {
    "unsolved": "decided by no contender",
    "alone": "decided by one contender alone",
    "family": "decided by several contenders of one solver alone",
}


class Listed(NamedTuple):
    """An instance of a list, and the contender or solver that decided it, '' for none."""

    name: str
    by: str


def listed(results: Results, kind: str) -> list[Listed]:
    """Return the instances of a list, in the order of the journal. Raises BadUsage on an unknown list."""
    if kind not in LISTS:
        raise BadUsage(f"--list {kind}: known are {', '.join(LISTS)}")
    decided = np.array([c.decided for c in results.contenders])
    asked = np.any([c.asked for c in results.contenders], axis=0)
    number = decided.sum(axis=0)
    names, solvers = list(results.by_name), [family(c.contender.backend) for c in results.contenders]
    chosen = {"unsolved": asked & (number == 0), "alone": number == 1, "family": number > 1}[kind]
    found = []
    for i in np.flatnonzero(chosen).tolist():
        who = np.flatnonzero(decided[:, i]).tolist()
        by = {(solvers if kind == "family" else names)[k] for k in who}
        if len(by) < 2:
            found.append(Listed(results.journal.instances.name(i), "".join(by)))
    return found


def list_table(results: Results, kind: str) -> ResultTable:
    """Return a list as a table; instances that nobody decided as one column."""
    found = listed(results, kind)
    heads = ("instance",) if kind == "unsolved" else ("instance", "solver" if kind == "family" else "contender")
    title = f"{plural(len(found), 'instance')} {LISTS[kind]}"
    return table_of(heads, [one[: len(heads)] for one in found], title=title, left=len(heads))


def as_data(results: Results, kinds: Sequence[str]) -> dict[str, Any]:
    """Return the lists of instances by who decided them, as JSON-compatible data."""
    return {kind: [one._asdict() for one in listed(results, kind)] for kind in kinds}
