"""Process that checks proofs: `python -m harness.judging.checking MEMORY`, started by `proof_checker`.

It reads one JSON line per job from standard input: `problem`, the file of a dumped problem, or null for that of the
last job; `encoding` with its axes; `domains`; the `solutions` shown; and the file of the `proof`. It replies with
one JSON line to each, `outcome` and `why`, and first, when its loops are compiled, with an empty line. MEMORY limits
its data.
"""

import json
import resource
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from encoders.formula import Cnf, Formula
from encoders.registry import Spec, spec
from harness.judging.backward import check
from harness.judging.clause_list import clause_list
from harness.judging.formula_check import not_derived
from harness.judging.proof import proof_fault
from harness.judging.proof_text import OtherFormat, parse_proof
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED
from puzzles.problem import Domains, Problem, load


@lru_cache(maxsize=4)
def lasting_formula(chosen: Spec, problem: Problem) -> Formula:
    """Return a formula that serves all instances of a problem."""
    return chosen.formula(problem)


def formula_of(chosen: Spec, problem: Problem, domains: Domains) -> Formula:
    """Return a contender's formula for an instance, without the givens, encoded again for the judge."""
    return chosen.formula(problem, domains) if chosen.sees_domains(problem) else lasting_formula(chosen, problem)


def check_job(job: dict[str, Any], problem: Problem) -> tuple[int, str]:
    """Return the outcome of a check, and why a proof is not certified."""
    try:
        domains = tuple(job["domains"])
        formula = formula_of(spec(job["encoding"]), problem, domains)
        if not isinstance(formula, Cnf):
            return UNCHECKED, "format: only proofs about clauses are checked"
        why = proof_fault(problem, domains, formula, job["solutions"], Path(job["proof"]).read_bytes())
    except OtherFormat as e:
        return UNCHECKED, f"format: {e}"
    except MemoryError:
        return UNCHECKED, f"memory: it needs more than {int(sys.argv[1]) >> 20} MiB"
    if not why and (kinds := not_derived(problem)):
        return UNCHECKED, f"format: it refutes the formula, which the judge does not derive from {kinds} constraints"
    return (REFUSED, why) if why else (CERTIFIED, "")


def compile_loops() -> None:
    """Run each compiled loop once, so that no proof waits for it."""
    check(clause_list(parse_proof(b"1 0\n-1 0\n"), parse_proof(b"d 2 0\n0\n"), 2))


def main() -> None:
    """Serve jobs until standard input is closed."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    compile_loops()
    resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[1]), int(sys.argv[1])))
    print(flush=True)
    problem: Problem | None = None
    for line in sys.stdin:
        job = json.loads(line)
        try:
            if job["problem"] or problem is None:
                problem = load(Path(job["problem"]).read_bytes())
            outcome, why = check_job(job, problem)
        except Exception as e:  # a bug of the checker, or of a plug-in's encoding, leaves the proof unchecked
            outcome, why = UNCHECKED, f"error: the checker failed with {type(e).__name__}: {e}"[:500]
        print(json.dumps({"outcome": outcome, "why": why}), flush=True)


if __name__ == "__main__":
    main()
