"""Texts of the scripts that `packages` fills in: searches of one package, and the comparison with the known answer.

SAT_RIGHT, BEST   the end of a script: what is wrong with an answer to a problem without or with an objective
the others        the search of a package or program; *_BEST, *_ANY and *_VALUE are variants for objectives
"""

SAT_RIGHT = """\
if answer == "unsatisfiable" and known:
    wrong.append(f"it finds no solution, but this is one: {known[0]}")
"""

BEST = """\
if value is not None and value != best and answer == "complete":
    wrong.append(f"it calls {value} the best, but a solution has {best}" if known else f"it gives {value}, of none")
"""

CPMPY = """\
def ask(fresh):  # with a fresh solver for each solution, or one to which constraints are added after a search
    found, answer = [], "open"
    {fresh}
    while len(found) < count:
        for s in found if fresh else found[-1:]:
            solver += cp.any([v != n for v, n in zip(x, s)])
        if not solver.solve(time_limit={seconds}{options}):
            print(solver.status())
            answer = "complete" if "UNSAT" in str(solver.status().exitstatus) else "open"
            break
        found.append([int(v.value()) for v in x])
        print("solution", found[-1], flush=True)
        if fresh:
            {fresh}
    return found, answer


for found, answer in map(ask, {ways}):
    broken = []
    for s in found:
        check = build()
        check += [v == n for v, n in zip(x, s)]
        broken += [] if check.solve(solver="ortools") else [f"a constraint: {{s}}"]
    missed = [s for s in known if answer == "complete" and s not in found]
    wrong += [f"it finds {{len(found)}} and no more, but this is a solution: {{s}}" for s in missed[:1]]
    wrong += [f"its solution breaks {{c}}" for c in broken[:1]]
"""

CPMPY_BEST = """\
{fresh}
solved = solver.solve(time_limit={seconds}{options})
print(solver.status())
state = str(solver.status().exitstatus)
value = int(solver.objective_value() or 0) + constant if solved else None
answer = "complete" if "OPTIMAL" in state else "unsatisfiable" if "UNSAT" in state else "open"
print("value", value, [int(v.value()) for v in x] if solved else "")
"""

CPSAT = """\
model = cp_model.CpModel()
model.proto.parse_text_format(text)
solver = cp_model.CpSolver()
{settings}
solver.parameters.enumerate_all_solutions = {every}
class Count(cp_model.CpSolverSolutionCallback):
    number = 0
    def on_solution_callback(self):
        self.number += 1
        if {every} and self.number >= count:
            self.stop_search()
shown = Count()
status = solver.solve(model, shown)
print(solver.status_name(status), shown.number, "solutions")
ended = {{cp_model.OPTIMAL: "complete", cp_model.INFEASIBLE: "unsatisfiable"}}
answer = ended.get(status, "open")
value = None
if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
    value = round(solver.objective_value) + constant
    print("value", value)
"""

CPSAT_ANY = """\
if answer == "complete" and shown.number < min(count, len(known)):
    wrong.append(f"it finds {shown.number} and no more, but {len(known)} are known: {known}")
"""

Z3 = """\
solver = z3.{kind}()
solver.set("timeout", {milliseconds})
solver.from_string(text)
result = solver.check()
print(result)
answer = {{"sat": "complete", "unsat": "unsatisfiable"}}.get(str(result), "open")
value = None
if result == z3.sat:
    print(solver.model())
{value}"""

Z3_VALUE = """\
    value = solver.model().eval(solver.objectives()[0], model_completion=True).as_long()
    print("value", value)
"""

MAXSAT = """\
formula = WCNF()
formula.extend(hard)
for weight, clause in soft:
    formula.append(clause, weight=weight)
solver = Algorithm(formula)
solved = solver.compute()
value = solver.cost + constant if solved else None
answer = "complete" if solved else "unsatisfiable"
print("value", value)
"""

PROGRAM = """\
path = pathlib.Path(tempfile.mkdtemp(), "instance.{ending}")
path.write_text(text)
words = [word.replace("{{{ending}}}", str(path)).replace("{{seconds}}", "{seconds:g}") for word in shlex.split(command)]
if not any("{{{ending}}}" in word for word in shlex.split(command)):
    words.append(str(path))
done = subprocess.run(words, capture_output=True, text=True, timeout={patience:g})
print(done.stdout)
state = " ".join(line[2:] for line in done.stdout.splitlines() if line.startswith("s "))
values = [int(line[2:]) for line in done.stdout.splitlines() if line.startswith("o ")]
value = values[-1] if values else None
answer = "unsatisfiable" if "UNSAT" in state else "complete" if "OPTIMUM" in state else "open"
"""
