"""WCNF for programs, as in the MaxSAT Evaluations: 's' lines, and 'v' lines with a digit for each variable or literals.

v 0110                  variables 2 and 3 are true; blanks and ends of lines between the digits do not matter
v -1 2 3 -4 0           the same, as before 2022
"""

import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from backends.programs.dimacs import literals
from backends.programs.models import named
from backends.programs.optimising import UNSHOWN, Shown, decided
from backends.programs.program_session import NO_RESULT, model_bytes
from backends.shared.literal_map import LiteralMap, literal_map
from encoders.formula import Cnf, Wcnf
from encoders.wcnf import check_weights, shared_lines, wcnf, weighted
from puzzles.problem.values import Domains

NOT_DIGIT = re.compile(r"[^01\s]")
LITERAL = re.compile(r"[1-9][0-9]{0,9}")


class WcnfNotation:
    """One formula of hard and soft clauses as a WCNF file; an original file has no offset. Raises Unsupported."""

    word = "wcnf"
    ending = "wcnf"
    remark, nothing, unshown = "", NO_RESULT, UNSHOWN

    def __init__(self, formula: Cnf | Wcnf) -> None:
        self.formula = weighted(formula)
        check_weights(self.formula)
        self.variables, self.literals = self.formula.hard.variables, literal_map(self.formula.hard.literal)

    @cached_property
    def shared(self) -> bytes:
        """The clauses that all instances share."""
        return shared_lines(self.formula)

    @cached_property
    def used(self) -> int:
        """The number of variables that a file states: the largest one that occurs."""
        flat = (self.formula.hard.clauses, self.formula.soft)
        return max(int(np.abs(part).max(initial=0)) for part in flat)

    def decoder(self, domains: Domains) -> LiteralMap:
        return self.literals

    def text(self, domains: Domains, forbidden: Sequence[list[int]]) -> bytes:
        own = [[x] for x in self.literals.true(domains)]
        return wcnf(self.formula, self.shared, [*own, *forbidden])

    def answer_bytes(self, domains: Domains, original: bool) -> int:
        return model_bytes(self.variables, len("v -\n"))

    def turned(self, value: int, original: bool) -> int:
        return value if original else value + self.formula.offset

    def shown(self, text: str, domains: Domains, original: bool) -> Shown:
        model = digits(text) if self.is_digits(text) else literals(text.encode())
        while model and model[-1] == 0:
            model.pop()
        return Shown(model, whole=bool(named(model, self.variables)[1 : self.used + 1].all()))

    def is_digits(self, text: str) -> bool:
        """Return True if a text is to be read as digits: one for each variable, or else no list of literals."""
        if NOT_DIGIT.search(text):
            return False
        words = text.split()
        if self.used <= sum(map(len, words)) <= self.variables:
            return True
        listed = words[:-1] if words[-1:] == ["0"] else words
        return not all(LITERAL.fullmatch(word) and int(word) <= self.variables for word in listed)

    def parse(self, output: bytes, domains: Domains, original: bool) -> tuple[int | None, list[int]]:
        return decided(self, output, domains, original, self.used)


def digits(text: str) -> list[int]:
    """Return the literals that digits, one for each variable, stand for."""
    true = np.frombuffer("".join(text.split()).encode(), np.uint8) == ord("1")
    numbers = np.arange(1, len(true) + 1)
    model: list[int] = np.where(true, numbers, -numbers).tolist()
    return model
