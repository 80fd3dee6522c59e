"""Outcomes and solutions as data frames: one row each, with types that do not depend on the data."""

import harness

results = harness.run("hardest", ["native:python", "cpsat"], puzzles=3, timeout=30)
outcomes = results.frame(library="pandas")
print(outcomes.groupby("contender")["verdict"].value_counts().to_string())
values = results.values(library="pandas")
print(values[["contender", "puzzle", "A1", "A2", "A3"]].head(3).to_string(index=False))
