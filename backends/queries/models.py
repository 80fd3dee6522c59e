"""Query scripts over a model: its constraints as clauses, for solvers of clauses, or as they are, for CP-SAT.

A model of a solver, its true literals or values of CP-SAT, becomes a row, a solution of the script's model.
"""

from collections.abc import Sequence
from typing import Any

from backends.cpsat.posting import Posted
from backends.queries.solvers import CpSatQueries
from backends.shared.literal_map import literal_map
from encoders.formula import Constraints, QueryFormula, Unsupported
from puzzles.constraints.clauses import split_clauses
from puzzles.objectives.asks import QueryAsk
from puzzles.problem.values import Solution


class ModelAsLiterals:
    """Asks in the literals of an encoding, whose clauses are new at the first one. Raises Unsupported."""

    def __init__(self, formula: QueryFormula) -> None:
        assert formula.model is not None
        assert formula.clauses is not None
        self.script, cnf = formula.script, formula.clauses()
        if cnf.at_most:
            raise Unsupported("query scripts over a model take no cardinality constraints")
        self.map, index = literal_map(cnf.literal), formula.model.index()

        def literal(p: int) -> int:
            """Return the literal of a variable that takes 0 or 1; any one of an empty domain, which has no model."""
            row, number, other = cnf.literal[abs(p) - 1], index(int(p > 0)), index(int(p < 0))
            return row[number] if number < len(row) else -row[other] if other < len(row) else row[0]

        first = [*split_clauses(cnf.clauses), *([p] for p in self.map.true(self.script.domains))]
        self.asks = [
            QueryAsk(first if i == 0 else [], list(map(literal, ask.assumptions)))
            for i, ask in enumerate(self.script.asks)
        ]

    def row(self, model: Sequence[int]) -> Solution:
        return self.map.decode(model, self.script.domains)


class CpSatModel(CpSatQueries):
    """CP-SAT on the model as it is; only the assumptions change."""

    def __init__(self, form: Constraints) -> None:
        super().__init__("cpsat")
        self.posted = Posted(form)
        self.built = self.posted.cp
        if 0 in form.known:  # an empty domain, which CP-SAT does not see
            self.built.add_bool_or([])

    def term(self, p: int) -> Any:
        if p not in self.known:
            takes = self.posted.model.takes(abs(p) - 1, int(p > 0))
            self.known[p] = self.built.new_constant(int(takes)) if isinstance(takes, bool) else takes
        return self.known[p]

    def model(self) -> Sequence[int]:
        """Return the solution of the model."""
        return self.posted.decode(tuple(self.solver.response_proto.solution))
