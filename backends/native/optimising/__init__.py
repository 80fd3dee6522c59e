"""Search for the best model with a solver that decides clauses under assumptions.

optimum      the solver, and what is known of the optimum, as the algorithms see it
objective    soft literals, their weights, and the strata of these
totalizers   counters of literals that grow (Martins, Joshi, Manquinho & Lynce 2014)
cores        core-guided search: OLL (Morgado, Dodaro & Marques-Silva 2014), stratified, with hardening
improving    solution-improving search: a sum bounded ever tighter
search       both in turns
proving      a proof, written along the search
"""
