"""Programs for `--program`, as Python sources that import nothing of ours, so that each starts in a moment."""

# Answers each 9x9 board that it reads with its first solution: the square with the fewest values left is filled next.
SUDOKU = """\
import sys
UNITS = [(i//9, 9 + i%9, 18 + i//27*3 + i%9//3) for i in range(81)]
def solve(line):
    used, grid = [0] * 27, [0] * 81
    def put(i, value):
        grid[i] = value
        for u in UNITS[i]: used[u] ^= value
    def left(i):
        a, b, c = UNITS[i]
        return 511 & ~(used[a] | used[b] | used[c])
    def fill(squares):
        if not squares: return True
        i = min(squares, key=lambda i: left(i).bit_count())
        rest, values = [s for s in squares if s != i], left(i)
        while values:
            value = values & -values
            put(i, value)
            if fill(rest): return True
            put(i, value)
            values ^= value
        return False
    for i, c in enumerate(line):
        if c != '.':
            if not left(i) >> int(c) - 1 & 1: return None
            put(i, 1 << int(c) - 1)
    return ''.join(str(v.bit_length()) for v in grid) if fill([i for i in range(81) if line[i] == '.']) else None
for line in sys.stdin:
    if len(line) != 82: sys.exit('this knows 9x9 boards alone')
    print(solve(line.strip()) or 'unsatisfiable')
"""

# Tries all assignments of an OPB file, in the order of the binary numbers; prints the first, or the best.
OPB = """\
import itertools, re, sys
text = open(sys.argv[-1]).read()
size, count = map(int, re.match(r'[*] #variable= (\\d+) #constraint= (\\d+)\\n', text).groups())
rows, goal = [], None
def parsed(text): return [(int(a), int(x) - 1) for a, x in re.findall(r'(\\S+) x(\\d+)', text)]
def value(terms, found): return sum(a * found[x] for a, x in terms)
for line in text.splitlines()[1:]:
    if line.startswith('min: '):
        goal = parsed(line)
        continue
    terms, sign, bound = re.fullmatch(r'((?:[+-]\\d+ x\\d+ )+)(>=|=) (-?\\d+) ;', line).groups()
    rows.append((parsed(terms), sign, int(bound)))
assert len(rows) == count
best, least = None, None
for found in itertools.product((0, 1), repeat=size):
    sums = [(value(terms, found), sign, bound) for terms, sign, bound in rows]
    if not all(total == bound if sign == '=' else total >= bound for total, sign, bound in sums): continue
    if goal is None:
        best = found
        break
    if least is None or value(goal, found) < least:
        best, least = found, value(goal, found)
        print('o', least)
if best is None: print('s UNSATISFIABLE')
else:
    print('s SATISFIABLE' if goal is None else 's OPTIMUM FOUND')
    print('v', *('x%d' % i if v else '-x%d' % i for i, v in enumerate(best, 1)))
"""

# Tries all assignments of a WCNF file of the form of 2022, in the order of the binary numbers.
WCNF = """\
import itertools, sys
hard, soft = [], []
for line in open(sys.argv[-1]):
    weight, *clause, end = line.split() if line[0] != 'c' else ('c', '0')
    assert end == '0'
    if weight != 'c': (hard if weight == 'h' else soft).append((weight, [*map(int, clause)]))
size = max([abs(x) for _, clause in hard + soft for x in clause], default=0)
best, least = None, None
for found in itertools.product((0, 1), repeat=size):
    def false(clause): return not any(found[abs(x) - 1] == (x > 0) for x in clause)
    if any(false(clause) for _, clause in hard): continue
    cost = sum(int(weight) for weight, clause in soft if false(clause))
    if least is None or cost < least:
        best, least = found, cost
        print('o', cost)
print('s UNSATISFIABLE' if best is None else 's OPTIMUM FOUND\\nv ' + ''.join(map(str, best)))
sys.exit(20 if best is None else 30)
"""
