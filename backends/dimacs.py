"""Session of a program in the SAT competitions' format: a DIMACS file in, 's' and 'v' lines out.

The formula's clauses are formatted once; each puzzle prepends its own. Each further solution takes a new process, with
a clause that forbids the last one.
"""

import tempfile
from pathlib import Path
from time import perf_counter_ns as now

from backends.answer import Answer, Ask, Reason, Status
from backends.enumeration import enumerate_solutions
from backends.literal_map import LiteralMap
from backends.process import DeadlinePassed, run
from encoders.dimacs import body, dimacs
from encoders.formula import Cnf
from puzzles.layout import Domains

SATISFIABLE, UNSATISFIABLE = 10, 20  # as exit codes
STATUSES = {"SATISFIABLE": SATISFIABLE, "SAT": SATISFIABLE, "UNSATISFIABLE": UNSATISFIABLE, "UNSAT": UNSATISFIABLE}


def parse(output: bytes) -> tuple[int, list[int]]:
    """Return the status, 0 if missing, and the model, from 's' and 'v' lines or from minisat's two lines."""
    status, model = 0, list[int]()
    for line in output.decode(errors="replace").splitlines():
        word, _, rest = line.partition(" ")
        if word == "s":
            status = STATUSES.get(rest.strip(), 0)
        elif word == "v":
            model += map(int, rest.split())
        elif line.strip() in STATUSES:
            status = STATUSES[line.strip()]
        elif status == SATISFIABLE and word.lstrip("-").isdecimal():
            model += map(int, line.split())
    return status, model


class DimacsSession:
    """One formula, one process per solution."""

    def __init__(self, command: tuple[str, ...], formula: Cnf) -> None:
        self.formula, self.shared = formula, body(formula)
        self.literals = LiteralMap(formula.literal)
        self.folder = tempfile.TemporaryDirectory(prefix="crosscheck-")
        self.cnf, self.proof, self.out = (Path(self.folder.name, name) for name in ("cnf", "proof", "out"))
        self.command = command if "{cnf}" in command else (*command, "{cnf}")

    def argv(self, proving: bool) -> list[str]:
        files = {"{cnf}": str(self.cnf), "{proof}": str(self.proof), "{out}": str(self.out)}
        return [files.get(word, word) for word in self.command if proving or word != "{proof}"]

    def ask(self, ask: Ask) -> Answer:
        proving = ask.proof and "{proof}" in self.command
        begin = now()
        models = DimacsModels(self, self.argv(proving), begin + int(ask.seconds * 1e9), ask.domains)
        found = enumerate_solutions(models, self.literals, ask, now() - begin)
        if models.gave_up:
            return Answer(Status.UNKNOWN, reason=Reason.STUCK, phases=found.phases)
        proof = self.proof.read_bytes() if proving and found.complete and self.proof.exists() else None
        return found.answer({}, proof)

    def close(self) -> None:
        self.folder.cleanup()


class DimacsModels:
    """The models of one ask, one process each."""

    def __init__(self, session: DimacsSession, argv: list[str], deadline: int, domains: Domains) -> None:
        self.session, self.argv, self.deadline = session, argv, deadline
        self.clauses = [[x] for x in session.literals.true(domains)]
        self.gave_up = False
        self.literals: list[int] = []
        self.write_formula()

    def write_formula(self) -> None:
        """Write the program's input file."""
        self.session.cnf.write_bytes(dimacs(self.session.formula, self.session.shared, self.clauses))

    def solve(self) -> bool | None:
        """Run the program; None if it ran out of time or gave up. Raises ProgramFailed."""
        seconds = (self.deadline - now()) / 1e9
        if seconds <= 0:
            return None
        try:
            result = run(self.argv, seconds=seconds)
        except DeadlinePassed:
            return None
        output, out = result.output, self.session.out
        if "{out}" in self.session.command and out.exists():
            output = out.read_bytes()
            out.unlink()
        status, self.literals = parse(output)
        if not status and result.code not in (0, SATISFIABLE, UNSATISFIABLE):
            raise result.failure(f"{self.argv[0]} exited with code {result.code} and printed no answer")
        self.gave_up = not status
        return {SATISFIABLE: True, UNSATISFIABLE: False}.get(status)

    def model(self) -> list[int]:
        return self.literals

    def forbid(self, clause: list[int]) -> None:
        self.clauses.append(clause)
        self.write_formula()
