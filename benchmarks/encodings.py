"""Encodings and solvers, cold and warm: cost per puzzle, and cost outside the solver.

    python benchmarks/encodings.py ratios     compared with a script that builds clauses and a Solver per puzzle
    python benchmarks/encodings.py outside    time outside the solver, compared with CPMpy if it is installed
    python benchmarks/encodings.py parameters our CP-SAT parameters compared with the defaults
    python benchmarks/encodings.py matrix     every encoding with every solver: all answers checked, milliseconds
    python benchmarks/encodings.py warm       warm compared with cold on 20,000 puzzles of 0, 1 and more solutions

All parts run in one process. Times are CPU times, which stay comparable on a busy machine, except in `outside`, which
compares with the solvers' own clocks. `ratios` interleaves the solvers puzzle by puzzle.
One long file, since the parts share puzzles, contenders and timing; encodings.md has all figures.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice
from random import Random
from statistics import mean, median
from time import perf_counter, process_time
from typing import Any

from figures import Figure, add_option, in_turn, pair_ratio, ratio, report

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Backend, Session, Status, WarmBackend
from backends.cpsat import PARAMETERS
from backends.cpsat.board import BoardModel
from backends.cpsat.session import CpSession
from encoders.registry import AT_MOST_ONE, spec
from puzzles.boards.layout import Puzzle
from puzzles.corpora import find
from puzzles.formats import read
from puzzles.problem.check import violations
from puzzles.problem.values import Domains

SOLVERS = ("cadical195", "glucose4", "minisat22", "minicard")
FAMILIES = ("minimal", "efficient", "extended", "reduced")
Solve = Callable[[Puzzle], Any]
Timed = Callable[[Puzzle], float]  # returns the seconds inside the solver


def puzzles(*corpora: str, most: int | None = None) -> list[Puzzle]:
    """Return the first puzzles of each corpus, all if `most` is not given."""
    return [puzzle for name in corpora for puzzle in islice(read(find(name)), most)]


def naive(solver: str) -> Solve:
    """Return the naive solver: all clauses and a new Solver per puzzle, 9x9 only."""
    from pysat.solvers import Solver

    def variable(r: int, c: int, d: int) -> int:
        return 81 * r + 9 * c + d + 1

    def solve(puzzle: Puzzle) -> list[int]:
        n, clauses = range(9), []
        cells = [(r, c) for r in n for c in n]
        units = [[(r, c) for c in n] for r in n] + [[(r, c) for r in n] for c in n]
        units += [[(r + i, c + j) for i in range(3) for j in range(3)] for r in (0, 3, 6) for c in (0, 3, 6)]
        for r, c in cells:
            clauses.append([variable(r, c, d) for d in n])
            clauses += [[-variable(r, c, d), -variable(r, c, e)] for d, e in combinations(n, 2)]
        for unit in units:
            for d in n:
                clauses.append([variable(r, c, d) for r, c in unit])
                clauses += [[-variable(*a, d), -variable(*b, d)] for a, b in combinations(unit, 2)]
        for (r, c), mask in zip(cells, puzzle.domains, strict=True):
            if mask.bit_count() == 1:
                clauses.append([variable(r, c, mask.bit_length() - 1)])
        with Solver(solver, bootstrap_with=clauses) as s:
            s.solve()
            true = {x for x in s.get_model() if x > 0}
        return [next(d for d in n if variable(r, c, d) in true) for r, c in cells]

    return solve


def ours(backend: Backend, encoding: str, puzzle: Puzzle, warm: bool = False) -> Solve:
    """Return a contender as the worker runs it; `puzzle` has the layout."""
    chosen, layout = spec(encoding), puzzle.problem
    if chosen.encoding.per_puzzle:
        chosen.formula(layout, puzzle.domains)  # caches that depend on the layout only are setup

        def each(p: Puzzle) -> Answer:
            session = backend.open(chosen.formula(layout, p.domains))
            answer = session.ask(Ask(p.domains))
            session.close()
            return answer

        return each
    formula = chosen.formula(layout)
    session = backend.open_warm(formula) if warm and isinstance(backend, WarmBackend) else backend.open(formula)
    return lambda p: session.ask(Ask(p.domains))


def cpu_ms(solve: Solve, puzzle: Puzzle) -> float:
    """Return the milliseconds of CPU time that a puzzle takes."""
    start = process_time()
    solve(puzzle)
    return 1e3 * (process_time() - start)


def ratios(most: int | None) -> Iterator[Figure]:
    """Compare cold and warm solvers with the naive script."""
    given = puzzles("easy", "minimal", "hardest", most=most)
    Random(1).shuffle(given)
    for solver in SOLVERS:
        backend = registry.find(f"pysat:{solver}")
        encodings = ["extended", "extended+commander", "reduced", "reduced+commander"]
        if "at_most" in backend.can:
            encodings += ["extended+cardinality", "reduced+cardinality"]
        solvers = {"naive script": naive(solver)}
        solvers |= {e: ours(backend, e, given[0]) for e in encodings}
        solvers |= {f"{e}+warm": ours(backend, e, given[0], True) for e in encodings if "reduced" not in e}
        times = in_turn({name: partial(cpu_ms, solve) for name, solve in solvers.items()}, given)
        for name, found in times.items():
            title = f"{solver}, {len(given)} puzzles"
            yield from (
                Figure(title, name, "median", median(found), "ms"),
                Figure(title, name, "mean", mean(found), "ms"),
            )
            pairs = list(zip(times["naive script"], found, strict=True))
            yield ratio(title, name, "times cheaper", pair_ratio([pairs]))


class ClockedSession(CpSession):
    """Session that keeps its last solver, to read its clock."""

    last: Any

    def solver(self, ask: Ask) -> Any:
        self.last = super().solver(ask)
        return self.last


def outside(most: int | None, rounds: int = 3) -> Iterator[Figure]:
    """Measure the time outside the solver, of our backends and of CPMpy if it is installed.

    In a run a contender has its own worker, so in the first table each solves all puzzles before the next one starts.
    In the second table they take turns puzzle by puzzle, so each finds CPU caches filled by the others.
    """
    given = puzzles("easy", "minimal", "hardest", most=most)
    Random(1).shuffle(given)
    formula = spec("alldifferent").formula(given[0].problem)
    timed = {
        "cpsat": clocked(ClockedSession(BoardModel(formula), PARAMETERS)),  # type: ignore[arg-type]
        "cpsat/booleans": clocked(ClockedSession(BoardModel(spec("booleans").formula(given[0].problem)), PARAMETERS)),  # type: ignore[arg-type]
        "pysat:minicard/extended+cardinality": phased(
            registry.find("pysat:minicard").open(spec("extended+cardinality").formula(given[0].problem))
        ),
        **cpmpy_peers(),
    }
    by_contender = [(name, puzzle) for _ in range(rounds) for name in timed for puzzle in given]
    by_puzzle = [(name, puzzle) for puzzle in given for name in timed]
    for title, order in (("contender by contender", by_contender), ("puzzle by puzzle", by_puzzle)):
        every: dict[str, list[float]] = {name: [] for name in timed}
        inside: dict[str, list[float]] = {name: [] for name in timed}
        for name, puzzle in order:
            start = perf_counter()
            inside[name].append(1e3 * timed[name](puzzle))
            every[name].append(1e3 * (perf_counter() - start))
        for name, times in every.items():
            own = [t - i for t, i in zip(times, inside[name], strict=True)]
            for what, found in (("all", times), ("inside the solver", inside[name]), ("outside", own)):
                yield Figure(title, name, f"{what}, median", median(found), "ms")
            yield Figure(title, name, "outside, of all", 100 * sum(own) / sum(times), "%")


def clocked(session: ClockedSession) -> Timed:
    def solve(puzzle: Puzzle) -> float:
        session.ask(Ask(puzzle.domains))
        return float(session.last.wall_time)

    return solve


def phased(session: Session) -> Timed:
    def solve(puzzle: Puzzle) -> float:
        phases = session.ask(Ask(puzzle.domains)).phases
        return phases.solve / 1e9 if phases else 0.0

    return solve


def parameters(most: int | None, seconds: float = 20.0) -> Iterator[Figure]:
    """Compare CP-SAT with our parameters, with one worker, and with its defaults: CPU time per corpus."""
    settings = {"ours": dict(PARAMETERS), "one worker": {"num_workers": 1}, "defaults": {}}
    for name in ("easy", "minimal", "hardest", "unsolvable", "several", "sudoku-16", "sudoku-25", "latin"):
        times: dict[str, list[float]] = {title: [] for title in settings}
        unsolved = dict.fromkeys(settings, 0)
        sessions: dict[tuple[object, str], CpSession] = {}
        for puzzle in puzzles(name, most=most):
            for title, setting in settings.items():
                key = puzzle.problem.key, title
                if key not in sessions:
                    sessions[key] = CpSession(BoardModel(spec("alldifferent").formula(puzzle.problem)), setting)  # type: ignore[arg-type]
                start = process_time()
                answer = sessions[key].ask(Ask(puzzle.domains, seconds=seconds))
                times[title].append(1e3 * (process_time() - start))
                unsolved[title] += answer.status == Status.UNKNOWN
        yield Figure(name, "", "puzzles", len(times["ours"]))
        for title, found in times.items():
            yield Figure(name, "", f"{title}, CPU time, mean", mean(found), "ms")
            yield Figure(name, "", f"{title}, unsolved in {seconds:.0f} s", unsolved[title])
        pairs = list(zip(times["ours"], times["one worker"], strict=True))
        yield ratio(name, "", "ours / one worker", pair_ratio([pairs]))


def cpmpy_peers() -> dict[str, Timed]:
    """Return CPMpy with OR-Tools and with PySAT, one model per puzzle, timed inside the solver.

    CPMpy's own `runtime` includes its translation, so the solver calls below it are timed instead.
    """
    try:
        import cpmpy
    except ModuleNotFoundError:
        return {}
    from ortools.sat.python import cp_model
    from pysat.solvers import Solver as SatSolver

    spent: list[float] = []

    def time_calls(owner: Any, method: str, seconds: Callable[[Any, float], float]) -> None:
        original = getattr(owner, method)

        def timed(self: Any, *args: Any, **options: Any) -> Any:
            start = perf_counter()
            result = original(self, *args, **options)
            spent.append(seconds(self, perf_counter() - start))
            return result

        setattr(owner, method, timed)

    time_calls(cp_model.CpSolver, "solve", lambda solver, _: float(solver.wall_time))
    time_calls(SatSolver, "solve", lambda _, around: around)
    time_calls(SatSolver, "solve_limited", lambda _, around: around)

    def solver(name: str) -> Timed:
        def solve(puzzle: Puzzle) -> float:
            n = len(puzzle.problem.values)
            cells = cpmpy.intvar(0, n - 1, shape=len(puzzle.domains))
            model = cpmpy.Model([cpmpy.AllDifferent(cells[list(unit)]) for unit in puzzle.problem.units])
            for cell, mask in zip(cells, puzzle.domains, strict=True):
                if mask.bit_count() == 1:
                    model += cell == mask.bit_length() - 1
            options = {"num_workers": 1} if name == "ortools" else {}
            spent.clear()
            assert model.solve(solver=name, **options)
            assert spent, "CPMpy called the solver through a method that is not timed"
            return sum(spent)

        return solve

    return {f"CPMpy {name}": solver(name) for name in ("ortools", "pysat")}


def fault(answer: Answer, puzzle: Puzzle) -> str:
    """Return the fault of an answer for up to two solutions of a puzzle with a known count, or ''."""
    if any(violations(puzzle.problem, puzzle.domains, s) for s in answer.solutions):
        return "wrong grid"
    if len(answer.solutions) != puzzle.count or not answer.complete:
        return f"{len(answer.solutions)} of {puzzle.count}"
    return ""


def matrix(most: int | None) -> Iterator[Figure]:
    """Run every encoding with every solver on `hardest` and `unsolvable`, for up to two solutions."""
    given = puzzles("hardest", "unsolvable", most=most)
    given = [p for p in given if p.count is not None] or given
    solvers = registry.variants("pysat")
    assert not isinstance(solvers, registry.Missing)
    wrong, asked = list[str](), 0
    for encoding in (f"{family}+{one}" for family in FAMILIES for one in AT_MOST_ONE):
        for backend in solvers:
            if encoding.endswith("cardinality") and "at_most" not in backend.can:
                continue
            times = []
            session = (
                None if spec(encoding).encoding.per_puzzle else backend.open(spec(encoding).formula(given[0].problem))
            )
            for puzzle in given:
                start = process_time()
                kept = session or backend.open(spec(encoding).formula(puzzle.problem, puzzle.domains))
                answer = kept.ask(Ask(puzzle.domains, 2, seconds=60))
                times.append(1e3 * (process_time() - start))
                asked += 1
                if why := fault(answer, puzzle):
                    wrong.append(f"{backend.name}/{encoding} on {puzzle.name}: {why}")
            yield Figure(encoding, "", backend.name.removeprefix("pysat:"), median(times), "ms")
    yield from (Figure("all", "", "answers", asked), Figure("all", "", "wrong", len(wrong)))
    print(*wrong, sep="\n")


def mixed(random: Random, count: int) -> Iterator[Domains]:
    """Yield boards with 0, 1 and more solutions: shipped ones with up to two squares opened or given."""
    given = [p for p in puzzles("easy", "minimal", "hardest", "several", "unsolvable") if len(p.domains) == 81]
    for _ in range(count):
        domains = list(random.choice(given).domains)
        for _ in range(random.choice((0, 0, 1, 2))):
            s = random.randrange(81)
            domains[s] = random.choice((511, 1 << random.randrange(9)))
        yield tuple(domains)


def warm(count: int) -> Iterator[Figure]:
    """Compare warm solvers with a cold one, asked for two solutions."""
    formula = spec("extended+cardinality").formula(puzzles("hardest")[0].problem)
    plain = spec("extended").formula(puzzles("hardest")[0].problem)
    cold = registry.find("pysat:minicard").open(formula)
    sessions = {"minicard": formula, "gluecard4": formula, "cadical195": plain, "minisat22": plain}
    kept = {}
    for name, taken in sessions.items():
        backend = registry.find(f"pysat:{name}")
        assert isinstance(backend, WarmBackend)
        kept[name] = backend.open_warm(taken)
    differ, seen = dict.fromkeys(kept, 0), [0, 0, 0]
    for domains in mixed(Random(20), count):
        expected = cold.ask(Ask(domains, 2))
        seen[len(expected.solutions)] += 1
        for name, session in kept.items():
            answer = session.ask(Ask(domains, 2))
            same = (answer.status, answer.complete) == (expected.status, expected.complete)
            right = answer.status != Status.UNKNOWN and len(answer.solutions) == len(expected.solutions)
            if len(expected.solutions) == 1:
                right = right and answer.solutions == expected.solutions
            differ[name] += not (same and right)
    for name, n in zip(("without a solution", "with one", "with several"), seen, strict=True):
        yield Figure("", "puzzles", name, n)
    for name, n in differ.items():
        yield Figure("", name, "answers that differ from cold minicard", n)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["ratios", "outside", "parameters", "matrix", "warm"])
    parser.add_argument("--count", type=int, default=20_000, help="puzzles for `warm` (default 20000)")
    parser.add_argument("--most", type=int, help="puzzles of each corpus for the other parts (default: all)")
    add_option(parser)
    args = parser.parse_args()
    parts = {"ratios": ratios, "outside": outside, "parameters": parameters, "matrix": matrix}
    report(warm(args.count) if args.part == "warm" else parts[args.part](args.most), args.json)


if __name__ == "__main__":
    main()
