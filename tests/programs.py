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

# Tries all assignments of an OPB file, in the order of the binary numbers.
OPB = """\
import itertools, re, sys
text = open(sys.argv[-1]).read()
size, count = map(int, re.match(r'[*] #variable= (\\d+) #constraint= (\\d+)\\n', text).groups())
rows = []
for line in text.splitlines()[1:]:
    terms, sign, bound = re.fullmatch(r'((?:[+-]\\d+ x\\d+ )+)(>=|=) (-?\\d+) ;', line).groups()
    rows.append(([(int(a), int(x) - 1) for a, x in re.findall(r'(\\S+) x(\\d+)', terms)], sign, int(bound)))
assert len(rows) == count
for found in itertools.product((0, 1), repeat=size):
    sums = [(sum(a * found[x] for a, x in terms), sign, bound) for terms, sign, bound in rows]
    if all(total == bound if sign == '=' else total >= bound for total, sign, bound in sums):
        print('s SATISFIABLE')
        print('v', *('x%d' % i if v else '-x%d' % i for i, v in enumerate(found, 1)))
        break
else: print('s UNSATISFIABLE')
"""
