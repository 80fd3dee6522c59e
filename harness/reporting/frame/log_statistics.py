"""Numbers that contenders count or print, beside times: counters, and what --log-columns reads out of logs.

The number of an instance is the median over its repeats that have one. Tables and plots have the decided instances.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from backends.contract.answer import COUNTERS
from harness.model.errors import BadUsage
from harness.reporting.frame.results import ContenderResults, Results
from harness.reporting.statistics.estimates import Floats
from harness.reporting.writing.fitting import omit, shorten_names
from harness.reporting.writing.table import Column, ResultTable, Unit, table_of
from harness.storing.journal import Journal


def names_of(journal: Journal) -> list[str]:
    """Return the names of all numbers: counters first."""
    return [*COUNTERS, *(name for name in journal.logs.statistic_names() if name not in COUNTERS)]


def require_known(journal: Journal, name: str, option: str) -> None:
    """Raise BadUsage if no contender can have a number of this name."""
    if name not in (known := names_of(journal)):
        raise BadUsage(f"{option} {name}: {journal.path} has {', '.join(known)}")


def by_instance(results: Results, c: ContenderResults, name: str) -> Floats:
    """Return float64[n], the number of each instance, NaN where it is not known."""
    found = np.full(results.size + 1, np.nan)
    rows = np.array(results.journal.logs.statistic(c.number, name), np.float64).reshape(-1, 2)
    order = np.lexsort((rows[:, 1], rows[:, 0]))
    ids, values = rows[order, 0].astype(np.int64), rows[order, 1]
    if len(ids):
        unique, first, count = np.unique(ids, return_index=True, return_counts=True)
        found[unique] = (values[first + (count - 1) // 2] + values[first + count // 2]) / 2
    return found


def statistics_entry(results: Results, c: ContenderResults, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return, by name, how many decided instances have a number, their median and their sum; only known names."""
    entry = {}
    for name in names:
        values = by_instance(results, c, name)[c.decided]
        known = values[~np.isnan(values)]
        if len(known):
            entry[name] = {"known": len(known), "median": float(np.median(known)), "total": float(known.sum())}
    return entry


def statistics_table(results: Results, asked: Sequence[str]) -> ResultTable:
    """Return medians by contender, over the instances for which all contenders have the numbers; sorted by column 1.

    Raises BadUsage on an unknown name.
    """
    for name in asked:
        require_known(results.journal, name, "--statistics")
    every = {name: medians(results, name) for name in asked or names_of(results.journal)}
    columns = {name: values for name, values in every.items() if values}
    if not columns:
        return ResultTable((), (), "no numbers: no contender counts or prints any")
    first = next(iter(columns.values()))
    order = sorted(results.by_name, key=lambda name: first.get(name, (np.inf, 0))[0])
    known = {who: [values.get(who, (np.nan, 0))[0] for values in columns.values()] for who in order}
    rows = [[who, *(None if np.isnan(value) else value for value in values)] for who, values in known.items()]
    common = ", ".join(f"{name} {next(iter(values.values()))[1]:,}" for name, values in columns.items())
    return table_of(
        [Column("contender", names=True), *(Column(name, Unit.NUMBER) for name in columns)],
        rows,
        caption=f"medians over the instances that all contenders with the number decided: {common}",
        narrow=(shorten_names, *map(omit, list(columns)[:0:-1])),
    )


def decided_numbers(results: Results, name: str) -> dict[str, Floats]:
    """Return float64[n] by contender that has the number of a decided instance, NaN where an instance has none."""
    values = {who: np.where(c.decided, by_instance(results, c, name), np.nan) for who, c in results.by_name.items()}
    return {who: found[1:] for who, found in values.items() if not np.isnan(found).all()}


def medians(results: Results, name: str) -> dict[str, tuple[float, int]]:
    """Return, by contender with a number, the median over common instances, and how many these are."""
    known = decided_numbers(results, name)
    common = ~np.isnan(list(known.values())).any(axis=0) if known else np.zeros(0, np.bool_)
    number = int(common.sum())
    return {who: (float(np.median(found[common])) if number else np.nan, number) for who, found in known.items()}
