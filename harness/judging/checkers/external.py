"""External proof checkers, named by `--checker NAME=COMMAND`: programs that print `s VERIFIED ...`, and VeriPB of 2022.

In COMMAND, {formula} stands for the file of the formula and {proof} for the file of the proof; missing words are
appended, in this order. A program is believed only if it exits with 0 and its 's' line says that it verified the claim:

    no solution       s VERIFIED, s VERIFIED UNSAT (drat-trim, dpr-trim, lrat-trim, gratchk, cake_lpr),
                      s VERIFIED UNSATISFIABLE (VeriPB, cake_pb)
    none better       s VERIFIED BOUNDS LOWER <= obj <= UPPER (VeriPB, cake_pb), if LOWER is the value of the answer,
                      s VERIFIED OPTIMAL COST = VALUE (cake_pb_wcnf); or s VERIFIED alone

Any other line, such as NO CONCLUSION or one under weakened guarantees, shows nothing. VeriPB of 2022 says instead that
verification succeeded, and warns of a proof without a contradiction. Before a run each checker is tried: on a small
formula it must verify a proof in one of the formats that our checkers read, each version of VeriPB's by itself, and
must not verify a wrong proof, nor a proof of another formula. The formats of the verified proofs are those it takes.
"""

import re
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from backends.programs.process import DeadlinePassed, ProgramFailed, ProgramOutOfMemory, ProgramResult, run
from harness.judging.checkers.formats import PBP, format_of
from harness.judging.checkers.pseudo_boolean.check import SMALL as PSEUDO_BOOLEAN
from harness.judging.checkers.pseudo_boolean.words import START, version_of
from harness.model.errors import BadUsage
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED
from puzzles.processes.guarding import end_children

VERIFIED = {"s VERIFIED", "s VERIFIED UNSAT"}
UNSATISFIABLE = {"s VERIFIED UNSATISFIABLE", "s VERIFIED BOUNDS INF <= obj <= INF"}
BOUNDS = re.compile(
    r"s VERIFIED (?:BOUNDS (?P<lower>-?[0-9]+|INF) <= (?:obj|OBJ) <= (?:-?[0-9]+|INF)|OPTIMAL COST = (?P<cost>[0-9]+))"
)
NOT_VERIFIED = "s NOT VERIFIED"
TRIAL_SECONDS = 20.0  # limit for a proof of a few bytes: only a checker that hangs takes as long

# What VeriPB prints in place of an 's' line, and its warning.
SUCCEEDED, FAILED, NO_CONTRADICTION = "Verification succeeded.", "Verification failed.", b"did not claim contradiction"


# x1 or x2 with every choice of signs, then with one clause replaced; proofs of the first, and some that end too early.
class Trial(NamedTuple):
    """Formula that a proof refutes, formula with a solution, the right proof, and a wrong proof; the claimed value."""

    formula: bytes
    satisfiable: bytes
    proof: bytes
    wrong: bytes
    value: int | None = None


def with_o(proof: bytes) -> bytes:
    """Return a pseudo-Boolean proof with `o` in place of `soli`."""
    return re.sub(rb"(?m)^[ \t]*soli(?=\s)", b"o", proof)


FORMULA = b"p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"
SATISFIABLE = b"p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 2 0\n"
PROOFS = {  # proofs by format, named as in formats.py
    "DRAT": b"1 0\n0\n",
    "LRAT": b"5 1 0 1 2 0\n6 0 5 3 4 0\n",
    "binary DRAT": b"a\x02\0a\0",
    "binary LRAT": b"a\x0a\x02\0\x02\x04\0a\x0c\0\x0a\x06\x08\0",
}
WRONG = {
    "DRAT": b"3 0\n",
    "LRAT": b"5 1 0 1 2 0\n",
    "binary DRAT": b"a\x06\0",
    "binary LRAT": b"a\x0a\x02\0\x02\x04\0",
}


WITH_O = "PBP with o"  # the form of PBP that VeriPB of 2022 reads: `o` in place of `soli`
SUM = b"* #variable= 2 #constraint= 1\nmin: 1 x1 1 x2 ;\n1 x1 1 x2 >= 1 ;\n"
SMALLER_SUM = SUM.replace(b">= 1", b">= 0")
STEPS = b"soli x1 ~x2 ;\npol 1 2 + ;\noutput NONE ;\nconclusion BOUNDS 1 1 ;\nend pseudo-Boolean proof ;\n"
VERSIONS = {  # proofs by version, the second and third with their own words
    PBP: PSEUDO_BOOLEAN,
    WITH_O: with_o(PSEUDO_BOOLEAN),
    "PBP 2": START + b"2.0\nf 1\n" + STEPS.replace(b" ;", b""),
    "PBP 3": START + b"3.0\nf 1 ;\n" + STEPS,
}
TRIALS = {
    **{name: Trial(FORMULA, SATISFIABLE, PROOFS[name], WRONG[name]) for name in PROOFS},
    **{
        name: Trial(SUM, SMALLER_SUM, proof, re.sub(rb"(?s)pol.*?\n(.*)BOUNDS 1 1|pol.*", rb"\1NONE", proof), 1)
        for name, proof in VERSIONS.items()
    },
}


class Checker(NamedTuple):
    """Name and words of a command, and after its trial a fault that makes it unusable, or its formats."""

    name: str
    words: tuple[str, ...]
    fault: str = ""
    formats: frozenset[str] = frozenset()


def named_checkers(commands: Mapping[str, str]) -> list[Checker]:
    """Return the checkers of these commands, by name. Raises BadUsage."""
    found = []
    for name, text in commands.items():
        try:
            words = tuple(shlex.split(text))
        except ValueError as e:
            raise BadUsage(f"--checker {name}={text}: {str(e).lower()}") from None
        if not words or not shutil.which(words[0]):
            raise BadUsage(f"--checker {name}={text}: {words[0]!r} is not an executable program")
        found.append(Checker(name, words + tuple(w for w in ("{formula}", "{proof}") if w not in words)))
    return found


def verdict(result: ProgramResult, value: int | None = None) -> tuple[int, str]:
    """Return the verdict of a finished program on a proof, and the reason if it does not verify the claim.

    The claim is that no solution has a smaller sum than `value`; without a value, that there is no solution.
    """
    lines = result.output.decode(errors="replace").replace("\r", "\n").split("\n")
    stated = sorted({line.strip() for line in lines if line.startswith("s ")})
    if not stated and SUCCEEDED in lines and NO_CONTRADICTION not in result.stderr and not result.code:
        return CERTIFIED, ""
    if not stated and FAILED in lines:
        return REFUSED, f"it printed '{FAILED}'"
    if stated == [NOT_VERIFIED]:
        return REFUSED, f"it printed '{NOT_VERIFIED}'"
    if not stated:
        return UNCHECKED, str(result.failure(f"error: it printed no 's' line and exited with code {result.code}"))
    shown = " and ".join(map(ascii, stated[:2]))[:100]
    if not set(stated) <= VERIFIED and (len(stated) > 1 or not shows(stated[0], value)):
        weaker = BOUNDS.fullmatch(stated[0]) and len(stated) == 1 and value is not None and not result.code
        return (
            (REFUSED, f"it printed {shown}, and the answer has {value}")
            if weaker
            else (UNCHECKED, f"error: it printed {shown}")
        )
    if result.code:
        return UNCHECKED, f"error: it printed {shown}, but exited with code {result.code}"
    return CERTIFIED, ""


def shows(line: str, value: int | None) -> bool:
    """Return True if a line says that there is no solution, or none with a smaller sum than a value."""
    if value is None:
        return line in UNSATISFIABLE
    found = BOUNDS.fullmatch(line)
    return found is not None and (found["lower"] or found["cost"]) == str(value)


def form_of(start: bytes) -> str:
    """Return the format of a proof with this beginning, of a pseudo-Boolean one with its version from 2 on."""
    form = format_of(start)
    version = version_of(start[: start.find(b"\n") + 1] or start) if form == PBP else 1
    return f"{form} {version}" if version > 1 else form


def taken(checker: Checker, form: str) -> str:
    """Return the format in which a checker gets a proof that is in format `form`, '' if the checker takes none."""
    return next((name for name in (form, *([WITH_O] if form == PBP else [])) if name in checker.formats), "")


def check_in(
    checker: Checker, form: str, formula: Path, proof: Path, seconds: float, value: int | None = None
) -> tuple[int, str]:
    """Run a checker on a proof, written anew if the checker takes another form of it."""
    if form != WITH_O:
        return external_check(checker, formula, proof, seconds, value)
    written = proof.with_name(f"{proof.name}.o")
    try:
        with proof.open("rb") as lines, written.open("wb") as file:
            file.writelines(map(with_o, lines))
        return external_check(checker, formula, written, seconds, value)
    finally:
        written.unlink(missing_ok=True)


def external_check(
    checker: Checker, formula: Path, proof: Path, seconds: float, value: int | None = None
) -> tuple[int, str]:
    """Run a checker; return its outcome, and the reason if it verifies nothing. All its processes end with it."""
    files = {"{formula}": str(formula), "{proof}": str(proof)}
    try:
        return verdict(run([files.get(word, word) for word in checker.words], seconds=seconds), value)
    except DeadlinePassed:
        return UNCHECKED, f"time: more than {seconds:g} s"
    except ProgramOutOfMemory as e:
        return UNCHECKED, f"memory: {e}"
    except ProgramFailed as e:
        return UNCHECKED, f"error: {e}"
    finally:
        end_children()


def tried(checker: Checker, folder: Path) -> Checker:
    """Return a checker with the formats that it takes, or a fault. Writes files to an empty folder."""

    def trial(formula: bytes, proof: bytes, value: int | None) -> tuple[int, str]:
        (folder / "formula").write_bytes(formula)
        (folder / "proof").write_bytes(proof)
        return external_check(checker, folder / "formula", folder / "proof", TRIAL_SECONDS, value)

    formats, reasons = list[str](), dict[str, str]()
    for name, made in TRIALS.items():
        outcome, why = trial(made.formula, made.proof, made.value)
        if outcome == CERTIFIED:
            formats.append(name)
        else:
            reasons.setdefault(why, name)
    if not formats:
        shown = "; ".join(f"{name}: {why}" for why, name in reasons.items())
        return checker._replace(fault=f"it does not verify a small proof: {shown}")
    for name in formats:
        made = TRIALS[name]
        wrong = trial(made.formula, made.wrong, made.value), trial(made.satisfiable, made.proof, made.value)
        if CERTIFIED in (wrong[0][0], wrong[1][0]):
            return checker._replace(fault="it verifies a wrong proof")
    return checker._replace(formats=frozenset(formats))
