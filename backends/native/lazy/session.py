"""Session on constraints: each ask lowers them with its domains, and solves them with a fresh solver."""

from dataclasses import dataclass, replace
from time import perf_counter_ns as now

import numpy as np

from backends.contract.answer import Answer, Ask, InMemory, Phases, Reason, Status
from backends.native.cdcl.models import NOTHING, CdclModels, compile_kernels
from backends.native.cdcl.objectives import ObjectiveRow
from backends.native.cdcl.optimising import best
from backends.native.lazy.literals import TRUE, Literals
from backends.native.lazy.lowering import Rewritten, lower, rewritten, too_long
from backends.native.lazy.objectives import CHAINED
from backends.native.lazy.sums import count_unequal
from backends.native.optimising.objective import Cost
from backends.native.optimising.proving import OptimumProof, proof_of
from backends.shared.enumeration import enumerate_solutions
from backends.shared.incumbent import Incumbent, value_of_solutions
from encoders.formula import Formula, Unsupported
from puzzles.constraints.clauses import Clauses, split_clauses
from puzzles.constraints.linear import Linear
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses

MOST_VALUES = 1 << 24  # values of all domains together


@dataclass(frozen=True)
class Lazy(InMemory):
    """One problem, a fresh solver per ask."""

    given: Rewritten

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        if not all(ask.domains):
            return Answer(Status.UNSATISFIABLE, complete=True)
        source = self.given.source
        if source.ranged and ask.domains != source.known:
            return opened(replace(source, domains=ask.domains)).ask(ask)
        if (values := self.given.size(ask.domains)) > MOST_VALUES:
            note = f"domains of {values} values; native takes {MOST_VALUES}"
            return Answer(Status.UNKNOWN, reason=Reason.MEMORY, note=note)
        literals, program, objective = lower(self.given, ask.domains)
        lowered = now()
        if objective is not None:
            answer = self.best(literals, objective, ask, begin)
            phases = replace(answer.phases or Phases(), encode=lowered - begin)
            return replace(answer, phases=phases)
        proof = certificate(self.given, literals) if ask.proof else None
        seconds = ask.seconds - (lowered - begin) / 1e9
        models = CdclModels(program, [], seconds, proof is not None, eliminating=proof is None)
        found = enumerate_solutions(models, literals, ask, now() - lowered)
        phases = replace(found.phases, encode=lowered - begin)
        answer = found._replace(phases=phases).answer(models.counters())
        if proof is None or not found.complete or answer.solutions or models.lost:
            return answer
        proof.begin(models, Incumbent(ask))
        return replace(answer, proof=proof.end())

    def best(self, literals: Literals, objective: ObjectiveRow, ask: Ask, begin: int) -> Answer:
        """Return the answer of a search for the best solution."""
        found, value_of = Incumbent(ask), value_of_solutions(self.given.formula)

        def show(model: list[int]) -> None:
            solution = literals.decode(model, ask.domains)
            found.offer(solution, value_of(solution))

        proof = certificate(self.given, literals) if ask.proof else None
        return best(objective, [], found, show, begin, certificate=proof)


def certificate(given: Rewritten, literals: Literals) -> OptimumProof | None:
    """Return an empty proof of an instance of sums, and of clauses of Booleans, with an objective; None of another.

    Integers are order literals, numbered as the judge does.
    """
    formula, goal = given.formula, given.objective
    boolean, kinds = tuple(formula.numbers) == (0, 1), {c.kind for c in formula.constraints}
    unequal = any(count_unequal(c) for c in formula.constraints if isinstance(c, Linear))
    plain = kinds <= ({Clauses.kind, Linear.kind} if boolean else {Linear.kind}) and not unequal
    if not given.own or not plain or not (boolean or isinstance(goal, LinearObjective | None)):
        return None
    if not boolean:
        count = int(np.sum(literals.sizes - 1))
        stated = np.concatenate([NOTHING, *literals.parts[1:]])
        order = proof_of({TRUE + k: k for k in range(1, count + 1)}, count)
        return replace(order, stated=stated, true_in=literals.numbered)
    names: dict[int, int] = {}
    for x, (first, size) in enumerate(zip(literals.first.tolist(), literals.sizes.tolist(), strict=True)):
        if size == 2:
            names[first] = x + 1
        else:
            names.setdefault(TRUE, x + 1 if literals.own(x)[0] else -x - 1)
    if not isinstance(goal, SoftClauses):
        return proof_of(names, literals.count)
    rows = split_clauses(literals.translated(goal.flat))
    soft = list(zip(goal.weights.tolist(), rows, strict=True))
    _, own = Cost.of_clauses(soft, 0, 0)  # numbered from the last before them
    before = literals.last - len(own)
    return proof_of(names, literals.count, soft, {clause: before + i for clause, i in own.items()})


def lacking(given: Rewritten) -> str:
    """Return the names of unsupported parts of the constraints, '' if all are supported."""
    if given.objective is not None and given.objective.kind not in CHAINED:
        return "objectives that are no sums"
    return "numbers above 64 bits in linear constraints" if too_long(given) else ""


def open(formula: Formula) -> Lazy:  # noqa: A001 - every variant's module has this name
    """Return a session on constraints; its code is compiled now or loaded from the cache. Raises Unsupported."""
    session = opened(formula)
    compile_kernels()
    return session


def opened(formula: Formula) -> Lazy:
    """Return a session on constraints. Raises Unsupported."""
    given = rewritten(formula)
    if what := lacking(given):
        raise Unsupported(f"native:lazy does not support {what}")
    return Lazy(given)
