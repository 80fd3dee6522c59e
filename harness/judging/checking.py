"""Process that checks proofs: `python -m harness.judging.checking MEMORY CHECKERS [sums]`, by `checking_process`.

It reads one JSON line per command from standard input and replies to each with one line, `outcome` and `why`:

    formula   build the formula of an instance, and show that it follows from the rules: `problem`, the file of a dumped
              problem, or null for the last formula's; `encoding` with its axes, `domains`, `solutions` shown, `source`,
              the form in which the solver received sums, `number`, the value of a number of models, or null, and a file
              to `write` the formula to, or null. CERTIFIED, FORMULA_CERTIFIED where the judge does not derive it, or
              why not
    proof     check the `proof`, a file, against that formula; replies with its `digest` and `size` too
    second    the same by another checker of ours, which shares nothing with the first but the formula
    checker   let the checker `name` check the file `proof` against the file `formula` within `seconds`; where it holds,
              replies with these two

First, when its loops are compiled and CHECKERS, commands by name as JSON, are tried, it writes a line with the fault of
each; with `sums` the loops of pseudo-Boolean proofs are compiled too. MEMORY limits its data and those of each process
that it starts. A guard ends all of them with it.
"""

import hashlib
import json
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from backends.shared.literal_map import literal_map
from encoders.counting import counted_text
from encoders.formula import AllDifferent, Cnf, Constraints, CountedCnf, Formula, Unsupported, Wcnf
from encoders.registry import Spec, spec
from harness.judging.checkers.backward import check
from harness.judging.checkers.circuits import CountClaim, check_circuit
from harness.judging.checkers.clausal import check_as_rows
from harness.judging.checkers.clause_list import clause_list
from harness.judging.checkers.external import Checker, check_in, form_of, named_checkers, taken, tried
from harness.judging.checkers.flat import drcp
from harness.judging.checkers.flat.drcp import FlatClaim
from harness.judging.checkers.formats import PBP, START, UNREAD, format_of, read_proof
from harness.judging.checkers.lrat import lrat_fault
from harness.judging.checkers.lrat_text import parse_lrat
from harness.judging.checkers.proof_text import BadProof, ProofText, parse_proof, text_of
from harness.judging.checkers.pseudo_boolean import check as pseudo_boolean
from harness.judging.checkers.pseudo_boolean.machine import columns_for
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, clause_row, row
from harness.judging.checkers.pseudo_boolean.propagation import compact
from harness.judging.formulas.flat import received_flat
from harness.judging.formulas.link import not_derived, proof_axioms, received_clauses, received_text
from harness.judging.formulas.programmes import ReceivedAs, opb_text, received
from harness.judging.formulas.shape import shape_fault
from harness.judging.formulas.weighted import received_weighted
from harness.judging.identities import goal_of
from harness.judging.proof import link_fault, solver_fault
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, REFUSED, UNCHECKED
from puzzles.constraints.clauses import clauses_of, split_clauses
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Solution
from puzzles.processes.guarding import fork_guarded
from puzzles.stored import load

Result = tuple[int, str]
SUMS = "sums"  # an argument
UNDERIVED = ("order", "log")  # encodings whose clauses the judge derives for no board: they are not about candidates


@lru_cache(maxsize=4)
def lasting_formula(chosen: Spec, problem: Problem) -> Formula:
    """Return a formula that serves all instances of a problem; it is kept."""
    return chosen.formula(problem)


def formula_of(chosen: Spec, problem: Problem, domains: Domains) -> Formula:
    """Return a contender's formula for an instance, without the givens, encoded again for the judge."""
    return chosen.formula(problem, domains) if chosen.sees_domains(problem) else lasting_formula(chosen, problem)


def digest_of(proof: Path) -> dict[str, Any]:
    """Return digest and size of a proof, as the table `proofs` has them."""
    with proof.open("rb") as file:
        return {"digest": hashlib.file_digest(file, "sha256").hexdigest(), "size": file.tell()}


class Checks:
    """Checks of one process; a formula serves the commands that follow."""

    def __init__(self, checkers: Sequence[Checker]) -> None:
        self.checkers = {checker.name: checker for checker in checkers}
        self.problem: Problem | None = None
        self.domains: Domains = ()
        self.solutions: list[Solution] = []
        self.formula: Cnf | SumProgramme | FlatClaim | CountClaim | None = None
        self.read: dict[str, Any] = {}  # digest and size of the proof that the last command has read

    def result(self, order: dict[str, Any]) -> Result:
        """Carry out a command; a bug of ours, or of a plug-in's encoding, leaves the proof unchecked."""
        try:
            self.read = {}
            if order["do"] == "formula":
                return self.build(order)
            if order["do"] == "checker":
                return self.ask_checker(self.checkers[order["name"]], order)
            self.read = digest_of(Path(order["proof"]))
            check = self.check if order["do"] == "proof" else self.check_again
            return check(text_of(Path(order["proof"])))
        except MemoryError:
            return UNCHECKED, f"memory: it needs more than {int(sys.argv[1]) >> 20} MiB"
        except Exception as e:
            return UNCHECKED, f"error: the checker failed with {type(e).__name__}: {e}"[:500]

    def build(self, order: dict[str, Any]) -> Result:
        """Build a formula, write it, and show that it follows from the rules."""
        if order["problem"] or self.problem is None:
            self.problem = load(Path(order["problem"]).read_bytes())
        self.domains, self.solutions = tuple(order["domains"]), [tuple(row) for row in order["solutions"]]
        chosen = spec(order["encoding"])
        formula = formula_of(chosen, self.problem, self.domains)
        if isinstance(formula, CountedCnf):
            return self.build_count(self.problem, formula, order)
        if isinstance(formula, AllDifferent | Constraints | Wcnf):
            return self.build_programme(self.problem, formula, order)
        if not isinstance(formula, Cnf):
            return UNCHECKED, "format: only proofs about clauses and sums of Booleans are checked"
        if fault := shape_fault(self.problem, formula):  # then not even the formula is refuted by what a proof refutes
            return REFUSED, f"the formula does not match the puzzle: {fault}"
        self.formula = formula
        if order["write"]:
            Path(order["write"]).write_bytes(received_text(self.domains, formula, self.solutions))
        if not_derived(self.problem) or chosen.encoding.variables in UNDERIVED:
            return FORMULA_CERTIFIED, ""
        fault = link_fault(self.problem, self.domains, formula)
        return (REFUSED, fault) if fault else (CERTIFIED, "")

    def build_count(self, problem: Problem, formula: CountedCnf, order: dict[str, Any]) -> Result:
        """Build the claim that a circuit is to show: of the instance's own clauses, if it consists of clauses."""
        goal = goal_of(problem)
        if formula.shown is not None or order["number"] is None:
            return UNCHECKED, "format: only circuits of all variables are checked"
        flat = clauses_of(replace(problem, objective=None))
        rows = formula.cnf.clause_lists() if flat is None else split_clauses(flat)
        units = [[p] for p in literal_map(formula.cnf.literal).true(self.domains)]
        number = Fraction(-order["number"], goal.scale)
        self.formula = CountClaim([*units, *rows], formula.cnf.variables, formula.weights, number)
        own = flat is not None and all(row == (-x, x) for x, row in enumerate(map(tuple, formula.cnf.literal), 1))
        if order["write"]:
            Path(order["write"]).write_text(
                counted_text(formula.cnf.variables, self.formula.clauses, None, goal.weights)
            )
        return CERTIFIED if own else FORMULA_CERTIFIED, ""

    def build_programme(
        self, problem: Problem, formula: AllDifferent | Constraints | Wcnf, order: dict[str, Any]
    ) -> Result:
        """Build the programme that a solver received, write it, and compare its rows with the instance's own."""
        try:
            source = ReceivedAs(order["source"])
            if source == ReceivedAs.FLAT:
                self.formula, derived = received_flat(problem, self.domains, formula, self.solutions)
                return CERTIFIED if derived else FORMULA_CERTIFIED, ""
            if isinstance(formula, Wcnf):
                found = received_weighted(problem, self.domains, formula, self.solutions, source)
            else:
                found = received(problem, self.domains, formula, self.solutions, source)
        except Unsupported as e:
            return UNCHECKED, f"format: {e}"
        self.formula = found.programme
        if order["write"]:
            Path(order["write"]).write_bytes(opb_text(found.programme))
        return CERTIFIED if found.derived else FORMULA_CERTIFIED, ""

    def check(self, proof: ProofText) -> Result:
        """Check a proof against the formula."""
        assert self.problem is not None
        assert self.formula is not None
        if isinstance(self.formula, CountClaim):
            return check_circuit(self.formula, proof[:])
        if isinstance(self.formula, SumProgramme):
            return pseudo_boolean.check(self.formula, proof)
        if isinstance(self.formula, FlatClaim):
            return drcp.check(self.formula, proof[:])
        form = format_of(proof[:START])
        if form == PBP:
            return pseudo_boolean.check(self.clauses(self.formula), proof)
        if form in UNREAD:
            return UNCHECKED, UNREAD[form]
        try:
            why = solver_fault(self.problem, self.domains, self.formula, self.solutions, proof)
        except BadProof as e:
            return UNCHECKED, f"format: {e}"
        return (REFUSED, why) if why else (CERTIFIED, "")

    def check_again(self, proof: ProofText) -> Result:
        """Check a proof by another checker: with Python integers, or clauses as rows of a pseudo-Boolean proof."""
        assert self.problem is not None
        assert self.formula is not None
        if isinstance(self.formula, CountClaim):
            return UNCHECKED, "format: there is one checker of circuits"
        if isinstance(self.formula, SumProgramme):
            return pseudo_boolean.check_exactly(self.formula, proof)
        if isinstance(self.formula, FlatClaim):
            return UNCHECKED, "format: there is one checker of proofs about constraints"
        if format_of(proof[:START]) == PBP:
            return pseudo_boolean.check_exactly(self.clauses(self.formula), proof)
        axioms = proof_axioms(self.problem, self.domains, self.formula, self.solutions)
        return check_as_rows(axioms, self.formula.variables, proof)

    def clauses(self, formula: Cnf) -> SumProgramme:
        """Return the clauses that a program received as rows, in the order of its file."""
        received = split_clauses(received_clauses(self.domains, formula, self.solutions))
        return SumProgramme(formula.variables, tuple(map(clause_row, received)))

    def ask_checker(self, checker: Checker, order: dict[str, Any]) -> Result:
        """Let an external checker check a proof, if it takes the proof's format."""
        with open(order["proof"], "rb") as file:
            form = form_of(file.read(START))
        if checker.fault or not (form := taken(checker, form)):
            return UNCHECKED, f"error: {checker.fault}" if checker.fault else f"format: it takes no {form}"
        value = self.formula.best if isinstance(self.formula, SumProgramme) else None
        result = check_in(checker, form, Path(order["formula"]), Path(order["proof"]), order["seconds"], value)
        if result[0] == CERTIFIED:  # it may be the only check that read the proof to its end
            self.read = digest_of(Path(order["proof"]))
        return result


def compile_loops() -> None:
    """Run each compiled loop once, so that no proof waits for it."""
    axioms = np.array([1, 0, -1, 0], np.int32)
    check(clause_list(axioms, parse_proof(b"d 2 0\n0\n"), 2))
    lrat_fault(axioms, 2, parse_lrat(b"2 d 3 0\n3 2 0 -1 1 0\n4 0 1 2 0\n"))
    next(read_proof(b"a\x06\x04\x00\x02\x00"))  # binary LRAT, and tried as DRAT


def compile_sums() -> None:
    """Run the compiled loops of pseudo-Boolean proofs once, on rows that do not contradict each other at once."""
    programme = SumProgramme(2, (row([(1, 1), (1, 2)], 1),), {1: 1, 2: 1}, 2)
    for proof in (pseudo_boolean.SMALL, pseudo_boolean.RARE):
        pseudo_boolean.check(programme, proof)
    compact(columns_for(programme))


def main() -> None:
    """Serve commands until standard input is closed."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    fork_guarded(os.dup(0), ())
    compile_loops()
    if sys.argv[3:] == [SUMS]:
        compile_sums()
    resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[1]), int(sys.argv[1])))
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks([tried(checker, Path(folder)) for checker in named_checkers(json.loads(sys.argv[2]))])
    print(json.dumps({checker.name: checker.fault for checker in checks.checkers.values()}), flush=True)
    for line in sys.stdin:
        outcome, why = checks.result(json.loads(line))
        print(json.dumps({"outcome": outcome, "why": why, **checks.read}), flush=True)


if __name__ == "__main__":
    main()
