"""HiGHS: a zero-one programme, solved by branch and cut in floating point (Huangfu & Hall 2018).

For Booleans its tolerances are a thousandth of its defaults, and rows beyond LARGEST are refused (decision 33). Ranges
in sums are integer columns, with its defaults. A solution is rounded and checked against the rows in integers. Only
HiGHS claims that no solution exists: nothing checks it.

It can't live in a process with OR-Tools, whose wheel has another libhighs.so.1; a worker has one solver.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from backends.contract.options import LARGEST_INT, Option
from backends.shared.integer_columns import ColumnRows
from backends.shared.quiet import quiet
from backends.shared.zero_one import LARGEST, Load, Reports, SparseRows, Stuck, ZeroOneBackend
from puzzles.packages import version

FIXED: dict[str, Any] = {
    "output_flag": False,
    "threads": 1,
    "random_seed": 0,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 0.0,
}
TIGHT: dict[str, Any] = {  # for Booleans; those of HiGHS for integer columns
    "mip_feasibility_tolerance": 1e-9,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}
SWITCHES = """
allow_cut_separation_at_nodes allow_restart detect_symmetry heuristic_run_feasibility_jump heuristic_run_rens
heuristic_run_rins heuristic_run_root_reduced_cost heuristic_run_shifting heuristic_run_zi_round root_presolve_only
search_simulate_concurrency
"""
OPTIONS = (  # options that change the search without an objective, but not limits, tolerances or output
    *(Option(f"mip_{name}", "bool") for name in SWITCHES.split()),
    Option("mip_heuristic_effort", "float", least=0, most=1),
    Option("mip_lifting_for_probing", "int", least=-1, most=LARGEST_INT),
    Option("mip_lp_age_limit", "int", least=0, most=32767),
    Option("mip_lp_solver", "text", ("choose", "simplex", "ipm")),
    Option("mip_pool_age_limit", "int", least=0, most=1000),
    Option("mip_pool_soft_limit", "int", least=1, most=LARGEST_INT),
    Option("mip_pscost_minreliable", "int", least=0, most=LARGEST_INT),
    Option("presolve", "text", ("off", "choose", "on")),
    Option("random_seed", "int", least=0, most=LARGEST_INT),
    Option("simplex_dual_edge_weight_strategy", "int", (-1, 0, 1, 2)),
    Option("simplex_scale_strategy", "int", (0, 1, 2, 3, 4)),
    Option("simplex_strategy", "int", (0, 1, 2, 3, 4)),
    Option("threads", "int", least=1, most=1024),
)


class HighsProgramme:
    """HiGHS model. Adding a row clears the last solution, so every search starts anew."""

    def __init__(self, load: Load) -> None:
        import highspy

        self.load, self.statuses, self.infinity = load, highspy.HighsModelStatus, highspy.kHighsInf
        self.integer = highspy.HighsVarType.kInteger
        self.matrix = SparseRows.of(load.rows)
        with quiet():  # it prints a banner as it is made, since 1.16
            self.solver = highspy.Highs()
        parallel = "on" if load.options.get("threads", 1) != 1 else "off"
        tolerances = {} if isinstance(load.rows, ColumnRows) else TIGHT
        for name, value in (FIXED | tolerances | {"parallel": parallel, **load.options}).items():
            self.solver.setOptionValue(name, value)
        self.solver.passModel(self.linear_programme(highspy.HighsLp(), highspy))
        self.values = np.empty(0, np.int64)
        self.nodes = 0

    def linear_programme(self, lp: Any, highspy: Any) -> Any:
        """Fill in HiGHS's own form of the rows."""
        matrix, columns = self.matrix, self.load.rows.last
        lower, upper = np.zeros(columns), self.load.upper().astype(np.float64)
        for k in self.load.true:
            (lower if k > 0 else upper)[abs(k) - 1] = k > 0
        lp.num_col_, lp.num_row_ = columns, len(matrix.bounds)
        costs = np.zeros(columns)
        for k, a in (self.load.goal or {}).items():
            costs[k - 1] = a
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = costs, lower, upper
        lp.integrality_ = [self.integer] * columns
        lp.row_lower_ = matrix.bounds.astype(np.float64)
        lp.row_upper_ = np.where(matrix.equal, matrix.bounds, self.infinity)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.num_col_, lp.a_matrix_.num_row_ = columns, len(matrix.bounds)
        lp.a_matrix_.start_, lp.a_matrix_.index_ = matrix.starts.astype(np.int32), matrix.columns
        lp.a_matrix_.value_ = matrix.coefficients.astype(np.float64)
        return lp

    def solve(self) -> bool | None:
        self.solver.setOptionValue("time_limit", self.load.seconds())
        self.solver.run()
        status, known = self.solver.getModelStatus(), self.statuses
        self.nodes += max(0, self.solver.getInfo().mip_node_count)
        if status in (known.kInfeasible, known.kUnboundedOrInfeasible):  # bounded: its variables are 0 or 1
            return False
        if status == known.kTimeLimit:
            return None
        if status not in (known.kOptimal, known.kModelEmpty):
            raise Stuck(f"HiGHS ends with {self.solver.modelStatusToString(status)}")
        self.values = np.rint(self.solver.getSolution().col_value).astype(np.int64)
        if not self.matrix.holds(self.values):
            raise Stuck("HiGHS's solution breaks a row when it is rounded")
        return True

    def optimise(self, reports: Reports) -> bool | None:
        """Search for the best solution; HiGHS tells its bound where it asks if it is to stop."""

        def improved(event: Any) -> None:
            values = np.rint(np.array(event.data_out.mip_solution)).astype(np.int64)
            if self.matrix.holds(values):
                reports.model(self.load.model_of(values))

        def asked(event: Any) -> None:
            reports.bound_of(event.data_out.mip_dual_bound)

        self.solver.cbMipImprovingSolution.subscribe(improved)
        self.solver.cbMipInterrupt.subscribe(asked)
        found = self.solve()
        bound = self.solver.getInfo().mip_dual_bound
        if found is None:
            reports.bound_of(bound)
        return None if found is None else reports.end(found, self.values, self.model(), bound, "HiGHS")

    def model(self) -> list[int]:
        return self.load.model_of(self.values)

    def forbid(self, clause: list[int]) -> None:
        last = self.solver.getNumCol()
        rows, more = self.load.against(clause, last)
        for k in range(last, more):
            self.solver.addVar(0.0, 1.0)
            self.solver.changeColIntegrality(k, self.integer)
        for terms, bound, _ in rows:
            columns, coefficients = np.array([*terms], np.int32) - 1, np.array([*terms.values()], np.float64)
            self.solver.addRow(float(bound), self.infinity, len(columns), columns, coefficients)

    def counters(self) -> Mapping[str, int]:
        return {"decisions": self.nodes}


def backends() -> tuple[ZeroOneBackend, ...]:
    """Return the only variant. Raises ModuleNotFoundError if highspy is not installed."""
    return (ZeroOneBackend("highs", f"highspy {version('highspy')}", HighsProgramme, OPTIONS, LARGEST),)
