"""Fields and measures of a matrix, and scores of a ranking, by name. Imports nothing heavy: help texts list them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from encoders.axes import joined
from harness.reporting.frame.entries import ContenderEntry, field_of

Measure = Callable[[ContenderEntry], float | None]

FIELDS: dict[str, Callable[[ContenderEntry], str]] = {
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
    return lambda c: field_of(c, name).get(key)


COUNTED = ("decisions", "conflicts", "propagations")
# Of each measure less is better.
TIMES: dict[str, Measure] = {
    "par2": lambda c: c["par2"],
    **{key: part("seconds", key) for key in ("median", "mean", "p95", "max", "total")},
    "cpu": lambda c: c["cpu"]["seconds"]["mean"],
    **{key: part("phases", key) for key in ("encode", "load", "solve", "decode")},
}
NUMBERS: dict[str, Measure] = {
    **{key: part("counters", key) for key in COUNTED},
    "unsolved": lambda c: sum(field_of(c, k) for k in UNSOLVED),
}
MEASURES = TIMES | NUMBERS
FOLDS = ("ratio", "min")  # ways to combine several contenders in a cell of a matrix
DEFAULT_MEASURE = "par2"
SCALING = "cores"  # in place of a measure: the scaling report (harness/reporting/views/scaling.py)
DEFAULT_PIVOT = "encoding,backend"
SCORES = {  # scores that rank contenders: harness/reporting/views/ranking/scores.py
    "par2": "PAR-2: mean time, twice the limit where not decided",
    "par10": "PAR-10: mean time, ten times the limit where not decided",
    "sgm": "shifted geometric mean of times, shift 10 s (sgm:S: S seconds), the limit where not decided",
    "solved": "instances decided; equal numbers by their time",
    "borda": "points of the MiniZinc challenge against each other contender",
    "vbs": "PAR-2 that the virtual best solver would lose without the contender",
    "shapley": "the contender's share of the PAR-2 that the virtual best solver saves (Shapley value)",
    "shapley-solved": "the contender's share of the instances that the virtual best solver decides (Shapley value)",
}
OBJECTIVE_SCORES = {  # the same by values of objectives: harness/reporting/views/ranking/objective_scores.py
    "best": "instances with the best known value, or shown to have no solution; equal numbers by their time",
    "maxsat": "instances with an objective decided; equal numbers by their time (MaxSAT Evaluation, exact, to 2022)",
    "pb": "instances with an objective decided; equal numbers by their time (PB competition to 2025, second since)",
    "maxsat-anytime": "(1 + best known cost) / (1 + cost), 0 without a solution (MaxSAT Evaluation 2024, anytime)",
    "minizinc": "points of the MiniZinc challenge against each other contender, by its rules of 2025",
    "minizinc-2013": "the same as published from 2013 to 2016: times are not rounded to seconds",
    "minizinc-2021": "the same as published in 2021: the worse of two unproved values gets 1/2",
    "minizinc-incomplete": "points of the MiniZinc challenge 2025 without proofs",
    "minizinc-area": "area score of the MiniZinc challenge, as its script of 2024 computes it; less is better",
    "xcsp3": "1 for a proof, for the best value where nobody has one; 1/2 where another has (XCSP3 competition 2022)",
    "target": "mean time to a value within 1 % of the best known one (target:P: P %), twice the limit if never",
    "count": "instances with the exact number of models (count:P: within P %, count:xF: within a factor F)",
    "primal-integral": "mean primal gap to the best known value over the time up to the limit; less is better",
    "gap": "primal gap to the best known value at the limit; less is better",
}
CONTRIBUTIONS = {  # NAME:SCORE, if a coalition has the points of its best member on each instance
    "vbs": "what the virtual best solver would lose of it without the contender",
    "shapley": "the contender's share of what the virtual best solver has of it (Shapley value)",
}
OWN_CONTRIBUTIONS = ("vbs", "shapley", "shapley-solved")  # scores that are contributions already
SHIFT = 10.0  # seconds, of shifted geometric means
NUMBER = "number"  # number:NAME, a score by what contenders count or print: harness/reporting/views/ranking/named.py
NAME = re.compile(r"[A-Za-z][\w.-]*", re.ASCII)
PERCENT = re.compile(r"\d{1,3}(\.\d{1,6})?")
FACTOR = re.compile(r"x(\d{1,3}(\.\d{1,6})?)")
SECONDS = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)
COMMON = "the instances that all contenders with the number decided"


@dataclass(frozen=True)
class ScoreName:
    """Score that a user names: [vbs:|shapley:]SCORE, where SCORE may be target:PERCENT, count:PERCENT, count:xFACTOR,
    sgm:SECONDS or number:NAME.

    base  one of SCORES or OBJECTIVE_SCORES, or NUMBER  contribution  one of CONTRIBUTIONS, empty for the score itself
    """

    base: str
    contribution: str = ""
    percent: Fraction | None = None
    number: str = ""
    shift: float = SHIFT
    factor: Fraction | None = None

    @property
    def described(self) -> str:
        """Meaning of the score, in words."""
        described = SCORES | OBJECTIVE_SCORES | {NUMBER: f"mean {self.number} over {COMMON}; less is better"}
        text = described[self.base]
        if self.percent is not None:
            text = text.replace("within 1 %", f"within {float(self.percent):g} %")
        if self.base == "count" and (self.percent, self.factor) != (None, None):
            margin = (
                f"{float(self.percent):g} %" if self.percent is not None else f"a factor of {float(self.factor or 1):g}"
            )
            text = f"instances with a number of models within {margin} of the exact one"
        text = text.replace(f"{SHIFT:g} s (sgm:S: S seconds)", f"{self.shift:g} s")
        return f"{CONTRIBUTIONS[self.contribution]}: {text}" if self.contribution else text


def score_name(text: str) -> ScoreName:
    """Parse the name of a score. Raises ValueError."""
    first, _, rest = text.partition(":")
    if rest and first in CONTRIBUTIONS:
        named = score_name(rest)
        if not named.contribution and named.base not in (*OWN_CONTRIBUTIONS, "sgm"):
            return replace(named, contribution=first)
    elif rest and first in ("target", "count") and PERCENT.fullmatch(rest):
        return ScoreName(first, percent=Fraction(rest))
    elif first == "count" and (factor := FACTOR.fullmatch(rest)) and Fraction(factor[1]) >= 1:
        return ScoreName(first, factor=Fraction(factor[1]))
    elif first == "sgm" and SECONDS.fullmatch(rest) and float(rest) > 0:
        return ScoreName(first, shift=float(rest))
    elif text in COUNTED or (first == NUMBER and NAME.fullmatch(rest)):
        return ScoreName(NUMBER, number=rest or text)
    elif text in SCORES or text in OBJECTIVE_SCORES:
        return ScoreName(text)
    raise ValueError(
        f"{text!r} is no score: choose from {', '.join((*SCORES, *OBJECTIVE_SCORES))}, target:PERCENT,"
        f" count:PERCENT, count:xFACTOR, sgm:SECONDS,"
        f" {', '.join(COUNTED)}, {NUMBER}:NAME, {', '.join(f'{name}:SCORE' for name in CONTRIBUTIONS)}"
    )
