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

from harness.judging.judge import Evidence
from harness.model.errors import BadUsage
from harness.reporting.exporting import solution_text
from harness.storing.hashes import content_hashes
from harness.storing.journal import Journal

POSSIBLE = {"0": {0}, "1": {1}, "2+": {2}, "1+": {1, 2}, "?": {0, 1, 2}}
STATUS = {"0": "unsatisfiable", "?": "undecided"}
MAX_SOLUTION_CHARS = 100
Entry = dict[str, str]


def counts(evidence: Evidence) -> list[str]:
    """Return the known number of solutions, in the notation of `count`, by puzzle id."""
    found = []
    for some, claimed in zip(evidence.shown.tolist(), evidence.complete_count.tolist(), strict=True):
        if some >= 2:
            found.append("2+")
        elif claimed == some:
            found.append(str(some))
        else:
            found.append("1+" if some else "?")
    return found


def solution_texts(journal: Journal) -> dict[int, str]:
    """Return a correct solution of each solved instance by id, as text or as a hash."""
    texts = {i: solution_text(journal.problem_of(i).values, solution) for i, solution in journal.right_solutions()}
    return {
        i: text
        if len(text) <= MAX_SOLUTION_CHARS
        else "blake2b:" + hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        for i, text in texts.items()
    }


def entries(journal: Journal, evidence: Evidence) -> list[Entry]:
    """Return the entries of all puzzles, sorted by name in natural order."""
    known, texts = counts(evidence), solution_texts(journal)
    found = []
    for i, name, content in content_hashes(journal):
        entry = {"puzzle": name, "hash": content, "count": known[i], "status": STATUS.get(known[i], "satisfiable")}
        found.append(entry | ({"solution": texts[i]} if known[i] == "1" else {}))
    return sorted(found, key=natural_key)


def natural_key(entry: Entry) -> list[tuple[str, int]]:
    """Return a sort key that puts line 10 after line 9."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", entry["puzzle"])]


def read(path: Path) -> list[Entry]:
    """Read the entries of a golden file. Raises BadUsage."""
    found = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise BadUsage(f"{path}: {e.strerror if isinstance(e, OSError) else 'not a text file'}") from e
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            usable = {"puzzle", "hash"} <= entry.keys() and entry["count"] in POSSIBLE
        except (ValueError, AttributeError, KeyError, TypeError):
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
        path.write_text("".join(json.dumps(e, sort_keys=True) + "\n" for e in found), encoding="utf-8")
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


def difference(golden: list[Entry], today: list[Entry]) -> Difference:
    """Compare entries, matched by hash."""
    old, found = {e["hash"]: e for e in golden}, Difference()
    for entry in today:
        name, before = entry["puzzle"], old.get(entry["hash"])
        kept = entry
        if before is None:
            found.changed.append(f"{name}: not in the golden file")
        else:
            was, now = POSSIBLE[before["count"]], POSSIBLE[entry["count"]]
            if not was & now:
                found.changed.append(f"{name}: number of solutions {before['count']} -> {entry['count']}")
            elif was < now:
                found.weaker.append(f"{name}: number of solutions {before['count']}, not determined this time")
                kept = before | {"puzzle": name}
            elif now < was:
                found.stronger.append(f"{name}: number of solutions {before['count']} -> {entry['count']}")
            elif before.get("solution") != entry.get("solution"):
                found.changed.append(f"{name}: solution {before.get('solution')} -> {entry.get('solution')}")
            else:
                found.same += 1
        found.kept.append(kept)
    here = {e["hash"] for e in today}
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
