"""Parameters of Z3's solvers that are options of its routes: those that change the search, not limits or output.

Z3 takes some unknown names of strategies without a word, so they are stated here, as in its `param_descrs`.
"""

from backends.contract.options import LARGEST_INT, Option

SAT_SWITCHES = """
abce acce anf asymm_branch asymm_branch.all ate bca bce cardinality.solver cce dyn_sub_res elim_vars force_cleanup
gc.burst gc.defrag lookahead_simplify minimize_lemmas override_incremental phase.sticky probing probing_binary
propagate.prefetch restart.fast scc scc.tr subsumption
"""
SMT_SWITCHES = """
arith.eager_eq_axioms arith.enable_hnf arith.int_eq_branch arith.nl arith.nl.branching arith.nl.grobner arith.nl.horner
arith.nl.nra arith.nl.order arith.nl.tangents arith.propagate_eqs arith.random_initial_value bound_simplifier
delay_units elim_unconstrained propagate_values solve_eqs
"""
FINITE_DOMAIN = (  # parameters of the solver of QF_FD, which is Z3's SAT solver
    *(Option(name, "bool") for name in SAT_SWITCHES.split()),
    Option("backtrack.conflicts", "int", least=0, most=LARGEST_INT),
    Option("backtrack.scopes", "int", least=0, most=LARGEST_INT),
    Option("branching.anti_exploration", "bool"),
    Option("branching.heuristic", "text", ("vsids", "chb")),
    Option("cardinality.encoding", "text", ("grouped", "bimander", "ordered", "unate", "circuit")),
    Option("gc", "text", ("psm", "glue", "glue_psm", "dyn_psm")),
    Option("gc.increment", "int", least=0, most=LARGEST_INT),
    Option("gc.initial", "int", least=0, most=LARGEST_INT),
    Option("phase", "text", ("always_false", "always_true", "basic_caching", "caching", "random")),
    Option("random_freq", "float", least=0, most=1),
    Option("random_seed", "int", least=0, most=LARGEST_INT),
    Option("rephase.base", "int", least=1, most=LARGEST_INT),
    Option("restart", "text", ("static", "luby", "ema", "geometric")),
    Option("restart.factor", "float", least=1, most=1000),
    Option("restart.initial", "int", least=1, most=LARGEST_INT),
    Option("simplify.delay", "int", least=0, most=LARGEST_INT),
    Option("variable_decay", "int", least=101, most=1000),
)
INTEGERS = (  # parameters of the solver that `z3.Solver()` makes
    *(Option(name, "bool") for name in SMT_SWITCHES.split()),
    Option("arith.branch_cut_ratio", "int", least=0, most=LARGEST_INT),
    Option("arith.propagation_mode", "int", (0, 1, 2)),
    Option("arith.simplex_strategy", "int", (0, 1, 2)),
    Option("arith.solver", "int", (2, 6)),
    Option("auto_config", "bool"),
    Option("case_split", "int", (0, 1, 2, 6)),
    Option("lemma_gc_strategy", "int", (0, 1, 2)),
    Option("phase_selection", "int", tuple(range(7))),
    Option("random_seed", "int", least=0, most=LARGEST_INT),
    Option("relevancy", "int", (0, 1, 2)),
    Option("restart_factor", "float", least=1.01, most=1000),
    Option("restart_strategy", "int", tuple(range(5))),
)
