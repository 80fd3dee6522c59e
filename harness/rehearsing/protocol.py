"""Faults of protocol in the output of a solver on a case of known answer, with the lines that are wrong.

    s, v, o, c  lines of the SAT, MaxSAT, pseudo-Boolean and XCSP3 competitions: status, values, cost, comment
    Reply       status, model and costs as the lines state them, and the faults found while they were read

FlatZinc's output is in flatzinc.py.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from backends.programs.telling import telling_line
from harness.model.rules import Rules
from harness.rehearsing.cases import RehearsalCase
from harness.rehearsing.conduct import Conduct

STATUSES = ("SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND", "UNKNOWN", "UNSUPPORTED")
DECIDED = ("SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND")
NUMBER = re.compile(r"-?[0-9]{1,18}")
OPB_LITERAL = re.compile(r"(-?)x([1-9][0-9]{0,17})")
MOST_SHOWN = 60  # characters of a line


@dataclass(frozen=True)
class ProtocolFault:
    """Fault of protocol: the number of its line, 0 for none, its text, and the reason."""

    line: int
    text: str
    why: str

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= MOST_SHOWN else self.text[:MOST_SHOWN] + "..."
        return f"line {self.line}, {shown!r}: {self.why}" if self.line else self.why


@dataclass
class Reply:
    """Answer as printed: `values` are literals by the line that has them, `end` is the line of the final 0.

    whole  no value was refused        complete  FlatZinc's line on a complete search was read
    """

    status: str = ""
    status_line: int = 0
    costs: list[tuple[int, int]] = field(default_factory=list)
    values: list[tuple[int, int]] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    end: int = 0
    shown: bool = False
    whole: bool = True
    complete: bool = False
    faults: list[ProtocolFault] = field(default_factory=list)

    def fault(self, line: int, why: str) -> None:
        """Add a fault of a line, unless the same kind of line has it already."""
        if all(known.why != why for known in self.faults):
            self.faults.append(ProtocolFault(line, self.texts.get(line, ""), why))

    @property
    def model(self) -> list[int]:
        """Literals."""
        return [literal for _, literal in self.values]


def read(output: str, rules: Rules, case: RehearsalCase) -> Reply:
    """Read lines of status, values and costs."""
    reply = Reply(texts=dict(enumerate(output.splitlines(), 1)))
    words: Callable[[Reply, int, str, RehearsalCase], None] = VALUES[rules.protocol.language]
    if output and not output.endswith("\n"):
        reply.fault(len(reply.texts), "the last line has no end")
    for number, line in reply.texts.items():
        kind, _, rest = line.partition(" ")
        if kind == "s":
            if reply.status:
                reply.fault(number, "a second status line")
            elif rest.strip() not in STATUSES:
                reply.fault(number, f"no status: write one of {', '.join(STATUSES)}")
            reply.status, reply.status_line = reply.status or rest.strip(), reply.status_line or number
        elif kind == "v":
            if rules.protocol.line_most and len(line) > rules.protocol.line_most:
                reply.fault(number, f"a line of values has at most {rules.protocol.line_most:,} characters")
            reply.shown = True
            words(reply, number, rest, case)
        elif kind == "o":
            if rules.protocol.language == "cnf":
                reply.fault(number, "an o line, of an instance without an objective")
            elif reply.status:
                reply.fault(number, "a cost behind the status line")
            if NUMBER.fullmatch(rest.strip()):
                reply.costs.append((number, int(rest)))
            else:
                reply.fault(number, "an o line has one whole number")
        elif line.strip() and kind != "c":
            reply.fault(number, "a line begins with c, s, v or o and a blank")
    return reply


def literals(reply: Reply, number: int, text: str, case: RehearsalCase) -> None:
    """Add the literals of a line of DIMACS."""
    for word in text.split():
        if not NUMBER.fullmatch(word):
            reply.fault(number, f"{word[:20]!r} is no literal")
        elif reply.end:
            reply.fault(number, "a value behind the final 0")
        elif int(word) == 0:
            reply.end = number
        else:
            add(reply, number, int(word), case.variables)


def bits(reply: Reply, number: int, text: str, case: RehearsalCase) -> None:
    """Add the digits of a line of WCNF, one for each variable."""
    if re.fullmatch(r"[01\s]*", text):
        for digit in "".join(text.split()):
            at = len(reply.values) + 1
            add(reply, number, at if digit == "1" else -at, case.variables)
    else:
        reply.fault(number, "values are digits 0 and 1, one for each variable, since 2022")
        literals(reply, number, text, case)


def names(reply: Reply, number: int, text: str, case: RehearsalCase) -> None:
    """Add the literals of a line of OPB, such as x1 -x2."""
    for word in text.split():
        if match := OPB_LITERAL.fullmatch(word):
            add(reply, number, int(match[2]) * (-1 if match[1] else 1), case.booleans)
        else:
            reply.fault(number, f"{word[:20]!r} is no literal such as x1 or -x1")


def instantiation(reply: Reply, number: int, text: str, case: RehearsalCase) -> None:
    """Add the values of an <instantiation> of XCSP3, whose elements may be on several lines."""
    own = " ".join(line[2:] for line in reply.texts.values() if line.startswith("v "))
    last = max(n for n, line in reply.texts.items() if line.startswith("v "))
    if number != last:
        return
    listed, values = (re.search(rf"<{tag}>([^<]*)</{tag}>", own) for tag in ("list", "values"))
    if not (listed and values and "<instantiation" in own and "</instantiation>" in own):
        reply.fault(number, "values are an <instantiation> with a <list> and <values>")
        return
    pairs = list(zip(listed[1].split(), values[1].split(), strict=False))
    if len(listed[1].split()) != len(values[1].split()):
        reply.fault(number, "as many values as variables in the list are expected")
    for name, value in pairs:
        if not re.fullmatch(r"x[1-9][0-9]{0,8}", name) or value not in ("0", "1", "*"):
            reply.fault(number, f"{name}={value} is no variable with a value of its domain")
        else:
            add(reply, number, int(name[1:]) * (-1 if value == "0" else 1), case.booleans)


VALUES = {"cnf": literals, "wcnf": bits, "opb": names, "xcsp3": instantiation}


def add(reply: Reply, number: int, literal: int, variables: int) -> None:
    """Add a literal, unless it is beyond the variables or contradicts another."""
    if abs(literal) > variables:
        reply.fault(number, f"a value of variable {abs(literal)}, but the instance has {variables}")
        reply.whole = False
    elif -literal in reply.model:
        reply.fault(number, f"variable {abs(literal)} has two values")
        reply.whole = False
    else:
        reply.values.append((number, literal))


def judge(reply: Reply, rules: Rules, case: RehearsalCase, run: Conduct) -> list[ProtocolFault]:
    """Return the faults of a reply: what its status demands, and what is known of the case."""
    protocol, status = rules.protocol, reply.status
    late = case.hard_to_solve and (run.terminated is not None or case.memory_mb > 0 or status)
    unending = protocol.anytime and run.terminated is not None  # searches for better values until the limit
    if run.killed:
        reply.fault(0, f"it still ran {protocol.grace:g} s after SIGTERM")
    if run.terminated is not None and not protocol.anytime:
        after_sigterm(reply, case, run)
    if (
        run.terminated is not None
        and protocol.anytime
        and case.soft
        and case.satisfiable
        and not reply.shown
        and not run.killed
    ):
        reply.fault(0, "no solution on SIGTERM, of an instance that has one")
    if not late and not unending and status not in DECIDED:
        end = f"a signal, {-run.code}," if run.code < 0 else f"exit code {run.code}"
        if run.terminated is not None:
            end = "SIGTERM"
        why = "a small instance is not decided" if status or run.terminated is not None else "no status line"
        said = telling_line(run.errors)
        reply.fault(reply.status_line, f"{why} ({end} after {run.seconds:.1f} s{f': {said}' if said else ''})")
    wrong_status(reply, case)
    if status in ("SATISFIABLE", "OPTIMUM FOUND"):
        model_faults(reply, rules, case)
    elif reply.shown and status:
        reply.fault(min(n for n, line in reply.texts.items() if line.startswith("v")), f"values, but it says {status}")
    expected = protocol.exit_codes.get(status)
    if expected is not None and run.code != expected and run.terminated is None:
        reply.fault(0, f"exit code {run.code} for {status}, where {expected} is ruled")
    if run.threads > rules.limits.cores:
        reply.fault(0, f"{run.threads} threads ran at a time, on {rules.limits.cores} allowed")
    if run.left:
        reply.fault(0, f"it left processes running: {', '.join(run.left)[:100]}")
    return reply.faults


def after_sigterm(reply: Reply, case: RehearsalCase, run: Conduct) -> None:
    """Add a fault of a decision that was printed behind SIGTERM; the best solution so far is none."""
    before = run.output[: run.terminated].decode(errors="replace").count("\n")
    decided = reply.status in DECIDED and not (case.soft and reply.status == "SATISFIABLE")
    if reply.status_line > before and decided:
        reply.fault(reply.status_line, "an answer behind SIGTERM, after the limit")


def wrong_status(reply: Reply, case: RehearsalCase) -> None:
    """Add a fault if the status is known to be false."""
    said = {"SATISFIABLE": True, "OPTIMUM FOUND": True, "UNSATISFIABLE": False}.get(reply.status)
    if None not in (said, case.satisfiable) and said != case.satisfiable:
        reply.fault(reply.status_line, f"a wrong answer: the instance is {'' if case.satisfiable else 'un'}satisfiable")
    if reply.status == "OPTIMUM FOUND" and case.soft is None:
        reply.fault(reply.status_line, "an optimum of an instance without an objective")


def model_faults(reply: Reply, rules: Rules, case: RehearsalCase) -> None:
    """Add the faults of the model and of its cost."""
    if not rules.answers.model:
        return
    number = max((n for n, line in reply.texts.items() if line.startswith("v")), default=reply.status_line)
    if not reply.shown:
        what = "an optimum" if reply.status == "OPTIMUM FOUND" else "a satisfiable instance"
        reply.fault(reply.status_line, f"no values of {what}")
        return
    if rules.protocol.end and not reply.end:
        reply.fault(number, "the values do not end in 0")
    named = {abs(literal) for literal in reply.model}
    own = range(1, case.variables + 1)
    missing = [] if rules.protocol.partial else [v for v in own if v not in named]
    if missing:
        reply.fault(number, f"no value of variable {missing[0]}")
    if missing or not reply.whole:
        return
    if clause := case.broken(reply.model):
        reply.fault(number, f"a wrong answer: the values break the clause {' '.join(map(str, clause))}")
    elif case.soft is not None:
        cost_faults(reply, rules, case, number)


def cost_faults(reply: Reply, rules: Rules, case: RehearsalCase, number: int) -> None:
    """Add the faults of the costs that are stated, and of the optimum."""
    cost = case.cost(reply.model)
    if reply.costs and reply.costs[-1][1] != cost:
        reply.fault(reply.costs[-1][0], f"the cost of the values is {cost}")
    elif rules.answers.value and not reply.costs:
        reply.fault(number, f"no o line with the cost, which is {cost}")
    for (_, before), (line, after) in zip(reply.costs, reply.costs[1:], strict=False):
        if after > before:
            reply.fault(line, "a cost above that of an earlier o line")
    if reply.status == "OPTIMUM FOUND" and case.optimum is not None and cost > case.optimum:
        reply.fault(reply.status_line, f"a wrong answer: the cost is {cost}, and the least one {case.optimum}")
