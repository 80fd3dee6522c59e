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
from backends.process import DeadlinePassed, ProgramFailed, run
from encoders.dimacs import body, dimacs
from encoders.formula import Cnf
from puzzles.layout import Domains

SATISFIABLE, UNSATISFIABLE = 10, 20  # as exit codes
UNDECIDED = 0
STATUSES = {
    **dict.fromkeys(("SATISFIABLE", "SAT"), SATISFIABLE),
    **dict.fromkeys(("UNSATISFIABLE", "UNSAT"), UNSATISFIABLE),
    **dict.fromkeys(("UNKNOWN", "INDETERMINATE", "INDET"), UNDECIDED),
}


def parse(output: bytes) -> tuple[int | None, list[int]]:
    """Return the status, None if there is none, and the model, from 's' and 'v' lines or from minisat's two lines.

    Raises ProgramFailed if the output contradicts the protocol.
    """
    stated, model = list[int](), list[int]()
    for line in output.decode(errors="replace").splitlines():
        word, _, rest = line.partition(" ")
        if word == "s":
            stated.append(STATUSES.get(rest.strip(), UNDECIDED))
        elif line.strip() in STATUSES:
            stated.append(STATUSES[line.strip()])
        elif word == "v":
            model += literals(rest)
        elif SATISFIABLE in stated and word.lstrip("-").isdecimal():
            model += literals(line)
    if len(set(stated)) > 1:
        raise ProgramFailed("the output states two different results")
    return stated[0] if stated else None, model


def literals(text: str) -> list[int]:
    """Return the literals of a line of a model. Raises ProgramFailed."""
    try:
        return [int(word) for word in text.split()]
    except ValueError:
        raise ProgramFailed(f"a 'v' line holds {text[:40]!r}, which are no literals") from None


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
            return Answer(Status.UNKNOWN, reason=Reason.STUCK, phases=found.phases, note=models.note)
        proof = self.proof.read_bytes() if proving and found.complete and self.proof.exists() else None
        return found.answer({}, proof)

    def close(self) -> None:
        self.folder.cleanup()


class DimacsModels:
    """The models of one ask, one process each."""

    def __init__(self, session: DimacsSession, argv: list[str], deadline: int, domains: Domains) -> None:
        self.session, self.argv, self.deadline = session, argv, deadline
        self.clauses = [[x] for x in session.literals.true(domains)]
        self.gave_up, self.note = False, ""
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
        if status is None and result.code not in (0, SATISFIABLE, UNSATISFIABLE):
            raise result.failure(f"{self.argv[0]} exited with code {result.code} and printed no answer")
        if status == SATISFIABLE and not any(self.literals) and self.session.formula.variables:
            raise ProgramFailed(f"{self.argv[0]} printed 's SATISFIABLE' but no literals in 'v' lines")
        self.gave_up = not status
        self.note = "no 's' line in the output" if status is None else ""
        return {SATISFIABLE: True, UNSATISFIABLE: False}.get(status or UNDECIDED)

    def model(self) -> list[int]:
        return self.literals

    def forbid(self, clause: list[int]) -> None:
        self.clauses.append(clause)
        self.write_formula()
