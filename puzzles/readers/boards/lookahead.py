"""Lines with lookahead, for decisions that need the lines that follow."""

from collections import deque
from collections.abc import Iterator

from puzzles.readers.boards.normalise import normalise

Line = tuple[int, str]


class Lookahead:
    """Iterator over numbered lines that can also peek at the lines after the one in hand."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self.lines = lines
        self.held: deque[Line] = deque()

    def __iter__(self) -> Iterator[Line]:
        for line in self.lines:
            yield line
            while self.held:
                yield self.held.popleft()

    def peek_raw(self) -> Iterator[str]:
        """Yield the lines to come without consuming them; one peek ends before the next begins."""
        yield from [text for _, text in self.held]
        for line in self.lines:
            self.held.append(line)
            yield line[1]

    def peek(self) -> Iterator[str]:
        """Yield the lines up to the next `#:`, normalised, but not blank lines or comments."""
        for raw in self.peek_raw():
            text = normalise(raw).strip()
            if text.startswith("#:"):
                return
            if text and text[0] != "#":
                yield text
