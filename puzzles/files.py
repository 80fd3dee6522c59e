"""Files of the user: written beside and renamed, so that a full disk or a killed process leaves the old content.

Those that are read whole are regular files of limited size: a pipe or a device may never end.
"""

import errno
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

ESCAPED = "backslashreplace"  # error handler for characters that an encoding lacks
LONGEST = 200  # bytes of a file's name that leave room for a suffix
MOST_BYTES = 1 << 28  # of a file that is read whole
NOT_REGULAR = "a directory, pipe or device, not a regular file"


def open_regular(path: Path | str) -> BinaryIO:
    """Open a regular file for reading bytes. Raises OSError, for anything else at once."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe without a writer is no reason to wait
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return open(fd, "rb")
    os.close(fd)
    raise OSError(errno.EINVAL, NOT_REGULAR)


def read_text(path: Path | str, most: int = MOST_BYTES) -> str:
    """Return the text of a regular file of at most so many bytes, without a byte order mark.

    Raises OSError, UnicodeDecodeError.
    """
    with open_regular(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"more than {most >> 20} MiB")
    return io.TextIOWrapper(io.BytesIO(content), "utf-8-sig").read()


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Yield the path to write, which takes the place of `path` at the end of the block, or is removed if it raises.

    The target of a link is replaced, with its permissions. A device or pipe, and a file in a folder that can't be
    written, is written directly. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    if (target.exists() and not target.is_file()) or not os.access(target.parent, os.W_OK):
        yield Path(path)
        return
    part = target.with_name(os.fsdecode(os.fsencode(target.name)[:LONGEST]) + ".part")
    try:
        yield part
        if target.exists():
            part.chmod(target.stat().st_mode & 0o777)
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


@contextmanager
def replacing_text(path: Path | str, encoding: str = "utf-8", newline: str | None = None) -> Iterator[TextIO]:
    """Yield a stream whose text becomes the content of a file; bytes of names outside UTF-8 are escaped."""
    with replacing(path) as part, part.open("w", encoding=encoding, errors=ESCAPED, newline=newline) as file:
        yield file


def write_file(path: Path | str, content: str | bytes, newline: str | None = None) -> None:
    """Replace the content of a file. Raises OSError."""
    if isinstance(content, bytes):
        with replacing(path) as part:
            part.write_bytes(content)
    else:
        with replacing_text(path, newline=newline) as file:
            file.write(content)
