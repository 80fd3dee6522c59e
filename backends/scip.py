"""SCIP: a zero-one programme, solved by constraint integer programming in floating point (Bolusani et al. 2024).

The rows go in as an OPB file. For Booleans tolerances are a thousandth of SCIP's defaults, and rows beyond LARGEST are
refused (decision 33). Ranges in sums are integer columns, with its defaults. A solution is rounded and checked against
the rows in integers. That no solution exists is SCIP's claim alone.
"""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from backends.contract.options import LARGEST_INT, Option
from backends.shared.integer_columns import ColumnRows
from backends.shared.zero_one import LARGEST, Load, Reports, SparseRows, Stuck, Values, ZeroOneBackend
from encoders.opb import text
from encoders.zero_one.rows import ZeroOneRows
from puzzles.packages import version

PARAMETERS: dict[str, Any] = {
    "limits/gap": 0.0,
    "limits/absgap": 0.0,
    "lp/threads": 1,
    "parallel/maxnthreads": 1,
    "randomization/randomseedshift": 0,
    "misc/catchctrlc": False,
}
LEVELS = ("DEFAULT", "AGGRESSIVE", "FAST", "OFF")
TIGHT = {"numerics/feastol": 1e-9, "numerics/epsilon": 1e-10, "numerics/sumepsilon": 1e-9}  # for Booleans alone
# Groups of SCIP's parameters, by the names of its Python package, and parameters by their own names. Limits, tolerances
# and reductions that need an objective are left out.
OPTIONS = (
    Option("emphasis", "text", ("CPSOLVER", "EASYCIP", "FEASIBILITY", "HARDLP", "OPTIMALITY", "PHASEPROOF")),
    Option("heuristics", "text", LEVELS),
    Option("presolve", "text", LEVELS),
    Option("separating", "text", LEVELS),
    Option("branching/preferbinary", "bool"),
    Option("branching/scorefunc", "text", ("s", "p", "q")),
    Option("conflict/enable", "bool"),
    Option("conflict/preferbinary", "bool"),
    Option("conflict/useprop", "bool"),
    Option("conflict/usesb", "bool"),
    Option("lp/initalgorithm", "text", ("s", "p", "d")),
    Option("lp/presolving", "bool"),
    Option("lp/pricing", "text", tuple("lafpsqd")),
    Option("lp/resolvealgorithm", "text", ("s", "p", "d")),
    Option("lp/scaling", "int", (0, 1, 2)),
    Option("lp/solvefreq", "int", least=-1, most=1000),
    Option("misc/usesymmetry", "int", tuple(range(8))),
    Option("nodeselection/childsel", "text", tuple("dupilrh")),
    Option("presolving/maxrestarts", "int", least=-1, most=LARGEST_INT),
    Option("presolving/maxrounds", "int", least=-1, most=LARGEST_INT),
    Option("propagating/maxrounds", "int", least=-1, most=LARGEST_INT),
    Option("randomization/lpseed", "int", least=0, most=LARGEST_INT),
    Option("randomization/permutationseed", "int", least=0, most=LARGEST_INT),
    Option("randomization/permutevars", "bool"),
    Option("randomization/randomseedshift", "int", least=0, most=10**6),
    Option("separating/maxrounds", "int", least=-1, most=LARGEST_INT),
    Option("separating/maxroundsroot", "int", least=-1, most=LARGEST_INT),
)


class ScipProgramme:
    """A SCIP model; after a search it is transformed back, and takes another row."""

    def __init__(self, load: Load) -> None:
        from pyscipopt import SCIP_PARAMEMPHASIS, SCIP_PARAMSETTING, Model, quicksum

        self.load, self.quicksum, self.matrix = load, quicksum, SparseRows.of(load.rows)
        self.solver = Model()
        self.solver.hideOutput()
        groups = {
            "emphasis": (self.solver.setEmphasis, SCIP_PARAMEMPHASIS),
            "heuristics": (self.solver.setHeuristics, SCIP_PARAMSETTING),
            "presolve": (self.solver.setPresolve, SCIP_PARAMSETTING),
            "separating": (self.solver.setSeparating, SCIP_PARAMSETTING),
        }
        for name in [name for name in groups if name in load.options]:
            change, values = groups[name]
            change(getattr(values, str(load.options[name])))
        alone = {name: value for name, value in load.options.items() if name not in groups}
        self.solver.setParams(PARAMETERS | ({} if isinstance(load.rows, ColumnRows) else TIGHT) | alone)
        self.variables = (
            self.integer_columns(load.rows) if isinstance(load.rows, ColumnRows) else self.booleans(load.rows)
        )
        for k in load.true:
            change = self.solver.chgVarLb if k > 0 else self.solver.chgVarUb
            change(self.variables[abs(k) - 1], float(k > 0))
        self.values = np.empty(0, np.int64)
        self.nodes = 0

    def booleans(self, rows: ZeroOneRows) -> list[Any]:
        """Read the rows as a file, and return the Booleans."""
        with tempfile.NamedTemporaryFile(suffix=".opb") as file:
            Path(file.name).write_bytes(text(rows, self.load.goal))
            self.solver.readProblem(file.name)
        known = {x.name: x for x in self.solver.getVars()}  # without those that no row has
        names = [f"x{k}" for k in range(1, rows.last + 1)]
        return [known.get(name) or self.solver.addVar(name, vtype="B") for name in names]

    def integer_columns(self, rows: ColumnRows) -> list[Any]:
        """State the rows, and return the columns."""
        columns = [self.solver.addVar(f"x{k}", vtype="I", lb=0, ub=most) for k, most in enumerate(rows.upper, 1)]
        for terms, bound, equal in rows.rows:
            total = self.quicksum(a * columns[k - 1] for k, a in terms.items())
            self.solver.addCons(total == bound if equal else total >= bound)
        if self.load.goal:
            self.solver.setObjective(self.quicksum(a * columns[k - 1] for k, a in self.load.goal.items()))
        return columns

    def solve(self) -> bool | None:
        self.solver.setParam("limits/time", self.load.seconds())
        self.solver.optimize()
        self.nodes += self.solver.getNTotalNodes()
        status = self.solver.getStatus()
        if status in ("infeasible", "inforunbd"):  # bounded: its variables are 0 or 1
            return False
        if status == "timelimit":
            return None
        if status != "optimal":
            raise Stuck(f"SCIP ends with {status}")
        self.values = self.best_values()
        if not self.matrix.holds(self.values):
            raise Stuck("SCIP's solution breaks a row when it is rounded")
        return True

    def best_values(self) -> Values:
        """Return the values of the best solution, rounded."""
        best = self.solver.getBestSol()
        return np.array([round(self.solver.getSolVal(best, x)) for x in self.variables], np.int64)

    def optimise(self, reports: Reports) -> bool | None:
        """Search for the best solution, and report the solutions and bounds of SCIP's events."""
        from pyscipopt import SCIP_EVENTTYPE, Eventhdlr

        programme, kinds = self, (SCIP_EVENTTYPE.BESTSOLFOUND, SCIP_EVENTTYPE.DUALBOUNDIMPROVED)

        class Events(Eventhdlr):  # type: ignore[misc]
            """Handler of better solutions and bounds."""

            def eventinit(self) -> None:
                for kind in kinds:
                    self.model.catchEvent(kind, self)

            def eventexit(self) -> None:
                for kind in kinds:
                    self.model.dropEvent(kind, self)

            def eventexec(self, event: Any) -> None:
                if event.getType() == SCIP_EVENTTYPE.BESTSOLFOUND:
                    values = programme.best_values()
                    if programme.matrix.holds(values):
                        reports.model(programme.load.model_of(values))
                reports.bound_of(self.model.getDualbound())

        self.solver.includeEventhdlr(Events(), "reports", "reports solutions and bounds")
        found = self.solve()
        bound = self.solver.getDualbound()
        if found is None:
            reports.bound_of(bound)
        return None if found is None else reports.end(found, self.values, self.model(), bound, "SCIP")

    def model(self) -> list[int]:
        return self.load.model_of(self.values)

    def forbid(self, clause: list[int]) -> None:
        self.solver.freeTransform()
        rows, more = self.load.against(clause, len(self.variables))
        self.variables += [self.solver.addVar(f"x{k}", vtype="B") for k in range(len(self.variables) + 1, more + 1)]
        for terms, bound, _ in rows:
            self.solver.addCons(self.quicksum(a * self.variables[k - 1] for k, a in terms.items()) >= bound)

    def counters(self) -> Mapping[str, int]:
        return {"decisions": self.nodes}


def backends() -> tuple[ZeroOneBackend, ...]:
    """Return the only variant. Raises ModuleNotFoundError if PySCIPOpt is not installed."""
    return (ZeroOneBackend("scip", f"pyscipopt {version('pyscipopt')}", ScipProgramme, OPTIONS, LARGEST),)
