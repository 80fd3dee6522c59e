"""Counting by enumeration: a SAT solver with blocking clauses, and clingo, find each model on the projection."""

from collections.abc import Mapping
from fractions import Fraction
from time import perf_counter_ns as now
from typing import Any

from backends.contract.answer import Unsupported
from backends.counters.counted import CountAsk, TooLate


def pysat(asked: CountAsk, options: Mapping[str, int]) -> Fraction:
    """PySAT's CaDiCaL: the weights of models are added up."""
    from pysat.solvers import Cadical195

    total, shown = Fraction(0), list(asked.projection)
    with Cadical195(bootstrap_with=[*asked.clauses, *([x, -x] for x in shown)]) as solver:
        if not all(asked.clauses):
            return total
        while solver.solve():
            true = set(solver.get_model() or ())
            model = [x if x in true else -x for x in shown]
            total += asked.weight(*model)
            if now() > asked.deadline:
                raise TooLate
            if not model:
                break
            solver.add_clause([-p for p in model])
    return total


def clingo(asked: CountAsk, options: Mapping[str, int]) -> int:
    """Clingo's enumeration with `--project=project`."""
    import clingo as asp

    if asked.weights:
        raise Unsupported("models:clingo takes no weights")
    control: Any = asp.Control(["0", "--project=project"])
    lines = [f"{{x(1..{asked.variables})}}."] if asked.variables else []
    bodies = (", ".join(f"not x({p})" if p > 0 else f"x({-p})" for p in clause) for clause in asked.clauses)
    lines += [f":- {body}." for body in bodies]
    lines += [f"#project x({x})." for x in asked.projection] or ["#project none."]
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    found = 0
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            if not handle.wait(max(0.0, (asked.deadline - now()) / 1e9)):
                handle.cancel()
                raise TooLate
            if handle.model() is None:
                return found
            found += 1
