"""Conversion between text and puzzles: entry points of the readers, and the writers of boards.

The format follows from the first lines that are neither blank nor comments; .col and .pls files are always graphs and
Latin squares. Formats in TRANSLATED are converted to lines of boards for one reader. Every reader of boards streams: a
corpus of a million lines takes no more memory than one of ten. Lines of boards with cages or sums begin with their
family. A CNF, WCNF, OPB, XCSP3 or FlatZinc file is one instance. A folder, pattern or list is a corpus of its files.
Files may be compressed.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from itertools import chain, dropwhile, islice, takewhile
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from puzzles.boards.layout import Puzzle
from puzzles.errors import BadInput, BadLayout, MissingPackage, ParseError, printable_path
from puzzles.problem import Instance, Problem, SourceFile
from puzzles.readers.boards import (
    arrays,
    board_lines,
    codes,
    hodoku,
    mini_grids,
    opensudoku,
    printed,
    quoted,
    stated_family,
    variants,
)
from puzzles.readers.boards.directives import Directives, parse_directives
from puzzles.readers.boards.graph import read_graph
from puzzles.readers.boards.grids import read_boards
from puzzles.readers.boards.latin import ORDER, read_latin
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.marks import board, one_line, solution_text
from puzzles.readers.boards.notations import NOTATIONS, framed
from puzzles.readers.boards.notations.rows import MAX_CHARS
from puzzles.readers.boards.refusing import read_or_refuse
from puzzles.readers.boards.table import is_header, is_unknown_header, read_table
from puzzles.readers.compiled.loading import LEAST_BYTES
from puzzles.readers.compressed import HEAD_BYTES, Decompressed, about_bytes, ending
from puzzles.readers.folder import (
    FolderNotes,
    instance_files,
    is_collection,
    is_pattern,
    listing_of,
    name_in,
    root_of,
)
from puzzles.readers.foreign import ENDINGS as FOREIGN_ENDINGS
from puzzles.readers.foreign import foreign_ending, foreign_start
from puzzles.readers.malformed import malformed, shown
from puzzles.readers.options import ReaderOptions, ReadTogether
from puzzles.readers.pairing import DATA, MODEL, is_minizinc, needs_data
from puzzles.readers.selecting import selected
from puzzles.readers.source import (
    BYTE_ORDER_MARK,
    STDIN,
    Source,
    from_file,
    from_text,
    lines_of_texts,
    opened,
    texts_of,
    unified,
)

__all__ = ["BadInput", "ReaderOptions", "board", "one_line", "parse_text", "read", "solution_text"]

# Each has `recognise(opening) -> bool` and `translate(lines) -> lines`.
TRANSLATED = (quoted, arrays, hodoku, mini_grids, opensudoku)
OPENING_LINES = 40  # two boards of 16 rows, one of them a map of cages, and some of its clues
MAX_BUFFERED_LINES = 100
OPENING_BYTES = 1 << 16
NAME = r"~?+[A-Za-z_][^\s;<>=]*+"  # of a variable of OPB
OPB = re.compile(  # its header, or the beginning of a statement
    r"\*\s*#variable=.*|(min|max|soft|preserved):.*"
    rf"|(\[\s*[0-9]+\s*\]\s*)?([+-]?[0-9]+\s+~?x[0-9]|[+-]\s*[0-9]+\s*\*\s*{NAME}).*"
    rf"|(@\S++\s++)*+(([+-]?+\s*+[0-9]*+\s*+\*?+\s*+{NAME}\s*+)++[<>!]?=\s*+[+-]?+\s*+[0-9]++\s*;.*)"
)
OPB_ENDINGS = (".opb", ".wbo")
GRAPH = re.compile(r"c(\s.*)?|p\s+(edges?|col)\s.*")
POSITIVE = rb"[0-9]++(?:[ \t]++[1-9][0-9]*+)*+"  # a soft clause without a minus, as the rows of many boards
END = rb"[ \t]++0[ \t\r]*+"  # end of a clause
NO_OPTIONS = ReaderOptions()


class Formula(NamedTuple):
    """Format of a file that is one instance: the beginning of its bytes, and its name in messages."""

    start: re.Pattern[bytes]
    article: str


FORMULAS = {  # formats by name: puzzles/readers/NAME.py has read_NAME
    "cnf": Formula(re.compile(rb"(?:\s*+c[^\n]*+\n)*+\s*+p\s+cnf\b"), "a CNF file"),
    "wcnf": Formula(
        re.compile(
            rb"(?:\s*+(?:c[^\n]*+|%b%b)\n)*+\s*+" % (POSITIVE, END)
            + rb"(?:p\s+wcnf\b|(?:h|%b(?=[ \t]++-))(?:[ \t]++-?[1-9][0-9]*+)*+%b(?:\n|$))" % (POSITIVE, END)
        ),
        "a WCNF file",
    ),
    "xcsp3": Formula(
        re.compile(rb"\s*+(?:<\?[^>]*+>\s*+|<!--.*?-->\s*+)*+<(?:instance\b|!DOCTYPE\s+instance\b)", re.DOTALL),
        "an XCSP3 file",
    ),
    "flatzinc": Formula(
        re.compile(
            rb"(?:\s*+%[^\n]*+\n)*+\s*+"
            rb"(?:(?:predicate|constraint)\s++\w++\s*+\(|var\s++(?:bool|int|float|set|\{|-?[0-9])|solve\s"
            rb"|array\s*+\[\s*+1\s*+\.\.\s*+[0-9]++\s*+\]\s*+of\s"
            rb'|\{\s*+"(?:variables|arrays|constraints|output|solve|version)"\s*+:)'
        ),
        "a FlatZinc file",
    ),
    "mps": Formula(re.compile(rb"(?:\s*+\*[^\n]*+\n)*+\s*+(?:NAME\b|OBJSENSE\b|ROWS[ \t\r]*+\n)"), "an MPS file"),
    "lp": Formula(
        re.compile(
            rb"(?:\s*+\\[^\n]*+\n)*+\s*+(?i:min|max)(?i:imi[sz]e|imum)?+\s(?s:.*?)"
            rb"^[ \t]*+(?i:subject[ \t]++to|such[ \t]++that|s\.?t\.?):?\s",
            re.MULTILINE,
        ),
        "an LP file",
    ),
    "queries": Formula(re.compile(rb"(?:\s*+c[^\n]*+\n)*+\s*+(?:p\s+inccnf\b|init[ \t\r]*+\n)"), "a query script"),
    "dimacs": Formula(
        re.compile(rb"(?:\s*+c[^\n]*+\n)*+\s*+p\s+(?!(?:edges?|col)\b)[a-z]\w*+\s+[0-9]"), "a DIMACS file"
    ),
}
WITHOUT_HEADER = "a CNF file without a header: write 'p cnf VARIABLES CLAUSES' before its clauses"
HEADERLESS = re.compile(rb"(?:\s*+c[^\n]*+\n)*+\s*+-?[1-9][0-9]*+(?:[ \t]++-?[1-9][0-9]*+)*+[ \t]++0[ \t\r]*+(?:\n|$)")
TRIED = sorted(FORMULAS, key="dimacs".__eq__)  # formats in the order in which they are tried: dimacs takes any type
ENDINGS = {".wcnf": "wcnf", ".fzn": "flatzinc"}  # formats by the ending of a file's name, if its beginning tells none
UNLIKE = {  # what is wrong, by the ending of a file's name, where the file begins like nothing that is read
    ".cnf": WITHOUT_HEADER,
    ".opb": "an OPB file begins with '* #variable= N #constraint= M', an objective or a constraint",
    ".wbo": "a WBO file begins with '* #variable= N #constraint= M', soft: or a constraint",
}
MORE_ENDINGS = (MODEL, DATA, ".json", ".xml", ".mps", ".dimacs")
FILE_ENDINGS = frozenset((*ENDINGS, *UNLIKE, *MORE_ENDINGS, *FOREIGN_ENDINGS))  # endings that no typed board has
BOARDS = ("", ".txt", ".csv", ".col", ".pls", ".sdk", ".sdm", ".sudoku")  # endings of files that are taken as boards


def read(path: Path | str, options: ReaderOptions = NO_OPTIONS) -> Iterator[Instance[Any]]:
    """Iterate over the selected instances of a file, folder, pattern or list. The iterator raises BadInput."""
    path = Path(path)
    if options.choose is not None:
        return options.choose(partial(read, path, replace(options, choose=None)))
    if is_collection(path):
        return read_files(path, options)
    if options.selection.skips(printable_path(path.name), path):
        return iter(())
    return selected(read_file(path, options), options.selection, path)


def read_file(path: Path, options: ReaderOptions) -> Iterator[Instance[Any]]:
    """Iterate over the instances of a file. The iterator raises BadInput at an error."""
    source = from_file(path)
    found = instances_of(path, source, options)
    if not options.count_models:
        return found
    from puzzles.objectives.models import counting  # which needs numpy

    return (counting(instance, source.weights) for instance in found)


def instances_of(path: Path, source: Source, options: ReaderOptions) -> Iterator[Instance[Any]]:
    """Iterate over the instances of a file as it states them. The iterator raises BadInput at an error."""
    source.notify, source.ignore_objective = options.notify, options.ignore_objective
    with opened(path, source) as file:
        if marked := file.peek(HEAD_BYTES).startswith(BYTE_ORDER_MARK):
            file.read(len(BYTE_ORDER_MARK))
            source.exact = False  # programs do not expect it
        head, source.size = file.peek(HEAD_BYTES), about_bytes(file)
        if path.suffix not in (MODEL, DATA) and (kind := foreign_start(head)):
            raise source.bad_input(kind, 0)
        source.format = format_of(head) or ENDINGS.get(ending(path), "")
        if ending(path) == ".cnf" and source.format in ("", "wcnf") and HEADERLESS.match(head):
            raise source.bad_input(WITHOUT_HEADER, 1)
        if is_minizinc(path, head, source.format):
            if marked:
                raise source.bad_input(
                    "begins with a byte order mark, which MiniZinc does not read: save it without", 1
                )
            yield minizinc_instance(path, source, options)
        elif source.format:
            yield with_source(formula_instance(source.format, file, source, options), path, source)
        else:
            remarks = remarks_of(source, options)
            if source.size >= LEAST_BYTES["opb"] and is_opb(_opening(head_lines(head))[1]):
                source.lines, source.texts = head_lines(head), texts_of(file, source)
            else:
                source.lines = lines_of_texts(remarks.through(printed.plain(texts_of(file, source))))
            suffix = ending(path) or ("" if isinstance(file.raw, Decompressed) else path.suffix.lower())
            puzzles = _puzzles(source, suffix, options, remarks)
            first = next(puzzles)  # which tells the format; there are more instances of boards alone
            yield with_source(first, path, source) if source.format else first
            yield from puzzles


def format_of(head: bytes) -> str:
    """Return the first of TRIED that a file begins like, '' if there is none."""
    return next((form for form in TRIED if FORMULAS[form].start.match(head)), "")


def with_source(instance: Instance[Any], path: Path, source: Source) -> Instance[Any]:
    """Return the instance with its file, if the file says neither more nor less than the instance."""
    exact = path != STDIN and source.exact
    return instance.stated(source=SourceFile(path, source.format)) if exact else instance


def read_files(corpus: Path, options: ReaderOptions) -> Iterator[Instance[Any]]:
    """Iterate over the instances of all files of a folder, pattern or list, with the claims of their expected.csv.

    A file with an error goes to `options.refuse`; without that, and if none can be read, BadInput names the first ones.
    """
    from puzzles.readers.claims import BadClaim, claim_files, claimed, read_claims

    files, root = [file for file in instance_files(corpus) if not needs_data(file)], root_of(corpus)
    if not files:
        raise BadInput(f"{printable_path(corpus)}: a {kind_of(corpus)} without instances")
    claims, selection = read_claims(claim_files(corpus, files)), options.selection
    notes = FolderNotes(corpus, options.notify)
    taken = tuple(path for path in files if not selection.skips(printable_path(name_in(root, path)), path))
    options = replace(options, notify=notes.send, corpus=ReadTogether(taken))
    refused, found = list[BadInput](), False
    for path in files:
        name, notes.file, number = printable_path(name_in(root, path)), printable_path(path), 0
        if selection.skips(name, path):
            continue
        try:
            for instance in read_file(path, options):
                if refused and options.refuse is None:
                    continue
                named = instance.stated(name=name + instance.name.removeprefix(printable_path(path.name)))
                if selection.takes(named.name, path):
                    found, number = True, number + 1
                    yield claimed(named, claims.get(path), options.ignore_objective)
        except (MissingPackage, BadClaim):
            raise
        except BadInput as e:  # go on: the user is to learn of all such files at once
            refused.append(e)
            if options.refuse is not None:
                options.refuse(malformed(name, path, e, number))
            else:
                notes.notify = str  # what is accepted in others does not matter any more
    notes.close()
    if refused and (options.refuse is None or not found):
        raise BadInput("; ".join(shown(list(map(str, refused)))) + advice(corpus, len(refused)))


def kind_of(corpus: Path) -> str:
    """Return the word for a corpus of several files."""
    return "list" if listing_of(corpus) else "pattern" if is_pattern(corpus) else "folder"


def advice(corpus: Path, refused: int) -> str:
    """Return advice on the files of a corpus that can't be read."""
    it, its = ("it", "its name begins") if refused == 1 else ("them", "their names begin")
    return f"; to take the rest of {printable_path(corpus)}, move {it} away or rename {it} so that {its} with a dot"


def formula_instance(form: str, file: BinaryIO, source: Source, options: ReaderOptions) -> Instance[Problem]:
    """Return the instance of a file in one of FORMULAS. Raises BadInput."""
    try:
        refuse_layout(FORMULAS[form].article, options)
        return reader_of(form)(file, source)
    except ParseError as e:
        raise source.bad_input(str(e), e.line, e.column) from None


@cache
def reader_of(form: str) -> Callable[[BinaryIO, Source], Instance[Problem]]:
    """Return the reader of one of FORMULAS, loaded when it is needed: it needs numpy."""
    reader: Callable[[BinaryIO, Source], Instance[Problem]] = getattr(
        import_module(f"puzzles.readers.{form}"), f"read_{form}"
    )
    return reader


def minizinc_instance(path: Path, source: Source, options: ReaderOptions) -> Instance[Problem]:
    """Return the instance of a MiniZinc model, or of data for one. Raises BadInput, OSError."""
    from puzzles.readers.minizinc import read_minizinc  # which needs numpy

    try:
        refuse_layout("a MiniZinc model", options)
    except ParseError as e:
        raise source.bad_input(str(e), e.line) from None
    return read_minizinc(path, source, options.corpus)


def refuse_layout(what: str, options: ReaderOptions) -> None:
    """Raise ParseError if a layout is stated for a file that takes no layout."""
    if options.as_:
        raise ParseError(f"{what} has no layout: leave out --as {options.as_!r}", 0)


def parse_text(text: str, name: str, options: ReaderOptions = NO_OPTIONS) -> Iterator[Puzzle]:
    """Iterate over the puzzles of a string, named NAME:LINE. Raises BadInput like `read`."""
    source = from_text(text, name)
    remarks = remarks_of(source, options)
    source.lines = lines_of_texts(remarks.through(printed.plain([(1, unified(text))])))
    source.notify, source.ignore_objective = options.notify, options.ignore_objective
    return _puzzles(source, "", options, remarks)


def remarks_of(source: Source, options: ReaderOptions) -> variants.Remarks:
    """Return the remarks of a file that is about to be read."""
    return variants.Remarks(source.name, partial(states_layout, options))


def states_layout(options: ReaderOptions, directive: str) -> bool:
    """Return True if a `#:` line states a layout. A disabled line of HoDoKu begins so too."""
    try:
        return parse_directives(options, directive).as_ is not None
    except (ParseError, BadLayout):
        return False  # whoever reads the line as a directive tells what is wrong


def _puzzles(source: Source, suffix: str, options: ReaderOptions, remarks: variants.Remarks) -> Iterator[Instance[Any]]:
    found = False
    try:
        puzzles = _by_format(source, suffix, options, parse_directives(options))
        if not source.format and not options.as_:
            puzzles = remarks.compared(puzzles, lambda note: source.note(note, as_it_is=True))
        for first in puzzles:
            found = True
            yield first
            yield from puzzles
    except (ParseError, BadLayout) as e:
        if not found and not source.format and (kind := foreign_ending(suffix)):
            raise source.bad_input(kind, 0) from None
        unlike = "" if found or source.format else UNLIKE.get(suffix, "")
        if not (found or source.format or unlike or suffix in BOARDS):
            unlike = f"begins like no format that is read, and was tried as a board: {e}"
        raise source.bad_input(unlike or str(e), getattr(e, "line", None), getattr(e, "column", 0)) from None
    if not found:
        raise source.bad_input("contains no puzzles", 0)


def _by_format(source: Source, suffix: str, options: ReaderOptions, directives: Directives) -> Iterator[Instance[Any]]:
    """Choose the reader by the file's first lines, or its ending, and return its puzzles."""
    buffered, opening = _opening(source.lines)
    source.lines = chain(buffered, source.lines)
    text = opening[0] if opening else ""
    indented = [raw for _, raw in buffered if raw.strip() and raw.lstrip()[0] != "#"]
    if stated_family.recognise(buffered):
        source.lines = stated_family.translate(source.lines)
        return board_lines.read_board_lines(source, options, directives)
    for line, raw in buffered:
        source.line = line
        if raw.strip().startswith("#:"):
            directives = parse_directives(options, raw.strip()[2:])
        elif text and raw.strip() == text:
            break
    if not opening:
        return iter(())
    if is_opb(opening) or (suffix in OPB_ENDINGS and ";" in "".join(opening)):
        from puzzles.readers.opb import read_opb  # which needs numpy

        source.format = "opb"
        refuse_layout("an OPB file", options)
        return iter([read_opb(source)])
    if suffix == ".col" or (suffix in ("", ".txt") and is_graph(opening)):
        return read_graph(source, directives)
    if suffix == ".pls" or ORDER.fullmatch(text):
        return read_latin(source, options, directives)
    if is_header(text) or (suffix == ".csv" and is_unknown_header(text)):
        return read_table(source, options, directives)
    if codes.recognise(text):
        source.lines = codes.translate(source.lines)
        return board_lines.read_board_lines(source, options, directives)
    if board_lines.recognise(text):
        return board_lines.read_board_lines(source, options, directives)
    drawn = max(map(len, indented)) <= MAX_CHARS
    whole = [
        raw for _, raw in buffered[[raw for _, raw in buffered].index(indented[0]) :]
    ]  # with lines that begin with #
    if framed.recognise(whole):
        source.lines = framed.translate(source.lines)
        return board_lines.read_board_lines(source, options, directives)
    if notation := next((form for form in NOTATIONS if drawn and form.recognise(indented)), None):
        source.lines = notation.translate(source.lines)
        return board_lines.read_board_lines(source, options, directives)
    for form in TRANSLATED:
        if form.recognise(opening):
            source.lines = form.translate(source.lines)
            return read_boards(source, options, directives)
    return read_or_refuse(source, options, directives)


def is_opb(opening: list[str]) -> bool:
    """Return True if a file with this beginning is OPB or WBO, perhaps with comments before its header."""
    comments = list(takewhile(lambda text: text[0] == "*", opening))
    return any(OPB.fullmatch(text) for text in (*comments, *opening[len(comments) :][:1]))


def is_comment(text: str) -> bool:
    """Return True for a comment of DIMACS, if the file is one of DIMACS."""
    return text[0] == "c"


def is_graph(opening: list[str]) -> bool:
    """Return True if a file with this beginning is a DIMACS graph, perhaps with comments such as `c----`."""
    return any(GRAPH.fullmatch(text) for text in (*opening[:1], *islice(dropwhile(is_comment, opening), 1)))


def head_lines(head: bytes) -> Iterator[Line]:
    """Return the first lines of a file, as far as the bytes at its beginning have them."""
    return from_text(head[:OPENING_BYTES].decode(errors="replace"), "").lines


def _opening(lines: Iterator[Line]) -> tuple[list[Line], list[str]]:
    """Return all of the first lines, and the stripped ones that are neither blank nor comments."""
    buffered, opening = list[Line](), list[str]()
    for line in lines:
        buffered.append(line)
        text = line[1].strip()
        if text and text[0] != "#":
            opening.append(text)
        if len(opening) == OPENING_LINES or (opening and len(buffered) >= MAX_BUFFERED_LINES):
            break
    return buffered, opening
