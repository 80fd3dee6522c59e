"""Files that `encode` writes, read back: solutions of the source's variables, found through the map, and best value.

Sources are tried by brute force, large ones by `native:python`. Files are read by our readers, but LP by HiGHS, SMT-LIB
by Z3, and MiniZinc by its own compiler and Chuffed, which are no part of the package. Solutions of the others are
enumerated by Glucose over clauses, and their best values found by RC2.

solution  index of the value of each variable of the source
Found     solutions, and the best value as the source states it, None without an objective or a solution
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backends.contract import registry
from backends.contract.answer import Answer, Ask
from encoders.direct import constraints
from encoders.formula import Cnf, Wcnf
from encoders.registry import spec
from harness.reporting.formats.instance_files import SUFFIXES, InstanceFile
from puzzles.constraints.linear import Linear
from puzzles.formats import ReaderOptions, read
from puzzles.problem import BOOLEAN, Instance, Problem
from puzzles.problem.columns import pack, valid
from puzzles.problem.values import Integers, Numbered, bits
from puzzles.readers.minizinc import compiling
from puzzles.readers.minizinc.compiling import package_folder

MOST_TRIED = 1 << 18
Solution = tuple[int, ...]


class Found(NamedTuple):
    solutions: frozenset[Solution]
    best: int | None


def tried(instance: Instance[Any], most: int = 1000) -> Found | None:
    """Return what trying every assignment finds, or our readable search if they are many; None beyond `most`."""
    problem = instance.problem
    if prod(mask.bit_count() for mask in instance.domains) <= MOST_TRIED:
        every = np.array(list(product(*map(bits, instance.domains))), np.uint16).reshape(-1, len(instance.domains))
        held = every[valid(problem, pack(problem, [instance.domains]), every)] if len(every) else every
    else:
        answer = searched(instance, most + 1)
        if not answer.complete:
            return None
        held = np.array(answer.solutions, np.uint16).reshape(-1, len(instance.domains))
    if len(held) > most:
        return None
    if problem.objective is None or not len(held):
        return Found(frozenset(map(tuple, held.tolist())), None)
    best = min(problem.objective.values(held, problem).tolist())
    return Found(frozenset(map(tuple, held.tolist())), -best if problem.objective.maximise else best)


def searched(instance: Instance[Any], count: int) -> Answer:
    """Return up to a number of solutions, found by our search over constraints."""
    form = replace(constraints(instance.problem, instance.domains), objective=None)
    session = registry.find("native:python").open(form)
    try:
        return session.ask(Ask(instance.domains, count))
    finally:
        session.close()


def write(made: InstanceFile, to: str, folder: Path) -> Path:
    """Write a file and its map, and return the path of the file."""
    path = folder / f"a{SUFFIXES[to]}"
    path.write_bytes(b"".join(made.blocks))
    Path(f"{path}.map.json").write_bytes(b"".join(made.map.text()))
    return path


def read_back(path: Path, source: Instance[Any]) -> Found:
    """Return what a file and its map state of the source."""
    told = json.loads(Path(f"{path}.map.json").read_text())
    rows = [named(told, name) for name in source.problem.variables]
    if told["format"] == "smt2":
        found = by_z3(path, rows, source)
    elif told["format"] == "lp":
        found = by_highs(path, rows, source)
    elif told["format"] == "mzn":
        found = by_minizinc(path, rows, source)
    else:
        (again,) = read(path, ReaderOptions())
        found = by_clauses(again, rows, source)
    value = told.get("value")
    if found.best is None or value is None:
        return Found(found.solutions, None)
    return Found(found.solutions, value["times"] * found.best + value["plus"])


def named(told: Mapping[str, Any], name: str) -> str | dict[str, int]:
    """Return what a map tells of a variable: its name in the file, or a literal for each value."""
    if "numbered" not in told:
        found: str | dict[str, int] = told["variables"][name]
        return found
    prefix, target, _ = told["numbered"]
    k = name.removeprefix(prefix)
    return f"{target}{k}" if target else {"0": -int(k), "1": int(k)}


def number_of(source: Problem, v: int) -> int:
    """Return the number that stands for a value in files with numbers."""
    return source.values.numbers[v] if isinstance(source.values, Integers) else v


def by_clauses(again: Instance[Any], rows: Sequence[str | dict[str, int]], source: Instance[Any]) -> Found:
    """Enumerate the solutions of a problem that was read, and find its best value."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    problem = again.problem
    goal = problem.objective
    formula = spec("direct").formula(replace(problem, objective=None), again.domains)
    assert isinstance(formula, Cnf)
    fixed = list(fixed_literals(formula, again))
    where = {name: x for x, name in enumerate(problem.variables)}
    literals: list[dict[int, int]] = []
    for x, row in enumerate(rows):
        if isinstance(row, str):
            index = {n: v for v, n in enumerate(numbers_of(problem))}
            pairs = ((v, index.get(number_of(source.problem, v))) for v in bits(source.domains[x]))
            literals.append({v: formula.literal[where[row]][i] for v, i in pairs if i is not None})
        else:
            values = {text: v for v, text in enumerate(source.problem.values)}
            literals.append({values[text]: true(formula, k) for text, k in row.items()})
    solutions = enumerated(formula.clause_lists() + fixed, literals)
    if goal is None or not solutions:
        return Found(solutions, None)
    weighted = spec("direct").formula(problem, again.domains)
    assert isinstance(weighted, Wcnf)
    soft = WCNF()
    for clause in weighted.hard.clause_lists() + list(fixed_literals(weighted.hard, again)):
        soft.append(clause)
    for weight, clause in weighted.soft_rows():
        soft.append(clause, weight=weight)
    with RC2(soft) as solver:
        assert solver.compute() is not None
        value = int(solver.cost) + weighted.offset
    return Found(solutions, -value if goal.maximise else value)


def numbers_of(problem: Problem) -> Iterable[int]:
    return problem.values.numbers if isinstance(problem.values, Integers) else range(len(problem.values))


def fixed_literals(formula: Cnf, instance: Instance[Any]) -> Iterator[list[int]]:
    """Yield the clauses of the domains."""
    for row, mask in zip(formula.literal, instance.domains, strict=True):
        yield from ([-row[v]] for v in range(len(row)) if not mask >> v & 1 and row[v])
        if mask.bit_count() == 1:
            yield [row[mask.bit_length() - 1]]


def true(formula: Cnf, k: int) -> int:
    """Return the literal of: Boolean variable |k| of the file, which no line may name, is as the sign of k says."""
    literal = formula.literal[abs(k) - 1][1] if abs(k) <= len(formula.literal) else formula.variables + abs(k)
    return literal if k > 0 else -literal


def enumerated(clauses: Iterable[list[int]], literals: Sequence[Mapping[int, int]]) -> frozenset[Solution]:
    """Return the solutions of clauses, as the value of each variable that its literals tell."""
    from pysat.solvers import Solver

    found = set[Solution]()
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        for k in {abs(k) for row in literals for k in row.values()}:
            solver.add_clause([k, -k])  # a variable of no clause has a value too
        while solver.solve():
            model = set(solver.get_model())
            taken = [[v for v, k in row.items() if -k not in model] for row in literals]
            assert all(len(values) == 1 for values in taken), "each variable takes one value"
            found.add(tuple(values[0] for values in taken))
            solver.add_clause([-row[values[0]] for row, values in zip(literals, taken, strict=True)])
    return frozenset(found)


HIGHS = """
import json, sys, highspy
solver = highspy.Highs()
solver.silent()
assert solver.readModel(sys.argv[1]) == highspy.HighsStatus.kOk
model, matrix = solver.getLp(), solver.getLp().a_matrix_
names = [int(name[1:]) for name in model.col_names_]
rows = [{} for _ in range(model.num_row_)]
for column in range(model.num_col_):
    for at in range(matrix.start_[column], matrix.start_[column + 1]):
        rows[matrix.index_[at]][names[column]] = round(matrix.value_[at])
bounds = [[round(end) if abs(end) < 1e20 else None for end in ends] for ends in zip(model.row_lower_, model.row_upper_)]
solver.setOptionValue("mip_rel_gap", 0.0)
solver.run()
print(json.dumps([len(names), list(zip(rows, bounds)), solver.getObjectiveValue()]))
"""  # a program of its own, since HiGHS fails beside OR-Tools


def by_highs(path: Path, rows: Sequence[Any], source: Instance[Any]) -> Found:
    """Read an LP file by HiGHS; its rows are enumerated as a problem of sums."""
    done = subprocess.run([sys.executable, "-c", HIGHS, str(path)], capture_output=True, text=True, check=True)
    variables, sums, best = json.loads(done.stdout.splitlines()[-1])
    linear = []
    for terms, bounds in sums:
        xs, coefficients = [int(k) - 1 for k in terms] or [0], list(terms.values()) or [0]
        held = zip(bounds, (">=", "<="), strict=True)
        linear += [(coefficients, xs, comparison, bound) for bound, comparison in held if bound is not None]
    problem = Problem("lp", Numbered("x", variables), BOOLEAN, (Linear.of(linear),))
    found = by_clauses(Instance("lp", problem, problem.open), rows, source)
    return Found(found.solutions, round(best) if source.problem.objective is not None and found.solutions else None)


def by_z3(path: Path, rows: Sequence[Any], source: Instance[Any]) -> Found:
    """Read a script by Z3, enumerate the solutions of the source's variables, and find the best value."""
    import z3

    text = path.read_text()
    lines = [line for line in text.splitlines() if not line.startswith(("(check-sat", "(get-model", "(m"))]
    solver = z3.Solver()
    solver.from_string("\n".join(lines))
    booleans = {line.split()[1] for line in lines if line.startswith("(declare-const") and line.endswith(" Bool)")}
    names = [(z3.Bool if name in booleans else z3.Int)(name) for name in rows]
    index = {number_of(source.problem, v): v for v in range(len(source.problem.values))}
    found = set[Solution]()
    while solver.check() == z3.sat:
        model = solver.model()
        values = [model.eval(name, model_completion=True) for name in names]
        numbers = [int(z3.is_true(v)) if z3.is_bool(v) else v.as_long() for v in values]
        found.add(tuple(index[n] for n in numbers))
        solver.add(z3.Or([name != value for name, value in zip(names, values, strict=True)]))
    if source.problem.objective is None or not found:
        return Found(frozenset(found), None)
    optimiser = z3.Optimize()
    head, tail = text[: text.index("(check-sat)")].rstrip()[:-1].rsplit("\n(m", 1)
    sense, goal = tail.split(" ", 1)
    optimiser.from_string(f"{head}\n(declare-const goal Int)\n(assert (= goal {goal}))\n(m{sense} goal)\n")
    assert optimiser.check() == z3.sat
    return Found(frozenset(found), optimiser.model()[z3.Int("goal")].as_long())


def by_minizinc(path: Path, rows: Sequence[Any], source: Instance[Any]) -> Found:
    """Solve a model by Chuffed, which comes with MiniZinc: all solutions, then the best value."""
    index = {number_of(source.problem, v): v for v in range(len(source.problem.values))}
    *lines, _ = path.read_text().splitlines()
    every = path.with_name("every.mzn")
    every.write_text("\n".join([*lines, "solve satisfy;"]))
    found = frozenset(tuple(index[held[name]] for name in rows) for held in outputs(every))
    if source.problem.objective is None or not found:
        return Found(found, None)
    return Found(found, outputs(path)[-1]["_objective"])


def outputs(path: Path) -> list[dict[str, int]]:
    """Return what Chuffed prints of a model: the values of each solution by name."""
    words = ["--solver", "chuffed", "-a", "--output-mode", "json", "--output-objective"]
    package = package_folder()
    if package is None:
        lines = compiling.run(["minizinc", "--json-stream", *words, str(path)], b"")
    else:
        request = {"jsonStream": True, "args": [*words, path.name], "files": {path.name: path.read_text()}}
        script = Path(compiling.__file__).with_name("node.cjs")
        command = ["node", "--stack-size=30000", str(script), str(package)]
        lines = compiling.run(command, json.dumps({**request, "outputFiles": []}).encode())
    messages = compiling.messages_of(lines)
    assert not [m for m in messages if m["type"] == "error"], messages
    assert any(m.get("status") in ("ALL_SOLUTIONS", "OPTIMAL_SOLUTION", "UNSATISFIABLE") for m in messages), messages
    return [message["output"]["json"] for message in messages if message["type"] == "solution"]
