"""A job shop in OR-Tools: values by the model's own variables, improvements as they come, a solver that stays open."""

from ortools.sat.python import cp_model

import harness

JOBS = [[(0, 3), (1, 2), (2, 2)], [(0, 2), (2, 1), (1, 4)], [(1, 4), (2, 3)]]  # (machine, duration)


def shop(horizon: int) -> tuple[cp_model.CpModel, list[list[cp_model.IntVar]]]:
    model = cp_model.CpModel()
    model.name = f"shop-{horizon}"
    starts = [
        [model.new_int_var(0, horizon, f"start {j}.{k}") for k, _ in enumerate(job)] for j, job in enumerate(JOBS)
    ]
    end = model.new_int_var(0, horizon, "end")
    for machine in range(3):
        model.add_no_overlap(
            model.new_fixed_size_interval_var(start, length, "")
            for job, of in zip(JOBS, starts, strict=True)
            for (on, length), start in zip(job, of, strict=True)
            if on == machine
        )
    for job, of in zip(JOBS, starts, strict=True):
        for (_, length), start, after in zip(job, of, [*of[1:], end], strict=True):
            model.add(after >= start + length)
    model.minimize(end)
    return model, starts


model, starts = shop(25)
search = harness.improve(model, "cpsat", timeout=30)
for step in search:
    print(f"makespan {step.value}")
best = search.result
assert best is not None
print(best.verdict, best.value, [best[start] for start in starts[0]])

with harness.Solver("native", timeout=30) as solver:
    print([solver.solve(shop(horizon)[0]).status for horizon in (10, 11, 12)])
