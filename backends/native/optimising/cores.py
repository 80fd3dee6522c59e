"""Core-guided search: OLL with totalizers (Morgado, Dodaro & Marques-Silva 2014; Ignatiev et al. 2019, RC2).

All soft literals of a stratum are assumed. If they can't all hold, the search tells some that can't, a core:

- each model has a cost of at least the least weight w of a core, so the bound rises by w, and the core's weights fall
- a totalizer counts the false literals of the core; "fewer than 2 are false" is a new soft literal of weight w, and if
  it is in a core later, "fewer than 3 are false" comes after it
- cores are collected until the rest can hold together; then their totalizers are made (Berg & Jaervisalo 2017)
- a core is made smaller, as far as some conflicts go, and more of it counted at once if that is easy

Then the next stratum joins, and also when the conflicts of a turn are used up: with more assumptions cores are easier
to find. A literal that costs more than the incumbent has to spare is made hard.
"""

from dataclasses import dataclass, field

from backends.native.optimising.events import Assumed, Core, Counted, Grown, Hardened
from backends.native.optimising.objective import Cost
from backends.native.optimising.optimum import Optimum
from backends.native.optimising.totalizers import Totalizer

TRIMS = 3  # times that a core is searched again within itself
MINIMISING = 1000  # conflicts for making a core smaller
COUNTING = 1000  # conflicts for showing that more literals of a core are false


@dataclass
class CoreGuided:
    """State between two calls.

    level   least weight that is assumed now
    counts  by soft literal: the totalizer and the number of which it is the negation
    cores   found but not counted yet, each with its weight
    """

    optimum: Optimum
    cost: Cost
    level: int = 0
    counts: dict[int, tuple[Totalizer, int]] = field(default_factory=dict)
    cores: list[tuple[list[int], int]] = field(default_factory=list)

    def search(self, conflicts: int) -> bool:
        """Search until the incumbent is shown to be the best, or the conflicts are used up, or the time is over."""
        solver = self.optimum.solver
        until = solver.conflicts + conflicts
        while not self.harden():
            found = solver.solve(self.cost.stratum(self.level), until)
            if found is None:
                self.assume(self.cost.below(self.level) or self.level)
                return False
            if not found and (not solver.core or not self.take(self.smaller(solver.core))):
                return True
            if found:
                self.optimum.found()
                if self.cores:
                    if not self.count():
                        return True
                elif not self.descend():
                    return True
        return True

    def descend(self) -> bool:
        """Go on to the next stratum. False if there is none: the last model is the best."""
        level = self.cost.below(self.level)
        self.assume(level or 0)
        return level is not None

    def assume(self, level: int) -> None:
        """Assume the soft literals whose weight is at least a level, from now on."""
        if level and level != self.level:
            self.optimum.tell(Assumed(level, len(self.cost.stratum(level))))
        self.level = level

    def harden(self) -> bool:
        """Make literals hard that are false in no better model. True if there is no better model."""
        if self.optimum.bounded(self.cost.lower):
            return True
        upper, weights = self.optimum.incumbent.value, self.cost.weights
        if upper is not None:
            spare = upper - self.cost.lower
            hard = [literal for literal, weight in weights.items() if weight >= spare]
            for literal in hard:
                del weights[literal]
            if hard:
                self.optimum.solver.add([x for literal in hard for x in (literal, 0)])
                self.optimum.tell(Hardened(tuple(hard)))
        return False

    def take(self, core: list[int]) -> bool:
        """Lower the weights of a core. False if it is empty: there is no better model."""
        if not core:
            self.optimum.tell(Core((), 0, self.cost.lower))
            return False
        weights = self.cost.weights
        weight = min(weights[literal] for literal in core)
        self.cost.lower += weight
        self.optimum.tell(Core(tuple(core), weight, self.cost.lower))
        for literal in core:
            self.cost.lessen(literal, weight)
            if literal in self.counts:
                self.count_further(literal, weight)
        self.optimum.solver.add([*(-literal for literal in core), 0])
        if len(core) > 1:
            self.cores.append((core, weight))
        return True

    def count_further(self, literal: int, weight: int) -> None:
        """Add the soft literal after "fewer than k are false", if there is one."""
        counter, k = self.counts[literal]
        if k < counter.size:
            after = -self.at_least(k + 1, counter)
            self.counts[after] = counter, k + 1
            self.cost.add(after, weight)
            self.optimum.tell(Counted(after, counter.leaves, k + 1, weight, self.cost.lower))

    def at_least(self, k: int, counter: Totalizer) -> int:
        """Return the literal for: at least k literals of a core are false."""
        literal = counter.at_least(k, self.optimum.solver)
        self.optimum.tell(Grown(counter))
        return literal

    def count(self) -> bool:
        """Make totalizers of the cores that were collected. False if there is no better model."""
        solver = self.optimum.solver
        for core, weight in self.cores:
            counter, k = Totalizer.over([-literal for literal in core]), 2
            while k <= counter.size:
                soft = -self.at_least(k, counter)
                found = solver.solve([soft], solver.conflicts + COUNTING)
                if found:
                    self.optimum.found()
                if found is not False:
                    self.counts[soft] = counter, k
                    self.cost.add(soft, weight)
                    self.optimum.tell(Counted(soft, counter.leaves, k, weight, self.cost.lower))
                    break
                self.cost.lower += weight
                if not solver.core or self.optimum.bounded(self.cost.lower):
                    return False
                solver.add([-soft, 0])
                k += 1
        self.cores.clear()
        return True

    def smaller(self, core: list[int]) -> list[int]:
        """Return a smaller core within a core; empty if no better model exists."""
        solver, weights = self.optimum.solver, self.cost.weights
        until = solver.conflicts + MINIMISING
        for _ in range(TRIMS):
            if len(core) == 1 or solver.solve(core[::-1], until) is not False:
                break
            smaller = len(solver.core) < len(core)
            core = solver.core
            if not smaller:
                break
        for literal in sorted(core, key=lambda literal: weights[literal]):
            if len(core) == 1 or solver.conflicts >= until:
                break
            if literal in core and solver.solve([x for x in core if x != literal], until) is False:
                core = solver.core
        return core
