"""A program that solves puzzles given as lines of text, in a process for each, or one for all of a batch."""

import numpy as np

from backends.answer import Answer, Answers, Ask, Asks, Reason, Status
from backends.process import DeadlinePassed, ProgramFailed, run
from encoders.formula import Text
from puzzles.columns import unpack
from puzzles.layout import Domains

WORDS = {"unsatisfiable": Status.UNSATISFIABLE, "unknown": Status.UNKNOWN}


class LinesSession:
    """A process a puzzle: its line in, its input closed, one line out."""

    def __init__(self, command: tuple[str, ...], formula: Text) -> None:
        self.command, self.formula = command, formula

    def to_line(self, domains: Domains) -> str:
        """The board as text. Raises ValueError where a square is neither given nor open."""
        symbols, full = self.formula.symbols, (1 << len(self.formula.symbols)) - 1
        if any(mask != full and mask.bit_count() != 1 for mask in domains):
            raise ValueError("a line holds givens and open squares alone, no pencil marks")
        return "".join(self.formula.open if mask == full else symbols[mask.bit_length() - 1] for mask in domains)

    def parse_answer(self, line: str, squares: int) -> Answer:
        """The answer in a line. Raises Failed where it is none; a symbol that is no value becomes a value too high."""
        if line.lower() in WORDS:
            status = WORDS[line.lower()]
            reason = Reason.STUCK if status == Status.UNKNOWN else Reason.NONE
            return Answer(status, complete=status == Status.UNSATISFIABLE, reason=reason)
        if len(line) != squares:
            raise ProgramFailed(
                f"{self.command[0]} answers {line[:40]!r}, which is neither a solution nor a word known here"
            )
        place = {symbol: v for v, symbol in enumerate(self.formula.symbols)}
        return Answer(Status.SATISFIABLE, (tuple(place.get(c, len(place)) for c in line),))

    def run_program(self, text: str, seconds: float | None = None) -> list[str]:
        """What the program says to `text`. Raises Failed, OutOfTime."""
        code, output, error_note = run(self.command, text.encode(), seconds)
        if code:
            raise ProgramFailed(f"{self.command[0]} exits with {code}{error_note}")
        return output.decode(errors="replace").split("\n")[:-1]

    def ask(self, ask: Ask) -> Answer:
        if ask.seconds <= 0:
            return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)
        try:
            said = self.run_program(self.to_line(ask.domains) + "\n", ask.seconds)
        except DeadlinePassed:
            return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)
        if len(said) != 1:
            raise ProgramFailed(f"{self.command[0]} answers one puzzle with {len(said)} lines")
        return self.parse_answer(said[0].strip(), len(ask.domains))

    def close(self) -> None:
        """No process outlives an ask."""


class BatchLinesSession(LinesSession):
    """A process for all puzzles of a batch; what it costs each is not known."""

    def answer_all(self, lines: list[str]) -> list[Answer]:
        """An answer a line. A process that fails is halved, down to the puzzle that it fails on."""
        try:
            said = self.run_program("".join(f"{line}\n" for line in lines))
            if len(said) == len(lines):
                return [self.parse_answer(answer.strip(), len(line)) for answer, line in zip(said, lines, strict=True)]
        except ProgramFailed:
            pass
        if len(lines) == 1:
            return [Answer(Status.UNKNOWN, reason=Reason.ERROR)]
        half = len(lines) // 2
        return self.answer_all(lines[:half]) + self.answer_all(lines[half:])

    def ask_many(self, asks: Asks) -> Answers:
        """The deadline of a batch is kept from outside: only there is it known how to go on after a kill."""
        answers = self.answer_all([self.to_line(domains) for domains in unpack(asks.domains)])
        shown = [solution for answer in answers for solution in answer.solutions]
        return Answers(
            status=np.array([a.status for a in answers], np.int8),
            complete=np.array([a.complete for a in answers], np.bool_),
            reason=np.array([a.reason for a in answers], np.int8),
            found=np.array([len(a.solutions) for a in answers], np.int32),
            solutions=np.array(shown, np.uint16).reshape(len(shown), asks.domains.shape[1]),
        )
