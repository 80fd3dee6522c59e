"""Models of CPMpy on several solvers, each told apart by its name."""

import cpmpy as cp

import harness

x = cp.intvar(0, 5, shape=4, name="x")
model = cp.Model(cp.AllDifferent(x), x[0] + 2 * x[1] >= 3, minimize=cp.sum(x))
solved = harness.solve(model, "cpsat")
print(solved.value, sorted(solved[one] for one in x))
results = harness.run([model, cp.Model(x[0] > x[1])], ["native", "cpsat"])
print(results.values(library="pandas").groupby("puzzle").size().tolist())
