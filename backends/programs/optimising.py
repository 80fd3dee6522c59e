"""Session of a program that optimises: one process for each ask, of which the best solution counts.

What a program prints is a claim: its `o` lines are reported as they arrive, without a solution, and the last solution
that it shows is the answer, with the value that it states. A result counts if it was printed before the deadline, a
solution if it was printed before the end of the grace. A solution that is half printed then is lost, and the solution
before it is the answer.

    s OPTIMUM FOUND     v ...     the best solution             killed or terminated     v ...    reason TIMEOUT
    s UNSATISFIABLE               there is none                 ended without proof      v ...    reason STUCK
"""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter_ns as now
from typing import NamedTuple, Protocol

from backends.contract.answer import Answer, Ask, Phases, Reason, Status
from backends.programs.anytime import AnytimeOutput, PrintedSolution
from backends.programs.endings import SATISFIABLE, UNSATISFIABLE, error_of, exited, in_order, other_code
from backends.programs.models import LACKING
from backends.programs.process import ProgramFailed, ProgramResult, check_size, died, run_with_grace
from backends.programs.program_session import (
    NO_MODEL,
    UNDECIDED_WORDS,
    Notation,
    ProgramSession,
    check_supported,
    nothing_said,
    printed,
    stated_status,
    unchanged,
    unusual_status,
)
from puzzles.problem.values import Domains, Solution

OPTIMUM = "OPTIMUM FOUND"
CONTRADICTION = "the output shows a solution and states that there is none"
HALF = "the program was ended while it printed a solution"


class Shown(NamedTuple):
    """A printed solution: model, stated value, and True if every variable is named."""

    model: list[int]
    value: int | None = None
    whole: bool = True


class ObjectiveNotation(Notation, Protocol):
    """A formula with an objective in the format of a program.

    turned  converts a value as a program states it into one to be minimised
    shown   parses the text of the 'v' lines of a solution. Raises ProgramFailed
    unshown message for a result without the solution that it states
    """

    unshown: str

    def turned(self, value: int, original: bool) -> int: ...

    def shown(self, text: str, domains: Domains, original: bool) -> Shown: ...


def decided(
    notation: ObjectiveNotation, output: bytes, domains: Domains, original: bool, needed: int
) -> tuple[int | None, list[int]]:
    """Return status and model of a program that decides; a model is `needed` if that is not 0. Raises ProgramFailed."""
    texts, parts = printed(output)
    status = stated_status(texts)
    if status != SATISFIABLE:
        return status, []
    shown = notation.shown(" ".join(parts), domains, original)
    if not shown.model and needed:
        raise ProgramFailed(NO_MODEL)
    notation.remark = "" if shown.whole else LACKING
    return status, shown.model


UNSHOWN = "the output has 's {}' but no 'v' lines"


class StatedSolution(NamedTuple):
    """A solution, and the value that the program states for it."""

    solution: Solution
    value: int | None


class BestSession(ProgramSession):
    """One formula with an objective, one process for each ask."""

    notation: ObjectiveNotation
    output_type = AnytimeOutput

    def ask(self, ask: Ask) -> Answer:
        """Run the program. Raises ProgramFailed, after a whole solution of a program that has crashed is reported."""
        begin, notation = now() - ask.pauses.total, self.notation
        file, original = self.file_of(ask)
        output = self.output_type(
            notation.answer_bytes(ask.domains, original),
            lambda value: notation.turned(value, original),
            lambda value: ask.improved(value, None),
        )
        loaded = now() - ask.pauses.total
        seconds = ask.seconds - (loaded - begin) / 1e9
        if seconds <= 0:
            return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)
        proving = ask.proof and self.takes_proof
        argv = self.argv(proving, file, seconds)
        with unchanged(file, original):
            result = run_with_grace(argv, seconds, ask.grace, output)
        solved = now() - ask.pauses.total
        with ask.pauses.pause("interpret"):
            self.take_file(output)
            answer = Ending(self, argv[0], output, result, original).answer(ask).noted(result.holder_note)
            if proving and answer.complete:
                answer = replace(answer, proof=self.take_proof())
        decoded = now() - ask.pauses.total
        return replace(answer, phases=Phases(0, loaded - begin, solved - loaded, decoded - solved))

    def take_file(self, output: AnytimeOutput) -> None:
        """Add what the program has written to its {out}, if its command has one."""
        if "{out}" in self.command and self.out.exists():
            check_size(self.out.stat().st_size, output.answer_bytes)
            output.add(self.out.read_bytes())
            self.out.unlink()


def without_doubt(results: Sequence[str]) -> list[str]:
    """Return results without UNKNOWN beside SATISFIABLE: it is not known if the solution is the best."""
    return [text for text in results if text not in UNDECIDED_WORDS or "SATISFIABLE" not in results]


def opened(
    command: tuple[str, ...], notation: ObjectiveNotation, optimises: bool, plain: bool = False
) -> ProgramSession:
    """Return the session of a program on a formula, for its best solution or for all solutions."""
    return (BestSession if optimises else ProgramSession)(command, notation, plain)


class Ending:
    """An ended program and its output. Raises ProgramFailed, Unsupported."""

    def __init__(
        self, session: BestSession, program: str, output: AnytimeOutput, result: ProgramResult, original: bool
    ) -> None:
        self.session, self.program, self.output, self.result = session, program, output, result
        self.original = original  # the program has read the original file
        self.by_itself, unfinished = result.code >= 0, output.in_solution
        if self.by_itself and (unfinished or not output.late):
            output.end()
        self.in_order = in_order(result.code) or (output.late and self.by_itself and bool(output.results))
        self.cut = unfinished or not self.in_order  # the last solution may be half printed
        self.unread = HALF if unfinished and output.late else ""  # a note on the last solution if it is not the answer
        self.lacking = False  # True if the answer does not name every variable

    def answer(self, ask: Ask) -> Answer:
        """Return the answer without its phases."""
        output = self.output
        check_supported(output.results, self.result)
        if failure := self.failure():
            found = self.last_whole(ask)
            if found and found.value is not None:
                ask.improved(found.value, found.solution)
            raise failure
        status = stated_status(without_doubt(output.results))
        if status == UNSATISFIABLE:
            if output.solutions:
                raise ProgramFailed(CONTRADICTION)
            return Answer(Status.UNSATISFIABLE, complete=True, note=other_code(self.result.code, status))
        found = self.last_whole(ask) if output.late else self.last(ask, status)
        if found is None:
            return self.without_solution()
        proved = OPTIMUM in output.results
        unproved = Reason.TIMEOUT if output.late else Reason.STUCK
        reason = Reason.NONE if proved else unproved
        code = "" if output.late else other_code(self.result.code, SATISFIABLE)
        note = "; ".join(filter(None, [code, LACKING if self.lacking else ""]))
        return Answer(Status.SATISFIABLE, (found.solution,), proved, reason, value=found.value, note=note)

    def failure(self) -> ProgramFailed | None:
        """Return the exception for a program that has crashed before the deadline."""
        if self.output.late or self.in_order:
            return None
        code = self.result.code
        return self.result.failure(died(self.program, code) if code < 0 else exited(self.program, code))

    def last(self, ask: Ask, status: int | None) -> StatedSolution | None:
        """Return the last solution of a program that has ended in order, with the last value."""
        output = self.output
        if output.solutions:
            return self.read(ask, output.solutions[-1], output.value)
        if status != SATISFIABLE:
            return None
        if ask.domains:
            raise ProgramFailed(self.session.notation.unshown.format(output.results[-1]))
        return StatedSolution((), output.value)

    def last_whole(self, ask: Ask) -> StatedSolution | None:
        """Return the last solution that is not half printed, of a program that was ended, or has crashed."""
        for i, shown in enumerate(reversed(self.output.solutions)):
            value = self.output.value if self.by_itself and not i else shown.value
            try:
                return self.read(ask, shown, value, whole=self.cut and i == 0)
            except ProgramFailed as e:
                self.unread = self.unread or (HALF if str(e) == HALF else f"{HALF} ({e})")
        return None

    def read(self, ask: Ask, printed: PrintedSolution, value: int | None, whole: bool = False) -> StatedSolution:
        """Return a solution with the value stated beside it, or else with `value`."""
        notation = self.session.notation
        shown = notation.shown(printed.text, ask.domains, self.original)
        if whole and not shown.whole:
            raise ProgramFailed(HALF)
        solution = notation.decoder(ask.domains).decode(shown.model, ask.domains)
        self.lacking = not shown.whole
        return StatedSolution(solution, value if shown.value is None else shown.value)

    def without_solution(self) -> Answer:
        """Return the answer of a program that has shown no whole solution. Raises ProgramFailed."""
        if self.output.late:
            return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT, note=self.unread)
        if error_of(self.result):
            raise self.result.failure(f"{self.program} gave up")
        results = self.output.results
        said = unusual_status(results) if results else nothing_said(self.session.notation, self.result)
        note = "; ".join(filter(None, [said, other_code(self.result.code, None)]))
        return Answer(Status.UNKNOWN, reason=Reason.STUCK, note=note)
