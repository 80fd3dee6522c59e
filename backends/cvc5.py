"""cvc5, over integers or over bit vectors: each ask parses the SMT-LIB script anew, with its domains.

    cvc5:int    integers: `distinct` units on boards, any problem of kinds
    cvc5:bv     the same over bit vectors

cvc5 runs on one thread with a fixed seed. A board's units of different integers cost it a case distinction for each
pair of squares, so `cvc5:int` is slow on boards. Its time limit does not interrupt preprocessing, which takes seconds
on boards of 25x25.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter_ns as now
from typing import Any

from backends.contract.answer import Answer, Ask, Phases, Reason, Session, Status
from backends.contract.options import LARGEST_INT, Configured, Option, Value, shown
from backends.shared.enumeration import Values, enumerate_solutions
from encoders.formula import AllDifferent, Constraints, Formula, constraints_of
from encoders.smt import RANGES, Script, script
from encoders.smt.script import disjunction, negation
from puzzles.packages import version
from puzzles.problem.values import Domains

SWITCHES = """
arith-brab arith-rewrite-equalities arith-static-learning bv-eager-eval bv-gauss-elim bv-propagate bv-to-bool
cut-all-bounded dio-solver ite-simp learned-rewrite nl-cov nl-ext-factor nl-ext-rewrite nl-ext-tplanes pb-rewrites
repeat-simp restrict-pivots static-learning
"""
OPTIONS = (  # options that change the search, and leave it sound and complete, by cvc5's names
    *(Option(name, "bool") for name in SWITCHES.split()),
    Option("arith-prop", "text", ("bi", "both", "none", "unate")),
    Option("bv-solver", "text", ("bitblast", "bitblast-internal")),
    Option("decision", "text", ("internal", "justification", "stoponly")),
    Option("error-selection-rule", "text", ("max", "min", "sum", "varord")),
    Option("nl-ext", "text", ("full", "light", "none")),
    Option("random-freq", "float", least=0, most=1),
    Option("restart-int-base", "int", least=1, most=LARGEST_INT),
    Option("restart-int-inc", "float", least=1, most=1000),
    Option("sat-random-seed", "int", least=0, most=LARGEST_INT),
    Option("sat-solver", "text", ("cadical", "minisat")),
    Option("seed", "int", least=0, most=LARGEST_INT),
    Option("simplification", "text", ("batch", "none")),
    Option("unate-lemmas", "text", ("all", "eqs", "ineqs", "none")),
)


@dataclass(frozen=True)
class Cvc5(Configured):
    """The cvc5 backend, over integers or over bit vectors."""

    vectors: bool
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"count", "domains"})
    options: tuple[Option, ...] = OPTIONS

    def open(self, formula: Formula) -> Session:
        form = constraints_of(formula, self.name, ranges=RANGES)
        return Cvc5Session(form, script(form, self.vectors), self.chosen)


class Cvc5Session:
    """One script, a fresh solver for each ask."""

    def __init__(self, form: Constraints, script: Script, options: Mapping[str, Value]) -> None:
        import cvc5

        self.cvc5, self.form, self.script, self.options = cvc5, form, script, options
        self.index, self.beyond = form.index(), len(form.numbers)
        self.known = form.known
        logic = "QF_BV" if script.vectors else "QF_NIA" if script.nonlinear else "QF_LIA"
        self.text = f"(set-logic {logic})\n{script.text()}"

    def takes(self, x: int, v: int) -> str:
        return self.script.completed(self.script.takes(x, self.form.numbers[v]))

    def givens(self, domains: Domains) -> str:
        """Return the assertions that restrict variables to domains, unless the script does so already."""
        changed = [(x, mask) for x, mask in enumerate(domains) if mask != self.known[x]]
        given = (self.script.given(x, self.form.members(mask)) for x, mask in changed)
        return self.script.completed("\n".join(f"(assert {formula})" for formula in given))

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        if 0 in ask.domains:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        models = Cvc5Models(self, ask, begin + int(ask.seconds * 1e9))
        answer = enumerate_solutions(models, Values(), ask, now() - begin).answer({})
        if models.gave_up:
            return replace(answer, reason=Reason.STUCK, note=f"cvc5 gives up: {models.gave_up}")
        return answer

    def close(self) -> None:
        """Do nothing: the session holds no resources."""


class Cvc5Models:
    """The models of one ask. A model is the list of its solution's values."""

    def __init__(self, session: Cvc5Session, ask: Ask, deadline: int) -> None:
        self.session, self.deadline, self.gave_up = session, deadline, ""
        cvc5 = session.cvc5
        self.solver = cvc5.Solver(cvc5.TermManager())
        options = {"produce-models": True, "incremental": ask.count > 1, "seed": 0, **session.options}
        for name, value in options.items():
            self.solver.setOption(name, shown(value))
        self.parser = cvc5.InputParser(self.solver)
        self.run(f"{session.text}{session.givens(ask.domains)}\n")
        names = {term.getSymbol(): term for term in self.parser.getSymbolManager().getDeclaredTerms()}
        self.constants = [names[f"v{x}"] for x in range(len(ask.domains))]
        self.read: list[Callable[[Any], int]] = [self.reader(term) for term in self.constants]

    def run(self, text: str) -> None:
        """Run commands. Raises ValueError if cvc5 rejects a command, which is a bug of this backend."""
        self.parser.setStringInput(self.session.cvc5.InputLanguage.SMT_LIB_2_6, text, "crosscheck")
        symbols = self.parser.getSymbolManager()
        while not (command := self.parser.nextCommand()).isNull():
            if said := command.invoke(self.solver, symbols).strip():
                raise ValueError(f"cvc5 rejects the script: {said}")

    def reader(self, constant: Any) -> Callable[[Any], int]:
        """Return a function that reads the number of a value with the sort of a constant."""
        sort = constant.getSort()
        if sort.isBoolean():
            return lambda value: int(value.getBooleanValue())
        if sort.isInteger():
            return lambda value: int(value.getIntegerValue())
        half = 1 << (sort.getBitVectorSize() - 1)
        return lambda value: (int(value.getBitVectorValue(10)) ^ half) - half

    def solve(self) -> bool | None:
        left = (self.deadline - now()) // 1_000_000
        if left <= 0:
            return None
        self.solver.setOption("tlimit-per", str(left))
        result = self.solver.checkSat()
        if result.isUnknown():
            late = now() >= self.deadline or "TIMEOUT" in str(result.getUnknownExplanation()).upper()
            self.gave_up = "" if late else str(result.getUnknownExplanation())
            return None
        return bool(result.isSat())

    def model(self) -> list[int]:
        values = self.solver.getValue(self.constants) if self.constants else []
        index = self.session.index
        return [index(read(value)) for read, value in zip(self.read, values, strict=True)]

    def forbid(self, clause: list[int]) -> None:
        """Exclude a solution."""
        kept = [(x, v) for x, v in enumerate(clause) if v < self.session.beyond]
        self.run(f"(assert {disjunction(negation(self.session.takes(x, v)) for x, v in kept)})\n")


def backends() -> tuple[Cvc5, ...]:
    """Return both variants. Raises ModuleNotFoundError if cvc5 is not installed."""
    installed = f"cvc5 {version('cvc5')}"
    return Cvc5("cvc5:int", installed, False), Cvc5("cvc5:bv", installed, True)
