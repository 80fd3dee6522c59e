"""Tables of the page that are of the whole journal: scores by family and status, and numbers out of logs.

family  the first of FAMILIES by which instances are between 2 and MOST_FAMILIES: folder, corpus or kind
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.frame.entries import ContenderEntry, field_of
from harness.reporting.frame.log_statistics import medians, names_of
from harness.reporting.frame.results import CLOCKS, Results
from harness.reporting.views.comparing import measures
from harness.reporting.views.families import FIELDS
from harness.reporting.views.grouping import groups
from harness.reporting.views.scaling import scaling, scaling_table

FAMILIES = ("folder", "corpus", "kind")
MOST_FAMILIES = 100
MOST_POINTS = 500  # speed-ups of a row
SCORE = "par2"
MATRIX_ROWS, MATRIX_COLUMNS = "encoding", "backend"


def group_part(results: Results) -> dict[str, Any] | None:
    """Return the scores of contenders by family, of satisfiable and unsatisfiable instances apart; None of one group.

    groups  label of the family, status or '', number of instances, and by clock [decided, PAR-2] of each contender
    """
    field = next((name for name in FAMILIES if 1 < len(set(FIELDS[name](results))) <= MOST_FAMILIES), None)
    apart = len(set(FIELDS["status"](results))) > 1
    if field is None and not apart:
        return None
    family = [field] if field else []
    wanted = [[*family], [*family, "status"]] if field and apart else [[*family, "status"] if apart else family]
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for clock in CLOCKS:
        for fields in wanted:
            add_rows(rows, results, fields, clock)
    order = sorted(rows, key=lambda key: (key[0] == "", key[0], key[1] != "", key[1]))
    return {"field": field or "", "groups": [rows[key] for key in order]}


def add_rows(rows: dict[tuple[str, str], dict[str, Any]], results: Results, fields: Sequence[str], clock: str) -> None:
    """Add the scores of each group on a clock."""
    c, found = groups(results, fields, SCORE, clock)
    for group in found[:-1]:  # the last one has all instances, as the ranking has
        of = dict(zip(fields, group.labels, strict=True))
        status, family = of.pop("status", ""), next(iter(of.values()), "")
        facts = {"family": family, "status": status, "instances": int(group.instances.sum())}
        each = zip(c.names, group.solved, group.scores.tolist(), strict=True)
        scores = {name: [solved, None if np.isnan(score) else score] for name, solved, score in each}
        rows.setdefault((family, status), facts)[clock] = scores


def statistics_part(results: Results) -> dict[str, Any] | None:
    """Return medians of the numbers that programs have printed, as `report --statistics` has them; None without any."""
    journal = results.journal
    if not journal.logs.count() and not journal.logs.statistic_names():
        return None
    found = {name: values for name in names_of(journal) if (values := medians(results, name))}
    if not found:
        return None
    return {
        "names": list(found),
        "instances": [next(iter(values.values()))[1] for values in found.values()],
        "contenders": {
            who: [number_of(values.get(who)) for values in found.values()]
            for who in results.by_name
            if any(who in values for values in found.values())
        },
    }


def number_of(value: tuple[float, int] | None) -> float | None:
    """Return a median, None where it is not known."""
    return None if value is None or np.isnan(value[0]) else value[0]


def scaling_part(results: Results) -> dict[str, Any] | None:
    """Return the speed-ups of cores, of many instances those of some; None without several numbers of cores."""
    try:
        found = scaling(results)
    except BadUsage:
        return None
    table = scaling_table(results, found)
    more = ({"factor": s.factor, "each": np.sort(s.each)[:: len(s.each) // MOST_POINTS + 1].tolist()} for s in found)
    return {"rows": [row | one for row, one in zip(table.records(), more, strict=True)], "notes": list(table.notes)}


def matrix_part(entries: Sequence[ContenderEntry]) -> dict[str, Any]:
    """Return the places of contenders in the matrix of encodings by backends, which the page fills with scores.

    These are the rows, the columns, and of each contender its `row`, its `column`, and `peer`. Contenders of
    different rows with the same `peer` differ in the encoding alone, so their ratio is of the encoding.
    """
    others = sorted(set[str]().union(*measures.PARTS.values()) - measures.PARTS[MATRIX_ROWS])
    keys: dict[str, list[Any]] = {
        "row": list(map(measures.FIELDS[MATRIX_ROWS], entries)),
        "column": list(map(measures.FIELDS[MATRIX_COLUMNS], entries)),
        "peer": [tuple(field_of(entry, part) for part in others) for entry in entries],
    }
    distinct = {name: list(dict.fromkeys(values)) for name, values in keys.items()}
    places = {name: [distinct[name].index(value) for value in values] for name, values in keys.items()}
    return {"rows": distinct["row"], "columns": distinct["column"], **places}
