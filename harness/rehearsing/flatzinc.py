"""Faults in the output of a FlatZinc solver: solutions that end in ten dashes, and what ends the search.

x1 = true;  ...  cost = 5;
----------                  a solution: with -a each better one, and the last one counts
==========                  the search is complete
=====UNSATISFIABLE=====     there is none; =====UNKNOWN=====: nobody knows
"""

import re

from harness.model.rules import Rules
from harness.rehearsing.cases import RehearsalCase
from harness.rehearsing.protocol import NUMBER, Reply, add

FOUND, COMPLETE = "----------", "=========="
NONE, UNKNOWN = "=====UNSATISFIABLE=====", "=====UNKNOWN====="
ASSIGNED = re.compile(r"(x[1-9][0-9]{0,8}|cost) = (true|false|-?[0-9]{1,18});")


def read(output: str, rules: Rules, case: RehearsalCase) -> Reply:
    """Read solutions into the lines of the other competitions: the last one, its cost, and the status."""
    reply = Reply(texts=dict(enumerate(output.splitlines(), 1)))
    now = Reply(texts=reply.texts, faults=reply.faults)
    for number, line in reply.texts.items():
        if line.startswith("%") or not line.strip():
            continue
        if reply.status in ("OPTIMUM FOUND", "UNSATISFIABLE", "UNKNOWN") or (not case.soft and reply.complete):
            reply.fault(number, "a line behind the end of the search")
        elif line == FOUND:
            reply.values, reply.shown, reply.whole = now.values, True, now.whole
            reply.costs += now.costs
            reply.status, reply.status_line = "SATISFIABLE", number
            now = Reply(texts=reply.texts, faults=reply.faults)
        elif line == COMPLETE:
            reply.complete = True
            if not reply.shown:
                reply.fault(number, "the search is complete, but no solution was shown")
            elif case.soft:
                reply.status, reply.status_line = "OPTIMUM FOUND", number
        elif line in (NONE, UNKNOWN):
            if reply.shown:
                reply.fault(number, "a solution was shown before")
            reply.status, reply.status_line = ("UNSATISFIABLE" if line == NONE else "UNKNOWN"), number
        elif not (match := ASSIGNED.fullmatch(line)):
            reply.fault(number, "no value of an output variable, and no line that ends a solution or the search")
        elif match[1] == "cost":
            now.costs.append((number, int(match[2]) if NUMBER.fullmatch(match[2]) else 0))
        else:
            add(now, number, int(match[1][1:]) * (1 if match[2] == "true" else -1), case.booleans)
    if now.values:
        reply.fault(now.values[-1][0], "a solution without a line of ten dashes")
    return reply
