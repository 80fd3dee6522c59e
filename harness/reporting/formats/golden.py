"""Golden files: one JSON line per puzzle with its number of solutions, sorted, without times.

{"count": "1", "hash": "4f0c...", "puzzle": "hardest.txt:3", "solution": "812753...", "status": "satisfiable"}

count     0, 1, 2+ (several), 1+ (solved, not counted), ? (undecided): each stands for a set of possible numbers
optimum   with an objective, in place of a count above 0: the value of the best solution, as the source states it
hash      of the puzzle's content, which identifies puzzles, so moving a line in a corpus changes nothing; of a file
          that could not be read, whose status is malformed, its name
solution  the only one, if the count is 1: as text, or as a hash if the text would be long
"""

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from harness.judging.judge import Evidence, confirmed
from harness.judging.referee import Referee
from harness.model.errors import BadUsage
from harness.model.outcome import Confirmation
from harness.reporting.formats.tidy import solution_text
from harness.storing.hashes import content_hashes
from harness.storing.journal import Journal
from puzzles.files import read_text, write_file
from puzzles.objectives import stated
from puzzles.problem import Objective
from puzzles.problem.arrays import BoolArray

POSSIBLE = {"0": {0}, "1": {1}, "2+": {2}, "1+": {1, 2}, "?": {0, 1, 2}}
STATUS = {"0": "unsatisfiable", "?": "undecided"}
MAX_SOLUTION_CHARS = 100
UNDECIDED = "undecided"
MALFORMED = "malformed"
INTEGER = re.compile(r"-?[0-9]{1,4200}")
Entry = dict[str, str]
Value = int | Fraction | None  # of an objective; a sum of weights is a fraction


class Today(NamedTuple):
    """Entry of today's answers, with the statements of unconfirmed answers.

    said  count stated by complete answers, settled or not     solution  a correct solution as text, if any
    best  with an objective: the value of the best solution shown, None without one    goal  its objective
    optimum  with an objective: the value that complete answers call the optimum, settled or not
    """

    entry: Entry
    said: str
    solution: str | None = None
    goal: Objective | None = None
    best: int | None = None
    optimum: int | None = None


def counts(evidence: Evidence, exact: BoolArray) -> list[str]:
    """Return the number of solutions of each puzzle by id, in the notation of `count`; `exact` where all are shown."""
    return [
        "2+" if verified >= 2 else str(verified) if all_verified else "1+" if verified else "?"
        for verified, all_verified in zip(evidence.verified.number.tolist(), exact.tolist(), strict=True)
    ]


def solution_texts(journal: Journal) -> dict[int, str]:
    """Return a correct solution of each solved instance by id, as text or as a hash."""
    texts = {
        i: solution_text(journal.instances.outline_of(i).values, solution) for i, solution in journal.answers.right()
    }
    return {
        i: text
        if len(text) <= MAX_SOLUTION_CHARS
        else "blake2b:" + hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        for i, text in texts.items()
    }


def entries(journal: Journal, referee: Referee) -> list[Today]:
    """Return the entries of all puzzles, sorted by name in natural order.

    A count is exact only if a proof, the corpus or an independent contender confirms it; the entry says which.
    """
    evidence, texts = referee.evidence, solution_texts(journal)
    sources = confirmed(referee.claims, evidence)
    closed, answered = sources > 0, evidence.answered()
    known = counts(evidence, closed)
    said = counts(evidence, answered)
    found = []
    for i, name, content in content_hashes(journal):
        by = {"confirmed": Confirmation(int(sources[i])).words()} if closed[i] else {}
        if journal.instances.with_objective[i]:
            goal, value = journal.instances.get(i).problem.objective, evidence.verified[[i]].values[0]
            today = of_objective(name, content, goal, value, bool(closed[i]), bool(answered[i]))
            found.append(today._replace(entry=today.entry | by))
            continue
        entry = {"puzzle": name, "hash": content, "count": known[i], "status": STATUS.get(known[i], "satisfiable")}
        entry |= {"solution": texts[i]} if known[i] == "1" else {}
        found.append(Today(entry | by, said[i], texts.get(i)))
    found += [of_malformed(file.name) for _, file in journal.corpora.malformed()]
    return sorted(found, key=lambda today: natural_key(today.entry))


def of_malformed(name: str) -> Today:
    """Return the entry of a file that could not be read, which its name identifies."""
    return Today({"puzzle": name, "hash": f"{MALFORMED}:{name}", "count": "?", "status": MALFORMED}, "?")


def of_objective(
    name: str, content: str, goal: Objective | None, value: int | None, closed: bool, answered: bool
) -> Today:
    """Return the entry of an instance with an objective: the optimum, or that there is no solution, if settled."""
    assert goal is not None
    verified = None if value is None else stated(goal, value)
    count = "0" if closed and value is None else "?"
    status = "undecided" if not closed else "unsatisfiable" if value is None else "optimal"
    entry = {"puzzle": name, "hash": content, "count": count, "status": status}
    entry |= {"optimum": str(verified)} if closed and verified is not None else {}
    said = "0" if answered and value is None else "?"
    return Today(entry, said, None, goal, verified, verified if answered else None)


def natural_key(entry: Entry) -> list[tuple[str, int]]:
    """Return a sort key that puts line 10 after line 9."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", entry["puzzle"])]


def read(path: Path) -> list[Entry]:
    """Read the entries of a golden file. Raises BadUsage."""
    found = []
    try:
        lines = read_text(path).splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise BadUsage(f"{path}: {e.strerror if isinstance(e, OSError) else 'not a text file'}") from e
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            texts = [entry["puzzle"], entry["hash"], entry["count"], *entry.values()]
            usable = all(isinstance(text, str) for text in texts) and entry["count"] in POSSIBLE
            usable = usable and INTEGER.fullmatch(entry.get("optimum", "0")) is not None
        except (ValueError, AttributeError, LookupError, TypeError, RecursionError):
            usable = False
        if not usable:
            raise BadUsage(
                f"{path}:{number}: not an entry of a golden file: delete the file and write it again with --update"
            )
        found.append(entry)
    return found


def write(path: Path, found: list[Entry]) -> None:
    """Write a golden file. Raises BadUsage."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, "".join(json.dumps(e, sort_keys=True) + "\n" for e in found))
    except OSError as e:
        raise BadUsage(f"{path}: {e.strerror}") from e


@dataclass
class Difference:
    """Differences between a golden file and today's answers, as lines of text.

    changed  contradicts the file, or the puzzle is on one side only
    weaker   known in the file, not known today     stronger  known more exactly today
    kept     entries to write: today's, or the older one if it is more exact     same  number of equal entries
    """

    changed: list[str] = field(default_factory=list)
    weaker: list[str] = field(default_factory=list)
    stronger: list[str] = field(default_factory=list)
    kept: list[Entry] = field(default_factory=list)
    same: int = 0


def difference(golden: list[Entry], today: list[Today]) -> Difference:
    """Compare entries, matched by hash."""
    old, found = {e["hash"]: e for e in golden}, Difference()
    for one in today:
        entry, said, solution, goal, *_ = one
        name, before = entry["puzzle"], old.get(entry["hash"])
        kept = entry
        if before is None:
            malformed = ", and malformed now" if entry.get("status") == MALFORMED else ""
            found.changed.append(f"{name}: not in the golden file{malformed}")
        elif goal is not None:
            kept = compare_optimum(found, before, one)
        else:
            was, now, sure = (POSSIBLE[count] for count in (before["count"], said, entry["count"]))
            expected = before.get("solution")
            other_solution = before["count"] == "1" and expected and solution and expected != solution
            if not was & now:
                alone = "" if said == entry["count"] else ", by unconfirmed answers"
                found.changed.append(f"{name}: number of solutions {before['count']} -> {said}{alone}")
            elif other_solution:
                found.changed.append(f"{name}: solution {expected} -> {solution}")
            elif sure < was:
                found.stronger.append(f"{name}: number of solutions {before['count']} -> {entry['count']}")
            elif was < now:
                found.weaker.append(f"{name}: number of solutions {before['count']}, not determined this time")
            else:
                found.same += 1
            if was < sure and not other_solution:
                kept = before | {"puzzle": name}
        found.kept.append(kept)
    here = {e.entry["hash"] for e in today}
    found.changed += [f"{e['puzzle']}: only in the golden file" for e in golden if e["hash"] not in here]
    return found


def compare_optimum(found: Difference, before: Entry, today: Today) -> Entry:
    """Add the difference of an entry with an objective; return the entry to write.

    An optimum in the file is changed by a better solution, by another optimum, and by an answer that there is none.
    """
    entry, name = today.entry, today.entry["puzzle"]
    old = int(before["optimum"]) if "optimum" in before else None
    was, now = optimum_words(before), optimum_words(entry)
    said = "no solution" if today.said == "0" else None if today.optimum is None else f"optimum {today.optimum}"
    better = today.goal is not None and is_better(today.goal, today.best, old) and was != UNDECIDED
    if was != UNDECIDED and (better or said not in (None, was)):
        verified = f"a solution of value {today.best}" if better else said
        alone = "" if now == verified or better else ", by unconfirmed answers"
        found.changed.append(f"{name}: {was} -> {now if now != UNDECIDED and not better else verified}{alone}")
    elif was == now:
        found.same += 1
    elif was == UNDECIDED:
        found.stronger.append(f"{name}: {was} -> {now}")
    else:
        found.weaker.append(f"{name}: {was}, no longer proved")
        return before | {"puzzle": name}
    return entry


def is_better(goal: Objective, value: Value, than: Value) -> bool:
    """Return True if a value, as the source states it, is better than another; every value is better than None."""
    if value is None or than is None:
        return value is not None
    return value > than if goal.maximise else value < than


def optimum_words(entry: Entry) -> str:
    """Return the words of an entry with an objective."""
    if "optimum" in entry:
        return f"optimum {entry['optimum']}"
    return "no solution" if entry["count"] == "0" else UNDECIDED


def in_scope(golden: list[Entry], today: list[Entry], whole: Collection[str]) -> tuple[list[Entry], list[Entry]]:
    """Split a golden file into the entries to compare and the others.

    Entries to compare are puzzles read today, and all puzzles of corpora read as a whole.
    """
    here = {e["hash"] for e in today}
    kept: tuple[list[Entry], list[Entry]] = [], []
    for entry in golden:
        kept[entry["hash"] not in here and entry["puzzle"].rpartition(":")[0] not in whole].append(entry)
    return kept
