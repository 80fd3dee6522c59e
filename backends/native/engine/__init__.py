"""The engine: a compiled solver for any layout of up to 64 values, one technique per file.

    assign    propagation, with watched literals for learned clauses
    learn     conflict analysis
    branch    the branching heuristic
    forget    deletion of learned clauses
    symmetry  interchangeable values: before the search, where one solution is asked for
    matching  all-different as a matching: at the root only
    walk      local search between restarts: where one solution is asked for
    search    the search loop        batch      many puzzles per call, each timed inside

Rules of units are never stored as clauses, but the reason of each propagation can be expanded into a clause: this is
lazy clause generation (Ohrimenko, Stuckey & Codish 2009), with one propagator per square and per unit. It learns from
conflicts as a SAT solver does without loading a formula, which takes a SAT solver most of its time on these boards.
"""
