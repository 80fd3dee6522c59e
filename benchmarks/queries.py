"""Query scripts of real libraries through all incremental backends, kept and fresh; faults; overhead of many asks.

python benchmarks/queries.py scripts     RC2, MUSX, an unrolling and a Z3 program, recorded, five repeats: tables
python benchmarks/queries.py overhead    10^5 asks: CPU time of a session beside a loop round the same solver
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from time import process_time_ns

REPEATS, ASKS = 5, 100_000
DRAWN = """
import random
r = random.Random({seed})
def clause(n): return [r.choice((1, -1)) * x for x in r.sample(range(1, n + 1), 3)]
"""
PROGRAMS = {
    "rc2": """
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
w = WCNF()
for _ in range(200): w.append(clause(50))
for x in range(1, 51): w.append([r.choice((1, -1)) * x], weight=1)
with RC2(w) as rc2:
    rc2.compute()
    print(rc2.cost)
""",
    "musx": """
from pysat.examples.musx import MUSX
from pysat.formula import WCNF
w = WCNF()
for _ in range(330): w.append(clause(70), weight=1)
with MUSX(w, solver="g3") as musx: print(len(musx.compute()))
""",
    "unrolling": """
from pysat.solvers import Solver
BITS, STEPS = 20, 40
gates = [(r.randrange(BITS), r.randrange(BITS), r.randrange(BITS), r.random() < 0.5) for _ in range(BITS)]
with Solver("cd15") as s:
    state = list(range(1, BITS + 1))
    for x in state: s.add_clause([-x])
    top = BITS
    for step in range(STEPS):
        one, after = top + 1, []
        top += 1
        for a, b, c, exclusive in gates:
            y, z, top = top + 1, top + 2, top + 2
            p, q = state[a], state[b]
            for row in ([-y, p], [-y, q], [y, -p, -q]): s.add_clause(row)
            q = state[c] if exclusive else one
            for row in ([-z, y, q], [-z, -y, -q], [z, -y, q], [z, y, -q]): s.add_clause(row)
            after.append(z)
        state = after
        print(s.solve(assumptions=[state[step % BITS], -state[(step + 7) % BITS]]), end=" ")
""",
    "queens": """
import z3
N = 7
q = [[z3.Bool(f"q{i}_{k}") for k in range(N)] for i in range(N)]
s = z3.Solver()
for i in range(N):
    s.add(z3.Or(q[i]), z3.Or([q[k][i] for k in range(N)]))
    for k in range(N):
        for a in range(N):
            for b in range(N):
                if (a, b) != (i, k) and (a == i or b == k or abs(a - i) == abs(b - k)):
                    s.add(z3.Implies(q[i][k], z3.Not(q[a][b])))
for i in range(N):
    for k in range(N):
        s.push()
        s.add(q[i][k])
        print(s.check(q[0][1]), end=" ")
        s.pop()
""",
}


def harness(*words: str) -> str:
    """Run a verb; return what it prints."""
    done = subprocess.run([sys.executable, "-m", "harness", *words], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def scripts(seconds: float, backends: str) -> None:
    """Record the programs, and run their scripts."""
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, text) in enumerate(PROGRAMS.items(), 1):
            program = Path(folder, f"{name}.py")
            program.write_text(DRAWN.format(seed=number) + text)
            print(harness("record", "-o", folder, "--", sys.executable, str(program)))
        found = sorted(map(str, Path(folder).glob("*.trace")))
        names = [word for each in backends.split(",") for word in (each, f"{each}[fresh=1]")]
        options = [word for name in names for word in ("-b", name)]
        limits = ["-t", str(seconds), "-r", str(REPEATS), "--time", "cpu", "-o", str(Path(folder, "run.sqlite"))]
        print(harness("run", *found, *options, *limits))


def overhead() -> None:
    """Print CPU microseconds an ask of a loop round PySAT, and of a session that stores no model."""
    from pysat.solvers import Solver

    from backends.contract.answer import Ask
    from backends.queries import QuerySession
    from encoders.formula import QueryFormula
    from puzzles.objectives import queries
    from puzzles.objectives.asks import QueryAsk

    random, n = Random(1), 200

    def literals(size: int) -> list[int]:
        return [random.choice((1, -1)) * x for x in random.sample(range(1, n + 1), size)]

    def clauses(i: int) -> list[list[int]]:
        return [literals(3) for _ in range(300)] if i == 0 else [literals(4)] * (i % 1000 == 0)

    queries.MAX_CELLS = 2 * n  # so that next to no model is stored
    script = queries.QueryScript.of((QueryAsk(clauses(i), literals(2)) for i in range(ASKS)), n)
    asks = script.asks
    for name in ("cadical195", "cadical153", "minisat22", "glucose4"):
        begin = process_time_ns()
        with Solver(name) as solver:
            for ask in asks:
                for clause in ask.clauses:
                    solver.add_clause(clause)
                solver.solve(ask.assumptions)
        direct = process_time_ns() - begin
        begin = process_time_ns()
        QuerySession(QueryFormula(script), name, False).ask(Ask((), seconds=1e4))
        session = process_time_ns() - begin
        loop, own = direct / ASKS / 1e3, session / ASKS / 1e3
        print(f"{name}: loop {loop:.1f} us of CPU an ask, session {own:.1f}: {own - loop:.1f} more", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("scripts", "overhead"))
    parser.add_argument("-t", "--timeout", type=float, default=60.0)
    parser.add_argument("-b", "--backends", default="queries:*")
    given = parser.parse_args()
    overhead() if given.what == "overhead" else scripts(given.timeout, given.backends)
