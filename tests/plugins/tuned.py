"""A backend with options: it reports the value of `level` as its number of decisions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Session
from backends.contract.options import BadOption, Option, Value
from encoders.formula import AllDifferent, Formula


@dataclass
class Levelled:
    session: Session
    level: int

    def ask(self, ask: Ask) -> Answer:
        return replace(self.session.ask(ask), counters={"decisions": self.level})

    def close(self) -> None:
        self.session.close()


@dataclass(frozen=True)
class Tuned:
    name: str = "tuned"
    version: str = "1.0"
    accepts: frozenset[type] = frozenset({AllDifferent})
    can: frozenset[str] = frozenset({"count", "domains"})
    options: tuple[Option, ...] = (Option("level", "int", (1, 2, 7)), Option("fast", "bool"))
    level: int = 0

    def configured(self, options: Mapping[str, Value]) -> "Tuned":
        if options == {"level": 7, "fast": True}:
            raise BadOption("tuned: level 7 is not fast")
        level = options.get("level", 0)
        assert isinstance(level, int)
        return replace(self, level=level, can=self.can - {"count"} if "fast" in options else self.can)

    def open(self, formula: Formula) -> Session:
        return Levelled(registry.find("native:python").open(formula), self.level)


def backends() -> list[Tuned]:
    return [Tuned()]
