"""Sessions of programs that read puzzles as lines of text: one process per puzzle, or one per batch."""

import numpy as np

from backends.answer import Answer, Answers, Ask, Asks, Reason, Status
from backends.process import DeadlinePassed, ProgramFailed, run
from encoders.formula import Text
from puzzles.columns import unpack
from puzzles.layout import Domains

WORDS = {"unsatisfiable": Status.UNSATISFIABLE, "unknown": Status.UNKNOWN}


def to_line(formula: Text, domains: Domains) -> str:
    """Return the board as a line. Raises ValueError if a square is neither given nor open."""
    symbols, full = formula.symbols, (1 << len(formula.symbols)) - 1
    if any(mask != full and mask.bit_count() != 1 for mask in domains):
        raise ValueError("a line can only hold givens and open squares, not pencil marks")
    return "".join(formula.open if mask == full else symbols[mask.bit_length() - 1] for mask in domains)


class LinesSession:
    """One process per puzzle: a line in, then end of input, one line out."""

    def __init__(self, command: tuple[str, ...], formula: Text) -> None:
        self.command, self.formula = command, formula

    def parse_answer(self, line: str, squares: int) -> Answer:
        """Parse an output line; an unknown symbol becomes an invalid value. Raises ProgramFailed."""
        if line.lower() in WORDS:
            status = WORDS[line.lower()]
            reason = Reason.STUCK if status == Status.UNKNOWN else Reason.NONE
            return Answer(status, complete=status == Status.UNSATISFIABLE, reason=reason)
        if len(line) != squares:
            raise ProgramFailed(
                f"{self.command[0]} answered {line[:40]!r}: expected a solution, 'unsatisfiable' or 'unknown'"
            )
        place = {symbol: v for v, symbol in enumerate(self.formula.symbols)}
        return Answer(Status.SATISFIABLE, (tuple(place.get(c, len(place)) for c in line),))

    def run_program(self, text: str, seconds: float | None = None) -> list[str]:
        """Return the output lines of the program for `text`. Raises ProgramFailed, DeadlinePassed."""
        code, output, error_note = run(self.command, text.encode(), seconds)
        if code:
            raise ProgramFailed(f"{self.command[0]} exited with code {code}{error_note}")
        return output.decode(errors="replace").split("\n")[:-1]

    def ask(self, ask: Ask) -> Answer:
        if ask.seconds <= 0:
            return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)
        try:
            output = self.run_program(to_line(self.formula, ask.domains) + "\n", ask.seconds)
        except DeadlinePassed:
            return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)
        if len(output) != 1:
            raise ProgramFailed(f"{self.command[0]} answered one puzzle with {len(output)} lines: expected one")
        return self.parse_answer(output[0].strip(), len(ask.domains))

    def close(self) -> None:
        """Do nothing: no process outlives an ask."""


class BatchLinesSession(LinesSession):
    """One process per batch; the time of a single puzzle is unknown."""

    def answer_all(self, lines: list[str]) -> list[Answer]:
        """Return one answer per line. A failing batch is bisected down to the puzzles that cause it."""
        try:
            output = self.run_program("".join(f"{line}\n" for line in lines))
            if len(output) == len(lines):
                return [self.parse_answer(o.strip(), len(line)) for o, line in zip(output, lines, strict=True)]
        except ProgramFailed:
            pass
        if len(lines) == 1:
            return [Answer(Status.UNKNOWN, reason=Reason.ERROR)]
        half = len(lines) // 2
        return self.answer_all(lines[:half]) + self.answer_all(lines[half:])

    def ask_many(self, asks: Asks) -> Answers:
        """Solve a batch. The harness enforces its deadline, since it can continue after killing the worker."""
        answers = self.answer_all([to_line(self.formula, domains) for domains in unpack(asks.domains)])
        shown = [solution for answer in answers for solution in answer.solutions]
        return Answers(
            status=np.array([a.status for a in answers], np.int8),
            complete=np.array([a.complete for a in answers], np.bool_),
            reason=np.array([a.reason for a in answers], np.int8),
            found=np.array([len(a.solutions) for a in answers], np.int32),
            solutions=np.array(shown, np.uint16).reshape(len(shown), asks.domains.shape[1]),
        )
