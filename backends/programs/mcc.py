"""Counters as programs, by the protocol of the Model Counting Competition: a CNF file in, the number behind `c s` out.

    s SATISFIABLE                   or UNSATISFIABLE, UNKNOWN
    c s exact arb int 42            an integer, exact              c s exact arb frac 3/10    a fraction, exact
    c s exact double prec-sci 3e20  a rounded number: an estimate, but for integers below 2^53 of a double
    c s approx arb int 42           an estimate
    c s log10-estimate 1.62         an estimate, if nothing else states the number, and has to fit what does
    c s pac guarantees epsilon: 0.8 delta: 0.2       the claim of an estimate
    s mc 42                         an integer, exact (2020; pmc and wmc likewise)

All of it is read, comments too. A number that is exact except with probability delta (epsilon 0) counts as exact: if it
is wrong, it is wrong. A program whose command has {seed} takes the option `seed`.
"""

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import log10
from time import perf_counter_ns as now

from backends.contract.answer import Answer, Ask, Phases, Reason, Status
from backends.counters import MOST_DIGITS, answer
from backends.counters.counted import Estimate
from backends.counters.wheels import DOUBLE_ERROR, EXACT_DOUBLE
from backends.programs.dimacs import DimacsNotation
from backends.programs.endings import SATISFIABLE, UNDECIDED, UNSATISFIABLE, error_of, exited, in_order, other_code
from backends.programs.process import DeadlinePassed, ProgramFailed, run
from backends.programs.program_session import (
    COLOURS,
    ProgramSession,
    check_supported,
    nothing_said,
    printed,
    stated_status,
    unusual_status,
)
from encoders.counting import counted_text
from encoders.formula import CountedCnf
from puzzles.constraints.clauses import split_clauses
from puzzles.problem.values import Domains

DIGITS = f"[0-9]{{1,{MOST_DIGITS}}}"
NUMBER = rf"[+-]?{DIGITS}(?:\.(?:{DIGITS})?)?(?:[eE][+-]?[0-9]{{1,4}})?"
STATED = re.compile(rf"c s (exact|approx) (\S+) (\S+) ({NUMBER})(?:/({DIGITS}))?\s*")
LOGARITHM = re.compile(rf"c s (neg)?log10-estimate ({NUMBER}|-inf|inf)\s*")
PAC = re.compile(rf"c s pac guarantees epsilon: ({NUMBER}) delta: ({NUMBER})\s*")
OLDER = re.compile(rf"s (?:p?w?mc) ({NUMBER})\s*")
WORDS = re.compile(r"s ([A-Z ]+?)\s*")
FAR = 0.1  # difference of logarithms beyond which two statements of one program are two results
ANSWER_BYTES = 4 * MOST_DIGITS


class PrintedCount:
    """Number in the output of a program; `read` takes a line. Raises ProgramFailed."""

    def __init__(self) -> None:
        self.statuses = list[str]()
        self.numbers = list[Fraction]()
        self.rounded = self.approximate = False
        self.logarithm: float | None = None
        self.epsilon: float | None = None
        self.delta = 0.0

    def read(self, line: str) -> None:
        """Take a line."""
        if found := WORDS.fullmatch(line):
            self.statuses.append(found[1])
        elif found := OLDER.fullmatch(line):
            self.numbers.append(Fraction(found[1]))
        elif found := PAC.fullmatch(line):
            self.epsilon, self.delta = float(found[1]), float(found[2])
        elif found := LOGARITHM.fullmatch(line):
            self.logarithm = float(found[2])
        elif found := STATED.fullmatch(line):
            if found[5] is not None and not int(found[5]):
                raise ProgramFailed(f"the output has a fraction without a denominator: {line[:60]!r}")
            self.numbers.append(Fraction(Decimal(found[4])) / int(found[5] or 1))
            self.approximate |= found[1] == "approx"
            self.rounded |= found[3] not in ("int", "frac")
        elif line.startswith(("c s exact", "c s approx")):
            raise ProgramFailed(f"the output has a number that is not read: {line[:60]!r}")

    def result(self) -> Fraction | Estimate | None:
        """Return the number, None without one."""
        if len(set(self.numbers)) > 1:
            raise ProgramFailed("the output states two different numbers")
        if not self.numbers:
            known = self.logarithm is not None and abs(self.logarithm) < MOST_DIGITS
            return Estimate(Fraction(Decimal(10) ** Decimal(self.logarithm or 0.0))) if known else None
        number = self.numbers[0]
        if number and self.logarithm is not None and abs(logarithm(number) - self.logarithm) > FAR:
            raise ProgramFailed(f"the output states a number and log10-estimate {self.logarithm:g}, which is another")
        if self.approximate or self.epsilon:
            return Estimate(number, self.epsilon or None, self.delta)
        if self.rounded and not (number.denominator == 1 and abs(number) < EXACT_DOUBLE):
            return Estimate(number, DOUBLE_ERROR if number > 0 else None)
        return number

    def status(self) -> int | None:
        """Return the stated result, None without one."""
        return stated_status(self.statuses)


def logarithm(number: Fraction) -> float:
    """Return the decimal logarithm of the size of a number that is not 0."""
    return log10(abs(number.numerator)) - log10(number.denominator)


def printed_count(output: bytes) -> PrintedCount:
    """Read the output of a program. Raises ProgramFailed."""
    found = PrintedCount()
    for line in COLOURS.sub(b"", output).decode(errors="replace").splitlines():
        found.read(line.strip())
    return found


class McNotation(DimacsNotation):
    """Clauses, projection and weights as a file of the competition."""

    def __init__(self, formula: CountedCnf) -> None:
        super().__init__(formula.cnf)
        self.counted = formula

    def text(self, domains: Domains, forbidden: object = ()) -> bytes:
        own = [[p] for p in self.literals.true(domains)]
        clauses = [*own, *split_clauses(self.formula.clauses)]
        of = self.counted
        return counted_text(of.cnf.variables, clauses, of.shown, of.weights).encode()


class ProgramCounting(ProgramSession):
    """One formula, counted by a process for each ask."""

    notation: McNotation

    def ask(self, ask: Ask) -> Answer:
        """Run the program. Raises ProgramFailed."""
        if not all(ask.domains):
            return Answer(Status.UNSATISFIABLE, complete=True)
        begin, proving = now() - ask.pauses.total, ask.proof and self.takes_proof
        file, _ = self.file_of(ask)
        loaded = now() - ask.pauses.total
        seconds = ask.seconds - (loaded - begin) / 1e9
        if seconds <= 0:
            return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)
        argv = self.argv(proving, file, seconds)
        try:
            result = run(argv, seconds=seconds, answer_bytes=ANSWER_BYTES)
        except DeadlinePassed:
            return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)
        phases = Phases(load=loaded - begin, solve=now() - ask.pauses.total - loaded)
        if not in_order(result.code):
            check_supported(printed(result.output)[0], result)
            raise result.failure(exited(argv[0], result.code))
        with ask.pauses.pause("interpret"):
            count = printed_count(result.output)
            status, found = count.status(), count.result()
        if found is None and status == UNSATISFIABLE:
            found = Fraction(0)
        if found is None or status == UNDECIDED:
            check_supported(count.statuses, result)
            if error_of(result):
                raise result.failure(f"{argv[0]} gave up")
            said = nothing_said(self.notation, result) if status is None else unusual_status(count.statuses)
            said = "the output states no number" if status == SATISFIABLE else said
            return Answer(Status.UNKNOWN, reason=Reason.STUCK, note=said, phases=phases)
        check_status(status, found, bool(self.notation.counted.goal.weights))
        counted = answer(self.notation.counted, found, phases)
        proof = self.take_proof() if proving and counted.complete else None
        return replace(counted, proof=proof).noted(other_code(result.code, status), result.holder_note)


def check_status(status: int | None, found: Fraction | Estimate, weighted: bool) -> None:
    """Raise ProgramFailed if a status contradicts a number: without weights it is 0 if there is no model alone."""
    number = found.number if isinstance(found, Estimate) else found
    if (status == UNSATISFIABLE and number) or (status == SATISFIABLE and not number and not weighted):
        raise ProgramFailed(f"the output states {'no ' * (status == UNSATISFIABLE)}models, and the number {number}")
