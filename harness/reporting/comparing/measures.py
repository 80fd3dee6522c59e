"""Fields and measures of a matrix, and scores of a ranking, by name. Imports nothing heavy: help texts list them."""

from collections.abc import Callable
from typing import Any

from encoders.axes import joined

Entry = dict[str, Any]  # a contender's entry in the summary
Measure = Callable[[Entry], float | None]

FIELDS: dict[str, Callable[[Entry], str]] = {
    "backend": lambda c: str(c["backend"]),
    "encoding": lambda c: joined(c["encoding"], c["at_most_one"], c["linear"], c["table"]),
    "family": lambda c: str(c["encoding"]),
    "at-most-one": lambda c: str(c["at_most_one"]),
    "linear": lambda c: str(c["linear"]),
    "table": lambda c: str(c["table"]),
    "warmth": lambda c: "warm" if c["warm"] else "cold",
    "env": lambda c: c["env"] or "-",
}
PARTS = {  # the parts of a contender that a field shows
    "backend": {"backend"},
    "encoding": {"encoding", "at_most_one", "linear", "table"},
    "family": {"encoding"},
    "at-most-one": {"at_most_one"},
    "linear": {"linear"},
    "table": {"table"},
    "warmth": {"warm"},
    "env": {"env"},
}
UNSOLVED = ("proofless", "timeout", "memory", "unknown", "unsupported", "error", "wrong")


def part(name: str, key: str) -> Measure:
    """Return the measure that reads `key` in a part of a contender's entry."""
    return lambda c: c[name].get(key)


# Of each measure less is better.
TIMES: dict[str, Measure] = {
    "par2": lambda c: c["par2"],
    **{key: part("seconds", key) for key in ("median", "mean", "p95", "max", "total")},
    "cpu": lambda c: c["cpu"]["seconds"]["mean"],
    **{key: part("phases", key) for key in ("encode", "load", "solve", "decode")},
}
NUMBERS: dict[str, Measure] = {
    **{key: part("counters", key) for key in ("decisions", "conflicts", "propagations")},
    "unsolved": lambda c: sum(c[k] for k in UNSOLVED),
}
MEASURES = TIMES | NUMBERS
FOLDS = ("ratio", "min")  # ways to combine several contenders in a cell of a matrix
DEFAULT_MEASURE = "par2"
DEFAULT_PIVOT = "encoding,backend"
SCORES = {  # scores that rank contenders: harness/reporting/ranking/scores.py
    "par2": "PAR-2: mean time, twice the limit where not decided",
    "par10": "PAR-10: mean time, ten times the limit where not decided",
    "solved": "instances decided; equal numbers by their time",
    "borda": "points of the MiniZinc challenge against each other contender",
    "vbs": "PAR-2 that the virtual best solver would lose without the contender",
    "shapley": "the contender's share of the PAR-2 that the virtual best solver saves (Shapley value)",
    "shapley-solved": "the contender's share of the instances that the virtual best solver decides (Shapley value)",
}
OBJECTIVE_SCORES = {  # the same by values of objectives: harness/reporting/ranking/objective_scores.py
    "maxsat": "instances with an objective decided; equal numbers by their time (MaxSAT Evaluation, exact)",
    "pb": "instances with an objective decided; equal numbers by their time (pseudo-Boolean competition)",
    "maxsat-anytime": "(1 + best known cost) / (1 + cost), 0 without a solution (MaxSAT Evaluation, anytime)",
    "minizinc": "points of the MiniZinc challenge against each other contender, as its rules have them",
    "minizinc-2013": "the same as published from 2013 to 2016: times are not rounded to seconds",
    "minizinc-2021": "the same as published in 2021: the worse of two unproved values gets 1/2",
    "minizinc-incomplete": "points of the MiniZinc challenge without proofs",
    "minizinc-area": "area score of the MiniZinc challenge, as its script computes it; less is better",
    "primal-integral": "mean primal gap to the best known value over the time up to the limit; less is better",
    "gap": "primal gap to the best known value at the limit; less is better",
}
