"""LRAT for tests: proofs made from DRUP by plain unit propagation, and a plain checker to compare ours with."""

from collections.abc import Iterable, Sequence

Clause = Sequence[int]
Step = tuple[bool, Clause]  # added or deleted


def hints(clauses: dict[int, Clause], lemma: Clause) -> list[int]:
    """Return the numbers of clauses that lead to a conflict if the lemma's literals are false, in order."""
    true, used = {-x for x in lemma}, list[int]()
    progress = True
    while progress:
        progress = False
        for number, clause in clauses.items():
            rest = {x for x in clause if -x not in true}
            if not rest:
                return [*used, number]
            if len(rest) == 1 and not rest & true:
                true |= rest
                used.append(number)
                progress = True
    raise ValueError(f"{lemma} does not follow")


def elaborated(axioms: Sequence[Clause], steps: Iterable[Step]) -> bytes:
    """Return the LRAT text of a DRUP proof, up to its empty clause; deletions of units are left out."""
    clauses = dict(enumerate(axioms, 1))
    lines, last = list[list[int | str]](), len(axioms)
    for added, clause in [*steps, (True, ())]:
        if added:
            named = hints(clauses, clause)
            last += 1
            clauses[last] = clause
            lines.append([last, *clause, 0, *named, 0])
            if not clause:
                break
        elif len(clause) > 1:
            found = [n for n, c in clauses.items() if sorted(c) == sorted(clause)][:1]
            for n in found:
                del clauses[n]
            lines += [[last, "d", n, 0] for n in found]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines).encode()


def conflict(clauses: dict[int, Clause], true: set[int], named: Sequence[int]) -> bool | None:
    """Return True if these hints end in a conflict, False if they do not, None if one is wrong; adds to `true`."""
    for number in named:
        if number not in clauses:
            return None
        rest = {x for x in clauses[number] if -x not in true}
        if not rest:
            return True
        if len(rest) > 1:
            return None
        true |= rest
    return False


def implied(clauses: dict[int, Clause], lemma: Clause, named: Sequence[int]) -> bool:
    """Return True if a lemma is RUP or RAT by its hints."""
    true = {-x for x in lemma}
    if any(-x in true for x in true):
        return True
    starts = [i for i, n in enumerate(named) if n < 0] + [len(named)]
    first = conflict(clauses, true, named[: starts[0]])
    if first or first is None or not lemma:
        return bool(first)
    pivot, left = lemma[0], {n for n, c in clauses.items() if -lemma[0] in c}
    for i, start in enumerate(starts[:-1]):
        number = -named[start]
        if number not in clauses or -pivot not in clauses[number]:
            return False
        rest = [x for x in clauses[number] if x != -pivot]
        both = true | {-x for x in rest}
        if not any(x in true for x in rest) and not conflict(clauses, both, named[start + 1 : starts[i + 1]]):
            return False
        left.discard(number)
    return not left


def accepts(axioms: Sequence[Clause], proof: bytes) -> bool:
    """Check a proof as LRAT defines it. Raises ValueError for text that is not LRAT."""
    clauses, named = dict(enumerate(axioms, 1)), set(range(1, len(axioms) + 1))
    for line in map(bytes.split, proof.split(b"\n")):
        if not line or line[0][:1] == b"c":
            continue
        if line[1:2] == [b"d"]:
            for number in map(int, line[2:-1]):
                clauses.pop(number, None)
            continue
        number, *rest = map(int, line)
        end = rest.index(0)
        lemma, used = rest[:end], rest[end + 1 : -1]
        if number in named or not implied(clauses, lemma, used):
            return False
        if not lemma:
            return True
        clauses[number] = lemma
        named.add(number)
    return not all(axioms)
