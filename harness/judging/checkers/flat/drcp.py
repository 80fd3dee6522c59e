"""Check of a proof in DRCP: inferences of one post each, and nogoods that follow by them in order.

    a 1 [x3 >= 5]           name of an atom; -1 is its negation
    i 7 1 -2 0 3 c:5 l:NAME inference 7, of the post with the tag 5: atoms 1 and not 2 imply 3, or a contradiction
    n 9 1 3 0 8 7           nogood 9: atoms 1 and 3 do not hold together, as inferences 8, then 7 show
    c UNSAT   c -2          conclusion: no further solution, or a bound of the goal

A tag may also be that of a nogood; an inference without one follows from the domains. The hint `l:` is not needed.
Nogoods of one atom narrow the domains of all later steps: Pumpkin leaves out of clauses what is false at the root.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from backends.pumpkin import DOMAINS_TAG, FIRST_TAG
from harness.judging.checkers.flat.domains import Atom, Domains
from harness.judging.checkers.flat.inferences import MOST, TESTS
from harness.judging.checkers.proof_text import BadProof
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED

STEP = re.compile(
    rb"(?:(?P<name>a) (?P<atom>[1-9][0-9]{0,17}) "
    rb"\[x(?P<x>[0-9]{1,18}) (?P<comparison>[=!<>]=) (?P<number>-?[0-9]{1,18})\]"
    rb"|(?P<rule>[in]) (?P<id>[1-9][0-9]{0,17})(?P<before>(?: -?[1-9][0-9]{0,17})*)"
    rb"(?: 0(?P<after>(?: -?[1-9][0-9]{0,17})*))?(?: c:(?P<tag>[0-9]{1,18}))?(?: l:(?P<label>\w+))?"
    rb"|c (?P<end>UNSAT|-?[1-9][0-9]{0,17})) ?"
)
CHECKED = b"""
absolute_value binary_equals binary_not_equals division element initial_domain integer_multiplication linear_bounds
linear_not_equals maximum nogood
""".split()


class FlatClaim(NamedTuple):
    """A flat program as a solver received it, and what is to be shown of it.

    domains  numbers of each variable, ascending     posts  as those of `FlatProgram`, in the order of their tags
    known    solutions, in numbers, of the first variables: there is no other; with a goal only if there is none at all
    goal     variable that no solution makes less than `least`; None without an objective, or without a solution
    """

    domains: Sequence[Sequence[int]]
    posts: Sequence[tuple[str, tuple[Any, ...]]]
    known: Sequence[Sequence[int]] = ()
    goal: int | None = None
    least: int = 0


class Refused(Exception):
    """A step that does not follow; the text says why."""


def check(claim: FlatClaim, proof: bytes) -> tuple[int, str]:
    """Check a proof of a claim; return CERTIFIED, REFUSED or UNCHECKED, and the reason."""
    checker = FlatProof(claim)
    for number, line in enumerate(proof.splitlines(), 1):
        try:
            if line.strip() and checker.step(line):
                return CERTIFIED, ""
        except Refused as e:
            return REFUSED, f"line {number} of the proof: {e}"
        except BadProof as e:
            return UNCHECKED, f"format: line {number} of the proof: {e}"
    return REFUSED, "the proof ends without a conclusion"


class FlatProof:
    """Constraints that the steps so far have shown; inferences are forgotten at the next nogood."""

    def __init__(self, claim: FlatClaim) -> None:
        self.claim, self.domains = claim, list(claim.domains)
        self.atoms: dict[int, Atom] = {}
        self.inferences: dict[int, tuple[list[Atom], Atom | None]] = {}
        self.nogoods: dict[int, list[Atom]] = {}

    def step(self, line: bytes) -> bool:
        """Take a step; return True if it is a conclusion that shows the claim. Raises Refused, BadProof."""
        found = STEP.fullmatch(line)
        if found is None:
            raise BadProof("this step is not understood")
        if found["name"]:
            self.name(int(found["atom"]), Atom(int(found["x"]), found["comparison"].decode(), int(found["number"])))
        elif found["end"]:
            self.conclude(found["end"])
            return True
        elif found["rule"] == b"i":
            self.infer(found)
        else:
            atoms, hints = self.listed(found["before"]), [int(word) for word in (found["after"] or b"").split()]
            if not self.refuted(atoms, hints):
                raise Refused("its nogood does not follow")
            self.nogoods[self.free(int(found["id"]))] = atoms
            self.inferences.clear()
            if len(atoms) == 1:
                self.narrow(atoms[0].negated())
        return False

    def narrow(self, atom: Atom) -> None:
        """Narrow the domains by an atom that holds."""
        domains = Domains(self.domains, [atom])
        if not domains.empty:
            numbers = domains.numbers(atom.x)
            self.domains[atom.x] = domains.values(atom.x) if len(numbers) <= MOST else numbers

    def name(self, number: int, atom: Atom) -> None:
        if atom.x >= len(self.claim.domains):
            raise Refused(f"there is no variable x{atom.x}")
        self.atoms[number] = atom

    def listed(self, words: bytes | None) -> list[Atom]:
        """Return the atoms of some numbers."""
        return [self.atom(int(word)) for word in (words or b"").split()]

    def atom(self, number: int) -> Atom:
        if abs(number) not in self.atoms:
            raise Refused(f"there is no atom {abs(number)}")
        return self.atoms[number] if number > 0 else self.atoms[-number].negated()

    def free(self, number: int) -> int:
        """Return the number of a new step, which no tag or nogood has."""
        if number < FIRST_TAG + len(self.claim.posts) or number in self.nogoods:
            raise Refused("the number of this step is taken")
        return number

    def infer(self, found: re.Match[bytes]) -> None:
        """Take an inference that follows."""
        premises, conclusions = self.listed(found["before"]), self.listed(found["after"])
        if len(conclusions) > 1:
            raise BadProof("an inference of several atoms is not understood")
        domains = Domains(self.domains, [*premises, *(atom.negated() for atom in conclusions)])
        if not domains.empty and not self.impossible(domains, int(found["tag"] or DOMAINS_TAG)):
            if found["label"] not in CHECKED:
                raise BadProof(f"inferences {(found['label'] or b'without a name').decode()} are not checked")
            raise Refused("its inference does not follow")
        self.inferences[self.free(int(found["id"]))] = premises, conclusions[0] if conclusions else None

    def impossible(self, domains: Domains, tag: int) -> bool:
        """Return True if what a tag names can't hold in some domains: a post, a nogood, or: no known solution."""
        if tag == DOMAINS_TAG:
            return False
        if tag < FIRST_TAG + len(self.claim.posts):
            name, arguments = self.claim.posts[tag - FIRST_TAG]
            return TESTS[name](domains, *arguments)
        if tag in self.nogoods:
            return all(map(domains.holds, self.nogoods[tag]))
        return any(all(domains.ends(x) == (n, n) for x, n in enumerate(row)) for row in self.claim.known)

    def refuted(self, atoms: list[Atom], hints: list[int]) -> bool:
        """Return True if atoms contradict each other by inferences in their order; those that do not apply are left."""
        domains = Domains(self.domains, atoms)
        for hint in hints:
            if domains.empty:
                return True
            if hint not in self.inferences:
                raise Refused(f"there is no inference {hint} after the nogood before")
            premises, conclusion = self.inferences[hint]
            if all(map(domains.holds, premises)):
                if conclusion is None:
                    return True
                domains.take(conclusion)
        return domains.empty

    def conclude(self, end: bytes) -> None:
        """Refuse a conclusion that was not shown, or that is weaker than the claim."""
        shown = list(self.nogoods.values())
        if end == b"UNSAT":
            if [] not in shown:
                raise Refused("nothing contradicts itself there")
            return
        bound = self.atom(int(end))
        if [bound.negated()] not in shown and [] not in shown and not Domains(self.domains).holds(bound):
            raise Refused("its bound was not shown")
        if bound.x != self.claim.goal or bound.comparison != ">=" or bound.number < self.claim.least:
            raise Refused("its conclusion is weaker than the claim")
