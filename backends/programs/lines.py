"""Sessions of programs that read puzzles as lines of text: one process per puzzle, or one per batch.

    unsatisfiable | unknown | SOLUTION                    answers
    SOLUTION [SOLUTION ...] [unknown]                     answers of a program whose command has {count}

Fewer solutions than {count} mean that there are no others, unless the word `unknown` follows them.
"""

import numpy as np

from backends.contract.answer import Answer, Answers, Ask, Asks, Reason, Status
from backends.programs.endings import error_of, exited
from backends.programs.process import DeadlinePassed, ProgramFailed, run
from encoders.formula import Text
from puzzles.problem.columns import unpack
from puzzles.problem.values import Domains

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
        self.counts = any("{count}" in word for word in command)
        self.holder_note = ""  # who held the outputs of the last program open

    def parse_answer(self, line: str, squares: int, count: int) -> Answer:
        """Parse an output line; an unknown symbol becomes an invalid value. Raises ProgramFailed."""
        words = line.split() or [line]
        if len(words) == 1 and line.lower() in WORDS:
            status = WORDS[line.lower()]
            reason = Reason.STUCK if status == Status.UNKNOWN else Reason.NONE
            return Answer(status, complete=status == Status.UNSATISFIABLE, reason=reason)
        gave_up = self.counts and len(words) > 1 and words[-1].lower() == "unknown"
        shown = words[:-1] if gave_up else words
        if {len(word) for word in shown} != {squares} or len(shown) > (count if self.counts else 1):
            raise ProgramFailed(f"{self.command[0]} answered {line[:40]!r}: {self.expected(words[0], count)}")
        index = {symbol: v for v, symbol in enumerate(self.formula.symbols)}
        solutions = tuple(tuple(index.get(c, len(index)) for c in word) for word in shown)
        complete = self.counts and not gave_up and len(solutions) < count
        return Answer(Status.SATISFIABLE, solutions, complete, Reason.STUCK if gave_up else Reason.NONE)

    def expected(self, word: str, count: int) -> str:
        """Return advice on an answer that begins with `word`."""
        if word.lower() == "unsupported":
            return "end its command with the layouts that it takes, such as {layouts: sudoku 3x3}"
        solutions = f"1 to {count} solutions" if self.counts and count > 1 else "a solution"
        return f"expected {solutions}, 'unsatisfiable' or 'unknown'"

    def run_program(self, text: str, count: int, seconds: float | None = None) -> list[str]:
        """Return the output lines of the program for `text`. Raises ProgramFailed, DeadlinePassed."""
        command = [word.replace("{count}", str(count)) for word in self.command]
        result = run(command, text.encode(), seconds, len(text) * max(1, count))
        self.holder_note = result.holder_note
        if result.code:
            raise result.failure(exited(self.command[0], result.code))
        lines = result.output.decode(errors="replace").split("\n")[:-1]
        if error_of(result) and all(WORDS.get(line.strip().lower()) == Status.UNKNOWN for line in lines):
            raise result.failure(f"{self.command[0]} gave up")
        return lines

    def ask(self, ask: Ask) -> Answer:
        if ask.seconds <= 0:
            return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)
        try:
            output = self.run_program(to_line(self.formula, ask.domains) + "\n", ask.count, ask.seconds)
        except DeadlinePassed:
            return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)
        if len(output) != 1:
            raise ProgramFailed(f"{self.command[0]} answered one puzzle with {len(output)} lines: expected one")
        return self.parse_answer(output[0].strip(), len(ask.domains), ask.count).noted(self.holder_note)

    def close(self) -> None:
        """Do nothing: no process outlives an ask."""


class BatchLinesSession(LinesSession):
    """One process per batch; the time of a single puzzle is unknown."""

    def answer_all(self, lines: list[str], count: int) -> list[Answer]:
        """Return one answer per line. A failing batch is bisected down to the puzzles that cause it."""
        try:
            output = self.run_program("".join(f"{line}\n" for line in lines), count)
            if len(output) == len(lines):
                pairs = zip(output, lines, strict=True)
                answers = [self.parse_answer(answer.strip(), len(line), count) for answer, line in pairs]
                return [answers[0].noted(self.holder_note), *answers[1:]]
            reason, why = Reason.ERROR, f"{self.command[0]} answered {len(lines)} puzzles with {len(output)} lines"
        except ProgramFailed as e:
            reason, why = Reason.MEMORY if isinstance(e, MemoryError) else Reason.ERROR, str(e)
        if len(lines) == 1:
            return [Answer(Status.UNKNOWN, reason=reason, note=why)]
        half = len(lines) // 2
        return self.answer_all(lines[:half], count) + self.answer_all(lines[half:], count)

    def ask_many(self, asks: Asks) -> Answers:
        """Solve a batch. The harness enforces its deadline, since it can kill the worker and continue."""
        answers = self.answer_all([to_line(self.formula, domains) for domains in unpack(asks.domains)], asks.count)
        shown = [solution for answer in answers for solution in answer.solutions]
        return Answers(
            status=np.array([a.status for a in answers], np.int8),
            complete=np.array([a.complete for a in answers], np.bool_),
            reason=np.array([a.reason for a in answers], np.int8),
            found=np.array([len(a.solutions) for a in answers], np.int32),
            solutions=np.array(shown, np.uint16).reshape(len(shown), asks.domains.shape[1]),
            notes={i: a.note for i, a in enumerate(answers) if a.note},
        )
