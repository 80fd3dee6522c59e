"""Parameters of CP-SAT that are options of its backend: those that change the search, not the limits or the output.

Their names, types and values are those of `SatParameters` (ortools/sat/sat_parameters.proto).
"""

from backends.contract.options import LARGEST_INT, Option

BOOLS = """
add_cg_cuts add_clique_cuts add_mir_cuts add_zero_half_cuts auto_detect_greater_than_at_least_one_of
cp_model_presolve cp_model_use_sat_presolve detect_table_with_cost disable_constraint_expansion
encode_complex_linear_constraint_with_integer expand_alldiff_constraints find_big_linear_overlap infer_all_diffs
instantiate_all_variables interleave_search keep_symmetry_in_presolve new_linear_propagation
permute_presolve_constraint_order permute_variable_randomly randomize_search share_binary_clauses share_glue_clauses
subsumption_during_conflict_analysis use_blocking_restart use_chronological_backtracking use_erwa_heuristic
use_extended_probing use_feasibility_jump use_implied_bounds use_lns use_optimization_hints use_pb_resolution
use_phase_saving use_probing_search use_sat_inprocessing
"""
INTS = {  # name -> least and most value
    "clause_cleanup_period": (1, LARGEST_INT),
    "clause_cleanup_target": (0, LARGEST_INT),
    "max_alldiff_domain_size": (0, LARGEST_INT),
    "max_num_cuts": (0, LARGEST_INT),
    "max_presolve_iterations": (0, 1000),
    "num_conflicts_before_strategy_changes": (0, LARGEST_INT),
    "num_workers": (1, 10_000),
    "polarity_rephase_increment": (0, LARGEST_INT),
    "presolve_bve_threshold": (0, LARGEST_INT),
    "random_seed": (0, LARGEST_INT),
    "restart_period": (1, LARGEST_INT),
}
LEVELS = {  # name -> number of levels, from 0
    "boolean_encoding_level": 3,
    "cp_model_probing_level": 4,
    "cut_level": 2,
    "linearization_level": 3,
    "symmetry_level": 5,
    "table_compression_level": 4,
}
SHARES = (  # numbers from 0 to 1
    *("clause_activity_decay", "clause_cleanup_ratio", "random_branches_ratio", "random_polarity_ratio"),
    *("restart_dl_average_ratio", "restart_lbd_average_ratio", "variable_activity_decay", "inprocessing_dtime_ratio"),
)
AMOUNTS = (
    *("merge_at_most_one_work_limit", "presolve_probing_deterministic_time_limit"),
    *("probing_deterministic_time_limit", "shaving_search_deterministic_time"),
)
NAMED = {
    "clause_cleanup_ordering": ("CLAUSE_ACTIVITY", "CLAUSE_LBD"),
    "initial_polarity": ("POLARITY_TRUE", "POLARITY_FALSE", "POLARITY_RANDOM"),
    "minimization_algorithm": ("NONE", "SIMPLE", "RECURSIVE"),
    "preferred_variable_order": ("IN_ORDER", "IN_REVERSE_ORDER", "IN_RANDOM_ORDER"),
    "search_branching": (
        *("AUTOMATIC_SEARCH", "FIXED_SEARCH", "PORTFOLIO_SEARCH", "LP_SEARCH", "PSEUDO_COST_SEARCH"),
        *("PORTFOLIO_WITH_QUICK_RESTART_SEARCH", "HINT_SEARCH", "PARTIAL_FIXED_SEARCH", "RANDOMIZED_SEARCH"),
    ),
}
OPTIONS = (
    *(Option(name, "bool") for name in BOOLS.split()),
    *(Option(name, "int", least=low, most=high) for name, (low, high) in INTS.items()),
    *(Option(name, "int", tuple(range(n))) for name, n in LEVELS.items()),
    *(Option(name, "float", least=0, most=1) for name in SHARES),
    *(Option(name, "float", least=0) for name in AMOUNTS),
    *(Option(name, "text", values) for name, values in NAMED.items()),
)
