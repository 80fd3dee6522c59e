"""Check of a pseudo-Boolean proof: in columns, and with Python integers where 64 bits do not hold a number."""

from harness.judging.checkers.proof_text import BadProof, ProofText, line_of
from harness.judging.checkers.pseudo_boolean import exact
from harness.judging.checkers.pseudo_boolean.columns import (
    ASSERTED,
    BAD_ID,
    BAD_STEP,
    BETTER,
    COUNT,
    FAILED,
    FALSE,
    NO_ORDER,
    NOT_IMPLIED,
    OPEN,
    OVERFLOW,
    REFUTED,
    UNCOUNTED,
    UNENDED,
    UNEQUAL,
    UNREAD_RULE,
    WEAKER,
)
from harness.judging.checkers.pseudo_boolean.machine import Machine
from harness.judging.checkers.pseudo_boolean.paused import take
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme
from harness.judging.checkers.pseudo_boolean.words import START
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED

# A proof of two rows, of x1 + x2 >= 1, that no solution has a smaller sum than 1.
SMALL = START + b"1.0\nl 1\nrup +1 x1 +1 x2 >= 1 ;\nsoli x1 ~x2\npol 1 3 + s\nc 4\n"
# A proof in version 3.0 that takes the compiled functions which no step of SMALL does.
RARE = (
    START
    + b"3.0\nsetlvl 1 ;\nrup 1 x1 1 x2 >= 1 ;\nwiplvl 1 ;\nred 1 x1 1 ~x2 >= 1 : x1 -> x2 x2 -> x1 ;\ndel id 1 ;\n"
)
FAULTS = {
    NOT_IMPLIED: (REFUSED, "its row does not follow"),
    BAD_ID: (REFUSED, "there is no row of this number"),
    BAD_STEP: (UNCHECKED, "format: this '{rule}' is not understood"),
    UNREAD_RULE: (UNCHECKED, "format: this '{rule}' is not understood"),
    ASSERTED: (UNCHECKED, "format: its row is asserted without a proof"),
    BETTER: (REFUSED, "its solution is better than the answer"),
    OPEN: (REFUSED, "nothing contradicts itself there"),
    FALSE: (REFUSED, "its solution breaks a row, or lacks a variable of the objective"),
    WEAKER: (REFUSED, "its conclusion is weaker than the claim"),
    COUNT: (REFUSED, "the formula has another number of rows"),
    UNEQUAL: (REFUSED, "it is not what the proof has"),
    FAILED: (REFUSED, "the proof fails itself there"),
    UNENDED: (REFUSED, "the proof lacks an output, a conclusion and an end in this order"),
    NO_ORDER: (REFUSED, "its order is not shown, or may not be used so"),
    UNCOUNTED: (UNCHECKED, "format: this '{rule}' is not checked"),
}


def check(programme: SumProgramme, proof: ProofText) -> tuple[int, str]:
    """Check that a proof refutes a programme with its bound; return CERTIFIED, REFUSED or UNCHECKED, and the reason."""
    try:
        fault, line = Machine(programme, proof).check(take)
        return check_exactly(programme, proof) if fault == OVERFLOW else judged(fault, line, proof)
    except BadProof as e:
        return UNCHECKED, f"format: {e}"


def check_exactly(programme: SumProgramme, proof: ProofText) -> tuple[int, str]:
    """Check a proof as `check` does, with Python integers alone."""
    try:
        return judged(*exact.check(programme, proof), proof)
    except BadProof as e:
        return UNCHECKED, f"format: {e}"


def judged(fault: int, line: int, proof: ProofText) -> tuple[int, str]:
    """Return the outcome of a check, and the reason, with the rule of the line where it ended."""
    if fault == REFUTED:
        return CERTIFIED, ""
    outcome, why = FAULTS[fault]
    format_, _, rest = why.rpartition(": ")
    words = line_of(proof, line).split(maxsplit=1)
    rule = words[0][:40].decode("ascii", "backslashreplace") if words else ""
    return outcome, f"{format_}{': ' if format_ else ''}line {line} of the proof: {rest.format(rule=rule)}"
