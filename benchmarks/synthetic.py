"""False calls and power of `compare` on synthetic times, where the truth is known. Figures: honesty.md.

Each trial draws the times of a run of two contenders: instances of different sizes, noise per ask, a factor of each
worker (fresh in each repeat) and of each instance, and an effect of the second contender. The calls are those of
`compare` within a run, on one clock.

    python benchmarks/synthetic.py --trials 400
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness.reporting.statistics.calls import Call, Thresholds, classify
from harness.reporting.statistics.estimates import Floats, paired_ratio, widen
from harness.reporting.statistics.single import changed
from harness.reporting.statistics.times import Times, effects
from harness.reporting.views.comparing.change import between_workers
from harness.reporting.writing.table import table_of
from harness.reporting.writing.writers import written

BLOCKS = 16
REPEATS = (1, 2, 3, 5, 10)


@dataclass(frozen=True)
class Cell:
    """Model of a run. Standard deviations are of logarithms.

    effect   change of the second contender, 0.1 for 10 %      noise      of each ask
    worker   of the second contender's workers                 instance   of the effect, from instance to instance
    hiccups  share of asks that take up to 100 times as long   others     further contenders, with the same workers
    """

    repeats: int
    effect: float = 0.0
    worker: float = 0.0
    instances: int = 50
    noise: float = 0.02
    instance: float = 0.0
    hiccups: float = 0.0
    others: int = 0


def draw(cell: Cell, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return seconds float64[repeats, instances] of both contenders."""
    shape = (cell.repeats, cell.instances)
    base = rng.normal(-6, 0.5, cell.instances)

    def asks(shift: Floats) -> Floats:
        logs = base + shift + rng.normal(0, cell.noise, shape)
        hit = rng.random(shape) < cell.hiccups
        result: Floats = np.exp(logs + np.where(hit, rng.uniform(0, np.log(100), shape), 0))
        return result

    effect = np.log1p(cell.effect) + rng.normal(0, cell.instance, cell.instances)
    return asks(np.zeros(shape)), asks(effect + rng.normal(0, cell.worker, (cell.repeats, 1)))


def as_times(asks: Floats) -> Times:
    """Return asks as `aggregate` does."""
    seconds = np.median(asks, axis=0)
    return Times(asks, seconds, effects(asks, seconds))


def call(cell: Cell, rng: np.random.Generator) -> Call:
    """Draw one run and classify it."""
    x, y = map(as_times, draw(cell, rng))
    others = [x.effects, y.effects, *(rng.normal(0, cell.worker, cell.repeats) for _ in range(cell.others))]
    clusters = np.arange(cell.instances) // max(1, cell.instances // BLOCKS)
    ratio = paired_ratio(x.seconds, y.seconds, clusters, draws=1000)
    return classify(widen(ratio, between_workers(x.effects, y.effects, others, separate=False)), Thresholds().time)


def calls(cell: Cell, trials: int, seed: int = 1) -> Counter[Call]:
    """Count the calls of many runs."""
    rng = np.random.default_rng(seed)
    return Counter(call(cell, rng) for _ in range(trials))


def single_calls(cell: Cell, trials: int, slowed: int = 0, factor: float = 1.0, seed: int = 1) -> tuple[int, int]:
    """Return the numbers of single-instance calls among the first `slowed` instances, and among the others."""
    rng, right, false = np.random.default_rng(seed), 0, 0
    for _ in range(trials):
        x, y = draw(cell, rng)
        y[:, :slowed] *= factor
        slower, faster = changed(x, y, "cpu")
        right += int(slower[:slowed].sum())
        false += int(slower[slowed:].sum() + faster.sum())
    return right, false


def call_table(cells: Sequence[Cell], trials: int, seed: int) -> str:
    """Return the share of right calls by cell and repeats; of false ones where the effect is 0."""
    rows = []
    for cell in cells:
        row = [f"{cell.worker:.1%}", str(cell.others), f"{cell.instance:g}", f"{cell.effect:.0%}"]
        for repeats in REPEATS:
            said = calls(replace(cell, repeats=repeats), trials, seed)
            found = said[Call.REGRESSED] + (0 if cell.effect else said[Call.IMPROVED])
            row.append(f"{found / trials:.1%}")
        rows.append(row)
    heads = ("workers differ by", "other contenders", "instances' sd", "effect", *(f"-r {r}" for r in REPEATS))
    return written(table_of(heads, rows), "markdown")


def single_table(trials: int, seed: int) -> str:
    """Return false calls of single instances, and how many of six slowed ones of 48 are found."""
    rows = []
    for noise, hiccups in ((0.02, 0.0), (0.02, 0.01), (0.1, 0.01), (0.5, 0.05)):
        cell = Cell(1, worker=0.02, noise=noise, hiccups=hiccups)
        row = [f"{noise:.0%}", f"{hiccups:.0%}"]
        for n, runs in ((48, trials), (100_000, max(1, trials // 100))):
            false = [single_calls(replace(cell, repeats=r, instances=n), runs, seed=seed)[1] for r in REPEATS]
            row.append(" / ".join(f"{f}" for f in false) + f" in {runs}")
        some = replace(cell, instances=48)
        found = [single_calls(replace(some, repeats=r), trials, 6, 113, seed)[0] for r in REPEATS]
        rows.append([*row, " / ".join(f"{f / 6 / trials:.0%}" for f in found)])
    heads = ("noise", "disturbed asks", "false calls of 48", "false calls of 100,000", "113x of 6 in 48 found")
    return written(table_of(heads, rows), "markdown")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trials", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    every = [Cell(1, effect, worker) for worker in (0.0, 0.01, 0.025, 0.05, 0.10) for effect in (0.0, 0.05, 0.10)]
    every += [Cell(1, 0.0, worker, others=4) for worker in (0.05, 0.10)]
    every += [Cell(1, effect, 0.01, instance=0.5) for effect in (0.0, 0.10)]
    print(call_table(every, args.trials, args.seed), end="\n\n")
    print(f"by repeats: {' / '.join(map(str, REPEATS))}", end="\n\n")
    print(single_table(args.trials, args.seed))


if __name__ == "__main__":
    main()
