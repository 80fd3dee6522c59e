"""Counters on known counts, on real instances, and MiniZinc models beside brute force.

    python benchmarks/counting.py known FOLDER        files of KNOWN, from crillab/d4v2, meelgroup/ganak, rebryant/cpog
    python benchmarks/counting.py run FOLDER [-t 60]  any files, 60 s of CPU for each
    python benchmarks/counting.py minizinc FOLDER     100 random models, written there; needs MiniZinc

`known` says of each contender how many numbers are right, refused, wrong or missing; `run` what each counted, and when.
Further options are those of the verb `run`: `-b NAME` in the place of all counters, `--program NAME=COMMAND`.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count, product
from pathlib import Path
from random import Random
from typing import NamedTuple

from backends.contract.answer import Reason
from backends.contract.description import Missing
from backends.contract.registry import load_base
from harness.cli import main
from harness.storing.journal import Journal
from puzzles.objectives import stated

KNOWN = {  # published or by construction; of ganak's `mode1` a fraction
    **dict.fromkeys(("cnf1", "mode0"), "3"),
    **dict.fromkeys(("decompose", "sat", "nested_and_witness", "taut1"), "4"),
    **dict.fromkeys(("cnf15", "unsat"), "0"),
    **dict.fromkeys(("units", "lit"), "1"),
    **dict.fromkeys(("projected", "taut0"), "2"),
    "cnf2": "26",
    "cnf3": "514",
    "cnf4": "1457",
    "cnf5": "7106560",
    "cnf6": "311808",
    "cnf8": "128",
    "cnf13": "528",
    "cnf16": "1024",
    "eg1": "7",
    "eg4": "6",
    "freevars": "8",
    "known_nondecomp_regression": "5897",
    "mode1": "1/2",
}
KINDS = ("right", "unsupported", "wrong", "estimate")
Value = Fraction | None


class Told(NamedTuple):
    """Answer of a contender to an instance: exact number or None, why there is none, an estimate, CPU seconds."""

    number: Value
    why: str
    seconds: float
    estimate: Value = None


def told(path: Path) -> Iterator[tuple[str, str, Told]]:
    """Yield contender, instance and answer of a journal."""
    with Journal.open(path) as journal:
        for at, contender in enumerate(journal.contenders.all()):
            names = ("puzzle", "status", "complete", "reason", "cpu")
            c = journal.outcomes.columns(at, *names, repeat=0)
            for puzzle, status, complete, reason, cpu in zip(*(c[k].tolist() for k in names), strict=True):
                own = journal.objectives.statements(at, 0, puzzle, puzzle).get(puzzle)
                goal = journal.instances.get(puzzle).problem.objective
                value = 0 if status == 20 else own.value if own is not None and complete else None
                number = None if value is None or goal is None else Fraction(stated(goal, value))
                about = Fraction(stated(goal, own.value)) if goal and own and own.value and not complete else None
                why = "" if number is not None else "estimate" if about else Reason(reason).name.lower()
                yield contender.backend, journal.instances.name(puzzle), Told(number, why, cpu / 1e9, about)


def counted(folder: Path, paths: list[Path], words: list[str]) -> list[tuple[str, str, Told]]:
    """Run every counter on files; return what they said."""
    journal = folder / "counting.sqlite"
    journal.unlink(missing_ok=True)
    names = [part.name for part in load_base("models") if not isinstance(part, Missing)]
    backends = [word for name in (*names, "native:cdcl") for word in ("-b", name) if "-b" not in words]
    main(["run", *map(str, paths), "--count", "all", *backends, *words, "-o", str(journal)])
    return list(told(journal))


def known(folder: Path, words: list[str]) -> None:
    """Print how many known counts each contender gives, refuses and gets wrong."""
    paths = [path for path in sorted(folder.iterdir()) if path.stem in KNOWN]
    found: dict[str, Counter[str]] = {}
    for name, instance, (number, why, *_) in counted(folder, paths, ["-t", "20", "-m", "9000", *words]):
        right = Fraction(KNOWN[Path(instance).stem])
        kind = ("right" if number == right else "wrong") if number is not None else why
        found.setdefault(name, Counter())[kind] += 1
        if kind == "wrong":
            print(f"wrong: {name} on {instance}: {number}, not {right}")
    for name, kinds in found.items():
        cells = [str(kinds[kind]) for kind in KINDS]
        others = ", ".join(f"{n} {kind}" for kind, n in kinds.items() if kind not in KINDS)
        print(f"| `{name}` | {' | '.join(cells)} | {others} |")


def run(folder: Path, words: list[str]) -> None:
    """Print the number of each instance by contender, and CPU seconds."""
    paths = sorted(path for path in folder.iterdir() if path.suffix == ".cnf")
    rows: dict[str, dict[str, Told]] = {}
    for name, instance, answer in counted(folder, paths, ["--time", "cpu", "-m", "9000", *words]):
        rows.setdefault(instance, {})[name] = answer
    for instance, answers in rows.items():
        numbers = {answer.number for answer in answers.values() if answer.number is not None}
        print(f"{instance}: {len(numbers)} different numbers: {', '.join(f'{float(n):.6g}' for n in numbers)}")
        for name, (number, why, seconds, about) in answers.items():
            shown = about if number is None else number
            print(f"    {name:16} {'-' if shown is None else f'{float(shown):.7g}':>14} {why:12} {seconds:8.2f} s")


class Model(NamedTuple):
    """MiniZinc model and the number of its solutions by brute force."""

    text: str
    solutions: int


Valued = Callable[[dict[str, int]], int]  # value of an expression under values of the variables


def drawn(seed: int) -> Model:
    """Return a random model with reified constraints, local variables, unused variables and conditions."""
    random = Random(seed)
    names = "xyz"[: random.randint(2, 3)]
    domains = {name: range(low := random.randint(-1, 1), low + random.randint(1, 4)) for name in names}

    def number(depth: int) -> tuple[str, Valued]:
        deeper = ("name", "+", "-", "*", "max", "if") if depth else ()
        kind = random.choice(("name", "constant", *deeper))
        if kind == "name":
            name = random.choice(list(domains))
            return name, lambda v: v[name]
        if kind == "constant":
            k = random.randint(-1, 3)
            return f"({k})", lambda v: k
        (a, f), (b, g) = number(depth - 1), number(depth - 1)
        if kind == "max":
            return f"max({a}, {b})", lambda v: max(f(v), g(v))
        if kind == "if":
            c, h = truth(depth - 1)
            return f"(if {c} then {a} else {b} endif)", lambda v: f(v) if h(v) else g(v)
        ways: dict[str, Valued] = {"+": lambda v: f(v) + g(v), "-": lambda v: f(v) - g(v), "*": lambda v: f(v) * g(v)}
        return f"({a} {kind} {b})", ways[kind]

    def truth(depth: int) -> tuple[str, Valued]:
        deeper = ("or", "and", "not", "->", "xor") if depth else ()
        kind = random.choice(("<=", "=", "!=", *deeper))
        if kind in ("<=", "=", "!="):
            (a, f), (b, g) = number(max(0, depth - 1)), number(max(0, depth - 1))
            compare: dict[str, Valued] = {
                "<=": lambda v: f(v) <= g(v),
                "=": lambda v: f(v) == g(v),
                "!=": lambda v: f(v) != g(v),
            }
            return f"({a} {kind} {b})", compare[kind]
        (a, f), (b, g) = truth(depth - 1), truth(depth - 1)
        if kind == "not":
            return f"(not {a})", lambda v: not f(v)
        sign = {"or": "\\/", "and": "/\\"}.get(kind, kind)
        join: dict[str, Valued] = {
            "or": lambda v: f(v) or g(v),
            "and": lambda v: f(v) and g(v),
            "->": lambda v: not f(v) or g(v),
            "xor": lambda v: bool(f(v)) != bool(g(v)),
        }
        return f"({a} {sign} {b})", join[kind]

    lines = [f"var {d[0]}..{d[-1]}: {name};" for name, d in domains.items()]
    tests = list[Valued]()
    for _ in range(random.randint(1, 2)):
        text, test = truth(2)
        lines.append(f"constraint {text};")
        tests.append(test)
    if random.random() < 0.4:  # some t, which the solutions do not show
        text, f = number(1)
        lines.append(f"constraint let {{ var 0..3: t }} in t + {text} = 2;")
        tests.append(lambda v: any(t + f(v) == 2 for t in range(4)))
    values = (dict(zip(domains, row, strict=True)) for row in product(*domains.values()))
    return Model("\n".join([*lines, "solve satisfy;", ""]), sum(all(test(v) for test in tests) for v in values))


def minizinc(folder: Path, number: int) -> None:
    """Write random models, count their solutions and print which numbers, and which claims of uniqueness, differ."""
    every, kinds = map(drawn, count()), Counter[int]()
    models: dict[str, Model] = {}
    while len(models) < number:  # a third each without a solution, with one, and with several
        model = next(every)
        kind = min(2, model.solutions)
        if kinds[kind] < (number + 2) // 3:
            kinds[kind] += 1
            models[f"m{len(models):03}.mzn"] = model
    for name, model in models.items():
        (folder / name).write_text(model.text)
    paths, journal = [str(folder / name) for name in models], folder / "minizinc.sqlite"
    journal.unlink(missing_ok=True)
    main(["run", *paths, "--count", "all", "-b", "models:pysat", "-b", "native:cdcl", "-o", str(journal)])
    wrong = {
        (name, key): answer.number for name, key, answer in told(journal) if answer.number != models[key].solutions
    }
    journal = folder / "unique.sqlite"
    journal.unlink(missing_ok=True)
    main(["run", *paths, "--count", "2", "-b", "cpsat", "-b", "native", "-o", str(journal)])
    with Journal.open(journal) as j:
        for at, contender in enumerate(j.contenders.all()):
            c = j.outcomes.columns(at, "puzzle", "found", "complete", repeat=0)
            for puzzle, found, complete in zip(*(c[k].tolist() for k in ("puzzle", "found", "complete")), strict=True):
                name = j.instances.name(puzzle)
                if found != min(2, models[name].solutions) or (models[name].solutions < 2 and not complete):
                    wrong[contender.backend, name] = Fraction(found)
    print(f"{number} models: {kinds[0]} without a solution, {kinds[1]} unique, {kinds[2]} with several")
    print(f"{len(wrong)} numbers differ from brute force: {wrong}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("known", "run", "minizinc"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("-t", default="60")
    parser.add_argument("-n", type=int, default=100)
    args, words = parser.parse_known_args()
    if args.what == "minizinc":
        minizinc(args.folder, args.n)
    elif args.what == "run":
        run(args.folder, ["-t", args.t, *words])
    else:
        known(args.folder, words)
