"""Figures of benchmarks: timing in turn, intervals, and one table and one JSON form for all scripts.

Figure          one number: its case (boards, corpus), way (contender, version), name and unit; an interval, 95 %
cpu_clock       CPU seconds of a process so far            children_cpu   of the children that have ended so far
in_turn         values of several ways, which take turns on every item
pair_ratio      ratio of many interleaved pairs, by bootstrap; mean_ratio: of a few rounds, by Student's t
ratio           the figure of either
part_parser     arguments of a script with parts; run_part: run one of them
report          print figures as tables and, with --json PATH, write them to a file
"""

import argparse
import json
import math
import os
import resource
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from tabulate import tabulate

import puzzles
from harness.reporting.statistics.estimates import mean_interval, student_quantile, z_score

T = TypeVar("T")
V = TypeVar("V")
DRAWS = 2000  # of a bootstrap
LEVEL = 0.95  # of intervals


@dataclass(frozen=True)
class Figure:
    """One number of a benchmark; counts are integers without a unit, ratios floats without one."""

    case: str
    way: str
    name: str
    value: float
    unit: str = ""
    low: float | None = None
    high: float | None = None

    @property
    def text(self) -> str:
        """The value, and its interval if it has one."""
        if self.low is None or self.high is None:
            return show(self.value)
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"

    def as_dict(self) -> dict[str, str | float]:
        """Return the fields as JSON-compatible data, without limits that it does not have."""
        return {key: value for key, value in asdict(self).items() if value is not None}


def ratio(case: str, way: str, name: str, found: tuple[float, float, float]) -> Figure:
    """Return the figure of a ratio and its limits."""
    value, low, high = found
    return Figure(case, way, name, value, "", low, high)


def show(value: float) -> str:
    """Return a count with all of its digits, another number with three, or as many as it has before the point."""
    if isinstance(value, int) or not math.isfinite(value) or not value or abs(value) >= 1000:
        return f"{value:,.0f}"
    text = f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def cpu_clock(pid: int) -> float:
    """Return the CPU seconds of a process, all threads, to the nanosecond (Linux)."""
    return time.clock_gettime(~pid << 3 | 2)


def children_cpu() -> float:
    """Return the CPU seconds of all children that have ended, and theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def in_turn(ways: Mapping[str, Callable[[T], V]], items: Iterable[T]) -> dict[str, list[V]]:
    """Return what each way gives for each item; the ways take turns on every item."""
    found: dict[str, list[V]] = {name: [] for name in ways}
    for item in items:
        for name, way in ways.items():
            found[name].append(way(item))
    return found


def pair_ratio(groups: Sequence[Sequence[tuple[float, float]]]) -> tuple[float, float, float]:
    """Return the ratio of the sums of interleaved costs, and its limits by bootstrap over groups and their pairs.

    With few groups the limits are as far apart as Student's t wants, since the bootstrap is overconfident.
    """
    rng, costs = np.random.default_rng(1), [np.array(group) for group in groups]

    def drawn() -> float:
        chosen = [costs[i] for i in rng.integers(0, len(costs), len(costs))]
        first, second = sum(c[rng.integers(0, len(c), len(c))].sum(axis=0) for c in chosen)
        return float(first / second)

    first, second = np.concatenate(costs).sum(axis=0)
    value = float(first / second)
    low, high = np.quantile([drawn() for _ in range(DRAWS)], (0.025, 0.975)).tolist()
    wider = student_quantile(LEVEL, len(costs) - 1) / z_score(LEVEL) if len(costs) > 1 else 1.0
    return value, value + (low - value) * wider, value + (high - value) * wider


def mean_ratio(ratios: Sequence[float]) -> tuple[float, float, float]:
    """Return the geometric mean of two or more ratios and its limits."""
    value, low, high = np.exp(mean_interval(np.log(ratios), LEVEL)).tolist()
    return value, low, high


def table(figures: Sequence[Figure], name: str = "") -> str:
    """Return a table with a row for each case and way; of one name only: a row for each case, a column for each way."""
    if name:
        figures = [replace(f, way="", name=f.way) for f in figures if f.name == name]
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for f in figures:
        rows.setdefault((f.case, f.way), {})[f"{f.name}, {f.unit}" if f.unit else f.name] = f.text
    labels = [i for i in range(2) if any(key[i] for key in rows)]
    heads = list(dict.fromkeys(head for row in rows.values() for head in row))
    cells = [[*(key[i] for i in labels), *(row.get(head, "") for head in heads)] for key, row in rows.items()]
    aligned = [*("left" for _ in labels), *("right" for _ in heads)]
    return str(
        tabulate(
            cells,
            [*("" for _ in labels), *heads],
            tablefmt="pipe",
            disable_numparse=True,
            colalign=aligned,
        )
    )


def add_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the figures to a file, too")


def part_parser(text: str | None, parts: Iterable[str]) -> argparse.ArgumentParser:
    """Return a parser for a script with parts, of which it runs one, on one core."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=parts)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="the core to run on")
    add_option(parser)
    return parser


def run_part(parser: argparse.ArgumentParser, parts: Mapping[str, Callable[..., Iterable[Figure]]]) -> None:
    """Run the part that the command line names, and report its figures."""
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {arguments.core})
    report(parts[arguments.part](arguments), arguments.json)


def report(figures: Iterable[Figure], path: Path | None) -> None:
    """Print figures as a table; write them to a file if there is a path, with the folder of the measured packages."""
    every = list(figures)
    assert len({(f.case, f.way, f.name) for f in every}) == len(every), "two figures have the same name"
    print(table(every))
    if path is not None:
        packages = str(Path(puzzles.__file__).resolve().parent.parent)
        path.write_text(json.dumps({"packages": packages, "figures": [f.as_dict() for f in every]}, indent=1))
