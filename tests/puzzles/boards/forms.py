"""Forms in which people write a board, as writers: each takes the squares of a board, '.' where open, and its box.

A form that is read states the board that its writer was given, and nothing else.
"""

import json
from collections.abc import Callable, Sequence
from itertools import chain

Squares = Sequence[str]
Writer = Callable[[Squares, int, int], str]


def rows_of(squares: Squares) -> list[list[str]]:
    n = round(len(squares) ** 0.5)
    return [list(squares[i : i + n]) for i in range(0, n * n, n)]


def zeros(squares: Squares, mark: str = "0") -> list[list[str]]:
    return rows_of([mark if square == "." else square for square in squares])


def joined(rows: list[list[str]], before: str = "", between: str = " ", after: str = "") -> str:
    return "".join(f"{before}{between.join(row)}{after}\n" for row in rows)


def open_as(mark: str, between: str = "") -> Writer:
    return lambda squares, *_: joined(zeros(squares, mark), between=between)


def numbers(squares: Squares) -> list[list[int]]:
    return [[int(word) for word in row] for row in zeros(squares)]


def translated(marks: str) -> Writer:
    """Return the writer that replaces the digits from 1 on, and the open squares last."""
    *digits, opened = marks.split()
    table = {str(i + 1): mark for i, mark in enumerate(digits)} | {".": opened}
    return lambda squares, *_: joined([[table[square] for square in row] for row in rows_of(squares)], between="")


def banded(squares: Squares, high: int, wide: int, mark: str, corner: str, dash: str, edge: str = "|") -> list[str]:
    """Return a drawing with a frame around boxes."""
    rows = zeros(squares, mark)
    n = len(rows)
    rule = corner + "".join(dash * (2 * wide + 1) + corner for _ in range(n // wide))
    lines = [rule]
    for r, row in enumerate(rows):
        parts = [" ".join(row[c : c + wide]) for c in range(0, n, wide)]
        lines.append(edge + edge.join(f" {part} " for part in parts) + edge)
        lines += [rule] * ((r + 1) % high == 0)
    return lines


def drawn(mark: str, corner: str, dash: str) -> Writer:
    return lambda squares, high, wide: "\n".join(banded(squares, high, wide, mark, corner, dash)) + "\n"


def unicode_boxes(squares: Squares, high: int, wide: int) -> str:
    return drawn(" ", "+", "-")(squares, high, wide).translate(str.maketrans("|-+", "│─┼"))


def separated(squares: Squares, high: int, wide: int) -> str:
    """Return rows with bars and rules between boxes, and no frame."""
    lines = banded(squares, high, wide, ".", "+", "-")[1:-1]
    return "".join(f"{line[2:-2]}\n" for line in lines)


def wrapped(squares: Squares, *_: int) -> str:
    """Return a Python list with comments behind its rows."""
    rows = "".join(f"    {row},  # row {r + 1}\n" for r, row in enumerate(numbers(squares)))
    return f"board = [\n{rows}]\n"


def labelled(squares: Squares, *_: int) -> str:
    rows = rows_of(squares)
    header = "  " + " ".join(str(c + 1) for c in range(len(rows)))
    return header + "\n" + "".join(f"{chr(65 + r)} {' '.join(row)}\n" for r, row in enumerate(rows))


def framed_with_labels(squares: Squares, high: int, wide: int) -> str:
    lines, r = ["    " + "   ".join(str(c + 1) for c in range(len(rows_of(squares))))], 0
    for line in banded(squares, high, wide, ".", "+", "-"):
        lines.append(f"{chr(97 + r)} {line}" if "+" not in line else f"  {line}")
        r += "+" not in line
    return "\n".join(lines)


def markdown(header: Callable[[int], str]) -> Writer:
    def write(squares: Squares, *_: int) -> str:
        rows = zeros(squares, " ")
        top = f"| {' | '.join(header(c) for c in range(len(rows)))} |\n|{'---|' * len(rows)}\n"
        return top + joined(rows, "| ", " | ", " |")

    return write


def markdown_without_header(squares: Squares, *_: int) -> str:
    first, *rest = zeros(squares, "")
    return f"|{'|'.join(first)}|\n|{':-:|' * len(first)}\n" + joined(rest, "|", "|", "|")


def latex(squares: Squares, *_: int) -> str:
    rows = zeros(squares, " ")
    columns = "|".join("c" * len(rows))
    return (
        f"\\begin{{tabular}}{{|{columns}|}}\n\\hline\n" + joined(rows, "", " & ", " \\\\ \\hline") + "\\end{tabular}\n"
    )


def frame_of_data(squares: Squares, *_: int) -> str:
    """Return CSV as pandas writes it, with its index and header."""
    rows = [[f"{square}.0" if square.isdigit() else "" for square in row] for row in rows_of(squares)]
    header = "," + ",".join(str(c) for c in range(len(rows)))
    return header + "\n" + "".join(f"{r},{','.join(row)}\n" for r, row in enumerate(rows))


def candidates(squares: Squares) -> list[list[str]]:
    return zeros(squares, "123456789"[: len(rows_of(squares))])


def sdx(squares: Squares, *_: int) -> str:
    rows = [
        [f"u{square}" if c == 0 and len(square) == 1 else square for c, square in enumerate(row)]
        for row in candidates(squares)
    ]
    return joined(rows)


def pencil_marks(squares: Squares, *_: int) -> str:
    return "SE 7.2\n" + joined([[square.rjust(9) for square in row] for row in candidates(squares)], "|", " ", "|")


def plussed(squares: Squares, *_: int) -> str:
    """Return a clipboard of HoDoKu: '+' stands before values that were set, here every third."""
    return "".join(f"+{square}" if s % 3 == 0 and square != "." else square for s, square in enumerate(squares)) + "\n"


def c_array(squares: Squares, *_: int) -> str:
    n = len(rows_of(squares))
    rows = ",\n".join("    {" + ", ".join(map(str, row)) + "}" for row in numbers(squares))
    return f"int grid[{n}][{n}] = {{\n{rows}\n}};\n"


def numpy_array(squares: Squares, *_: int) -> str:
    return "array([" + ",\n       ".join(map(str, numbers(squares))) + "])\n"


def numpy_printed(squares: Squares, *_: int) -> str:
    return "[" + "\n ".join(f"[{' '.join(map(str, row))}]" for row in numbers(squares)) + "]\n"


FORMS: dict[str, Writer] = {
    "C array": c_array,
    "C array on one line": lambda s, *_: "int b[][] = {" + ",".join("{" + ",".join(r) + "}" for r in zeros(s)) + "};\n",
    "numpy array": numpy_array,
    "numpy, printed": numpy_printed,
    "numpy, assigned": lambda s, *_: f"grid = np.{numpy_array(s)}",
    "Python, comments": wrapped,
    "list, comments with =": lambda s, *_: "[" + wrapped(s).partition("[\n")[2].strip().replace("# row ", "# row = "),
    "JSON, -1": lambda s, *_: json.dumps([[n or -1 for n in row] for row in numbers(s)]),
    "JSON, null": lambda s, *_: json.dumps([[n or None for n in row] for row in numbers(s)]),
    "JSON object": lambda s, *_: json.dumps({"id": 7, "puzzle": "".join(s), "tags": ["easy", "b"]}),
    "JSON object, rows": lambda s, *_: json.dumps({"board": numbers(s)}, indent=1),
    "JSON object, text of lines": lambda s, *_: json.dumps({"grid": joined(rows_of(s), between="")}),
    "JSON, objects": lambda s, *_: json.dumps({"puzzles": [{"name": "x", "puzzle": numbers(s)}]}),
    "JSON lines": lambda s, *_: json.dumps({"quiz": "".join(chain(*zeros(s)))}) + "\n",
    "quoted CSV": lambda s, *_: "".join(",".join(f'"{c}"' for c in row) + "\n" for row in zeros(s, "")),
    "CSV of floats": lambda s, *_: "".join(",".join(f"{c}.0" if c else "" for c in row) + "\n" for row in zeros(s, "")),
    "CSV of pandas": frame_of_data,
    "brackets": lambda s, *_: joined([[f"[{c}]" for c in row] for row in zeros(s, " ")]),
    "brackets, noughts": lambda s, *_: joined([[f"[{c}]" for c in row] for row in zeros(s)], between=""),
    "#": open_as("#"),
    "#, spaced": open_as("#", " "),
    "n": open_as("n"),
    "n, spaced": open_as("n", " "),
    "the letter O": open_as("O"),
    "e on a line": lambda s, *_: "".join(chain(*zeros(s, "e"))) + "\n",
    "-1": open_as("-1", " "),
    "-1, commas": open_as("-1", ","),
    "empty squares": open_as("□"),
    "digits in circles": translated("① ② ③ ④ ⑤ ⑥ ⑦ ⑧ ⑨ ."),
    "keycaps": translated("1️⃣ 2️⃣ 3️⃣ 4️⃣ 5️⃣ 6️⃣ 7️⃣ 8️⃣ 9️⃣ ⬜"),
    "wide digits": translated("１ ２ ３ ４ ５ ６ ７ ８ ９ ０"),
    "Row 1:": lambda s, *_: "".join(f"Row {r + 1}: {' '.join(row)}\n" for r, row in enumerate(rows_of(s))),
    "Row 1: without blanks": lambda s, *_: "".join(
        f"Row {r + 1}: {''.join(row)}\n" for r, row in enumerate(rows_of(s))
    ),
    "1:": lambda s, *_: "".join(f"{r + 1}: {' '.join(row)}\n" for r, row in enumerate(rows_of(s))),
    "labels": labelled,
    "labels and frames": framed_with_labels,
    "Markdown, empty header": markdown(lambda c: " "),
    "Markdown, numbers": markdown(lambda c: str(c + 1)),
    "Markdown, columns": markdown(lambda c: f"C{c + 1}"),
    "Markdown, first row as header": markdown_without_header,
    "LaTeX": latex,
    "HoDoKu's clipboard": plussed,
    "sdx": sdx,
    "one number a line": lambda s, *_: "\n".join(chain(*zeros(s))) + "\n",
    "stars and underscores": drawn("_", "*", "_"),
    "blanks in boxes": drawn(" ", "+", "-"),
    "blanks in boxes of Unicode": unicode_boxes,
    "blanks in stars": drawn(" ", "*", "-"),
    "separators": separated,
    "pencil marks and a rating": pencil_marks,
    "Puzzle:": lambda s, *_: f"Puzzle:\n{joined(rows_of(s))}",
}


def side_by_side(left: Squares, right: Squares, heading: str, between: str) -> str:
    """Return two boards beside each other."""
    pairs = zip(rows_of(left), rows_of(right), strict=True)
    return heading + "".join(f"{' '.join(a)}{between}{' '.join(b)}\n" for a, b in pairs)


def with_solution(squares: Squares, solution: Squares) -> dict[str, str]:
    """Return texts of a puzzle and its solution."""
    return {
        "blocks": f"Puzzle:\n{joined(rows_of(squares))}\nSolution:\n{joined(rows_of(solution))}",
        "blocks without a first heading": f"{joined(rows_of(squares))}\nSolution\n{joined(rows_of(solution))}",
        "one line each": f"Puzzle 1:\n{''.join(squares)}\nSolution 1:\n{''.join(solution)}\n",
        "side by side": side_by_side(squares, solution, "", "  |  "),
        "side by side, an arrow": side_by_side(squares, solution, "Puzzle   Solution\n", " -> "),
        "JSON": json.dumps({"puzzle": "".join(squares), "solution": "".join(solution)}),
        "JSON lists": json.dumps([{"puzzle": numbers(squares), "solution": numbers(solution)}]),
    }
