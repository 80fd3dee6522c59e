"""Rehearsal: each case run and judged, and what an organiser would say of all.

A fault of a value that the sources of the rules do not state is a remark: no organiser can hold it against a solver.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from harness.model.rules import Rules
from harness.rehearsing import flatzinc, protocol
from harness.rehearsing.cases import ENDINGS, WRITERS, RehearsalCase, cases_of
from harness.rehearsing.conduct import PLACES, Conduct, conduct
from harness.rehearsing.protocol import ProtocolFault, Reply

UNSURE = {"protocol.exit_codes": "exit code", "protocol.grace": "it still ran"}


class Rehearsed(NamedTuple):
    """A case, its status as printed, seconds of wall time, faults, remarks, and if its limit was put to the test."""

    case: RehearsalCase
    status: str
    seconds: float
    faults: list[ProtocolFault]
    remarks: list[ProtocolFault]
    tested: bool

    @property
    def decided(self) -> bool:
        """Decision of a small instance."""
        return not self.case.hard_to_solve and self.status in protocol.DECIDED

    @property
    def verdict(self) -> str:
        return "fault" if self.faults else "ok" if self.tested else "not tested: it ended by itself"


def rehearse(rules: Rules, command: Sequence[str], seconds: float, memory_mb: int) -> Iterator[Rehearsed]:
    """Yield each case of the rules' language as it is run. Raises OSError if the command can't start."""
    words = [*command, *rules.protocol.arguments] if not any(p in w for w in command for p in PLACES) else command
    tested = True
    with TemporaryDirectory(prefix="rehearsal-") as name:
        for number, case in enumerate(cases_of(rules.protocol.language, memory_mb)):
            folder = Path(name) / str(number)
            folder.mkdir()
            instance = Path(name) / f"{number}.{ENDINGS[rules.protocol.language]}"
            instance.write_text(WRITERS[rules.protocol.language](case))
            run = conduct(words, instance, folder, seconds, rules.protocol.grace, case.memory_mb)
            reply = answer(run, rules, case)
            faults = [*protocol.judge(reply, rules, case, run), *proof_faults(reply, rules, case, run)]
            starts = tuple(start for key, start in UNSURE.items() if key in rules.unsure)
            remarks = [fault for fault in faults if starts and fault.why.startswith(starts)]
            if not case.memory_mb:  # a solver that gives up without a limit of memory has not met one either
                tested = not case.hard_to_solve or run.terminated is not None
            yield Rehearsed(case, reply.status, run.seconds, [f for f in faults if f not in remarks], remarks, tested)


def answer(run: Conduct, rules: Rules, case: RehearsalCase) -> Reply:
    """Read the output of a run."""
    read = flatzinc.read if rules.protocol.language == "fzn" else protocol.read
    return read(run.output.decode(errors="replace"), rules, case)


def proof_faults(reply: Reply, rules: Rules, case: RehearsalCase, run: Conduct) -> list[ProtocolFault]:
    """Return the faults of a proof that clauses are unsatisfiable, where the rules require one."""
    if case.hard_to_solve and run.terminated is not None:
        return []
    if rules.answers.proof != "required" or reply.status != "UNSATISFIABLE" or case.satisfiable:
        return []
    if run.proof is None:
        return [ProtocolFault(0, "", "no file proof.out with a proof in the folder of the last argument")]
    from harness.judging.checkers.formats import read_proof
    from harness.judging.checkers.proof_text import BadProof
    from harness.judging.proof import refutation_fault

    axioms = np.array([x for clause in case.hard for x in (*clause, 0)], np.int64)
    try:
        why = refutation_fault(axioms, case.variables, read_proof(run.proof))
    except BadProof as e:
        why = str(e)
    return [ProtocolFault(0, "", f"the proof does not check: {why}")] if why else []
