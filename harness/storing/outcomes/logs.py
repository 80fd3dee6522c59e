"""Outputs of programs in the journal: where they are kept, and the numbers in them."""

from collections.abc import Callable

from backends.contract.answer import COUNTERS
from harness.model.outcome import KeptLog
from harness.storing.connection import Connection


class Logs:
    """Outputs of programs, and the numbers in them."""

    def __init__(self, connection: Connection) -> None:
        self.connection, self.db = connection, connection.db

    def statistic_names(self) -> list[str]:
        """Return the names of the numbers that programs have printed, but for counters."""
        return [name for (name,) in self.db.execute("select distinct name from statistics order by name")]

    def statistic(self, contender: int, name: str) -> list[tuple[int, float]]:
        """Return instance and number of each outcome of a contender that has a counter or number of this name."""
        if name in COUNTERS:
            query = f"select puzzle, {name} from outcomes where contender = ? and {name} is not null"
            return self.db.execute(query, (contender,)).fetchall()
        query = "select puzzle, value from statistics where contender = ? and name = ?"
        return self.db.execute(query, (contender, name)).fetchall()

    def statistics(self, contender: int) -> dict[tuple[int, int], dict[str, float]]:
        """Return the numbers that a contender's programs have printed, by repeat and instance, but for counters."""
        found: dict[tuple[int, int], dict[str, float]] = {}
        query = "select repeat, puzzle, name, value from statistics where contender = ?"
        for repeat, puzzle, name, value in self.db.execute(query, (contender,)):
            found.setdefault((repeat, puzzle), {})[name] = value
        return found

    def of(self, contender: int) -> dict[tuple[int, int], KeptLog]:
        """Return where the output of a contender's programs is kept, by repeat and instance."""
        query = "select repeat, puzzle, out, err from logs where contender = ? order by 1, 2"
        rows = self.db.execute(query, (contender,))
        return {(repeat, puzzle): KeptLog(out, err) for repeat, puzzle, out, err in rows}

    def rename(self, rename: Callable[[int, int, str], str | None]) -> None:
        """Store other paths of logs: `rename` returns that of a contender's number, a repeat and a path.

        A log without a path is taken out, and with a standard output its standard error.
        """
        rows = self.db.execute("select contender, repeat, puzzle, out, err from logs").fetchall()
        with self.connection.transaction():
            for contender, repeat, puzzle, *paths in rows:
                names = [None if path is None else rename(contender, repeat, path) for path in paths]
                change = "delete from logs" if names[0] is None else "update logs set out = ?, err = ?"
                self.db.execute(
                    f"{change} where contender = ? and repeat = ? and puzzle = ?",
                    (*(names if names[0] is not None else ()), contender, repeat, puzzle),
                )

    def count(self) -> int:
        """Return the number of outcomes whose programs' output is kept."""
        return int(self.db.execute("select count(*) from logs").fetchone()[0])
