"""Backends that answer correctly and write hostile proofs, or hostile files where proofs belong."""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Session
from encoders.formula import Cnf, Formula

TEXTS: dict[str, bytes] = {
    "huge_number": b"1 -99999999999999999999999999 0\n",
    "most_negative": b"-9223372036854775808 0\n",
    "junk": b"\x1b[2J\xff 7 0\n",
    "unended": b"1 2 3",
    "binary": b"a\x04\x07\x00d\x02\x00a\x00",
    "binary_unended": b"a\x04\x00a\x07",
    "empty": b"",
    "long": b"-1 -2 3 0\n" * 2_000_000 + b"0\n",
}


def proof_folder() -> Path:
    """Return the folder for proofs, which the calls of the worker name."""
    frame = sys._getframe()
    while "proofs" not in (frame.f_locals.get("command") or {}):
        assert frame.f_back is not None
        frame = frame.f_back
    return Path(frame.f_locals["command"]["proofs"])


def foreign_files(folder: Path) -> None:
    (folder / "notes.txt").write_text("not a proof")
    (folder / "-1").write_text("0\n")
    (folder / "99999999999999999999").mkdir()
    (folder / "\udcff").write_text("0\n")


def folder_named_as_a_proof(folder: Path) -> None:
    (folder / "1" / "2").mkdir(parents=True)


def link_to_another_file(folder: Path) -> None:
    (folder / "1").symlink_to("/etc/passwd")


def fifo(folder: Path) -> None:
    os.mkfifo(folder / "1")


def no_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def no_run_folder(folder: Path) -> None:
    shutil.rmtree(folder.parent)


FILES: dict[str, Callable[[Path], None]] = {
    f.__name__: f
    for f in (foreign_files, folder_named_as_a_proof, link_to_another_file, fifo, no_folder, no_run_folder)
}


@dataclass
class Lying:
    """Session that solves with a proof, then lies."""

    session: Session
    lie: str

    def ask(self, ask: Ask) -> Answer:
        answer = self.session.ask(ask)
        if self.lie in TEXTS:
            return replace(answer, proof=TEXTS[self.lie])
        FILES[self.lie](proof_folder())
        return answer if self.lie == "foreign_files" else replace(answer, proof=None)

    def close(self) -> None:
        self.session.close()


@dataclass(frozen=True)
class Lie:
    name: str
    version: str = "1.0"
    accepts: frozenset[type] = frozenset({Cnf})
    can: frozenset[str] = frozenset({"count", "domains", "proof"})

    def open(self, formula: Formula) -> Session:
        return Lying(registry.find("pysat:cadical195").open(formula), self.name.removeprefix("lie:"))


def backends() -> list[Lie]:
    return [Lie(f"lie:{name}") for name in (*TEXTS, *FILES)]
