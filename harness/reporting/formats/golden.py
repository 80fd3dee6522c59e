"""Golden files: one JSON line per puzzle with its number of solutions, sorted, without times.

{"count": "1", "hash": "4f0c...", "puzzle": "hardest.txt:3", "solution": "812753...", "status": "satisfiable"}

count     0, 1, 2+ (several), 1+ (solved, not counted), ? (undecided): each stands for a set of possible numbers
hash      of the puzzle's content, by which puzzles are matched, so moving a line in a corpus changes nothing
solution  the only one, if the count is 1: as text, or as a hash if the text would be long
"""

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from harness.judging.agreement import settled
from harness.judging.judge import Evidence
from harness.judging.referee import Referee
from harness.model.errors import BadUsage
from harness.reporting.formats.tidy import solution_text
from harness.storing.hashes import content_hashes
from harness.storing.journal import Journal
from puzzles.files import write_file
from puzzles.problem.arrays import BoolArray

POSSIBLE = {"0": {0}, "1": {1}, "2+": {2}, "1+": {1, 2}, "?": {0, 1, 2}}
STATUS = {"0": "unsatisfiable", "?": "undecided"}
MAX_SOLUTION_CHARS = 100
Entry = dict[str, str]


class Today(NamedTuple):
    """Entry of today's answers, with what unconfirmed answers say.

    said  count by the word of complete answers, settled or not     solution  a correct one, as text, if there is any
    """

    entry: Entry
    said: str
    solution: str | None = None


def counts(evidence: Evidence, exact: BoolArray) -> list[str]:
    """Return the number of solutions of each puzzle, in the notation of `count`, by id; `exact` where all are shown."""
    return [
        "2+" if shown >= 2 else str(shown) if all_shown else "1+" if shown else "?"
        for shown, all_shown in zip(evidence.shown.number.tolist(), exact.tolist(), strict=True)
    ]


def solution_texts(journal: Journal) -> dict[int, str]:
    """Return a correct solution of each solved instance by id, as text or as a hash."""
    texts = {i: solution_text(journal.outline_of(i).values, solution) for i, solution in journal.right_solutions()}
    return {
        i: text
        if len(text) <= MAX_SOLUTION_CHARS
        else "blake2b:" + hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        for i, text in texts.items()
    }


def entries(journal: Journal, referee: Referee) -> list[Today]:
    """Return the entries of all puzzles, sorted by name in natural order.

    A count is exact only if it is settled as for verdicts: one contender's word does not make an entry.
    """
    evidence, texts = referee.evidence, solution_texts(journal)
    known = counts(evidence, settled(evidence, referee.claims))
    said = counts(evidence, evidence.answered())
    found = []
    for i, name, content in content_hashes(journal):
        entry = {"puzzle": name, "hash": content, "count": known[i], "status": STATUS.get(known[i], "satisfiable")}
        entry |= {"solution": texts[i]} if known[i] == "1" else {}
        found.append(Today(entry, said[i], texts.get(i)))
    return sorted(found, key=lambda today: natural_key(today.entry))


def natural_key(entry: Entry) -> list[tuple[str, int]]:
    """Return a sort key that puts line 10 after line 9."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", entry["puzzle"])]


def read(path: Path) -> list[Entry]:
    """Read the entries of a golden file. Raises BadUsage."""
    found = []
    if path.exists() and not path.is_file():
        raise BadUsage(f"{path}: a directory, pipe or device, not a regular file")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise BadUsage(f"{path}: {e.strerror if isinstance(e, OSError) else 'not a text file'}") from e
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            texts = [entry["puzzle"], entry["hash"], entry["count"], *entry.values()]
            usable = all(isinstance(text, str) for text in texts) and entry["count"] in POSSIBLE
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
    for entry, said, solution in today:
        name, before = entry["puzzle"], old.get(entry["hash"])
        kept = entry
        if before is None:
            found.changed.append(f"{name}: not in the golden file")
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


def in_scope(golden: list[Entry], today: list[Entry], whole: Collection[str]) -> tuple[list[Entry], list[Entry]]:
    """Split a golden file into the entries to compare and the others.

    Compared are the puzzles that were read today, and all of the corpora that were read as a whole.
    """
    here = {e["hash"] for e in today}
    kept: tuple[list[Entry], list[Entry]] = [], []
    for entry in golden:
        kept[entry["hash"] not in here and entry["puzzle"].rpartition(":")[0] not in whole].append(entry)
    return kept
