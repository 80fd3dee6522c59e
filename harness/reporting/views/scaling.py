"""Scaling: speed-ups of contenders of one solver that differ in their number of cores alone, by wall time.

    base        the contender of the solver with the fewest cores
    speed-up    time of the base / time, each the median over repeats, of an instance that both decided in every repeat
    efficiency  the geometric mean of speed-ups / how many times as many cores
    CPU/wall    geometric mean of the cores in use, over the same instances
    luck        share of the variance of speed-ups, of medians over repeats, that repeats show: that of random seeds

Satisfiable instances are apart: a search with more cores may meet a solution by luck, so its speed-up is no measure of
the work that it shares out. Undecided instances have no speed-up; the numbers decided are beside it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from backends.contract.cores import cores_of
from backends.contract.options import CORES, split_options
from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.lease import SEEDLESS
from harness.model.observing.clocks import mistimed
from harness.reporting.frame.results import ContenderResults, Results
from harness.reporting.statistics.bootstrap import LEVEL
from harness.reporting.statistics.estimates import (
    BETWEEN_WORKER_SD,
    LARGEST_WORKER_SD,
    MEDIAN_ERROR,
    Floats,
    Ratio,
    middle,
    paired_ratio,
    widen,
    z_score,
)
from harness.reporting.statistics.variation import Luck, luck
from harness.reporting.views.families import SAT, UNSAT, statuses
from harness.reporting.writing.fitting import omit, shorten_names
from harness.reporting.writing.numbers import format_ratio
from harness.reporting.writing.table import Cell, Column, ResultTable, Unit, table_of
from puzzles.problem.arrays import BoolArray, Int64Array

Settings = list[ContenderResults]
LEAST_IN_USE = 0.8  # CPU time / wall time on one core of a quiet machine
NARROW = (omit("luck"), omit("CPU/wall"), shorten_names)


@dataclass(frozen=True)
class Scaling:
    """A number of cores of a solver, on the satisfiable or unsatisfiable instances.

    factor    how many times the cores of the base            asked, decided  numbers of instances
    ids       int64[n], instances with a speed-up             each            float64[n], their speed-ups
    speed_up  their geometric mean with a 95 % interval, None without any
    in_use    geometric mean of CPU time / wall time          luck            that of repeats, None if it is not known
    """

    solver: str
    contender: str
    cores: int
    factor: float
    status: str
    asked: int
    decided: int
    ids: Int64Array
    each: Floats
    speed_up: Ratio | None
    in_use: float | None
    luck: Luck | None


def solver_of(c: Contender) -> str:
    """Return the name of a contender without its number of cores."""
    backend, words = split_options(c.backend)
    rest = ",".join(word for word in words if word.partition("=")[0] != CORES.name)
    return backend + f"[{rest}]" * bool(rest) + c.name[len(c.backend) :]


def require_several(contenders: Sequence[Contender]) -> None:
    """Raise BadUsage unless some contenders are one solver with several numbers of cores."""
    if len({(solver_of(c), cores_of(c.backend)) for c in contenders}) == len(set(map(solver_of, contenders))):
        raise BadUsage("--matrix cores needs a solver with several numbers of cores: -b 'cpsat[cores=1|2|4]'")


def settings_by_solver(results: Results) -> dict[str, Settings]:
    """Return the contenders of each solver that has several numbers of cores, the fewest first. Raises BadUsage."""
    if len(results.machines) > 1:
        raise BadUsage("--matrix cores: the run was on several types of machines: choose one with --host")
    untrusted, found = mistimed(results.facts), defaultdict[str, dict[int, ContenderResults]](dict)
    timed = [c for c in results.contenders if c.contender.name not in untrusted and not c.amortised]
    timed = [c for c in timed if "wall" not in c.unmeasured]
    require_several([c.contender for c in timed])
    for c in timed:
        found[solver_of(c.contender)].setdefault(cores_of(c.contender.backend), c)
    return {name: [of[cores] for cores in sorted(of)] for name, of in found.items() if len(of) > 1}


def scaling(results: Results) -> list[Scaling]:
    """Return each number of cores of each solver, by status of the instances. Raises BadUsage."""
    status = np.array(["", *statuses(results)])
    return [
        on_status(results, solver, of[0], c, word, status == word)
        for solver, of in settings_by_solver(results).items()
        for word in (SAT, UNSAT)
        if (status == word).any()
        for c in of
    ]


def on_status(
    results: Results, solver: str, base: ContenderResults, c: ContenderResults, word: str, some: BoolArray
) -> Scaling:
    """Return the scaling of a contender on the instances of a status, bool[n]."""
    both = some & base.decided & c.decided & ~np.isnan(base.wall) & ~np.isnan(c.wall)
    cores = cores_of(c.contender.backend)
    before, after = (side.times["wall"].asks[:, both] for side in (base, c))
    groups = c.block if results.sampled is None else np.append(0, results.sampled.of)
    ratio = ratio_of_medians(after, before, groups[both]) if both.any() and c is not base else None
    busy = both & ~np.isnan(c.cpu)
    return Scaling(
        solver,
        c.contender.name,
        cores,
        cores / cores_of(base.contender.backend),
        word,
        int((some & c.asked).sum()),
        int((some & c.decided).sum()),
        np.flatnonzero(both),
        base.wall[both] / c.wall[both],
        ratio,
        float(np.exp(np.log(c.cpu[busy] / c.wall[busy]).mean())) if busy.any() else None,
        luck(np.log(before / after)) if ratio and len(before) == len(after) else None,
    )


def ratio_of_medians(before: Floats, after: Floats, groups: Int64Array) -> Ratio:
    """Return the geometric mean over instances of median after / median before, from seconds float64[repeats, n].

    The 95 % interval is over instances, resampled in groups int64[n], and widened by the usual differences between
    workers, each with one repeat. What repeats show beyond that is mostly seeds, whose effects instances have too.
    """
    repeats = min(len(before), len(after))
    usual = BETWEEN_WORKER_SD * MEDIAN_ERROR / repeats**0.5 if repeats > 1 else LARGEST_WORKER_SD
    return widen(paired_ratio(middle(before), middle(after), groups, LEVEL), z_score(LEVEL) * usual)


def scaling_table(results: Results, found: Sequence[Scaling]) -> ResultTable:
    """Return the speed-ups as a table."""
    columns = (
        Column("solver", names=True),
        Column("instances", key="status"),
        Column("cores", Unit.COUNT),
        Column("decided", Unit.COUNT),
        Column("asked", Unit.COUNT),
        Column("pairs", Unit.COUNT),
        Column("speed-up", Unit.RATIO, interval=True),
        Column("efficiency", Unit.SHARE, interval=True),
        Column("CPU/wall", Unit.NUMBER),
        Column("luck", Unit.SHARE),
    )
    rows = [
        [
            *(s.solver, s.status, s.cores, s.decided, s.asked, len(s.ids)),
            *(*speed_up_cells(s), s.in_use, s.luck and s.luck.of_median),
        ]
        for s in found
    ]
    notes = tuple(lines_below(results, found))
    caption = "Speed-up over the fewest cores, geometric mean with a 95 % interval"
    label = "scaling"
    return table_of(columns, rows, left=2, narrow=NARROW, notes=notes, comments=(caption, *notes), label=label)


def speed_up_cells(s: Scaling) -> list[Cell]:
    """Return the cells of the speed-up and of the efficiency."""
    if s.speed_up is None:
        return [Cell(1.0, "1x"), Cell(1.0)] if s.factor == 1 and len(s.ids) else [Cell(None), Cell(None)]
    value, low, high = s.speed_up.values()
    if not np.isfinite(s.speed_up.high):
        return [Cell(value, f"{format_ratio(value)} [?]"), Cell(value / s.factor)]
    return [
        Cell(value, f"{format_ratio(value)} [{low:.2f}, {high:.2f}]", low, high),
        Cell(value / s.factor, None, low / s.factor, high / s.factor),
    ]


def lines_below(results: Results, found: Sequence[Scaling]) -> list[str]:
    """Return the meaning of the columns, and where the spread comes from."""
    repeats = max(len(c.states) for c in results.contenders)
    busy = [s for s in found if s.factor == 1 and s.in_use is not None and s.in_use < LEAST_IN_USE * s.cores]
    over = f"families like these ({results.sampled.by})" if results.sampled else "instances like these"
    lines = [
        "speed-up: wall time with the fewest cores / wall time, medians over repeats; geometric mean [95 % interval]"
        f" over {over}, of pairs that both decided in every repeat",
        "efficiency: speed-up / how many times as many cores; CPU/wall: cores in use",
        "satisfiable instances are apart: more cores may meet a solution by luck",
    ]
    if busy:
        least = min(busy, key=lambda s: s.in_use or 0.0)
        lines.append(
            f"busy machine, or waits: {least.solver} with the fewest cores used {least.in_use:.2f} of {least.cores}, so"
            " speed-ups are of what was left; run it alone"
        )
    if repeats < 2:
        return [*lines, "one repeat shows no luck: use -r 5 --draw-seeds"]
    if not results.settings.draw_seeds:
        return [
            *lines,
            "luck: share of the spread of speed-ups that repeats show, with equal seeds (--draw-seeds: others)",
        ]
    without = results.facts.get(SEEDLESS, [])
    lines.append(
        "luck: share of the spread of speed-ups that repeats show, each with another seed; a busy machine adds to it"
    )
    return [*lines, f"no seed to draw: {', '.join(without)}"] if without else lines


def as_data(results: Results, found: Sequence[Scaling]) -> dict[str, Any]:
    """Return the scaling as JSON-compatible data: the rows of the table, with the speed-up of each instance."""
    rows = scaling_table(results, found).records()
    each = [dict(zip(results.names(s.ids), s.each.tolist(), strict=True)) for s in found]
    return {
        "seeds": results.settings.draw_seeds,
        "repeats": max(len(c.states) for c in results.contenders),
        "rows": [
            row | {"contender": s.contender, "instances": of} for row, s, of in zip(rows, found, each, strict=True)
        ],
    }
