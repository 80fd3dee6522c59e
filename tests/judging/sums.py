"""Random zero-one programmes with all their solutions, proofs about them, and proofs and programmes with a change."""

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import NamedTuple

from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, row

Terms = list[tuple[int, int]]
Solution = tuple[int, ...]
HEADER = b"pseudo-Boolean proof version 1.1"
WORDS = (b"+", b"*", b"d", b"s", b"w", b"1", b"2", b"-1", b"0", b">=", b";")
NUDGES = (-2, -1, 1, 2, 1 << 57, 1 << 62)


class Drawn(NamedTuple):
    """Rows, each a sum of terms that is at least a bound, and the terms to be minimised, if any."""

    variables: int
    rows: list[tuple[Terms, int]]
    goal: Terms | None

    def programme(self, best: int | None = None) -> SumProgramme:
        goal = None if self.goal is None else {x: a for a, x in self.goal}
        return SumProgramme(self.variables, tuple(row(terms, bound) for terms, bound in self.rows), goal, best)

    def values(self) -> dict[Solution, int]:
        """Return the sum of the objective of every solution, by trying all assignments."""
        return {
            bits: sum(a * bits[x - 1] for a, x in self.goal or ())
            for bits in product((0, 1), repeat=self.variables)
            if all(sum(a * bits[x - 1] for a, x in terms) >= bound for terms, bound in self.rows)
        }


def drawn(random: Random, most: int = 8) -> Drawn:
    """Return a random programme; a tenth has numbers beyond 62 bits, a tenth no objective."""
    n, largest = random.randint(2, most), random.choice((1, 2, 3, 9))
    if random.random() < 0.1:
        largest = 1 << random.choice((61, 62, 63, 70))

    def terms(size: int) -> Terms:
        return [(random.choice((1, -1)) * random.randint(1, largest), x) for x in random.sample(range(1, n + 1), size)]

    rows = []
    for _ in range(random.randint(1, 2 * n)):
        some = terms(random.randint(1, min(n, random.choice((2, 3, 3, 4, n)))))
        low, high = sum(min(a, 0) for a, _ in some), sum(max(a, 0) for a, _ in some)
        rows.append((some, low + max(1, (high - low) * random.randint(1, 60) // 100)))
    return Drawn(n, rows, None if random.random() < 0.1 else terms(random.randint(1, n)))


def changed(made: Drawn, random: Random) -> Drawn:
    """Return a programme with one number changed, or a row left out or put in."""
    rows = [(list(terms), bound) for terms, bound in made.rows]
    i, kind = random.randrange(len(rows)), random.randrange(5)
    terms, bound = rows[i]
    k = random.randrange(len(terms))
    if kind == 0:
        del rows[i]
    elif kind == 1:
        rows[i] = terms, bound + random.choice((-1, 1, 2))
    elif kind == 2:
        terms[k] = terms[k][0] + random.choice((-1, 1, 2)), terms[k][1]
    elif kind == 3 or not made.goal:
        rows.append(([(random.choice((1, -1)), random.randint(1, made.variables))], random.choice((0, 1))))
    else:
        goal = list(made.goal)
        k = random.randrange(len(goal))
        goal[k] = goal[k][0] + random.choice((-2, -1, 1, 2)), goal[k][1]
        return made._replace(goal=goal)
    return made._replace(rows=rows)


def solution_step(solution: Solution) -> bytes:
    return b"soli " + b" ".join(b"%sx%d" % (b"" if value else b"~", x) for x, value in enumerate(solution, 1))


def with_solution(proof: bytes, solution: Solution) -> bytes:
    """Return a proof in which this solution stands for each that it gives."""
    lines = proof.split(b"\n")
    return b"\n".join(solution_step(solution) if line.startswith(b"soli") else line for line in lines)


def tree_proof(made: Drawn, values: Mapping[Solution, int], random: Random) -> bytes:
    """Return the proof of a search that tries both values of each variable, and states each better solution."""
    lines = [HEADER, b"f"]
    best: list[int] = []
    order = random.sample(range(1, made.variables + 1), made.variables)

    def search(bits: dict[int, int]) -> None:
        if len(bits) < made.variables:
            for value in random.sample((0, 1), 2):
                search({**bits, order[len(bits)]: value})
        else:
            solution = tuple(bits[x] for x in range(1, made.variables + 1))
            if solution in values and (not best or values[solution] < min(best)):
                best.append(values[solution])
                lines.append(solution_step(solution))
        clause = b" ".join(b"+1 %sx%d" % (b"~" if value else b"", x) for x, value in bits.items())
        lines.append(b"rup %s >= 1 ;" % clause)

    search({})
    return b"\n".join([*lines, b"c -1", b""])


def tampered(proof: bytes, variables: int, random: Random) -> bytes:
    """Return a proof with one to three changes: of a line, of a word, or by a step that is put in."""
    lines = proof.split(b"\n")
    for _ in range(random.randint(1, 3)):
        i, kind = random.randrange(1, len(lines)), random.randrange(8)
        x, y = random.randint(1, variables + 2), random.randint(1, variables + 2)
        sign = random.choice((b"", b"~"))
        if kind == 0:
            lines.insert(random.randrange(1, len(lines)), lines[i])
        elif kind == 1:
            lines.insert(random.randrange(1, len(lines)), lines.pop(i))
        elif kind == 2:
            lines[i : i + 1] = [] if len(lines) > 3 else lines[i : i + 1]
        elif kind == 3:
            lines.insert(i, b"red +1 %sx%d +1 x%d >= 1 ; x%d %d" % (sign, x, y, x, random.randint(0, 1)))
        elif kind == 4:
            lines.insert(i, b"rup +1 %sx%d >= 1 ;" % (sign, x))
        elif kind == 5:
            lines.insert(i, b"del id %d" % random.randint(1, len(lines)))
        else:
            words = lines[i].split() or [b""]
            j = random.randrange(len(words))
            words[j] = changed_word(words[j], sign + b"x%d" % x, random)
            lines[i] = b" ".join(words)
    return b"\n".join(lines)


def changed_word(word: bytes, literal: bytes, random: Random) -> bytes:
    """Return a number with another value, another literal for one, or any word."""
    if word.lstrip(b"+-").isdigit() and random.random() < 0.8:
        return (
            b"%+d" % (int(word) + random.choice(NUDGES))
            if b"+" in word
            else b"%d" % (int(word) + random.choice(NUDGES))
        )
    if b"x" in word and random.random() < 0.8:
        return random.choice((literal, word[1:] if word.startswith(b"~") else b"~" + word))
    return random.choice((*WORDS, literal))
