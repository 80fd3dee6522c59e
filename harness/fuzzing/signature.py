"""In what way an outcome fails, in words that stay the same while a case shrinks: the signature by which it is kept.

wrong solution        a solution breaks a unit, leaves a domain, or is shown twice
unsatisfiable         says that there is no solution where there is one
too few               says that there are no others where there are
(un)satisfiable ...   says one thing and shows another
count refuted         more solutions are shown than trying everything found: a fault of ours
undecided             no answer, and no reason
timeout, memory       the limit was reached
crash: HOW            the process died
error: WHAT           an exception, names of things and numbers left out
"""

import re
from typing import Any

from backends.answer import Reason, Status
from harness.model.outcome import Verdict


def signature(row: Any, valid: int, verdict: int, decided: bool, detail: str) -> str | None:
    """How one row of outcomes fails, or None where it does not, or was refused as a whole."""
    reason, describe_answer = Reason(int(row["reason"])), Status(int(row["status"]))
    if describe_answer == Status.UNKNOWN and reason in (Reason.CRASH, Reason.ERROR):
        return f"{reason.name.lower()}: {normalise_detail(detail, reason)}"
    if valid < 0:
        return "wrong solution"
    if verdict == Verdict.WRONG:
        if describe_answer == Status.SATISFIABLE and row["found"] == 0:
            return "satisfiable without a solution"
        if describe_answer == Status.UNSATISFIABLE and row["found"]:
            return "unsatisfiable with a solution"
        return "too few" if row["found"] else "unsatisfiable"
    if verdict == Verdict.CORPUS_WRONG:
        return "count refuted"
    if decided or reason in (Reason.STUCK, Reason.UNSUPPORTED):
        return None
    return {Reason.TIMEOUT: "timeout", Reason.MEMORY: "memory"}.get(reason, "undecided")


def normalise_detail(detail: str, reason: Reason) -> str:
    """What went wrong without what changes from case to case."""
    line = detail.partition("\n")[0]
    if reason == Reason.CRASH:
        return line.partition(": ")[0]
    return re.sub(r"'[^']*'|[\[({].*[\])}]|\d+", "#", line)[:60]


def describe_answer(row: Any, detail: str) -> str:
    """What an outcome says, in a line."""
    status, reason = Status(int(row["status"])), Reason(int(row["reason"]))
    if status == Status.UNKNOWN:
        return f"UNKNOWN ({reason.name.lower()}{': ' + detail if detail else ''})"
    n = int(row["found"])
    return f"{status.name} with {n} solution{'' if n == 1 else 's'}{', complete' if row['complete'] else ''}"
