"""A program that speaks the SAT competitions' protocol: a file with the formula in, 's' and 'v' lines out.

The formula's clauses are written as text once; a puzzle puts its own before them. A further solution is asked for in a
new process, with a clause that forbids the last one.
"""

import tempfile
from pathlib import Path
from time import perf_counter_ns as now

from backends.answer import Answer, Ask, Phases, Reason, Status
from backends.process import Failed, OutOfTime, run
from backends.squares import Squares, answer
from encoders.dimacs import body, dimacs
from encoders.formula import Cnf
from puzzles.layout import Solution

SATISFIABLE, UNSATISFIABLE = 10, 20  # as exit codes
NAMES = {"SATISFIABLE": SATISFIABLE, "SAT": SATISFIABLE, "UNSATISFIABLE": UNSATISFIABLE, "UNSAT": UNSATISFIABLE}


def parse(output: bytes) -> tuple[int, list[int]]:
    """The status, 0 if none is given, and the model: from 's' and 'v' lines, or from minisat's two lines."""
    status, model = 0, list[int]()
    for line in output.decode(errors="replace").splitlines():
        word, _, rest = line.partition(" ")
        if word == "s":
            status = NAMES.get(rest.strip(), 0)
        elif word == "v":
            model += map(int, rest.split())
        elif line.strip() in NAMES:
            status = NAMES[line.strip()]
        elif status == SATISFIABLE and word.lstrip("-").isdecimal():
            model += map(int, line.split())
    return status, model


class DimacsSession:
    """One formula, a process for each solution of each ask."""

    def __init__(self, command: tuple[str, ...], formula: Cnf) -> None:
        self.formula, self.shared = formula, body(formula)
        self.squares = Squares(formula.literal)
        self.folder = tempfile.TemporaryDirectory(prefix="crosscheck-")
        self.cnf, self.proof, self.out = (Path(self.folder.name, name) for name in ("cnf", "proof", "out"))
        self.command = command if "{cnf}" in command else (*command, "{cnf}")

    def argv(self, proving: bool) -> list[str]:
        files = {"{cnf}": str(self.cnf), "{proof}": str(self.proof), "{out}": str(self.out)}
        return [files.get(word, word) for word in self.command if proving or word != "{proof}"]

    def solve(self, argv: list[str], seconds: float) -> tuple[int, list[int]]:
        """Run the program. Raises Failed, OutOfTime."""
        if seconds <= 0:
            raise OutOfTime
        code, output, words = run(argv, seconds=seconds)
        if "{out}" in self.command and self.out.exists():
            output = self.out.read_bytes()
            self.out.unlink()
        status, model = parse(output)
        if not status and code not in (0, SATISFIABLE, UNSATISFIABLE):
            raise Failed(f"{argv[0]} exits with {code} and no answer{words}")
        return status, model

    def ask(self, ask: Ask) -> Answer:
        proving = ask.proof and "{proof}" in self.command
        argv = self.argv(proving)
        begin = now()
        deadline = begin + int(ask.seconds * 1e9)
        clauses = [[x] for x in self.squares.true(ask.domains)]
        load = solve = decode = 0
        solutions: list[Solution] = []
        while True:
            self.cnf.write_bytes(dimacs(self.formula, self.shared, clauses))
            loaded = now()
            load += loaded - begin
            try:
                status, model = self.solve(argv, (deadline - loaded) / 1e9)
            except OutOfTime:
                return answer(solutions, None, {}, Phases(0, load, solve + now() - loaded, decode))
            begin = now()
            solve += begin - loaded
            if status != SATISFIABLE:
                break
            solutions.append(self.squares.decode(model, ask.domains))
            forbidden = self.squares.forbid(solutions[-1])
            clauses.append(forbidden)
            decode += now() - begin
            begin = now()
            if len(solutions) == ask.count or not forbidden:
                break
        phases = Phases(0, load, solve, decode)
        if not status:
            return Answer(Status.UNKNOWN, reason=Reason.STUCK, phases=phases)
        last = status == SATISFIABLE and bool(clauses[-1])  # a board without squares has one solution
        proof = self.proof.read_bytes() if proving and status == UNSATISFIABLE and self.proof.exists() else None
        return answer(solutions, last, {}, phases, proof)

    def close(self) -> None:
        self.folder.cleanup()
