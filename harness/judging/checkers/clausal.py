"""Proofs about clauses as pseudo-Boolean proofs: a clause is a row, a step of DRAT follows by propagation (`rup`).

The checker of rows has another way to propagate than that of clauses, and checks every step, from the front, so each
tests the other. Where it fails nothing is shown: a step may be RAT.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from harness.judging.checkers.clause_list import ClauseList, clause_list
from harness.judging.checkers.formats import read_proof
from harness.judging.checkers.lrat_text import Lrat
from harness.judging.checkers.proof_text import BadProof, ProofText
from harness.judging.checkers.pseudo_boolean import check as rows
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, clause_row
from harness.judging.checkers.pseudo_boolean.words import START
from harness.model.outcome import CERTIFIED, UNCHECKED
from puzzles.problem.arrays import Int64Array

LOAD = START + b"1.0\n"


def check_as_rows(axioms: Int64Array, variables: int, proof: ProofText) -> tuple[int, str]:
    """Check a proof in DRAT or LRAT against clauses (flat, 0-ended); return the outcome and the reason."""
    try:
        clauses = steps_of(axioms, variables, proof)
    except BadProof as e:
        return UNCHECKED, f"format: {e}"
    literals = clause_literals(clauses)
    programme = SumProgramme(clauses.variables, tuple(clause_row(x) for x in literals[: clauses.axioms]))
    text = b"%sf %d\n%s" % (LOAD, clauses.axioms, "".join(rup_steps(clauses, literals, 1)).encode())
    outcome, why = rows.check(programme, text)
    return (outcome, "") if outcome == CERTIFIED else (UNCHECKED, f"format: as rows: {why}")


def steps_of(axioms: Int64Array, variables: int, proof: ProofText) -> ClauseList:
    """Return axioms and the steps of a proof. Raises BadProof."""
    parts = (part.literals if isinstance(part, Lrat) else part for part in read_proof(proof))
    return clause_list(axioms.astype(np.int32), parts, variables)


def clause_literals(clauses: ClauseList) -> list[list[int]]:
    """Return the literals of each clause."""
    signed = (clauses.codes >> 1).astype(np.int64) * (1 - 2 * (clauses.codes & 1).astype(np.int64))
    return [part.tolist() for part in np.split(signed, clauses.start[1:-1])] if len(clauses.start) > 1 else []


def rup_steps(clauses: ClauseList, literals: list[list[int]], first: int) -> Iterator[str]:
    """Yield the lines of a proof's steps; the rows of the axioms have the numbers from `first` on."""
    for event in clauses.events.tolist():
        if event < 0:
            yield f"del {first - event - 1}\n"
        elif event > 0:
            yield f"rup {sum_text((1, x) for x in literals[event - 1])}>= 1 ;\n"


def sum_text(terms: Iterable[tuple[int, int]]) -> str:
    """Return a sum of literals in the words of a proof."""
    return "".join(f"{a} {'~' if x < 0 else ''}x{abs(x)} " for a, x in terms)
