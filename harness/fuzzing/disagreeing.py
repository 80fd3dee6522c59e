"""From a journal's disagreement to a finding: what `run` offers to shrink."""

from pathlib import Path

from harness.fuzzing.finding import Case, Finding, write
from harness.fuzzing.naming import slug
from harness.fuzzing.trial import expectation
from harness.host import host, versions
from harness.journal import Journal
from puzzles.check import violations
from puzzles.layout import Solution


def finding_of(journal: Journal, puzzle: int, contender: str) -> Finding:
    """What a contender is wrong about, with the right solutions that others have shown as witnesses."""
    board = journal.puzzle(puzzle)
    numbers = {c.name: i for i, c in enumerate(journal.contenders())}
    witnesses: dict[Solution, None] = {}
    mine: tuple[list[Solution], int] = ([], 0)
    for outcomes in journal.stored_outcomes():
        at = 0
        for p, found in zip(outcomes.batch.puzzles.tolist(), outcomes.rows["found"].tolist(), strict=True):
            shown = [tuple(row) for row in outcomes.solutions[at : at + found].tolist()] if p == puzzle else []
            at += found
            if p == puzzle and outcomes.batch.contender == numbers[contender]:
                mine = (shown, found)
            witnesses |= {s: None for s in shown if not violations(board.layout, board.domains, s)}
    shown, found = mine
    wrong = len(set(shown)) < found or any(violations(board.layout, board.domains, s) for s in shown)
    signature = "wrong solution" if wrong else "too few" if found else "unsatisfiable"
    meta = journal.meta()
    case = Case(
        contender, board.layout, (board.domains,), meta["count"], meta["limit"], meta["memory"] << 20, tuple(witnesses)
    )
    seen = f"{found} solutions, of which one is wrong" if wrong else f"no more than {found}"
    story = {"puzzle": board.name, "versions": versions(), "host": host()}
    return Finding(case, signature, expectation(case), seen, story=story)


def offered(journal: Journal, puzzle: int, contender: str, folder: Path = Path("findings")) -> str:
    """Write the finding of a disagreement, and say what to type."""
    name = f"{slug(journal.puzzle(puzzle).name)}--{slug(contender)}.finding"
    write(finding_of(journal, puzzle, contender), folder / name)
    return f"python -m harness shrink {folder / name}"
