"""Signatures: the kind of failure of an outcome, in words that stay the same while a case shrinks.

wrong solution        a solution breaks a unit, is outside a domain, or is shown twice
unsatisfiable         claims no solution although one is known
too few               claims that there are no further solutions although some are known
(un)satisfiable ...   status and solutions contradict each other
count refuted         more right solutions than exhaustive search found: a fault of the harness
undecided             no answer and no reason given
timeout, memory       the limit was reached
crash: HOW            the process died
error: WHAT           an exception, without quoted names and numbers
"""

import re
from typing import Any

from backends.contract.answer import Reason, Status
from harness.model.outcome import Verdict


def signature(row: Any, valid: int, verdict: int, decided: bool, detail: str) -> str | None:
    """Return the signature of one outcome, or None if it did not fail, or was refused."""
    reason, status = Reason(int(row["reason"])), Status(int(row["status"]))
    if status == Status.UNKNOWN and reason in (Reason.CRASH, Reason.ERROR):
        return f"{reason.name.lower()}: {normalise_detail(detail, reason)}"
    if valid < 0:
        return "wrong solution"
    if verdict == Verdict.WRONG:
        if status == Status.SATISFIABLE and row["found"] == 0:
            return "satisfiable without a solution"
        if status == Status.UNSATISFIABLE and row["found"]:
            return "unsatisfiable with a solution"
        return "too few" if row["found"] else "unsatisfiable"
    if verdict == Verdict.CORPUS_WRONG:
        return "count refuted"
    if decided or reason in (Reason.STUCK, Reason.UNSUPPORTED):
        return None
    return {Reason.TIMEOUT: "timeout", Reason.MEMORY: "memory"}.get(reason, "undecided")


def normalise_detail(detail: str, reason: Reason) -> str:
    """Remove the parts of a detail that vary from case to case."""
    line = detail.partition("\n")[0]
    if reason == Reason.CRASH:
        return line.partition(": ")[0]
    return re.sub(r"'[^']*'|[\[({].*[\])}]|\d+", "#", line)[:60]


def describe_answer(row: Any, detail: str) -> str:
    """Describe an outcome's answer in one line."""
    status, reason = Status(int(row["status"])), Reason(int(row["reason"]))
    if status == Status.UNKNOWN:
        return f"UNKNOWN ({reason.name.lower()}{': ' + detail.partition(chr(10))[0] if detail else ''})"
    n = int(row["found"])
    return f"{status.name} with {n} solution{'' if n == 1 else 's'}{', complete' if row['complete'] else ''}"
