"""Kinds of problems that a contender takes, so that one which takes few does not narrow a campaign of others."""

from collections.abc import Mapping
from dataclasses import dataclass

from backends.contract import catalogue
from backends.contract.answer import ONLY_OPTIMISE, OPTIMISE
from encoders.formula import Text
from encoders.registry import encoding
from harness.fuzzing.rounds import objectives
from harness.fuzzing.rounds.boards import Scope
from harness.model.contender import Contender
from puzzles.problem import Problem


@dataclass(frozen=True)
class Abilities:
    """Asks that a contender takes.

    marks      domains other than a given or all values
    count      asks for several solutions
    decides    problems without an objective
    optimises  problems with one
    lines      boards of one layout alone, of which it is told the givens
    """

    marks: bool
    count: bool
    decides: bool
    optimises: bool
    lines: bool

    def takes(self, problem: Problem, scope: Scope) -> bool:
        """Return True if a problem of a campaign's round may be asked."""
        if problem.objective is not None:
            return self.optimises
        return self.decides and (not self.lines or problem in (scope.layout, scope.only))

    def refusal(self, scope: Scope) -> str:
        """Return the reason why the contender is asked nothing in a campaign, in words, or ''."""
        if scope.problems in objectives.KINDS:
            return "" if self.optimises else f"takes no objective, as {scope.problems} has"
        if scope.problems and self.lines:
            return f"takes boards, not {scope.problems}"
        return "" if self.decides or (scope.layout is None and not scope.problems) else "takes objectives only"


def abilities(contender: Contender, programs: Mapping[str, str]) -> Abilities:
    """Return the kinds of problems and asks that a contender supports, by its backend's description."""
    can = catalogue.describe(contender.backend, programs).can
    lines = encoding(contender.encoding).formula is Text
    return Abilities("domains" in can, "count" in can, ONLY_OPTIMISE not in can, OPTIMISE in can and not lines, lines)
