"""Constraint satisfaction problems as XCSP3 text, with known answers; each function returns the parts of a file."""

from itertools import combinations, product
from random import Random

Parts = tuple[list[str], list[str]]  # elements of <variables>, and of <constraints>


def array(name: str, size: tuple[int, ...], domain: str) -> str:
    """Return an array of variables of one domain."""
    return f'<array id="{name}" size="{"".join(f"[{n}]" for n in size)}"> {domain} </array>'


def group(template: str, args: list[str]) -> str:
    """Return a constraint with parameters %0, %1, ... for each line of arguments."""
    return "\n".join(["<group>", f"  {template}", *(f"  <args> {line} </args>" for line in args), "</group>"])


def intension(text: str) -> str:
    return f"<intension> {text} </intension>"


def all_different(text: str) -> str:
    return f"<allDifferent> {text} </allDifferent>"


def latin_lines(n: int) -> str:
    """Return the constraint that each row and each column of x, of n by n, has different values."""
    return group(
        "<allDifferent> %... </allDifferent>", [f"x[{i}][]" for i in range(n)] + [f"x[][{i}]" for i in range(n)]
    )


def queens(n: int) -> Parts:
    """Place n queens, one a column, so that none attacks another."""
    pairs = [f"x[{i}] x[{j}] {j - i}" for i, j in combinations(range(n), 2)]
    return [array("x", (n,), f"0..{n - 1}")], [all_different("x[]"), group(intension("ne(dist(%0,%1),%2)"), pairs)]


def golomb(marks: int, length: int) -> Parts:
    """Find marks on a ruler of that length whose distances all differ."""
    pairs = list(combinations(range(marks), 2))
    variables = [array("x", (marks,), f"0..{length}"), array("d", (len(pairs),), f"1..{length}")]
    return variables, [
        intension("eq(x[0],0)"),
        group(intension("lt(%0,%1)"), [f"x[{i}] x[{i + 1}]" for i in range(marks - 1)]),
        group(intension("eq(%0,sub(%1,%2))"), [f"d[{k}] x[{j}] x[{i}]" for k, (i, j) in enumerate(pairs)]),
        all_different("d[]"),
    ]


def magic_square(n: int) -> Parts:
    """Fill a square with 1 to n * n so that rows, columns and both diagonals have the same sum."""
    total = n * (n * n + 1) // 2
    lines = [[(r, c) for c in range(n)] for r in range(n)] + [[(r, c) for r in range(n)] for c in range(n)]
    lines += [[(i, i) for i in range(n)], [(i, n - 1 - i) for i in range(n)]]
    sums = f"<sum> <list> %... </list> <condition> (eq,{total}) </condition> </sum>"
    return [array("x", (n, n), f"1..{n * n}")], [
        all_different("x[][]"),
        group(sums, [" ".join(f"x[{r}][{c}]" for r, c in line) for line in lines]),
        group(intension("lt(%0,%1)"), [f"x[0][0] x[{r}][{c}]" for r, c in ((0, n - 1), (n - 1, 0), (n - 1, n - 1))]),
    ]


def golfers(groups: int, size: int, weeks: int) -> Parts:
    """Let all golfers play each week, in groups of equal size, such that no two golfers meet twice."""
    players = range(groups * size)
    counts = " ".join([str(size)] * groups)
    values = " ".join(map(str, range(groups)))
    balance = (
        f"<cardinality> <list> %... </list> <values> {values} </values> <occurs> {counts} </occurs> </cardinality>"
    )
    meetings = [
        f"x[{v}][{p}] x[{v}][{q}] x[{w}][{p}] x[{w}][{q}]"
        for p, q in combinations(players, 2)
        for v, w in combinations(range(weeks), 2)
    ]
    first = [intension(f"eq(x[0][{p}],{p // size})") for p in players]
    return [array("x", (weeks, len(players)), f"0..{groups - 1}")], [
        *first,
        group(balance, [f"x[{w}][]" for w in range(weeks)]),
        group(intension("or(ne(%0,%1),ne(%2,%3))"), meetings),
        f"<lex> {' '.join(f'<list> x[{w}][] </list>' for w in range(weeks))} <operator> le </operator> </lex>",
    ]


def all_interval(n: int) -> Parts:
    """Order 0 to n - 1 so that the distances of neighbours all differ."""
    steps = [f"d[{i}] x[{i}] x[{i + 1}]" for i in range(n - 1)]
    return [array("x", (n,), f"0..{n - 1}"), array("d", (n - 1,), f"1..{n - 1}")], [
        all_different("x[]"),
        all_different("d[]"),
        group(intension("eq(%0,dist(%1,%2))"), steps),
    ]


def quasigroup(n: int, law: str) -> Parts:
    """Find an idempotent Latin square that obeys a law for all a and b.

    qg3: (a*b)*(b*a) = a; qg5: ((b*a)*b)*b = a. k[a][b] is the index of a product's operands in the square.
    """
    everything = list(product(range(n), repeat=2))
    square = "<element> <list> x[][] </list> <index> %0 </index> <value> %1 </value> </element>"
    variables = [array("x", (n, n), f"0..{n - 1}"), array("k", (n, n), f"0..{n * n - 1}")]
    constraints = [latin_lines(n), *(intension(f"eq(x[{a}][{a}],{a})") for a in range(n))]
    index = intension(f"eq(%0,add(mul(%1,{n}),%2))")
    if law == "qg3":
        return variables, [
            *constraints,
            group(index, [f"k[{a}][{b}] x[{a}][{b}] x[{b}][{a}]" for a, b in everything]),
            group(square, [f"k[{a}][{b}] {a}" for a, b in everything]),
        ]
    second = [array("m", (n, n), f"0..{n * n - 1}"), array("y", (n, n), f"0..{n - 1}")]
    return variables + second, [
        *constraints,
        group(index, [f"k[{a}][{b}] x[{b}][{a}] {b}" for a, b in everything]),
        group(square, [f"k[{a}][{b}] y[{a}][{b}]" for a, b in everything]),
        group(index, [f"m[{a}][{b}] y[{a}][{b}] {b}" for a, b in everything]),
        group(square, [f"m[{a}][{b}] {a}" for a, b in everything]),
    ]


def langford(n: int) -> Parts:
    """Arrange two of each number k from 1 to n, so that k numbers stand between the two."""
    pairs = [f"q[{i}] p[{i}] {i + 2}" for i in range(n)]
    domain = f"0..{2 * n - 1}"
    return [array("p", (n,), domain), array("q", (n,), domain)], [
        all_different("p[] q[]"),
        group(intension("eq(%0,add(%1,%2))"), pairs),
    ]


def magic_sequence(n: int) -> Parts:
    """Find a sequence whose item i is the number of items equal to i."""
    numbers = " ".join(map(str, range(n)))
    counted = f"<cardinality> <list> x[] </list> <values> {numbers} </values> <occurs> x[] </occurs> </cardinality>"
    return [array("x", (n,), f"0..{n - 1}")], [counted]


def model_rb(variables: int, values: int, constraints: int, forbidden: int, planted: bool, random: Random) -> Parts:
    """Return random binary tables of forbidden pairs, model RB (Xu and Li 2000); a solution is hidden if `planted`."""
    hidden = [random.randrange(values) for _ in range(variables)]
    tables = []
    for _ in range(constraints):
        x, y = sorted(random.sample(range(variables), 2))
        pairs = [(a, b) for a in range(values) for b in range(values)]
        if planted:
            pairs.remove((hidden[x], hidden[y]))
        listed = "".join(f"({a},{b})" for a, b in sorted(random.sample(pairs, forbidden)))
        tables.append(f"<extension> <list> x[{x}] x[{y}] </list> <conflicts> {listed} </conflicts> </extension>")
    return [array("x", (variables,), f"0..{values - 1}")], tables


def nonogram(rows: int, columns: int, percent: int, random: Random) -> Parts:
    """Fill a grid such that the blocks of each line have the lengths of a hidden picture; each line is an automaton."""
    picture = [[int(random.randrange(100) < percent) for _ in range(columns)] for _ in range(rows)]
    lines = [(f"x[{r}][]", row) for r, row in enumerate(picture)]
    lines += [(f"x[][{c}]", [row[c] for row in picture]) for c in range(columns)]
    automata = [f"<regular> <list> {name} </list> {blocks(line)}" for name, line in lines]
    return [array("x", (rows, columns), "0 1")], automata


def blocks(line: list[int]) -> str:
    """Return the automaton of lines with the same blocks, and the end of the element `regular`."""
    lengths = [len(part) for part in "".join(map(str, line)).split("0") if part]
    steps, state = ["(s0,0,s0)"], 0
    for i, length in enumerate(lengths):
        for _ in range(length):
            steps.append(f"(s{state},1,s{state + 1})")
            state += 1
        if i < len(lengths) - 1:
            steps += [f"(s{state},0,s{state + 1})", f"(s{state + 1},0,s{state + 1})"]
            state += 1
    if lengths:
        steps.append(f"(s{state},0,s{state})")
    transitions = f"<transitions> {''.join(steps)} </transitions>"
    return f"{transitions} <start> s0 </start> <final> s{state} </final> </regular>"


def csp_text(parts: Parts, comments: list[str]) -> str:
    """Return an instance as an XCSP3 file."""
    variables, constraints = parts
    head = [f"<!-- {'; '.join(comments)} -->", '<instance format="XCSP3" type="CSP">']
    body = ["<variables>", *variables, "</variables>", "<constraints>", *constraints, "</constraints>"]
    return "\n".join([*head, *body, "</instance>", ""])
