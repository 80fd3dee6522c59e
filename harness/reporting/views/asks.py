"""Asks of query scripts, timed from outside: solvers that keep their state beside those that begin anew.

kept, fresh  of a solver: its contenders without and with `[fresh=1]`, by their names without it
"""

import re
from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from harness.model.outcome import NANO
from harness.reporting.frame.results import Results
from harness.reporting.writing.directions import Direction
from harness.reporting.writing.table import Cell, Column, ResultTable, Unit, table_of
from puzzles.problem.arrays import Int64Array

OPEN_LOOP = "open loop: every solver is asked the same, whatever it answered before"
FRESH = re.compile(r"\[fresh=1\]|,fresh=1|(?<=\[)fresh=1,")
SLOW, LEAST_NS, LISTED = 10, 1_000_000, 5  # times as long as is usual, and nanoseconds; asks that are listed
HEADS = ("median ask", "p95 ask", "slowest")
Seconds = npt.NDArray[np.float64]


def ask_tables(results: Results) -> dict[str, ResultTable]:
    """Return a table for each query script, by its name: the time of all asks, kept and fresh, and of single ones."""
    journal, tables = results.journal, dict[str, ResultTable]()
    for puzzle in np.flatnonzero(journal.instances.scripts).tolist():
        times = {
            contender.name: found
            for number, contender in enumerate(journal.contenders.all())
            if len(found := whole(journal.ask_times.of(number, puzzle)))
        }
        if times:
            name = journal.instances.name(puzzle)
            tables[name] = ask_table(name, times)
    return tables


def whole(times: list[Int64Array]) -> Int64Array:
    """Return the times of the repeats that reached every ask, int64[repeats, asks]."""
    return np.array([each for each in times if each.all() and len(each) == len(times[0])], np.int64)


def ask_table(script: str, times: Mapping[str, Int64Array]) -> ResultTable:
    """Return the table of one script; `times` int64[repeats, asks] by contender."""
    plain = {name: FRESH.sub("", name) for name in times}
    solvers = dict.fromkeys(plain.values())
    total = {name: float(np.median(found.sum(axis=1))) / NANO for name, found in times.items()}
    fresh = {plain[name]: total[name] for name in times if plain[name] != name}
    rows = list[list[Cell]]()
    for name in solvers:
        kept, anew = total.get(name), fresh.get(name)
        gain = anew / kept if kept and anew else None
        asks = np.median(times[name], axis=0) / NANO if name in times else None
        rows.append([Cell(name), Cell(kept), Cell(anew), Cell(gain), *cells_of(asks)])
    rows.sort(key=lambda row: min(float(cell.value or np.inf) for cell in row[1:3]))
    seconds = [Column(head, Unit.SECONDS, Direction.LESS) for head in ("kept", "fresh")]
    columns = [Column("solver", names=True), *seconds, Column("fresh/kept", Unit.RATIO)]
    columns += [Column(head, Unit.SECONDS, Direction.LESS) for head in HEADS] + [Column("ask", Unit.COUNT)]
    _, size = next(iter(times.values())).shape
    title = f"{script}: {size:,} ask{'s' * (size != 1)}, CPU time, each from outside ({OPEN_LOOP})"
    return table_of(columns, rows, title=title, notes=tuple(slow_asks(times)))


def cells_of(asks: Seconds | None) -> list[Cell]:
    """Return the median, the 95th percentile and the longest of the times of asks, and its number."""
    if asks is None:
        return [Cell()] * 4
    return [*(Cell(float(np.quantile(asks, q))) for q in (0.5, 0.95, 1)), Cell(int(asks.argmax()) + 1)]


def slow_asks(times: Mapping[str, Int64Array]) -> Iterator[str]:
    """Yield a line for each contender with asks much longer than its others, and than those of most other contenders.

    The shortest time of an ask over all repeats counts, so that a busy machine accuses nobody; the first ask does not.
    """
    least = {name: found.min(axis=0) for name, found in times.items()}
    for name, own in least.items():
        others = [found for other, found in least.items() if other != name]
        if not others:
            continue
        usual = np.maximum(np.median(own), np.median(others, axis=0))
        slow = (np.flatnonzero(((own > SLOW * usual) & (own > LEAST_NS))[1:]) + 2).tolist()
        if slow:
            more = f" and {len(slow) - LISTED} more" if len(slow) > LISTED else ""
            asks = f"ask{'s' * (len(slow) > 1)} {', '.join(map(str, slow[:LISTED]))}{more}"
            yield f"slow: {name} takes over {SLOW} times as long as usual, and as most others, for {asks}"
