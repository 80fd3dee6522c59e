"""Fuzz all readers: an input gives puzzles or a one-line error; no traceback, no hang.

    python benchmarks/reading.py [--inputs 1000000] [--seed 1] [--seconds 600]

Seeds are the first lines of the shipped corpora and tokens of the formats. An input is a few of these, cut, doubled,
swapped, with changed bytes. Inputs with another result, or that take over a second, are printed and counted.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from puzzles.formats import BadInput, ReaderOptions, read  # noqa: E402

ENDINGS = (".txt", ".txt", ".txt", ".col", ".pls", ".csv", ".sdk", ".ss", ".sdm")
STATED = (*(None,) * 9, "sudoku 2x2", "sudoku 3x3", "latin 5", "colouring 3")
PARTS = (
    *(b"#: ", b"sudoku 2x2", b"latin 5", b"alphabet 0123", b"count 2+", b"solution ", b"p edge 3 2\n", b"e 1 2\n"),
    *(b"c colours 2\n", b"order 3\n", b"0 -1 2\n", b"quizzes,solutions\n", b"[Puzzle]\n", b"#A x\n", b"Grid 01\n"),
    *(b"------+-------+------\n", b"*-----------*\n", b"|", b":", b",", b"\r\n", b"\n", b".", b"0", b"9" * 30),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\x00", b"\x0b", b"\xe2\x80\xa8", b"\xc2\xb2", b" ", b"\t", b'"', b"-1", b"1e9"),
)


def seeds() -> list[tuple[bytes, str]]:
    """Return the first lines of each shipped corpus, with its file ending."""
    files = sorted(p for p in (ROOT / "puzzles").iterdir() if p.suffix in (".txt", ".col"))
    return [(b"".join(p.read_bytes().splitlines(keepends=True)[:300])[:9000], p.suffix) for p in files]


def mutated(random: Random, raw: bytes) -> bytes:
    """Return the input after a few random changes."""
    data = bytearray(raw)
    for _ in range(random.choice((0, 0, 1, 1, 1, 2, 3, 12))):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice((1, 1, 2, 9, 81)))
        match random.randrange(6):
            case 0:
                del data[at:end]
            case 1:
                data[at:at] = random.choice(PARTS)
            case 2:
                data[at:end] = random.choice(PARTS)
            case 3:
                data[at:at] = data[at:end]
            case 4 if at < len(data):
                data[at] = random.randrange(256)
            case 5:
                data[at:at] = b"%d" % random.choice((0, 1, 7, 10, 255, 10**6, 10**12))
    return bytes(data)


def generate(random: Random, known: list[tuple[bytes, str]]) -> tuple[bytes, str]:
    """Return one random input and the ending of its file."""
    kind = random.random()
    if kind < 0.65:
        raw, ending = random.choice(known)
        lines = raw.splitlines(keepends=True)
        start = random.choice((0, 0, 0, random.randrange(len(lines))))
        raw = b"".join(lines[start : start + random.choice((1, 4, 12, 2000))])
        return mutated(random, raw), ending if random.random() < 0.95 else random.choice(ENDINGS)
    if kind < 0.9:
        return mutated(random, b"".join(random.choices(PARTS, k=random.randint(0, 12)))), random.choice(ENDINGS)
    return random.randbytes(random.randint(0, 200)), random.choice(ENDINGS)


def classify(path: Path, as_: str | None) -> tuple[str, str]:
    """Return 'puzzles', 'refused' or the kind of fault, and its detail."""
    start = time.perf_counter()
    try:
        puzzles = sum(1 for _ in read(path, ReaderOptions(as_)))
        found = ("puzzles", "") if puzzles else ("neither puzzles nor an error", "")
    except BadInput as e:
        line = str(e)
        clear = line.startswith(f"{path}:") and len(line.splitlines()) == 1 and len(line) < 800
        found = ("refused", "") if clear else ("an unclear error", line[:200])
    except Exception as e:
        found = ("a traceback", f"{type(e).__name__}: {e}"[:200])
    took = time.perf_counter() - start
    return found if took < 1 else (f"over a second, {found[0]}", f"{took:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600)
    args = parser.parse_args()
    random, known, start = Random(args.seed), seeds(), time.monotonic()
    done: Counter[str] = Counter()
    shown: set[str] = set()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        while done.total() < args.inputs and time.monotonic() - start < args.seconds:
            raw, ending = generate(random, known)
            path = Path(folder) / f"input{ending}"
            path.write_bytes(raw)
            what, detail = classify(path, random.choice(STATED))
            done[what] += 1
            if what not in ("puzzles", "refused") and what + detail[:20] not in shown:
                shown.add(what + detail[:20])
                print(f"{what}: {detail} | {ending} {raw[:300]!r}", flush=True)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{done.total()} inputs in {time.monotonic() - start:.0f} s, seed {args.seed}, peak memory {memory} MiB")
    for what, n in done.most_common():
        print(f"{what:<30} {n:>9}")


if __name__ == "__main__":
    main()
