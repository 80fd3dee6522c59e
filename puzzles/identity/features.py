"""Features of instances by their kinds, conditions on them, and samples of a corpus.

clauses<1e6, variables>=100     all conditions hold; a feature that an instance does not have is 0
"""

import operator
import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil, sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np

from puzzles.constraints import moving
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.errors import BadInput, brief
from puzzles.labels import label
from puzzles.problem import Instance

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
CONDITION = re.compile(r"\s*([a-z_][a-z_0-9]*)\s*(<=|>=|!=|<|>|=)\s*([0-9]+(?:\.[0-9]+)?(?:e[0-9]{1,2})?)\s*")
LENGTHS = 9  # lengths of clauses that are features of their own
NORMAL_95 = 1.959964


class FeatureCondition(NamedTuple):
    """Comparison of a feature with a number."""

    name: str
    sign: str
    number: float

    def holds(self, found: dict[str, int]) -> bool:
        return COMPARISONS[self.sign](found.get(self.name, 0), self.number)


def features(instance: Instance[Any]) -> dict[str, int]:
    """Return the features of an instance by name: sizes, rows of each kind of constraint, and shapes of clauses."""
    problem = instance.problem
    found = Counter({"variables": len(problem.variables), "values": len(problem.values)})
    found["objective"] = int(problem.objective is not None)
    for part in problem.constraints:
        if part.kind == "unsupported":
            continue
        rows = len(part) if isinstance(part, Linear) else 0 if isinstance(part, Clauses) else len(moving.rows_of(part))
        found[part.kind] += rows
        if isinstance(part, Linear):
            found["terms"] += len(part.variables)
        if isinstance(part, Clauses):
            found.update(clause_features(part.flat))
            rows = int(np.count_nonzero(part.flat == 0))
        found["constraints"] += rows
    return dict(found)


def clause_features(flat: Any) -> dict[str, int]:
    """Return the numbers of clauses: all, by length, Horn, positive, negative; and of literals."""
    ends = flat == 0
    rows = np.cumsum(ends) - ends
    count = int(ends.sum())
    lengths = np.bincount(rows[~ends], minlength=count)
    positive = np.bincount(rows[flat > 0], minlength=count)
    by_length = {f"clauses_{n}": int(np.count_nonzero(lengths == n)) for n in range(1, LENGTHS + 1)}
    return {
        "clauses": count,
        "literals": int(lengths.sum()),
        **by_length,
        f"clauses_{LENGTHS + 1}p": int(np.count_nonzero(lengths > LENGTHS)),
        "horn": int(np.count_nonzero(positive <= 1)),
        "positive": int(np.count_nonzero(positive == lengths)),
        "negative": int(np.count_nonzero(positive == 0)),
    }


def conditions(text: str) -> list[FeatureCondition]:
    """Return the conditions of a text, separated by commas. Raises BadInput."""
    found = list[FeatureCondition]()
    for part in text.split(","):
        match = CONDITION.fullmatch(part)
        if match is None:
            raise BadInput(f"--where {brief(part.strip())}: expected a feature, a comparison and a number: clauses<1e6")
        if match[1] not in KNOWN_FEATURES:
            raise BadInput(f"--where {brief(match[1])}: no feature; there are {', '.join(sorted(KNOWN_FEATURES))}")
        found.append(FeatureCondition(match[1], match[2], float(match[3])))
    return found


KNOWN_FEATURES = {
    *("variables", "values", "objective", "constraints", "terms"),
    *clause_features(np.zeros(0, np.int32)),
    *(getattr(kind, "kind", "") for kind in moving.MOVE),
}


def stratum(instance: Instance[Any], by: str) -> str:
    """Return the stratum of an instance: by `family` its folder, or without one, and by `kind`, its layout or kind."""
    folder = instance.name.rpartition("/")[0] if by == "family" else ""
    problem = instance.problem
    return folder or (problem.name if problem.shared else label(problem))


def sample(strata: Sequence[str], size: int, seed: int) -> list[int]:
    """Return the places of a random sample, ascending: from each stratum its share, rounded by largest remainders."""
    random, members = Random(seed), dict[str, list[int]]()
    for i, name in enumerate(strata):
        members.setdefault(name, []).append(i)
    size = min(size, len(strata))
    shares = {name: size * len(own) / len(strata) for name, own in members.items()}
    taken = {name: int(share) for name, share in shares.items()}
    rest = sorted(members, key=lambda name: (taken[name] - shares[name], name))
    for name in rest[: size - sum(taken.values())]:
        taken[name] += 1
    return sorted(i for name in sorted(members) for i in random.sample(members[name], taken[name]))


def half_width(size: int, total: int = 0) -> float:
    """Return the half-width in percent of the 95 % interval of a share that may be one half, of so many instances.

    Of a sample, the part that differs from all `total` is meant, which is 0 where the sample is all.
    """
    corrected = (total - size) / max(1, total - 1) if total else 1.0
    return 100 * NORMAL_95 * sqrt(corrected / 4 / max(1, size))


def sample_words(size: int, strata: Sequence[str], by: str, seed: int) -> str:
    """Return a note on a sample and what it costs."""
    total = len(strata)
    return (
        f"sample of {size} of {total} instances, by {len(set(strata))} of --by {by}, seed {seed}: the 95 % interval of"
        f" a share such as that of solved instances is up to ±{ceil(half_width(size) * 10) / 10} %, of all ±"
        f"{ceil(half_width(total) * 10) / 10} %; from that of all the sample differs by up to"
        f" ±{ceil(half_width(size, total) * 10) / 10} %"
    )
