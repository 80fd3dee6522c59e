"""Check pseudo-Boolean proofs that others wrote, and print what we make of them beside the truth.

    python benchmarks/certificates_of_others.py FOLDER|FILE.json ...

A folder has proofs, NAME.pbp, with NAME.opb, NAME.cnf or NAME.wcnf beside them; a JSON file a list of objects with
`name`, `opb`, `proof` and `truth`. Claimed is that there is no solution, or none better than the best, found by
trying all assignments of up to 20 variables. Both checkers of ours check each proof. `false`: certified though the
claim is false. A right proof may be refused only if it concludes less than is claimed: the reasons are listed.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tabulate import tabulate

from harness.judging.checkers.pseudo_boolean.check import check, check_exactly
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, SumRow, clause_row, row
from harness.judging.formulas.programmes import soft_terms
from harness.model.outcome import CERTIFIED, REFUSED
from puzzles.constraints.clauses import clauses_of, split_clauses
from puzzles.formats import read
from puzzles.objectives.soft import SoftClauses

WORD = re.compile(r"@\S+|min:|max:|preserved:|==>|<==|>=|<=|=|~?[A-Za-z_][^\s;~<>=]*|[+-]?\s*[0-9]+")
MOST = 20


class Case(NamedTuple):
    """A proof of a group, and what it is about."""

    group: str
    name: str
    programme: SumProgramme
    proof: bytes


def opb(text: str) -> SumProgramme:
    """Read an OPB file, whose variables have any names and whose rows may have labels and literals that imply them."""
    names, labels, rows = dict[str, int](), dict[str, int](), list[SumRow]()
    goal: SumRow | None = None

    def terms(words: list[str]) -> list[tuple[int, int]]:
        pairs = zip(words[::2], words[1::2], strict=True)
        named = [(int(a), x.startswith("~"), names.setdefault(x.lstrip("~"), len(names) + 1)) for a, x in pairs]
        return [(a, -x if negated else x) for a, negated, x in named]

    text = re.sub(r"(?m)^(min:[^;\n]*)$", r"\1;", re.sub(r"(?m)^\s*\*.*", "", text))  # VeriPB's own tests lack a ';'
    for statement in text.split(";"):
        words = [word.replace(" ", "") for word in WORD.findall(statement)]
        if words[:1] == ["min:"]:
            goal = SumRow(dict[int, int](), 0)
            for a, x in terms(words[1:]):
                signed = dict(goal.terms)
                signed[abs(x)] = signed.get(abs(x), 0) + (a if x > 0 else -a)
                goal = SumRow(signed, goal.degree + a * (x < 0))
        elif words and words[0] != "preserved:":
            label = words.pop(0) if words[0].startswith("@") else ""
            at = words.index("==>") if "==>" in words else -1
            implying = [terms(["1", word])[0][1] for word in words[: max(at, 0)]]
            body, sign, bound = terms(words[at + 1 : -2]), words[-2], int(words[-1])
            for symbol, k in ((">=", 1), ("<=", -1)):
                if sign in (symbol, "="):
                    found = row([(k * a, x) for a, x in body], k * bound)
                    weight = max(found.degree, 0)
                    implied = [(a, x) for x, a in found.terms.items()] + [(weight, -x) for x in implying]
                    rows.append(row(implied, found.degree))
            labels |= {label: len(rows)} if label else {}
    return SumProgramme(len(names), tuple(rows), goal and goal.terms, None, goal.degree if goal else 0, names, labels)


def clausal(path: Path) -> SumProgramme:
    """Read a CNF or WCNF file, in which hard clauses come first."""
    (instance,) = read(path)
    flat, objective = clauses_of(instance.problem), instance.problem.objective
    variables, hard = (
        len(instance.problem.variables),
        [] if flat is None else list(map(clause_row, split_clauses(flat))),
    )
    if not isinstance(objective, SoftClauses):
        return SumProgramme(variables, tuple(hard))
    named, goal = soft_terms(objective.rows, variables)
    rows = hard + [clause_row([*clause, -x]) for _, x, clause in named]
    names = {f"x{x}": x for x in range(1, variables + 1)}
    names |= {f"_b{len(hard) + place}": x for place, x, _ in named}
    return SumProgramme(len(names), tuple(rows), goal.terms, None, goal.constant, names)


def cases(places: list[Path]) -> Iterator[Case]:
    for place in places:
        if place.suffix == ".json":
            for entry in json.loads(place.read_text()):
                truth = f"{place.stem}: {entry['truth']}"
                yield Case(truth, entry["name"], opb(entry["opb"]), entry["proof"].encode())
            continue
        for proof in sorted(place.rglob("*.pbp")):
            formula = next((f for end in (".opb", ".cnf", ".wcnf") if (f := proof.with_suffix(end)).exists()), None)
            if formula is not None:
                programme = opb(formula.read_text()) if formula.suffix == ".opb" else clausal(formula)
                yield Case(place.name, str(proof.relative_to(place)), programme, proof.read_bytes())


def claimed(programme: SumProgramme) -> tuple[SumProgramme, bool | None]:
    """Return a programme with its best value, and the truth of the claim; None if there are too many assignments."""
    n = programme.variables
    if n > MOST:
        return programme, None
    numbers = np.arange(1 << n)
    true = {x: (numbers >> (x - 1) & 1).astype(np.int64) for x in range(1, n + 1)}
    true |= {-x: 1 - column for x, column in list(true.items())}
    holds = np.ones(1 << n, bool)

    def total(terms: Mapping[int, int]) -> Any:
        exact = object if sum(map(abs, terms.values())) >> 62 else np.int64
        return sum((true[x].astype(exact) * a for x, a in terms.items()), np.zeros(1 << n, exact))

    for terms, degree in programme.rows:
        holds &= total(terms) >= degree
    if programme.goal is None:
        return programme, not holds.any()
    values = total(programme.goal)
    return programme._replace(best=int(values[holds].min()) if holds.any() else None), True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="print each proof")
    args = parser.parse_args()
    table, reasons = dict[str, Counter[str]](), Counter[tuple[str, str]]()
    for case in cases(args.places):
        programme, truth = claimed(case.programme)
        (outcome, why), (second, _) = check(programme, case.proof), check_exactly(programme, case.proof)
        word = {CERTIFIED: "certified", REFUSED: "refused"}.get(outcome, "unchecked")
        count = table.setdefault(case.group, Counter())
        count["proofs"] += 1
        count[word] += 1
        count["true claims"] += truth is True
        count["false"] += word == "certified" and truth is False
        count["unknown truth"] += truth is None
        count["differ"] += outcome != second
        reasons[case.group, f"{word}: {re.sub(r'line [0-9]+ of the proof: ', '', why)}"] += outcome != CERTIFIED
        if args.list:
            print(case.group, case.name, truth, word, why, sep=" | ")
    columns = ("proofs", "true claims", "unknown truth", "certified", "unchecked", "refused", "false", "differ")
    print(tabulate([[group, *(n[c] for c in columns)] for group, n in table.items()], ["of", *columns], "github"))
    print(tabulate([[n, *reason] for reason, n in sorted(reasons.items()) if n], ["proofs", "of", "outcome"], "github"))


if __name__ == "__main__":
    main()
