"""False calls and power of `compare` on synthetic times, where the truth is known. Figures: honesty.md.

Each trial draws the times of a run of two contenders: instances of different sizes, noise per ask, a factor of each worker
(fresh in each repeat) and of each instance, and an effect of the second contender. The calls are those of `compare`
within a run, on one clock.

    python benchmarks/synthetic.py --trials 400
"""

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness.reporting.compare import THRESHOLD, Call, between_workers, classify
from harness.reporting.single import changed
from harness.reporting.statistics import Floats, paired_ratio, widen
from harness.reporting.tables import format_table
from harness.reporting.times import Times, effects

BLOCKS = 16


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
    return classify(widen(ratio, between_workers(x.effects, y.effects, others, separate=False)), THRESHOLD)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trials", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rows = []
    for worker in (0.0, 0.01, 0.025, 0.05, 0.10):
        for effect in (0.0, 0.05, 0.10):
            row = [f"{worker:.1%}", f"{effect:.0%}"]
            for repeats in (1, 2, 3, 5, 10):
                said = calls(Cell(repeats, effect, worker), args.trials, args.seed)
                share = said[Call.REGRESSED] + (said[Call.IMPROVED] if not effect else 0)
                row.append(f"{share / args.trials:.1%}")
            rows.append(row)
            print(row, flush=True)
    heads = ("workers differ by", "effect", *(f"{r} repeats" for r in (1, 2, 3, 5, 10)))
    print(format_table(heads, rows, "markdown"))


if __name__ == "__main__":
    main()
