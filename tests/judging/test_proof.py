"""Proof checking: valid proofs pass; altered proofs and those of another formula do not."""

import re
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from backends.contract import registry
from backends.contract.answer import Ask
from backends.contract.cases import CASES, NINE, NONE, UNIQUE, BoardCase, board
from encoders.cnf import extended
from encoders.formula import Cnf
from encoders.registry import AT_MOST_ONE, spec
from harness.judging.checkers.proof_text import BadProof
from harness.judging.formulas.link import link_formula, proof_axioms
from puzzles.problem.values import Domains, Solution
from tests.boards import NORVIG
from tests.judging.binary import binary
from tests.proofs import proof_fault

GOOD = (
    *("cadical103", "cadical153", "cadical195", "cadical300", "ergo", "lingeling", "maplechrono"),
    *("glucose3", "glucose4", "glucose42", "gluecard3", "gluecard4"),
)
ENCODINGS = [f"{family}+{one}" for family in ("minimal", "efficient", "extended", "reduced") for one in AT_MOST_ONE]
HARD, HARDER, _ = NORVIG


def proved(solver: str, domains: Domains, formula: Cnf) -> tuple[tuple[Solution, ...], bytes]:
    """Return at most two solutions, and the proof that no others exist."""
    answer = registry.find(f"pysat:{solver}").open(formula).ask(Ask(domains, 2, proof=True))
    assert answer.complete
    assert answer.proof is not None
    return answer.solutions, answer.proof


@pytest.mark.parametrize("solver", GOOD)
def test_unsatisfiable_and_unique_are_certified(solver: str) -> None:
    formula = extended(NINE)
    for text in (NONE, UNIQUE, HARD, HARDER):
        domains = board(NINE, text)
        solutions, proof = proved(solver, domains, formula)
        assert proof_fault(NINE, domains, formula, solutions, proof) == ""


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_proofs_of_every_encoding_are_certified(encoding: str) -> None:
    domains = board(NINE, HARD)
    formula = spec(encoding).formula(NINE, domains)
    assert isinstance(formula, Cnf)
    solutions, proof = proved("gluecard3", domains, formula)
    assert proof_fault(NINE, domains, formula, solutions, proof) == ""


@pytest.mark.parametrize("case", [c for c in CASES if c.total < 2], ids=lambda c: c.name)
@pytest.mark.parametrize("encoding", ["extended", "reduced+sequential", "minimal+product"])
def test_proofs_of_any_layout_are_certified(case: BoardCase, encoding: str) -> None:
    formula = spec(encoding).formula(case.problem, case.domains)
    assert isinstance(formula, Cnf)
    solutions, proof = proved("glucose4", case.domains, formula)
    assert proof_fault(case.problem, case.domains, formula, solutions, proof) == ""


def test_a_proof_for_one_puzzle_does_not_certify_another() -> None:
    formula = extended(NINE)
    _, proof = proved("cadical195", board(NINE, NONE), formula)
    assert "does not follow" in proof_fault(NINE, board(NINE, HARD), formula, (), proof)


def test_a_proof_without_its_end_is_refused() -> None:
    formula = extended(NINE)
    domains = board(NINE, HARD)
    solutions, proof = proved("cadical195", domains, formula)
    assert proof_fault(NINE, domains, formula, solutions, b"") == "the proof ends without a contradiction"
    assert proof_fault(NINE, domains, formula, (), proof) != "", "the solution shown is what the proof excludes"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"1 2\n", "line 1 of the proof is not one clause ended by 0"),
        (b"1 2 0\n3 4", "line 2 of the proof is not one clause ended by 0"),
        (b"1 x 0\n", "line 1 of the proof is not a clause: 'x' is no number"),
        (b"1 0 2\n", "line 1 of the proof is not one clause ended by 0"),
        (b"c a comment\n\n1 0\n-0x3 0\n", "line 4 of the proof is not a clause: '-0x3' is no number"),
        (b"1 2.5 0\n", "line 1 of the proof is not a clause: '2.5' is no number"),
        (b"- 0\n", "line 1 of the proof is not a clause: '-' is no number"),
        (b"\xff\xfe 0\n", r"line 1 of the proof is not a clause: '\xff\xfe' is no number"),
        (b"-9223372036854775808 0\n", "line 1 of the proof names '-9223372036854775808', beyond 2147483647"),
        (b"2147483648 0\n", "line 1 of the proof names '2147483648', beyond 2147483647"),
        (b"1 0\nd " + b"9" * 30 + b" 0\n", f"line 2 of the proof names '{'9' * 30}', beyond 2147483647"),
        (b"d\n", "line 1 of the proof is not one clause ended by 0"),
        (b"-", "line 1 of the proof is not a clause: '-' is no number"),
        (b"1 \0 0\n", r"line 1 of the proof is not a clause: '\x00' is no number"),
    ],
)
def test_malformed_proofs_are_not_understood_by_line_and_word(text: bytes, why: str) -> None:
    with pytest.raises(BadProof, match=f"^{re.escape(why)}$"):
        proof_fault(NINE, board(NINE, HARD), extended(NINE), (), text)


def test_a_binary_proof_is_read_as_its_text_is() -> None:
    formula, domains = extended(NINE), board(NINE, HARDER)
    solutions, proof = proved("cadical195", domains, formula)
    assert proof_fault(NINE, domains, formula, solutions, binary(proof)) == ""
    with pytest.raises(BadProof, match="is 0x30"):
        proof_fault(NINE, domains, formula, solutions, binary(proof) + b"0")
    why = proof_fault(NINE, domains, formula, (), proof)
    assert proof_fault(NINE, domains, formula, (), binary(proof)) == why != ""


def test_variables_that_the_formula_lacks_are_read_as_new_ones() -> None:
    """As drat-trim reads them. Such a clause does not follow, which only matters where the proof needs it."""
    formula, domains = extended(NINE), board(NINE, HARDER)
    solutions, proof = proved("cadical195", domains, formula)
    assert proof_fault(NINE, domains, formula, solutions, b"2147483647 -5000 0\n" + proof) == ""
    assert "does not follow" in proof_fault(NINE, domains, formula, solutions, b"5000 0\n-5000 0\n" + proof)


def altered(proof: bytes, random: Random) -> bytes:
    """Return the proof with one line changed: a literal negated, left out or replaced."""
    lines = [line for line in proof.splitlines() if not line.startswith(b"d")]
    at = random.randrange(len(lines))
    clause = [int(x) for x in lines[at].split()[:-1]]
    if clause:
        i = random.randrange(len(clause))
        clause[i : i + 1] = random.choice(([-clause[i]], [], [random.randint(1, 729)]))
    lines[at] = b" ".join(b"%d" % x for x in [*clause, 0])
    return b"\n".join(lines)


@pytest.mark.slow
def test_dratify_accepts_no_altered_proof_that_is_refused() -> None:
    """It checks every line up to the contradiction, so it refuses more."""
    dratify = pytest.importorskip("dratify")
    formula, domains, random = extended(NINE), board(NINE, HARDER), Random(3)
    solutions, good = proved("cadical195", domains, formula)
    clauses = proof_axioms(NINE, domains, formula, solutions)
    text = f"p cnf {formula.variables} {(clauses == 0).sum()}\n" + " ".join(map(str, clauses)).replace(" 0", " 0\n")
    cnf = dratify.parse_dimacs(text)
    refused = 0
    for proof in (good, *(altered(good, random) for _ in range(25))):
        ours = proof_fault(NINE, domains, formula, solutions, proof)
        theirs = dratify.check_proof(cnf, proof.decode(), check_rat=False, apply_deletions=False)
        assert ours == "" or not theirs.ok, (ours, theirs.reason)
        refused += ours != ""
    assert 0 < refused < 26


def test_the_invalid_proofs_of_maplesat_are_refused() -> None:
    formula, domains = extended(NINE), board(NINE, HARDER)
    solutions, proof = proved("maplesat", domains, formula)
    assert proof_fault(NINE, domains, formula, solutions, proof) != ""


def with_clause(formula: Cnf, *clause: int) -> Cnf:
    return replace(formula, clauses=np.append(formula.clauses, np.array([*clause, 0], np.int32)))


def test_proofs_of_a_formula_stronger_than_its_puzzle_are_refused() -> None:
    domains = board(NINE, HARD)
    good = extended(NINE)
    solution = proved("glucose4", domains, good)[0][0]
    wrong = with_clause(good, -good.literal[0][solution[0]])
    solutions, proof = proved("glucose4", domains, wrong)
    assert solutions == ()
    assert proof_fault(NINE, domains, wrong, solutions, proof).startswith("the formula does not match the puzzle: ")


@pytest.mark.parametrize("one", [name for name in AT_MOST_ONE if name not in ("pairwise", "cardinality")])
def test_auxiliary_clauses_that_exclude_a_solution_are_refused(one: str) -> None:
    good = extended(NINE, AT_MOST_ONE[one])
    own = good.variables  # an auxiliary variable: implied true and false by one literal, it excludes that literal
    wrong = with_clause(with_clause(good, -good.literal[0][0], own), -good.literal[0][0], -own)
    assert link_formula(NINE, good).fault == ""
    assert link_formula(NINE, wrong).fault != ""
