"""CP-SAT, recorded: models of clauses over Booleans as one script, as long as they grow, others as files.

A model of other constraints, or with an objective, is written once, as NAME.pbtxt, and what each `solve` of it assumes
and answers, a line each, as NAME.asks.
"""

import json
import os
from functools import wraps
from itertools import count, product
from pathlib import Path
from types import ModuleType
from typing import Any

from .script import RecordedScript, timed

MOST_TERMS = 8  # of a sum whose wrong assignments become clauses
NUMBERS = count(1)
MODELS: dict[str, Path] = {}  # files of asks, by the text of the model


class GrowingModels:
    """RecordedScript of the models that a program solves, each with all constraints of the one before."""

    def __init__(self) -> None:
        self.script, self.known, self.variables = RecordedScript("CpSolver"), list[bytes](), list[tuple[int, ...]]()


def wrap(module: ModuleType) -> None:
    """Record the calls of cp_model.CpSolver."""
    cp: Any = module
    growing: list[GrowingModels] = []

    def recording(name: str) -> None:
        call = getattr(cp.CpSolver, name)

        @wraps(call)
        def recorded(self: Any, model: Any, *args: Any, **named: Any) -> Any:
            if vars(self).get("_crosscheck_inside"):
                return call(self, model, *args, **named)
            self._crosscheck_inside = True
            try:
                status, ns = timed(call, self, model, *args, **named)
            finally:
                self._crosscheck_inside = False
            answer = {cp.OPTIMAL: True, cp.FEASIBLE: True, cp.INFEASIBLE: False}.get(status)
            try:
                record(growing, model, answer, ns)
            except Exception as e:  # the program goes on
                RecordedScript("CpSolver").refuse(str(e))
            return status

        setattr(cp.CpSolver, name, recorded)

    for name in ("solve", "Solve"):
        if hasattr(cp.CpSolver, name):
            recording(name)


def record(growing: list[GrowingModels], model: Any, answer: bool | None, ns: int) -> None:
    """Add an ask to the script of the models before, to a new one, or write a file."""
    proto = model.Proto() if hasattr(model, "Proto") else model.proto
    variables = [tuple(x.domain) for x in proto.variables]
    rows = [clauses_of(constraint) for constraint in proto.constraints]
    plain = all(x[0] >= 0 and x[-1] <= 1 and len(x) == 2 for x in variables) and None not in rows
    if not plain or len(proto.objective.vars):
        record_model(model, list(proto.assumptions), answer)
        return
    texts = [str(constraint).encode() for constraint in proto.constraints]
    last = growing[-1] if growing else None
    if last is None or texts[: len(last.known)] != last.known or variables[: len(last.variables)] != last.variables:
        last = GrowingModels()
        growing.append(last)
    for x, domain in enumerate(variables[len(last.variables) :], len(last.variables) + 1):
        if domain[0] == domain[1]:
            last.script.add([x if domain[0] else -x])
    for clauses in rows[len(last.known) :]:
        for clause in clauses or ():
            last.script.add(clause)
    last.known, last.variables = texts, variables
    last.script.ask([literal(i) for i in proto.assumptions], answer, ns)


def record_model(model: Any, assumptions: list[int], answer: bool | None) -> None:
    """Write a model, unless it is known, and one more ask of it."""
    bare = model.clone()
    bare.clear_assumptions()
    text = str(bare.Proto() if hasattr(bare, "Proto") else bare.proto)
    if text not in MODELS:
        MODELS[text] = Path(os.environ["CROSSCHECK_RECORD"], f"{os.getpid()}-{next(NUMBERS)}.asks")
        bare.export_to_file(str(MODELS[text].with_suffix(".pbtxt")))
    with MODELS[text].open("a") as file:
        file.write(json.dumps([assumptions, answer]) + "\n")


def literal(i: int) -> int:
    """Return a literal of CP-SAT as one of DIMACS."""
    return i + 1 if i >= 0 else i


def clauses_of(constraint: Any) -> list[list[int]] | None:
    """Return a constraint as clauses, None for a kind that has none."""
    when = [-literal(i) for i in constraint.enforcement_literal]
    found: list[list[int]] | None = None
    for kind in ("bool_or", "bool_and", "at_most_one", "exactly_one", "linear"):
        if constraint.HasField(kind) if hasattr(constraint, "HasField") else getattr(constraint, f"has_{kind}")():
            part = getattr(constraint, kind)
            found = of_sum(part) if kind == "linear" else of_literals(kind, [literal(i) for i in part.literals])
    return None if found is None else [[*when, *clause] for clause in found]


def of_literals(kind: str, p: list[int]) -> list[list[int]]:
    """Return a constraint over literals as clauses."""
    if kind == "bool_and":
        return [[q] for q in p]
    pairs = [[-p[i], -p[k]] for i in range(len(p)) for k in range(i)]
    return [p] if kind == "bool_or" else pairs if kind == "at_most_one" else [p, *pairs]


def of_sum(part: Any) -> list[list[int]] | None:
    """Return a short sum of Booleans as a clause for each assignment outside its domain."""
    x, a, ends = list(part.vars), list(part.coeffs), list(part.domain)
    if len(x) > MOST_TERMS or any(i < 0 for i in x):
        return None
    inside = list(zip(ends[::2], ends[1::2], strict=True))
    found = list[list[int]]()
    for values in product((0, 1), repeat=len(x)):
        total = sum(c * v for c, v in zip(a, values, strict=True))
        if not any(low <= total <= high for low, high in inside):
            found.append([-i - 1 if v else i + 1 for i, v in zip(x, values, strict=True)])
    return found
