"""Are the explanations of random instances without a solution minimal, and are planted wrong ones told?

    python benchmarks/explaining.py [--instances 300] [--seed 1] [--json FILE]

A fifth each are CNF, OPB, XCSP3 and FlatZinc files and boards, small enough for brute force. Each subset is checked by
the judges of `explain` and by brute force. Then a superfluous member is added to it, and a needed one is left out.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from figures import Figure, add_option, report

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # other packages have a `tests` too

from harness.explaining.checking import NOT_MINIMAL, WRONG, checked_mus
from harness.explaining.extractors import extracted
from harness.explaining.found import JUDGES
from harness.explaining.members import Divided, divided
from harness.explaining.oracles import Judges
from harness.explaining.sources import divided_file
from harness.explaining.subsets import Subset
from harness.judging.exhaustive import right_assignments
from harness.model.settings import RunSettings
from puzzles.boards.families import layout
from puzzles.formats import ReaderOptions, read
from puzzles.problem import Instance

FORMS = ("cnf", "opb", "xml", "fzn", "board")
SETTINGS = RunSettings(60.0)


def cnf(random: Random) -> str:
    """Return a formula of 5 variables and 18 clauses."""
    rows = [[random.choice((-x, x)) for x in random.sample(range(1, 6), random.randint(1, 3))] for _ in range(18)]
    return "\n".join(["p cnf 5 18", *(" ".join(map(str, [*row, 0])) for row in rows), ""])


def opb(random: Random) -> str:
    """Return 9 sums over 5 Boolean variables."""
    rows = []
    for _ in range(9):
        terms = " ".join(f"{random.choice((-2, -1, 1, 2, 3)):+d} x{x}" for x in random.sample(range(1, 6), 3))
        rows.append(f"{terms} {random.choice(('>=', '='))} {random.randint(-1, 3)} ;")
    return "\n".join(["* #variable= 5 #constraint= 9", *rows, ""])


def xml(random: Random) -> str:
    """Return 8 constraints of XCSP3 on 4 variables."""
    rows = []
    for _ in range(8):
        a, b, c = random.sample(range(4), 3)
        rows.append(
            random.choice(
                (
                    f"<intension> {random.choice(('lt', 'ne', 'eq', 'ge'))}(x[{a}],x[{b}]) </intension>",
                    f"<allDifferent> x[{a}] x[{b}] x[{c}] </allDifferent>",
                    f"<sum><list> x[{a}] x[{b}] </list><condition> (le,{random.randint(0, 3)}) </condition></sum>",
                )
            )
        )
    head = '<instance format="XCSP3" type="CSP">\n<variables><array id="x" size="[4]"> 0..2 </array></variables>'
    return "\n".join([head, "<constraints>", *rows, "</constraints>", "</instance>", ""])


def fzn(random: Random) -> str:
    """Return 8 constraints of FlatZinc on 4 variables, equalities and comparisons with numbers among them."""
    rows = []
    for _ in range(8):
        a, b = random.sample(range(4), 2)
        n = random.randint(0, 3)
        rows.append(
            random.choice(
                (
                    f"int_lin_le([1,{random.choice((-1, 1, 2))}],[x{a},x{b}],{n - 1})",
                    f"int_eq(x{a},x{b})",
                    f"int_ne(x{a},x{b})",
                    f"int_le({n},x{a})",
                    f"int_lt(x{a},x{b})",
                )
            )
        )
    names = [f"var 0..3: x{i};" for i in range(4)]
    return "\n".join([*names, *(f"constraint {row};" for row in rows), "solve satisfy;", ""])


def board(random: Random) -> Instance[Any]:
    """Return a Latin square of order 4 with random givens."""
    latin = layout("latin 4")
    domains = tuple(1 << random.randrange(4) if random.random() < 0.4 else latin.full for _ in latin.squares)
    return Instance("board", latin, domains)


def drawn(form: str, random: Random, folder: Path) -> Divided:
    """Return the members of a random instance of a form."""
    if form == "board":
        return divided(board(random))
    path = folder / f"a.{form}"
    path.write_text({"cnf": cnf, "opb": opb, "xml": xml, "fzn": fzn}[form](random))
    (instance,) = read(path, ReaderOptions())
    return divided_file(instance, path)


def solvable(known: Divided, kept: Subset) -> bool:
    """Decide a subset by brute force; a Latin square is propagated first, since it has too many assignments."""
    part = known.make(kept)
    right = right_assignments(part.problem, part.domains, 1 << 21)
    if right is not None:
        return len(right) > 0
    from harness.fuzzing.assignments import solutions_of

    found = solutions_of(part.problem, part.domains, 1, 10**6)
    assert found.solutions or found.complete
    return bool(found.solutions)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    add_option(parser)
    args = parser.parse_args()
    random, seen, sizes = Random(args.seed), Counter[tuple[str, str]](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        while sum(sizes.values()) < args.instances:
            form = FORMS[sum(sizes.values()) % len(FORMS)]
            known = drawn(form, random, Path(folder))
            if solvable(known, known.all):
                continue
            sizes[form] += 1
            for what in tried(known, random):
                seen[form, what] += 1
    report([Figure(form, "explain", what, n) for (form, what), n in sorted(seen.items())], args.json)


def tried(known: Divided, random: Random) -> list[str]:
    """Return what became of our subset, of one with a superfluous member, and of one without a needed member."""
    name = "cpsat" if known.groups is None else random.choice(("pysat:glucose4", "mus:musx", "mus:optux"))
    found = extracted(name, known, SETTINGS)
    is_minimal = not solvable(known, found) and all(solvable(known, found - {m}) for m in found)
    words = ["minimal" if is_minimal else "NOT MINIMAL BY BRUTE FORCE"]
    with Judges(JUDGES, known, SETTINGS) as judges:
        words.append(f"judged {checked_mus(found, known.all, judges.opened).verdict}")
        if rest := sorted(known.all - found):
            more = found | {random.choice(rest)}
            verdict = checked_mus(more, known.all, judges.opened)
            superfluous = verdict.member is not None and not solvable(known, more - {verdict.member})
            words.append("long one told" if verdict.verdict == NOT_MINIMAL and superfluous else "LONG ONE MISSED")
        if found:
            verdict = checked_mus(found - {random.choice(sorted(found))}, known.all, judges.opened)
            words.append("wrong one told" if verdict.verdict == WRONG else "WRONG ONE MISSED")
    return words


if __name__ == "__main__":
    main()
