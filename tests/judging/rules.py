"""Random pseudo-Boolean proofs in version 3.0 over all rules, most of whose steps a checker accepts.

A proof is drawn statement by statement, without regard to what holds; `surviving` leaves out the statements that a
checker refuses, so that what is left runs through the checker to its end. About a claim that is false, by all
assignments, no such proof may be certified.
"""

from collections.abc import Callable
from itertools import product
from random import Random
from typing import NamedTuple

from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, SumRow, row
from harness.model.outcome import CERTIFIED

HEADER = "pseudo-Boolean proof version 3.0"
WORDS = (
    "+",
    "*",
    "d",
    "s",
    "w",
    "c",
    "m",
    "n",
    ";",
    ":",
    "->",
    ">=",
    "==>",
    "qed",
    "rup",
    "del",
    "core",
    "-1",
    "#1",
    "0",
)
# Orders over two variables: lexicographic, by number of true ones, trivial; and by auxiliary variables.
ORDERS = (
    "def_order lex vars left u1 u2 ; right v1 v2 ; end ; def -2 u1 2 v1 -1 u2 1 v2 >= 0 ; end ; "
    "transitivity vars fresh_right w1 w2 ; end ; proof proofgoal #1 pol 1 2 + 3 + ; qed : -1 ; qed ; end ; end ;",
    "def_order less vars left u1 u2 ; right v1 v2 ; end ; def -1 u1 -1 u2 1 v1 1 v2 >= 0 ; end ; "
    "transitivity vars fresh_right w1 w2 ; end ; proof proofgoal #1 pol 1 2 + 3 + ; qed ; qed ; end ; end ;",
    "def_order aux vars left u1 u2 ; right v1 v2 ; aux $a ; end ; "
    "spec red 1 ~$a 1 ~u1 1 v1 >= 1 : $a -> 0 ; red 1 $a 1 u1 >= 1 : $a -> 1 ; red 1 $a 1 ~v1 >= 1 : $a -> 1 ; end ; "
    "def 1 $a >= 1 ; end ; transitivity vars fresh_right w1 w2 ; fresh_aux_1 $b ; fresh_aux_2 $c ; end ; "
    "proof proofgoal #1 rup >= 1 ; qed : -1 ; qed ; end ; end ;",
    "def_order bad vars left u1 u2 ; right v1 v2 ; end ; def 1 u1 1 v1 >= 1 ; end ; "
    "transitivity vars fresh_right w1 w2 ; end ; proof qed ; end ; end ;",
)
Check = Callable[[SumProgramme, bytes], tuple[int, str]]


class Made(NamedTuple):
    """Programme with a claim about its best sum, and True if the claim is true."""

    programme: SumProgramme
    right: bool


def solutions(programme: SumProgramme) -> dict[tuple[int, ...], int]:
    """Return the sum of the objective of each solution, by trying all assignments."""
    found = {}
    for bits in product((0, 1), repeat=programme.variables):
        if all(value(terms, bits) >= degree for terms, degree in programme.rows):
            found[bits] = sum(a * bits[x - 1] for x, a in (programme.goal or {}).items())
    return found


def value(terms: object, bits: tuple[int, ...]) -> int:
    return sum(c * (bits[x - 1] if x > 0 else 1 - bits[-x - 1]) for x, c in dict(terms).items())  # type: ignore[call-overload]


def made(random: Random, most: int = 5) -> Made:
    """Return a random programme with a claim, which is false if it can be."""
    n = random.randint(2, most)
    rows = list[SumRow]()
    for _ in range(random.randint(1, 2 * n)):
        size = random.randint(1, min(3, n))
        terms = [
            (random.choice((1, 1, 1, 2, 3)) * random.choice((1, -1)), x) for x in random.sample(range(1, n + 1), size)
        ]
        low, high = sum(min(a, 0) for a, _ in terms), sum(max(a, 0) for a, _ in terms)
        rows.append(row(terms, random.randint(low, max(low, (low + high + 1) // 2))))
    goal = None if random.random() < 0.4 else {x: random.choice((-2, -1, 1, 1, 2)) for x in range(1, n + 1)}
    programme = SumProgramme(n, tuple(rows), goal)
    found = solutions(programme)
    if goal is None or not found:
        return Made(programme, not found)
    worse = [v for v in found.values() if v > min(found.values())]
    best = random.choice(worse) if worse else min(found.values())
    return Made(programme._replace(best=best), not worse)


class Writer:
    """Draws statements about a programme."""

    def __init__(self, programme: SumProgramme, random: Random) -> None:
        self.programme, self.random = programme, random
        self.known = list(solutions(programme).items())
        self.names = [f"x{x}" for x in range(1, programme.variables + 1)] + ["y1", "z[2]"]

    def variable(self, own: float = 0.85) -> str:
        return self.random.choice(self.names[:-2] if self.random.random() < own else self.names)

    def literal(self) -> str:
        return self.random.choice(("", "~")) + self.variable()

    def row(self, size: int = 3) -> str:
        k = self.random.randint(0 if self.random.random() < 0.05 else 1, size)
        names = self.random.sample(self.names, min(k, len(self.names)))
        body = " ".join(f"{self.random.choice((1, 1, 1, 2, -1))} {self.random.choice(('', '~'))}{x}" for x in names)
        kind = self.random.random()
        if kind < 0.1:
            return f"{self.literal()} {self.random.choice(('==>', '<=='))} {body} >= 1"
        if kind < 0.2:
            return f"{body} <= {self.random.randint(0, k)}"
        return f"{body} >= {self.random.choice((1, 1, 1, 2))}"

    def number(self) -> str:
        return str(self.random.choice((-1, -1, -2, -3, self.random.randint(1, len(self.programme.rows) + 6))))

    def witness(self) -> str:
        names = self.random.sample(self.names, self.random.randint(0, min(3, len(self.names))))
        if len(names) > 1 and self.random.random() < 0.4:  # a permutation
            return " ".join(f"{x} -> {y}" for x, y in zip(names, names[1:] + names[:1], strict=True))
        return " ".join(f"{x} -> {self.random.choice(('0', '1', self.literal()))}" for x in names)

    def affine(self) -> str:
        goal = list((self.programme.goal or {1: 1}).items())
        if self.random.random() < 0.5:
            x, a = self.random.choice(goal)
            goal.append((x, self.random.choice((-a, 1))))
        return " ".join(f"{a} x{x}" for x, a in goal) + self.random.choice(("", "", " 1"))

    def block(self) -> str:
        goals = [
            f"proofgoal {self.random.choice(('#1', '#2', '#3', self.number()))} {self.inner()} qed"
            f"{self.random.choice(('', ' : -1'))} ;"
            for _ in range(self.random.randint(0, 2))
        ]
        if self.random.random() < 0.2:
            scope = self.random.choice(("leq", "geq"))
            goals.append(f"scope {scope} proofgoal #{self.random.randint(1, 3)} rup >= 1 ; qed ; end scope ;")
        return f"subproof {' '.join(goals)} {self.inner()} qed{self.random.choice(('', ' : -1'))}"

    def inner(self) -> str:
        return self.random.choice(("", f"rup {self.row()} ;", f"{self.pol()} ;", "pol -1 -2 + ;", "rup >= 1 ;"))

    def pol(self) -> str:
        words, depth = [self.number()], 1
        for _ in range(self.random.randint(0, 4)):
            kind = self.random.randrange(4)
            if kind == 0 or depth == 0:
                words.append(self.number() if self.random.random() < 0.7 else self.literal())
                depth += 1
            elif kind == 1 and depth > 1:
                words.append("+")
                depth -= 1
            elif kind == 2:
                words += [str(self.random.randint(1, 3)), self.random.choice("*dcmn-")]
            else:
                words += self.random.choice((["s"], [self.variable(), "w"]))
        return " ".join(["pol", *words, *["+"] * (depth - 1)])

    def solution(self) -> str:
        best, found = self.programme.best, self.known
        fair = [bits for bits, v in found if best is None or v >= best] or [bits for bits, _ in found]
        bits = self.random.choice(fair) if fair else ()
        return " ".join(f"{'' if v else '~'}x{x}" for x, v in enumerate(bits, 1) if self.random.random() < 0.97)

    def goal_value(self) -> int:
        return (self.programme.best or 0) + self.random.choice((0, 0, 1, -1, 3))

    def statement(self) -> str:
        """Return a statement of a random rule, in one line."""
        pick, r = self.random.choice, self.random.random()
        label = f"@{pick('ab')} " if r < 0.1 else ""
        block = f" : {self.block()}" if self.random.random() < 0.3 else ""
        kinds: tuple[tuple[int, Callable[[], str]], ...] = (
            (6, lambda: f"{label}rup {self.row()}"),
            (5, lambda: f"{label}{self.pol()}"),
            (9, lambda: f"{label}red {self.row()} : {self.witness()}{block}"),
            (6, lambda: f"{label}dom {self.row()} : {self.witness()}{block}"),
            (1, lambda: f"{label}pbc {self.row()}{block}"),
            (3, lambda: pick(ORDERS).removesuffix(" ;")),
            (4, lambda: f"load_order {pick(('lex', 'less', 'aux', 'bad'))} {self.literal()} {self.literal()}"),
            (1, lambda: "load_order"),
            (2, lambda: f"soli {self.solution()}" + pick(("", f" : {self.goal_value()}"))),
            (1, lambda: f"sol {self.solution()}"),
            (1, lambda: f"solx {self.solution()}"),
            (1, lambda: f"obji {self.goal_value()}"),
            (2, lambda: f"obju new {self.affine()}{block}"),
            (1, lambda: f"obju diff {pick((1, -1))} {self.literal()}{pick(('', ' -1'))}{block}"),
            (3, lambda: f"del id {self.number()}{pick(('', f' : {self.witness()}'))}"),
            (1, lambda: f"del id {self.number()} : {self.witness()}{block}"),
            (1, lambda: f"del spec {self.row()}"),
            (1, lambda: f"del range {self.random.randint(1, 6)} {self.random.randint(1, 9)}"),
            (1, lambda: f"{pick(('delc', 'deld'))} {self.number()}"),
            (2, lambda: f"core id {self.number()}"),
            (2, lambda: f"strengthening_to_core {pick(('on', 'off'))}"),
            (1, lambda: pick(("setlvl 1", "setlvl 2", "wiplvl 1", "wiplvl 2"))),
            (1, lambda: f"{label}{pick(('e', 'i', 'ia'))} {self.row()}{pick(('', f' : {self.number()}'))}"),
            (1, lambda: f"preserved_add {self.variable()} {self.row()}"),
            (1, lambda: f"a {self.row()}"),
        )
        weights, draws = zip(*kinds, strict=True)
        return f"{self.random.choices(draws, weights)[0]()} ;"

    def proof(self, size: int) -> list[str]:
        """Return lines of a proof of the claim, most of which do not hold."""
        best = self.programme.best
        lines = [self.statement() for _ in range(size)]
        lines.append("rup >= 1 ;")
        claim = (
            "UNSAT" if self.programme.goal is None else "BOUNDS INF INF" if best is None else f"BOUNDS {best} {best}"
        )
        shown = "" if best is None else f" : {self.solution()}"
        end = f"conclusion {claim}{shown} ;" if self.random.random() < 0.9 else "conclusion UNSAT : -1 ;"
        return [*lines, "output NONE ;", end, "end pseudo-Boolean proof ;"]

    def mutated(self, lines: list[str]) -> list[str]:
        """Return lines with one to three changes: of a line's place, of a word, or by a statement that is put in."""
        pick, lines = self.random.choice, list(lines)
        for _ in range(self.random.randint(1, 3)):
            i, kind = self.random.randrange(len(lines)), self.random.randrange(8)
            if kind < 3:
                moved = pick((lines[i], self.statement())) if kind == 0 else lines.pop(i)
                lines[(at := self.random.randrange(len(lines) + 1)) : at] = [moved] * (kind < 2 or not lines)
            else:
                words = lines[i].split()
                k = self.random.randrange(len(words))
                if words[k].lstrip("-").isdigit() and self.random.random() < 0.8:
                    words[k] = str(int(words[k]) + pick((-2, -1, 1, 2, 1 << 62)))
                elif words[k].lstrip("~")[0] in "xyz" and self.random.random() < 0.8:
                    words[k] = self.literal()
                else:
                    words[k] = pick(WORDS)
                lines[i] = " ".join(words)
        return lines


def text(lines: list[str]) -> bytes:
    return "\n".join([HEADER, *lines, ""]).encode()


def surviving(check: Check, programme: SumProgramme, lines: list[str]) -> tuple[int, str, list[str]]:
    """Leave out the lines that a checker refuses, up to the end; return the outcome, the reason and the lines left."""
    while True:
        outcome, why = check(programme, text(lines))
        at = why.partition("line ")[2].partition(" ")[0]
        if outcome == CERTIFIED or not at or int(at) - 2 >= len(lines) - 4:
            return outcome, why, lines
        lines = lines[: int(at) - 2] + lines[int(at) - 1 :]
