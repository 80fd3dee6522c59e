"""The line of a failed program's output that tells most about the failure."""

import re

TRACEBACK = b"Traceback (most recent call last)"
FAILURE = re.compile(
    rb"error|fatal|exception|abort|assert|panic|cannot|can't|could not|fail|invalid|illegal|unknown option"
    rb"|unrecognized|unexpected|not found|no such|not supported|out of memory|bad_alloc|killed|segmentation|usage:",
    re.IGNORECASE,
)
COMMENT = re.compile(rb"^c\s+")  # begins lines beside the answer in the formats of the competitions
LONGEST = 1 << 16  # bytes of an output that are looked at, from its beginning and from its end
MOST_SHOWN = 300  # characters


def telling_line(stderr: bytes, stdout: bytes = b"") -> str:
    """Return the first line that names a failure: of standard error, else of standard output, else the last of stderr.

    Of an exception of Python that is the last line, which names it.
    """
    errors = lines_of(stderr)
    if TRACEBACK in stderr and errors:
        return shown(errors[-1])
    for lines in (errors, comments(lines_of(stdout))):
        for line in lines:
            if FAILURE.search(line):
                return shown(line)
    return shown(errors[-1]) if errors else ""


def lines_of(printed: bytes) -> list[bytes]:
    """Return the lines that are not empty; of a long output those of its beginning and its end."""
    ends = printed if len(printed) <= 2 * LONGEST else printed[:LONGEST] + b"\n" + printed[-LONGEST:]
    return [line.strip() for line in ends.splitlines() if line.strip()]


def comments(lines: list[bytes]) -> list[bytes]:
    """Return the lines of standard output that are no part of an answer, without their mark."""
    return [COMMENT.sub(b"", line) for line in lines if not line.startswith((b"v ", b"s ", b"o "))]


def shown(line: bytes) -> str:
    """Return a line as text for a message."""
    return line.decode(errors="replace")[:MOST_SHOWN]
