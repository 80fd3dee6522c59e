"""Counters that come as wheels; where each is known to be wrong or to crash was measured on its version of 2026-11.

tididi and Ganak take projections and weights, D4 and PySDD neither or one, ApproxMC estimates. Weights that are
integers give doubles, which are exact below 2^53.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory

from backends.contract.answer import Unsupported
from backends.counters.counted import ONE, CompiledCount, CountAsk, Estimate, refuse
from encoders.counting import counted_text

LARGEST_DOUBLE = 1 << 1000
EXACT_DOUBLE = 1 << 53  # integers up to here are doubles
DOUBLE_ERROR = 1e-9  # relative error that a sum of products of doubles is given
EPSILON, DELTA = 0.8, 0.2


def doubled_weights(asked: CountAsk) -> tuple[Mapping[int, Fraction], int]:
    """Return integer weights and their scale; the weights as they are, and 0, if sums of these pass all doubles."""
    weights, scale = asked.integer_weights()
    most = prod(abs(weights.get(x, 1)) + abs(weights.get(-x, 1)) for x in asked.projection)
    fits = most < LARGEST_DOUBLE
    return {p: Fraction(w) if fits else asked.weights[p] for p, w in weights.items()}, scale * fits


def of_double(number: float, asked: CountAsk, weights: Mapping[int, Fraction], scale: int) -> Fraction | Estimate:
    """Return a sum of integer weights as a double has it, divided by their scale; without a scale it is an estimate.

    Terms of both signs may cancel: then a double is exact only if all terms together are, and claims no error else.
    """
    if number != number or abs(number) == float("inf"):
        raise ArithmeticError(f"its answer is {number}")
    if not scale:
        return Estimate(Fraction(number), None if any(weight < 0 for weight in weights.values()) else DOUBLE_ERROR)
    whole = number == int(number)
    if any(weight < 0 for weight in weights.values()):
        most = prod(abs(weights.get(x, ONE)) + abs(weights.get(-x, ONE)) for x in asked.projection)
        return Fraction(int(number), scale) if whole and most < EXACT_DOUBLE else Estimate(Fraction(number) / scale)
    if number < EXACT_DOUBLE and whole:
        return Fraction(int(number), scale)
    return Estimate(Fraction(number) / scale, DOUBLE_ERROR)


def ganak(asked: CountAsk, options: Mapping[str, int]) -> Fraction | int | Estimate:
    """pyganak: exact with one chance of error in a million, for weights a double."""
    from pyganak import Counter, WeightedCounter

    raw, (weights, scale) = options.get("raw"), doubled_weights(asked)
    if not asked.variables and not raw:
        raise Unsupported("models:ganak takes no formula without variables")
    hidden = asked.shown is not None and any(p not in weights for p in asked.weights)
    if not raw:
        refuse("models:ganak", {"on weights of variables outside the projection": hidden})
    if raw and hidden:
        weights, scale = {p: int(w) if w == int(w) else float(w) for p, w in asked.weights.items()}, 1  # type: ignore[misc]
    counter = WeightedCounter() if asked.weights else Counter(seed=options.get("seed", 1))
    counter.new_vars(asked.variables)
    counter.add_clauses(asked.clauses)
    if asked.shown is not None:
        counter.set_sampling_set(list(asked.shown))
    for literal, weight in weights.items():
        counter.set_lit_weight(literal, float(weight))
    found = counter.count()
    return of_double(found, asked, weights, scale) if asked.weights else int(found)


def tididi(asked: CountAsk, options: Mapping[str, int]) -> Fraction | int | Estimate:
    """tididi-cnf: exact, for weights a fraction or a double."""
    import tididi_cnf

    if not options.get("raw"):
        unused = asked.shown is not None and bool(asked.unused)
        cases = {"without variables": not asked.variables, "where a shown variable stands in no clause": unused}
        refuse("models:tididi", cases)
    weights, scale = doubled_weights(asked)
    mode = ("p" if asked.shown is not None else "") + ("w" if weights else "") + "mc"
    shown = None if asked.shown is None else list(asked.shown)
    texts = {p: str(weight) for p, weight in weights.items()} or None
    found = tididi_cnf.count(asked.clauses, num_vars=asked.variables, mode=mode, show=shown, weights=texts).count
    return of_double(found, asked, weights, scale) if isinstance(found, float) else Fraction(found) / (scale or 1)


def d4(asked: CountAsk, options: Mapping[str, int]) -> int | CompiledCount:
    """D4 by d4Solver, from a file: exact; its weighted results have six digits, so none are asked for."""
    import py_d4

    if asked.weights:
        raise Unsupported("models:d4 prints six digits of a sum of weights")
    empty = asked.shown is not None and not asked.shown
    cases = {"without variables": not asked.variables, "where nothing is shown": empty}
    if not options.get("raw"):
        refuse("models:d4", cases | {"on an empty clause": not all(asked.clauses)})
    if asked.shown is None:
        solver = py_d4.Solver(asked.clauses, asked.variables)
        if not asked.proving:
            return int(solver.count().getResult())
        circuit = solver.compile()
        return CompiledCount(Fraction(circuit.count([])), circuit.getNNFString().encode())
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.cnf")
        path.write_text(counted_text(asked.variables, asked.clauses, asked.shown, {}))
        return int(py_d4.Solver(str(path)).count().getResult())


def sdd(asked: CountAsk, options: Mapping[str, int]) -> int:
    """PySDD: compiles to an SDD, without projection and weights; its count has 64 bits."""
    from pysdd.sdd import SddManager

    if asked.shown is not None or asked.weights:
        raise Unsupported("models:sdd takes no projection and no weights")
    if not options.get("raw"):
        refuse("models:sdd", {"without variables": not asked.variables, "beyond 64 bits": asked.variables > 63})
    manager = SddManager(var_count=asked.variables)
    node = manager.true()
    for clause in asked.clauses:
        row = manager.false()
        for literal in clause:
            row |= manager.literal(literal)
        node &= row
    if not asked.variables or node.is_false():
        return 0
    return int(node.global_model_count())


def approxmc(asked: CountAsk, options: Mapping[str, int]) -> Estimate:
    """ApproxMC: within a factor of 1.8 with probability 0.8, by its proof."""
    from pyapproxmc import Counter

    if asked.weights:
        raise Unsupported("models:approxmc takes no weights")
    if not options.get("raw"):
        refuse("models:approxmc", {"where a shown variable stands in no clause": bool(asked.unused)})
    counter = Counter(seed=options.get("seed", 1), epsilon=EPSILON, delta=DELTA)
    for clause in asked.clauses:
        counter.add_clause(clause)
    a, b = counter.count(list(asked.projection))
    return Estimate(Fraction(a << b), EPSILON, DELTA)
