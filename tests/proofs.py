"""Checks of proofs outside a run: by the process that checks them in a run, and of a formula and its proof at once."""

import select
from collections.abc import Sequence

from encoders.formula import Cnf
from harness.judging.proof import link_fault, solver_fault
from harness.judging.proof_checker import ProofChecker
from harness.model.contender import Contender
from harness.model.outcome import Outcomes
from harness.model.settings import RunSettings
from harness.running.environment import temporary_folder
from harness.running.reaper import Reaper
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Solution


def check_proofs(
    outcomes: Sequence[Outcomes], contenders: Sequence[Contender], settings: RunSettings
) -> list[Outcomes]:
    """Return the outcomes with the results of their proofs."""
    result, reaper = list(outcomes), Reaper(temporary_folder())
    checker = ProofChecker(contenders, settings, None, reaper, None)
    try:
        checker.begin(result)
        while not checker.advance():
            poll = select.poll()
            for fd in checker.open_fds():
                poll.register(fd, select.POLLIN)
            poll.poll(50)
    finally:
        checker.close()
        reaper.close()
    return result


def proof_fault(problem: Problem, domains: Domains, formula: Cnf, solutions: Sequence[Solution], proof: bytes) -> str:
    """Return the reason why `proof` does not certify that `solutions` are complete; '' if it does. Raises BadProof."""
    return link_fault(problem, domains, formula) or solver_fault(problem, domains, formula, solutions, proof)
