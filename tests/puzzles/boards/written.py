"""Lines of boards, written in the notations of other people and programs."""

MARKS_BELOW = {"<": "^", ">": "v"}


def rows(text: str, between: str = "") -> list[str]:
    """Return the rows of a board of n rows of n characters."""
    n = round(len(text) ** 0.5)
    return [between.join(text[i : i + n]) for i in range(0, n * n, n)]


def drawn(text: str, between: str = "") -> str:
    return "".join(f"{row}\n" for row in rows(text, between))


def cages(line: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the map of a killer or KenKen, and (cage, clue) of each."""
    _, _, text, *clues = line.split()
    return text, [(clue[0], clue[2:]) for clue in clues]


def legend(line: str, form: str) -> str:
    """Return a map of cages with a legend below it."""
    text, clues = cages(line)
    return f"{drawn(text)}\n" + "".join(form.format(*clue) for clue in clues) + "\n"


def numbered(line: str) -> str:
    """Return a KenKen with a header and numbers for cages, and a line '0 + 10' for each."""
    text, clues = cages(line)
    at = {mark: k for k, (mark, _) in enumerate(clues)}
    grid = [" ".join(str(at[mark]) for mark in row) for row in rows(text)]
    lines = [
        f"{at[mark]} {clue[-1]} {clue[:-1]}" if clue[-1] in "+-*/" else f"{at[mark]} + {clue}" for mark, clue in clues
    ]
    return "\n".join([f"{len(grid)} {len(clues)}", *grid, *lines])


def clues_above_map(line: str) -> str:
    """Return clues in a grid, each in the first square of its cage, and the map as a second grid."""
    text, clues = cages(line)
    first = {text.index(mark): clue for mark, clue in clues}
    n, order = len(rows(text)), list(dict.fromkeys(text))
    words = [first.get(s, "-") for s in range(n * n)]
    grid = [" ".join(words[i : i + n]) for i in range(0, n * n, n)]
    regions = [" ".join(str(order.index(mark) + 1) for mark in row) for row in rows(text)]
    return "\n".join([f"{n} {n}", *grid, *regions])


def cage_list(line: str) -> str:
    """Return a KenKen as results with the numbers of their squares."""
    text, clues = cages(line)
    return "\n".join(f"{clue} {','.join(str(s + 1) for s, c in enumerate(text) if c == mark)}" for mark, clue in clues)


def positions(line: str, between: str, clue: str = "\\", blocked: str = "#", open: str = ".") -> str:  # noqa: A002
    """Return a kakuro of five columns as rows of words."""
    marks = {"#": blocked, ".": open}
    words = [marks.get(word, word.replace("\\", clue)) for word in line.split()[2:]]
    return "".join(f"{between.join(words[i : i + 5])}\n" for i in range(0, len(words), 5))


def letter_clues(line: str) -> str:
    """Return a kakuro of five columns with a header and clues such as C23F16."""
    words = []
    for word in line.split()[2:]:
        down, slash, across = word.partition("\\")
        clue = f"C{down}" * bool(down) + f"F{across}" * bool(across)
        words.append(clue if slash else {"#": "*", ".": "?"}.get(word, word))
    return "5,5\n" + "".join(f"{','.join(words[i : i + 5])}\n" for i in range(0, len(words), 5))


def signs(line: str) -> dict[tuple[int, int, bool], str]:
    """Return the signs of a futoshiki by row, column, and True if they stand below the square."""
    found = {}
    for word in line.split()[3:]:
        a, b = word.replace("<", " ").replace(">", " ").split()
        found[ord(a[0]) - 65, int(a[1]) - 1, a[0] != b[0]] = "<" if "<" in word else ">"
    return found


def futoshiki_drawn(line: str, pitch: int) -> str:
    """Return a futoshiki as it is drawn, its squares `pitch` characters apart."""
    placed, lines = signs(line), []
    for r, row in enumerate(rows(line.split()[2])):
        text = "".join(f"{mark}{placed.get((r, c, False), ' ').center(pitch - 1)}" for c, mark in enumerate(row))
        below = "".join(MARKS_BELOW.get(placed.get((r, c, True), ""), " ").ljust(pitch) for c in range(len(row)))
        lines += [text.rstrip(), below.rstrip()]
    return "\n".join(lines[:-1])


def futoshiki_grids(line: str) -> str:
    """Return a futoshiki as a board, and the signs of its rows and columns in two grids."""
    placed, board = signs(line), rows(line.split()[2].replace(".", "0"), " ")
    n = len(board)
    across = [" ".join(placed.get((r, c, False), "0") for c in range(n - 1)) for r in range(n)]
    down = [" ".join(MARKS_BELOW.get(placed.get((r, c, True), ""), "0") for c in range(n)) for r in range(n - 1)]
    return "\n\n".join("\n".join(grid) for grid in (board, across, down))


def walls(regions: str, board: str) -> str:
    """Return a jigsaw of nine rows drawn with the walls of its regions, open squares blank."""
    lines = []
    for r, row in enumerate(rows(board.replace(".", " "))):
        above = [r == 0 or regions[9 * r + c] != regions[9 * r - 9 + c] for c in range(9)]
        right = [c == 8 or regions[9 * r + c] != regions[9 * r + c + 1] for c in range(9)]
        lines.append("".join(" ---" if wall else "    " for wall in above).rstrip())
        lines.append("|" + "".join(f" {mark} {'|' if wall else ' '}" for mark, wall in zip(row, right, strict=True)))
    return "\n".join([*lines, " ---" * 9])
