"""Loops over the bytes of formula files, to be compiled: literals, weighted clauses, rows of OPB; clauses as text.

A loop takes only what is in order, and stops at what is not: there the plain reader goes on, which finds the mistake or
the oddity. So a loop accepts a part of what the plain reader accepts, and gives the same numbers.

    text       pointer to `size` bytes and one more, which is 0; whole lines
    i          index of a byte of the text, -1 after a mistake
    to_*       pointers to arrays that a loop fills, with room for all that a text of this size can hold
    found      pointer to counts that a loop returns besides
"""

from typing import Any

Pointer = Any  # to numbers of the type that SIGNATURES states
SIGNATURES = {  # types of the arguments of each loop
    "literals": ("uint8*", "int64", "int64", "int32*"),
    "weighted_clauses": ("uint8*", *["int64"] * 4, "uint8*", "int64", "int32*", "int32*", "int64*", "int64*"),
    "rows": ("uint8*", *["int64"] * 3, "int64*", "int32*", "int64*", "uint8*", "int64*", "int64*"),
    "repeating": ("int32*", "int64", "int32*"),
    "colour_clauses": ("int32*", "int64", "int64*", "int64*", "int64*", *["int64"] * 4),
    "clause_lines": ("int32*", "int64", "uint8*", "int64*", "int64*", "uint8*"),
}
INNER = (
    "blanks_end",
    "line_end",
    "digits",
    "literal",
    "weight",
    "integer",
    "term",
    "comparison",
    "twice",
    "put",
    "put_number",
    "mixed",
)
TAB, NEWLINE, RETURN, SPACE, HASH, STAR, PLUS, MINUS, NINE, SEMICOLON = b"\t\n\r #*+-9;"
ZERO, ONE, LESS, EQUAL, GREATER, NOT, C, H, X, TILDE = b"01<=>!chx~"
MOST = (1 << 63) - 1
FIRST, SECOND, TURNED = -0x00AE502812AA7333, -0x3B314601E57A13AD, 0x2545F4914F6CDD1D  # odd: factors of a hash
WORDS = (  # texts of a clause, of which some are around each literal
    *("start", "end", "unit_start", "unit_end", "empty", "true", "after_true"),
    *("false", "after_false", "between", "wrap", "middle", "last"),
)
START, END, UNIT_START, UNIT_END, EMPTY, TRUE, AFTER_TRUE, FALSE, AFTER_FALSE, BETWEEN, WRAP, MIDDLE, LAST = range(13)
RULES = ("shift", "wrap_after", "split", "bound")
COMPARED = 8  # literals of a clause that are compared in pairs
COEFFICIENT_DIGITS, VARIABLE_DIGITS, BOUND_DIGITS = 12, 9, 18  # of a plain row of OPB


def literals(text: Pointer, size: int, variables: int, to_literals: Pointer) -> int:
    """Write all literals, 0 for the end of a clause, and return how many; -1 if anything is not in order."""
    count = i = 0
    fresh = True  # at the beginning of a line, after spaces and tabs alone
    while i < size:
        code = text[i]
        if code > SPACE and not (code == C and fresh):
            i, number = literal(text, i, variables)
            if i < 0:
                return -1
            to_literals[count] = number
            count += 1
            fresh = False
        elif code == C:
            i = line_end(text, i, size)
        elif code in (NEWLINE, SPACE, TAB, RETURN):
            fresh = code == NEWLINE or (fresh and code != RETURN)
            i += 1
        else:
            return -1
    return count


def weighted_clauses(
    text: Pointer,
    size: int,
    variables: int,
    older: int,
    top: int,
    top_digits: Pointer,
    top_size: int,
    to_hard: Pointer,
    to_soft: Pointer,
    to_weights: Pointer,
    found: Pointer,
) -> int:
    """Write the clauses of all lines, and return how many; -1 if anything is not in order.

    `older`: the file has a header, so h begins no clause. `top` is -1 if there is none, or it is beyond 64 bits: then
    it has `top_digits`. `found` gets the numbers of hard literals, of soft ones and of weights, and the greatest
    variable; each 0 that ends a clause is among the literals.
    """
    hard = soft = weights = greatest = lines = i = 0
    while i < size:
        while text[i] == SPACE or text[i] == TAB:
            i += 1
        if text[i] == C:
            i = line_end(text, i, size) + 1
            continue
        i = blanks_end(text, i)
        if i >= size or text[i] == NEWLINE:
            i += 1
            continue
        is_hard, cost = text[i] == H and not older, 0
        if is_hard:
            i += 1
        else:
            i, cost, is_hard = weight(text, i, top, top_digits, top_size)
        if i < 0 or text[i] > SPACE:
            return -1
        at = hard if is_hard else soft
        target = to_hard if is_hard else to_soft
        i = blanks_end(text, i)
        number = 1
        while number and i < size and text[i] != NEWLINE:
            i, number = literal(text, i, variables)
            if i < 0:
                return -1
            target[at] = number
            at += 1
            greatest = max(greatest, abs(number))
            i = blanks_end(text, i)
        if number or (i < size and text[i] != NEWLINE):
            return -1
        i += 1
        lines += 1
        if is_hard:
            hard = at
        elif cost:
            soft = at
            to_weights[weights] = cost
            weights += 1
    found[0], found[1], found[2], found[3] = hard, soft, weights, greatest
    return lines


def rows(
    text: Pointer,
    i: int,
    size: int,
    variables: int,
    to_coefficients: Pointer,
    to_variables: Pointer,
    to_ends: Pointer,
    to_comparisons: Pointer,
    to_bounds: Pointer,
    found: Pointer,
) -> int:
    """Write the plain rows from i up to the first line that is no plain row, blank, or a comment without #.

    Return where that line begins. `found` gets the numbers of rows, of terms, and of lines that were read.
    """
    row = terms = lines = 0
    while i < size:
        at = blanks_end(text, i)
        if text[i] == STAR:
            while at < size and text[at] != NEWLINE and text[at] != HASH:
                at += 1
        elif at < size and text[at] != NEWLINE:
            end, shift = terms, 0
            while at >= 0 and (ZERO <= text[at] <= NINE or text[at] == PLUS or text[at] == MINUS):
                at, coefficient, variable = term(text, at, variables)
                if variable < 0:
                    coefficient, variable, shift = -coefficient, -variable, shift - coefficient
                to_coefficients[end] = coefficient
                to_variables[end] = variable - 1
                end += 1
            if at < 0 or end == terms:
                break
            at, code = comparison(text, at)
            if at >= 0:
                at, bound = integer(text, blanks_end(text, at), BOUND_DIGITS)
            if at >= 0:
                at = blanks_end(text, at)
            if at < 0 or text[at] != SEMICOLON:
                break
            at = blanks_end(text, at + 1)
            if at < size and text[at] != NEWLINE:
                break
            terms = end
            to_ends[row], to_comparisons[row], to_bounds[row] = terms, code, bound + shift
            row += 1
        if at < size and text[at] != NEWLINE:
            break
        i = at + 1
        lines += 1
    found[0], found[1], found[2] = row, terms, lines
    return min(i, size)


def repeating(flat: Pointer, size: int, seen: Pointer) -> int:
    """Return the number of clauses that name a variable more than once; `seen` has a 0 for each variable and one more.

    Every clause ends in 0.
    """
    count = start = clause = 0
    for i in range(size):
        if not flat[i]:
            clause += 1
            count += twice(flat, start, i, seen, clause)
            start = i + 1
    return count


def twice(flat: Pointer, start: int, end: int, seen: Pointer, clause: int) -> bool:
    """Return True if a clause, given by its place and its number, names a variable more than once."""
    if end - start > COMPARED:
        for i in range(start, end):
            variable = abs(flat[i])
            if seen[variable] == clause:
                return True
            seen[variable] = clause
        return False
    for i in range(start + 1, end):
        for j in range(start, i):
            if flat[i] == flat[j] or flat[i] == -flat[j]:
                return True
    return False


def clause_lines(literals: Pointer, count: int, words: Pointer, ends: Pointer, rules: Pointer, to_text: Pointer) -> int:
    """Write clauses, each ended by 0, as text, and return the number of bytes.

    `words` are the texts of WORDS one after another, up to their `ends`; `rules` are the numbers of RULES.
    """
    i = at = 0
    shift, wrap, split, bound = rules[0], rules[1], rules[2], rules[3]
    while i < count:
        first, negatives = i, 0
        while literals[i] != 0:
            negatives += literals[i] < 0
            i += 1
        size = i - first
        i += 1
        if size == 0:
            at = put(words, ends, EMPTY, to_text, at)
            continue
        at = put(words, ends, UNIT_START if size == 1 else START, to_text, at)
        for part in range(1 + split):
            placed = 0
            if part:
                at = put(words, ends, MIDDLE, to_text, at)
            for j in range(first, first + size):
                negative = literals[j] < 0
                if split and negative != (part == 1):
                    continue
                if placed:
                    at = put(words, ends, WRAP if wrap and placed % wrap == 0 else BETWEEN, to_text, at)
                at = put(words, ends, FALSE if negative else TRUE, to_text, at)
                at = put_number((-literals[j] if negative else literals[j]) - shift, to_text, at)
                at = put(words, ends, AFTER_FALSE if negative else AFTER_TRUE, to_text, at)
                placed += 1
        at = put(words, ends, UNIT_END if size == 1 else END, to_text, at)
        if bound:
            at = put_number(1 - negatives, to_text, at)
        at = put(words, ends, LAST, to_text, at)
    return at


def blanks_end(text: Pointer, i: int) -> int:
    """Return the end of spaces, tabs and carriage returns."""
    while text[i] == SPACE or text[i] == TAB or text[i] == RETURN:
        i += 1
    return i


def line_end(text: Pointer, i: int, size: int) -> int:
    """Return the index of the next line end, or of the text's end."""
    while i < size and text[i] != NEWLINE:
        i += 1
    return i


def digits(text: Pointer, i: int, most: int) -> tuple[int, int]:
    """Read digits: return their end and their number; the end is -1 without digits, or if they exceed `most`."""
    number, start = 0, i
    while ZERO <= text[i] <= NINE:
        digit = text[i] - ZERO
        if number > most // 10 or number * 10 > most - digit:
            return -1, 0
        number = number * 10 + digit
        i += 1
    return (i if i > start else -1), number


def literal(text: Pointer, i: int, variables: int) -> tuple[int, int]:
    """Read a literal or 0, after which a blank comes: return its end and its number."""
    negative = text[i] == MINUS
    if negative:
        i += 1
        if text[i] == ZERO:
            return -1, 0
    number, start = 0, i
    while ZERO <= text[i] <= NINE:
        number = number * 10 + (text[i] - ZERO)
        if number > variables:
            return -1, 0
        i += 1
    if i == start or text[i] > SPACE:
        return -1, 0
    return i, (-number if negative else number)


def weight(text: Pointer, i: int, top: int, top_digits: Pointer, top_size: int) -> tuple[int, int, bool]:
    """Read a weight: return its end, its number, and True if a hard clause has it."""
    end, number = digits(text, i, MOST)
    if end >= 0:
        return end, number, 0 <= top <= number
    while text[i] == ZERO:
        i += 1
    for k in range(top_size):
        if text[i] != top_digits[k]:
            return -1, 0, False
        i += 1
    return (i if top_size else -1), 0, True


def term(text: Pointer, i: int, variables: int) -> tuple[int, int, int]:
    """Read a coefficient and a variable with blanks after them: return the end and both, -x for ~x."""
    i, coefficient = integer(text, i, COEFFICIENT_DIGITS)
    if i < 0 or (text[i] != SPACE and text[i] != TAB):
        return -1, 0, 0
    i = blanks_end(text, i)
    negated = text[i] == TILDE
    if negated:
        i += 1
    if text[i] != X:
        return -1, 0, 0
    end, variable = digits(text, i + 1, variables)
    if end < 0 or not variable or end - i > 1 + VARIABLE_DIGITS or (text[end] != SPACE and text[end] != TAB):
        return -1, 0, 0
    return blanks_end(text, end), coefficient, (-variable if negated else variable)


def comparison(text: Pointer, i: int) -> tuple[int, int]:
    """Read a comparison: return its end and its place in COMPARISONS of the linear constraints."""
    if text[i] == EQUAL:
        return i + 1, 2
    if text[i] == 0 or text[i + 1] != EQUAL:
        return -1, 0
    code = 0 if text[i] == GREATER else 1 if text[i] == LESS else 3
    return (i + 2 if code < 3 or text[i] == NOT else -1), code


def integer(text: Pointer, i: int, most_digits: int) -> tuple[int, int]:
    """Read an integer, perhaps with a sign: return its end and its number."""
    negative = text[i] == MINUS
    if negative or text[i] == PLUS:
        i += 1
    end, number = digits(text, i, MOST)
    if end < 0 or end - i > most_digits:
        return -1, 0
    return end, (-number if negative else number)


def put(words: Pointer, ends: Pointer, k: int, to_text: Pointer, at: int) -> int:
    """Write a text of WORDS: return its end."""
    for i in range(ends[k - 1] if k else 0, ends[k]):
        to_text[at] = words[i]
        at += 1
    return at


def put_number(number: int, to_text: Pointer, at: int) -> int:
    """Write an integer: return its end."""
    if number < 0:
        to_text[at] = MINUS
        at += 1
        number = -number
    size, rest = 1, number // 10
    while rest:
        size += 1
        rest //= 10
    for k in range(at + size - 1, at - 1, -1):
        to_text[k] = ZERO + number % 10
        number //= 10
    return at + size


def mixed(number: int) -> int:
    """Return a number of 64 bits with its bits mixed, as `puzzles.identity.refinement` does in columns."""
    number ^= number >> 33
    number *= FIRST
    number ^= number >> 29
    number *= SECOND
    return number ^ (number >> 32)


def colour_clauses(
    flat: Pointer,
    size: int,
    variables: Pointer,
    rows: Pointer,
    sums: Pointer,
    both: int,
    fresh: int,
    positive: int,
    negative: int,
) -> int:
    """Add up the colours of clauses for each variable; if `both`, refine those by the colours of their literals first.

    The length of a clause is added to a `fresh` colour. Return the number of clauses.
    """
    start = row = 0
    for i in range(size):
        if flat[i] == 0:
            total = 0
            rows[row] += i - start if fresh else 0
            for k in range(start, i if both else start):
                total += mixed(variables[abs(flat[k]) - 1] ^ (positive if flat[k] > 0 else negative))
            if both and i > start:
                rows[row] = mixed(rows[row] + total)
            if_true, if_false = mixed((rows[row] + TURNED) ^ positive), mixed((rows[row] + TURNED) ^ negative)
            for k in range(start, i):
                sums[abs(flat[k]) - 1] += if_true if flat[k] > 0 else if_false
            row += 1
            start = i + 1
    return row
