"""Fourteen backends with one planted fault each, which `fuzz` must find and `shrink` must minimise.

Each is a realistic mistake. `open_correct` below opens the correct solver that they wrap.
"""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from backends.contract import registry
from backends.contract.answer import Answer, Answers, Ask, Asks, Session, Status
from encoders.at_most_one import pairwise
from encoders.cnf import encode
from encoders.formula import AllDifferent, Cnf, Formula, Unsupported
from puzzles.boards.layout import Layout
from puzzles.problem.columns import unpack
from puzzles.problem.values import Domains


def open_correct(formula: Formula) -> Session:
    """Open a correct solver: native:python, or minisat22 for clauses."""
    return registry.find("pysat:minisat22" if isinstance(formula, Cnf) else "native:python").open(formula)


def layout_of(formula: AllDifferent, units: tuple[tuple[int, ...], ...]) -> Layout:
    return Layout("", tuple(map(str, range(formula.squares))), tuple(map(str, range(formula.values))), units)


@dataclass
class Tricked:
    """Honest session whose asks and answers go through a trick."""

    formula: Formula
    session: Session
    trick: "Trick"
    asked: int = 0
    before: list[Answer] = field(default_factory=list)

    def ask(self, ask: Ask) -> Answer:
        self.asked += 1
        answer = self.trick(self, ask)
        self.before.append(answer)
        return answer

    def close(self) -> None:
        self.session.close()


Trick = Callable[[Tricked, Ask], Answer]


def ask_honestly(session: Tricked, ask: Ask) -> Answer:
    return session.session.ask(ask)


def decoding(session: Tricked, ask: Ask) -> Answer:
    """Decode the last square's value one too high, if there is a higher one."""
    answer = session.session.ask(ask)
    top = session.formula.values - 1  # type: ignore[union-attr]
    return replace(answer, solutions=tuple((*s[:-1], min(s[-1] + 1, top)) for s in answer.solutions))


def unfinished(session: Tricked, ask: Ask) -> Answer:
    """Accept a full board as solved without checking that peers differ."""
    if all(mask & (mask - 1) == 0 and mask for mask in ask.domains):
        return Answer(Status.SATISFIABLE, (tuple(mask.bit_length() - 1 for mask in ask.domains),), complete=True)
    return session.session.ask(ask)


def rare(session: Tricked, ask: Ask) -> Answer:
    """Fail if the first two squares are pairs, the second's lower value equal to the first's higher."""
    pair = ask.domains[:2]
    if [m.bit_count() for m in pair] == [2, 2] and pair[0].bit_length() == (pair[1] & -pair[1]).bit_length():
        return Answer(Status.UNSATISFIABLE, complete=True)
    return session.session.ask(ask)


def second(session: Tricked, ask: Ask) -> Answer:
    """Keep the clause that forbids the first solution of the previous ask."""
    last = session.before[-1].solutions[:1] if session.before else ()
    answer = session.session.ask(replace(ask, count=ask.count + 1))
    kept = tuple(s for s in answer.solutions if s not in last)[: ask.count]
    complete = answer.complete or answer.status == Status.UNSATISFIABLE
    if not kept:
        return Answer(Status.UNSATISFIABLE, complete=True)
    return Answer(Status.SATISFIABLE, kept, complete and len(answer.solutions) <= ask.count)


def empty_unit(session: Tricked, ask: Ask) -> Answer:
    if () in session.formula.units:  # type: ignore[union-attr]
        os.kill(os.getpid(), signal.SIGSEGV)
    return session.session.ask(ask)


def hang(session: Tricked, ask: Ask) -> Answer:
    """Hang if there is no solution."""
    answer = session.session.ask(ask)
    while answer.status == Status.UNSATISFIABLE:
        time.sleep(1)
    return answer


def hoard(session: Tricked, ask: Ask) -> Answer:
    """Allocate memory in an endless loop if two givens of a unit are equal."""
    for unit in session.formula.units:  # type: ignore[union-attr]
        givens = [ask.domains[s] for s in unit if ask.domains[s].bit_count() == 1]
        kept: list[object] = []
        while len(set(givens)) < len(givens):
            kept.append(np.empty(1 << 26, np.uint8))
    return session.session.ask(ask)


def early(session: Tricked, ask: Ask) -> Answer:
    """Stop one solution early and claim that the answer is complete."""
    answer = session.session.ask(ask)
    if answer.complete and len(answer.solutions) > 1:
        return replace(answer, solutions=answer.solutions[:-1])
    return answer


def one_value(session: Tricked, ask: Ask) -> Answer:
    """Divide by the bit length of the largest value, which is 0 for one value."""
    return replace(session.session.ask(ask), counters={"restarts": 8 // (session.formula.values - 1).bit_length()})  # type: ignore[union-attr]


def marks(session: Tricked, ask: Ask) -> Answer:
    """Treat pencil marks as open squares."""
    full = (1 << session.formula.values) - 1  # type: ignore[union-attr]
    return session.session.ask(replace(ask, domains=tuple(m if m.bit_count() < 2 else full for m in ask.domains)))


def hidden_singles(formula: AllDifferent, domains: Domains) -> Domains:
    """Assign a value its last place in a unit, even if the unit need not contain it."""
    masks = list(domains)
    for unit in formula.units:
        for v in range(formula.values):
            places = [s for s in unit if masks[s] >> v & 1]
            if len(places) == 1 and masks[places[0]].bit_count() > 1 and len(unit) > 2:
                masks[places[0]] = 1 << v
    return tuple(masks)


def hidden(session: Tricked, ask: Ask) -> Answer:
    """Apply the hidden-single rule to units shorter than the values."""
    formula = session.formula
    assert isinstance(formula, AllDifferent)
    return session.session.ask(replace(ask, domains=hidden_singles(formula, ask.domains)))


def one_unit_less(formula: AllDifferent) -> Session:
    """Encode all units but the last, for minisat22."""
    whole = layout_of(formula, formula.units[:-1])
    return open_correct(encode(whole, pairwise, np.ones(formula.squares, np.bool_), every_value=False))


class Lanes:
    """Batch solver: a refilled lane keeps the first square of its previous board."""

    WIDE = 4

    def __init__(self, formula: Formula) -> None:
        self.session = open_correct(formula)

    def ask(self, ask: Ask) -> Answer:
        return self.session.ask(ask)

    def ask_many(self, asks: Asks) -> Answers:
        answers: list[Answer] = []
        boards = unpack(asks.domains)
        for i, board in enumerate(boards):
            old = boards[i - self.WIDE] if i >= self.WIDE else board
            kept = old[0] if old and old[0].bit_count() == 1 and board[0].bit_count() > 1 else board[0]
            answers.append(self.session.ask(Ask((kept, *board[1:]), asks.count, asks.seconds)))
        found = [len(a.solutions) for a in answers]
        solutions = np.array([s for a in answers for s in a.solutions], np.uint16)
        return Answers(
            np.array([a.status for a in answers], np.int8),
            np.array([a.complete for a in answers], np.bool_),
            np.array([a.reason for a in answers], np.int8),
            np.array(found, np.int32),
            solutions.reshape(sum(found), asks.domains.shape[1]),
        )

    def close(self) -> None:
        self.session.close()


def parity(session: Tricked, ask: Ask) -> Answer:
    """Call a formula unsatisfiable if a literal occurs in more than four binary clauses."""
    formula = session.formula
    assert isinstance(formula, Cnf)
    return Answer(Status.UNSATISFIABLE, complete=True) if busy(formula) else session.session.ask(ask)


def busy(formula: Cnf) -> bool:
    """Return True if a literal occurs in more than four binary clauses."""
    seen: dict[int, int] = {}
    clause: list[int] = []
    for x in formula.clauses.tolist():
        if x:
            clause.append(x)
            continue
        if len(clause) == 2:
            for y in clause:
                seen[y] = seen.get(y, 0) + 1
        clause = []
    return any(n > 4 for n in seen.values())


TRICKS: dict[str, Trick] = {
    t.__name__: t
    for t in (decoding, unfinished, rare, second, empty_unit, hang, hoard, early, one_value, marks, hidden)
}


@dataclass(frozen=True)
class Planted:
    name: str
    start: Callable[[AllDifferent], Session]
    trick: Trick
    version: str = "1.0"
    accepts: frozenset[type] = frozenset({AllDifferent})
    can: frozenset[str] = frozenset({"count", "domains"})

    def open(self, formula: Formula) -> Session:
        if type(formula) not in self.accepts:
            raise Unsupported(f"{self.name} takes no {type(formula).__name__}")
        session = self.start(formula)  # type: ignore[arg-type]
        return session if self.name == "planted:lanes" else Tricked(formula, session, self.trick)


def backends() -> list[Planted]:
    clauses = frozenset({Cnf})
    return [
        *(Planted(f"planted:{name}", open_correct, trick) for name, trick in TRICKS.items()),
        Planted("planted:unit", one_unit_less, ask_honestly),
        Planted("planted:lanes", Lanes, ask_honestly, can=frozenset({"count", "domains", "batch"})),
        Planted("planted:clauses", open_correct, parity, accepts=clauses),
    ]
