"""Signatures: the kind of failure of an outcome, in words that stay the same while a case shrinks.

Of any answer:

wrong solution        a solution breaks a unit, is outside a domain, or is shown twice
unsatisfiable         claims no solution although one is known
too few               claims that there are no further solutions although some are known
(un)satisfiable ...   status and solutions contradict each other
count refuted         more right solutions than exhaustive search found: a fault of the harness
refuted               what it answered to the problem that loads its code, or before, is wrong
no answer             a program ended in order, but its output states no result that its protocol knows
undecided             no answer and no reason given
timeout, memory       the limit was reached
crash: HOW            the process died
error: WHAT           an exception, without quoted names and numbers

Of an answer to an instance with an objective:

wrong value           its solution has another value than stated
false improvement     what it reported while it searched is no solution, or has another value than stated
worse than reported   calls a solution the best, or says that there is none, although it reported a better one itself
not optimal           calls a solution the best although a better one is known
false bound           states that no solution is below a value, although one is known
optimum refuted       a right solution is better than the best that exhaustive search found: a fault of the harness
"""

import re
from dataclasses import dataclass
from typing import Any

from backends.contract.answer import Reason, Status
from backends.programs.program_session import NO_RESULT
from harness.model.outcome import Verdict
from puzzles.objectives import stated
from puzzles.problem import Objective

WRONG_SOLUTION, REFUTED, NO_ANSWER = "wrong solution", "refuted", "no answer"
OPEN = (NO_ANSWER, "undecided", "timeout", "memory")
UNANSWERED = (*OPEN, "crash", "error")  # beginnings: the others are wrong answers
UNREADABLE = (NO_RESULT, "the result is ")  # beginnings of notes of programs


@dataclass(frozen=True)
class Searched:
    """Search for the best solution: stated and evaluated values, all to be minimised; None where unknown.

    value     of the answer's solution
    stated    value that the answer states, if it is another
    faults    number of false improvements
    reported  least value of the right improvements
    bound     greatest value below which no solution is
    known     least value of a right solution of any source
    """

    value: int | None = None
    stated: int | None = None
    faults: int = 0
    reported: int | None = None
    bound: int | None = None
    known: int | None = None


def signature(
    row: Any, valid: int, verdict: int, decided: bool, detail: str, search: Searched | None = None
) -> str | None:
    """Return the signature of one outcome, or None if it did not fail, or was refused.

    `search` is that of an instance with an objective.
    """
    reason, status = Reason(int(row["reason"])), Status(int(row["status"]))
    if status == Status.UNKNOWN and reason in (Reason.CRASH, Reason.ERROR):
        return f"{reason.name.lower()}: {normalise_detail(detail, reason)}"
    if valid < 0:
        return WRONG_SOLUTION
    if verdict == Verdict.WRONG:
        if status == Status.UNKNOWN and reason == Reason.REFUTED:
            return REFUTED
        if status == Status.SATISFIABLE and row["found"] == 0:
            return "satisfiable without a solution"
        if status == Status.UNSATISFIABLE and row["found"]:
            return "unsatisfiable with a solution"
        if search is not None:
            return fault_of_search(search, bool(row["complete"]))
        return "too few" if row["found"] else "unsatisfiable"
    if verdict == Verdict.CORPUS_WRONG:
        return "count refuted" if search is None else "optimum refuted"
    if status == Status.UNKNOWN and reason == Reason.STUCK and detail.startswith(UNREADABLE):
        return NO_ANSWER
    if decided or reason in (Reason.STUCK, Reason.UNSUPPORTED):
        return None
    return {Reason.TIMEOUT: "timeout", Reason.MEMORY: "memory"}.get(reason, "undecided")


def fault_of_search(search: Searched, complete: bool) -> str:
    """Return the signature of a wrong answer to an instance with an objective whose solution is valid."""
    value = search.value
    if value is not None and search.stated not in (None, value):
        return "wrong value"
    if search.faults:
        return "false improvement"
    if complete and search.reported is not None and (value is None or search.reported < value):
        return "worse than reported"
    if complete and search.known is not None and (value is None or search.known < value):
        return "unsatisfiable" if value is None else "not optimal"
    return "false bound"


def normalise_detail(detail: str, reason: Reason) -> str:
    """Remove the parts of a detail that vary from case to case."""
    line = detail.partition("\n")[0]
    if reason == Reason.CRASH:
        return line.partition(": ")[0]
    line = re.sub(r" \([^()]*:\d+\)$", "", line)  # the place in the backend, which changes with its code
    return re.sub(r"'[^']*'|[\[({].*[\])}]|\d+", "#", line)[:60]


def describe_answer(row: Any, detail: str, search: Searched | None = None, goal: Objective | None = None) -> str:
    """Describe an outcome's answer in one line; with an objective, `search` and `goal` are given."""
    status, reason = Status(int(row["status"])), Reason(int(row["reason"]))
    because = f"{reason.name.lower()}{': ' + detail.partition(chr(10))[0] if detail else ''}"
    if search is not None and goal is not None:
        said = f"{status.name}{', complete' if row['complete'] else f' ({because})' if reason else ''}"
        return ", ".join([said, *words_of_search(search, goal)])
    if status == Status.UNKNOWN:
        return f"UNKNOWN ({because})"
    n = int(row["found"])
    return f"{status.name} with {n} solution{'' if n == 1 else 's'}{', complete' if row['complete'] else ''}"


def words_of_search(search: Searched, goal: Objective) -> list[str]:
    """Return the stated values and bounds of an answer in words, with the sign of the source."""
    parts = {"value": search.value, "stated as": search.stated, "reported": search.reported, "bound": search.bound}
    if search.stated == search.value:
        del parts["stated as"]
    if search.reported == search.value:
        del parts["reported"]
    words = [f"{name} {stated(goal, number)}" for name, number in parts.items() if number is not None]
    return [*words, *([f"{search.faults} false improvements"] if search.faults else [])]
