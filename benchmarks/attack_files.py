"""Attack the verbs that read files with damaged and crafted ones: journals, findings and golden files.

Each attack is one call of the command line in this process. It must end within LIMIT_S seconds with an exit code of
docs/reference/exit-codes.md, and where it refuses its input (exit 2), with one line. The peak memory of the process is
printed.
"""

import contextlib
import io
import json
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from harness.cli import main as command_line  # noqa: E402

LIMIT_S = 10
CONTENDERS = ("-b", "native:python", "-b", "native:norvig")
CODES = (0, 1, 2, 3, 4)
KEYS = {"meta": "key", "outcomes": "contender, repeat, puzzle"}  # of the other tables: id
DEEP = "[" * 100_000
VALUES: tuple[Any, ...] = (
    *(-1, -5, 0, 1, 7, 999, 10**6, 10**9, (1 << 31) - 1, 1 << 40, (1 << 63) - 1, -(1 << 63)),
    *(0.5, 1e300, float("inf"), None, "", "word", "1", b"", b"\0", b"\xff" * 40, b"\0" * 100_000),
    *(
        "[]",
        "{}",
        "null",
        "NaN",
        "1e999",
        '"x"',
        "[1]",
        '{"a": 1}',
        DEEP,
        "\x1b[2J\n\u202e",
        "\ud800".encode("utf-8", "surrogatepass"),
    ),
    '{"name": "x", "squares": ["a"], "values": {"range": [0, 1000000000]}, "units": []}',
    '{"name": "x", "variables": ["a"], "values": {"range": [0, 1000000000000]}, "constraints": []}',
    '{"name": "x", "squares": ["a"], "values": ["1"], "units": [[1000000000]]}',
    '{"cpu": 1, "cores": "x"}',
)
SCHEMAS = (
    "create view v as select * from outcomes",
    "create trigger t after update on outcomes begin delete from meta; end",
    "create trigger t after update on meta begin select load_extension('x'); end",
    "drop table outcomes",
    "drop table problems",
    "drop table places",
    "drop table puzzles; create view puzzles as with recursive n(i) as (select 1 union all select i + 1 from n)"
    " select i as id, 1 as corpus, 'x' as name, 1 as problem, x'00' as domains, 1 as known, 0 as at_least,"
    " null as solution from n",
    "alter table outcomes rename column wall to walls",
    "alter table outcomes add column more integer",
    "alter table outcomes add column more integer generated always as (wall * 2) virtual",
    "alter table puzzles drop column known",
    "create virtual table f using fts5(x)",
    "pragma user_version = 1",
    "pragma user_version = 0",
    "pragma user_version = -1",
    "pragma user_version = 3",
    "pragma application_id = 0",
    *(
        f"delete from {t}"
        for t in ("meta", "problems", "corpora", "puzzles", "contenders", "places", "blocks", "leases")
    ),
    *(
        f"delete from meta where key = '{key}'"
        for key in ("settings", "host", "versions", "state", "command", "executables")
    ),
    "update puzzles set id = 1000000000 where id = (select max(id) from puzzles)",
    "update outcomes set repeat = 1000000 where puzzle = 1",
    "update leases set repeat = 1000000",
    "update blocks set last = 1000000000",
    "update meta set value = json_set(value, '$.repeats', 0) where key = 'settings'",
    "update meta set value = json_set(value, '$.count', 0) where key = 'settings'",
    "update meta set value = json_set(value, '$.count', 1000000000) where key = 'settings'",
    "update meta set value = json_set(value, '$.limit', -1) where key = 'settings'",
    "update meta set value = json_set(value, '$.limit', 'x') where key = 'settings'",
    "update meta set value = json_set(value, '$.unknown', 1) where key = 'settings'",
    "update meta set value = json_set(value, '$.programs', 'x') where key = 'settings'",
    "update puzzles set domains = zeroblob(100000000)",
    "update outcomes set solutions = zeroblob(1000)",
    "update outcomes set found = 2147483647",
    "update outcomes set solutions = null",
)


def call(*words: str | Path) -> tuple[int, str, str]:
    """Run one command; return its exit code, standard output and standard error. Raises what it lets through."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    err = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = command_line([str(word) for word in words])
        except SystemExit as e:
            code = int(e.code or 0)
    out.flush()
    return code, out.buffer.getvalue().decode("utf-8", "replace"), err.getvalue()


def fault(*words: str | Path) -> str | None:
    """Run one command; return what is wrong with how it ended, or None."""

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(LIMIT_S)
    try:
        code, out, err = call(*words)
    except TimeoutError:
        return f"no end in {LIMIT_S} s"
    except BaseException as e:
        return f"{type(e).__name__}: {e}"[:200]
    finally:
        signal.alarm(0)
    if code not in CODES:
        return f"exit {code}"
    if code == 2 and not out and (err.count("\n") != 1 or not err.startswith("harness: ")):
        return f"exit 2 with {err[:300]!r}"
    if not err.isascii() and any(not c.isprintable() and c != "\n" for c in err):
        return f"control characters in {err[:300]!r}"
    return None


def damaged(data: bytes, random: Random) -> bytes:
    """Return the bytes with some changed, cut off, moved or doubled."""
    found = bytearray(data)
    kind = random.randrange(4)
    at, size = random.randrange(len(data)), random.choice((1, 4, 64, 4096))
    if kind == 0:
        for _ in range(random.choice((1, 3, 10, 100))):
            found[random.randrange(len(found))] = random.randrange(256)
    elif kind == 1:
        del found[at:]
    elif kind == 2:
        found[at : at + size] = random.randbytes(size)
    else:
        found[at:at] = found[at : at + size]
    return bytes(found)


def crafted(path: Path, random: Random) -> str:
    """Change one value of a journal, or its schema; return what was done."""
    with contextlib.closing(sqlite3.connect(path)) as db, contextlib.suppress(sqlite3.Error), db:
        if random.random() < 0.3:
            script = random.choice(SCHEMAS)
            db.executescript(script)
            return script
        tables = [name for (name,) in db.execute("select name from sqlite_master where type = 'table'")]
        table = random.choice(tables)
        column = random.choice([row[1] for row in db.execute(f"pragma table_info({table})")])
        value, key = random.choice(VALUES), KEYS.get(table, "id")
        where = (
            "" if random.random() < 0.3 else f"where ({key}) = (select {key} from {table} order by random() limit 1)"
        )
        if isinstance(value, bytes) and value.startswith(b"\xed"):
            db.execute(f"update {table} set {column} = cast(? as text) {where}", (value,))
        else:
            db.execute(f"update {table} set {column} = ? {where}", (value,))
        return f"{table}.{column} = {value!r:.60} {where}"
    return "refused by SQLite"


def verbs(path: Path, other: Path) -> tuple[tuple[str | Path, ...], ...]:
    """Return every command that opens a journal; `other` is a sound one."""
    return (
        ("report", path, "--vbs", "--pivot", "backend,encoding"),
        ("report", path, "--json", "-"),
        ("report", path, "--format", "csv"),
        ("report", path, "--errors"),
        ("judge", path),
        ("compare", path, other),
        ("compare", other, path, "--json", "-"),
        ("export", path, "--to", "csv"),
        ("export", path, "--to", "json"),
        ("export", path, "--to", "markdown"),
        ("merge", path, other, "-o", path.with_suffix(".merged")),
        ("merge", other, path, "-o", path.with_suffix(".merged")),
        ("run", "--resume", path),
    )


def journals(folder: Path, count: int, random: Random, every: bool = False) -> Iterator[tuple[str, str | None]]:
    """Attack with journals: yield what was done and what was wrong. `every`: each with all verbs, else with one."""
    sound, other, path = folder / "sound.sqlite", folder / "other.sqlite", folder / "attacked.sqlite"
    (folder / "board.txt").write_text("." * 81 + ":2+\n" + "1" + "." * 80 + "\n")
    for file in (sound, other):
        code, _, err = call("run", folder / "board.txt", *CONTENDERS, "-r", "2", "-o", file)
        assert code == 0, err
    data = sound.read_bytes()
    for i in range(count):
        for leftover in folder.glob("attacked*"):
            leftover.unlink()
        if i % 2:
            path.write_bytes(damaged(data, random))
            what = "random damage"
        else:
            path.write_bytes(data)
            what = crafted(path, random)
        attacked = path.read_bytes()
        commands = verbs(path, other)
        for words in commands if every else [random.choice(commands)]:
            path.write_bytes(attacked)
            why = fault(*words)
            yield f"{i}: {what}: {words[0]}", why
            if why:
                shutil.copy(path, folder / f"fault-{i}.sqlite")


def texts(
    sound: str, values: Callable[[Any, Random], None], command: Callable[[Path], tuple[str | Path, ...]], path: Path
) -> Callable[[int, Random], Iterator[tuple[str, str | None]]]:
    """Return an attack with text files: bytes damaged, or a JSON value changed by `values`."""

    def attack(count: int, random: Random) -> Iterator[tuple[str, str | None]]:
        for i in range(count):
            if i % 2:
                path.write_bytes(damaged(sound.encode(), random))
            else:
                lines = sound.splitlines(keepends=True)
                start = next(n for n, line in enumerate(lines) if line.startswith("{"))
                stop = len(lines) if lines[start].strip() == "{" else start + 1
                entry = json.loads("".join(lines[start:stop]))
                values(entry, random)
                lines[start:stop] = [json.dumps(entry) + "\n"]
                path.write_text("".join(lines))
            why = fault(*command(path))
            yield f"{i}: {path.read_bytes()[:200]!r}" if why else str(i), why

    return attack


JSON_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 10**9, 10**30, 1.5, float("nan"), float("inf"), "", "x", "\x1b[2J", "\ud800", [], {}, [[]]),
    *([None], [1], ["x"], [[10**9]], {"a": []}, [-1], "9" * 5000, [[0] * 81], [[511] * 81]),
)


def change_entry(entry: dict[str, Any], random: Random) -> None:
    """Replace or remove one value of an object, or one within it, but for the limit of time, which is obeyed."""
    key = random.choice([key for key in entry if key != "seconds"])
    held = entry[key]
    if isinstance(held, list) and held and random.random() < 0.5:
        held[random.randrange(len(held))] = random.choice(JSON_VALUES)
    elif random.random() < 0.1:
        del entry[key]
    else:
        entry[key] = random.choice(JSON_VALUES)


def findings(folder: Path, count: int, random: Random) -> Iterator[tuple[str, str | None]]:
    """Attack `replay`, `shrink` and `export` with findings."""
    names = sorted((ROOT / "tests" / "findings").glob("*.finding"))
    sound = next(p for p in names if p.name.startswith("kernel-clash")).read_text(encoding="utf-8")
    commands: tuple[Callable[[Path], tuple[str | Path, ...]], ...] = (
        lambda p: ("export", p, "--to", "python"),
        lambda p: ("export", p, "--to", "dimacs"),
        lambda p: ("replay", p),
        lambda p: ("shrink", p, "--seconds", "0.1"),
    )
    for share, command in zip((0.4, 0.4, 0.15, 0.05), commands, strict=True):
        attack = texts(sound, change_entry, command, folder / "attacked.finding")
        yield from attack(max(1, round(share * count)), random)


def golden(folder: Path, count: int, random: Random) -> Iterator[tuple[str, str | None]]:
    """Attack `check` with golden files, on a corpus of one board."""
    (folder / "board.txt").write_text("." * 81 + "\n")
    path = folder / "attacked.jsonl"
    words = ("check", folder / "board.txt", "-b", "native:python", "--golden", path)
    code, _, err = call(*words, "--update")
    assert code == 0, err
    yield from texts(path.read_text(), change_entry, lambda _: words, path)(count, random)


ATTACKS = {"journals": journals, "findings": findings, "golden": golden}


def attack(name: str, count: int, seed: int) -> list[str]:
    """Return the faults found in so many attacks of a kind; print a summary."""
    faults: list[str] = []
    longest, number = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        before = time.monotonic()
        for what, why in ATTACKS[name](Path(folder), count, Random(seed)):
            now = time.monotonic()
            longest, before, number = max(longest, now - before if number else 0.0), now, number + 1
            faults += [f"{what}: {why}"] * bool(why)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{number} attacks, {len(faults)} faults, longest {longest:.1f} s, peak memory {peak:.0f} MiB")
    return faults
