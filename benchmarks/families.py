"""Rankings with families of instances: false winners, power and coverage, by simulation with known truth.

Times are lognormal: a level of each instance, an effect of each family for each contender (log, sd `sd`), and noise.
Two exchangeable contenders have no difference on other families. `narrow` counts winners on these instances alone.
Seeds: log ratios of instances with a deviation `instances`, and of each of five repeats with 0.7, normal or of
Student's t with 5 degrees of freedom; `named` is how often the standard deviation of luck is within 0.1 of that.

    python benchmarks/families.py [SERIES]
"""

import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from harness.reporting.statistics.skewed import log_interval  # noqa: E402
from harness.reporting.statistics.variation import luck  # noqa: E402
from harness.reporting.views.ranking.ranks import ranked, standing  # noqa: E402
from harness.reporting.views.ranking.scores import SCORE  # noqa: E402
from tests.family_series import LIMIT, NOISE_SD, WITHIN_SD, Scenario, series  # noqa: E402

LEVEL_SDS = 0.5, 1.0  # of the levels of families


SCENARIOS = (
    Scenario(200, 1, 0.0),
    Scenario(20, 1, 0.5),
    Scenario(20, 10, 0.5),
    Scenario(10, 50, 0.5),
    Scenario(5, 50, 0.5),
    Scenario(20, 10, 0.2, float(np.log(1.2))),
)


SEED_SD, REPEATS = 0.7, 5


def seeds(number: int) -> None:
    """Print how often a planted seed effect is found, and how often the interval of its share covers."""
    rng = np.random.default_rng(54)
    print("number  instances  tails   named %  share covered %")
    for n, sd, heavy in product((40, 200), (0.35, 1.4), (False, True)):
        share, named, covered = SEED_SD**2 / (SEED_SD**2 + sd**2), 0, 0
        for _ in range(number):
            drawn = rng.standard_t(5, (REPEATS, n)) * 0.6**0.5 if heavy else rng.normal(0, 1, (REPEATS, n))
            found = luck(rng.normal(0, sd, n) + SEED_SD * drawn)
            assert found is not None
            named += abs(found.sd - SEED_SD) < 0.1
            covered += found.low <= share <= found.high
        tails = "heavy" if heavy else "normal"
        print(f"{n:6} {sd:10} {tails:>7} {100 * named / number:9.1f} {100 * covered / number:16.1f}")


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    score = SCORE["par2"]
    print("families  size   sd  slower  level   winners %  narrow %  of score %  of ratio %")
    for of, level in product(SCENARIOS, LEVEL_SDS):
        rng = np.random.default_rng(53)
        truth = float(np.exp((level**2 + WITHIN_SD**2 + NOISE_SD**2 + of.sd**2 / 2) / 2))
        wide = narrow = covered = ratios = 0
        for _ in range(number):
            c = series(of, level, rng)
            entries, groups = ranked(c, score, LIMIT)
            alone = standing(replace(c, blocks=np.arange(len(c.blocks)), families=False), score, LIMIT).after
            wide += len(groups or ()) > 1
            narrow += alone is not None and bool(alone.any())
            low, high = log_interval(c.seconds[0], c.seconds[1], c.blocks, 0.95)
            ratios += low <= of.slower <= high
            first = next(one for one in entries if one.name == "a")
            covered += first.low is not None and first.high is not None and first.low <= truth <= first.high
        shares = (100 * count / number for count in (wide, narrow, covered, ratios))
        print(
            f"{of.families:8} {of.size:5} {of.sd:4} {np.exp(of.slower):7.2f} {level:6.1f}"
            + "".join(f"{x:11.1f}" for x in shares)
        )
    seeds(number)


if __name__ == "__main__":
    main()
