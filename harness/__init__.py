"""Run puzzles through SAT, CP and native solvers, time them, and check that the answers agree."""
