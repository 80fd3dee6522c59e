"""Dancing links, compiled: the algorithm of links.py on arrays, with the same names, in the same order.

A solution is a row of options, ended by -1.
"""

from time import perf_counter_ns as now
from typing import NamedTuple

import numpy as np

from backends.answer import Answer, Ask, Int32Array, Phases, Reason, Status
from backends.native.clock import nanoseconds
from backends.native.columns import UNBOUNDED, doubled
from backends.native.compiling import announce_compilation, compiled, internal
from backends.native.exact_cover import Cover, exact_cover
from encoders.formula import Formula

CHECK = 63  # a mask: the clock is read every 64 levels


class Links(NamedTuple):
    """The rings of a cover, as in links.py."""

    left: Int32Array
    right: Int32Array
    up: Int32Array
    down: Int32Array
    item: Int32Array
    size: Int32Array
    option: Int32Array


@compiled
def linked(exact: int, items: int, starts: Int32Array, covered: Int32Array, options: Int32Array) -> Links:
    """Return the rings of these options; option o covers `covered[starts[o]:starts[o + 1]]`."""
    nodes = items + 2
    for o in options:
        nodes += starts[o + 1] - starts[o] + 1
    left, right = np.arange(items + 1).astype(np.int32), np.arange(items + 1).astype(np.int32)
    for i in range(exact + 1):
        left[i] = i - 1 if i else exact
        right[i] = i + 1 if i < exact else 0
    up, down = np.arange(nodes).astype(np.int32), np.arange(nodes).astype(np.int32)
    item, size, option = np.zeros(nodes, np.int32), np.zeros(items + 1, np.int32), np.full(nodes, -1, np.int32)
    for i in range(items + 1):
        item[i] = i
    spacer = items + 1
    for o in options:
        x = spacer
        for k in range(starts[o], starts[o + 1]):
            x += 1
            i = covered[k] + 1
            above = up[i]
            up[x], down[x], item[x], option[x] = above, i, i, o
            down[above] = x
            up[i] = x
            size[i] += 1
        down[spacer] = x
        up[x + 1] = spacer + 1
        spacer = x + 1
    return Links(left, right, up, down, item, size, option)


@internal
def cover(links: Links, i: int) -> None:
    """Take an item out, and hide its options."""
    left, right, up, down, item, size, _ = links
    left[right[i]], right[left[i]] = left[i], right[i]
    p = down[i]
    while p != i:
        q = p + 1
        while q != p:
            if item[q]:
                up[down[q]], down[up[q]] = up[q], down[q]
                size[item[q]] -= 1
                q += 1
            else:
                q = up[q]
        p = down[p]


@internal
def uncover(links: Links, i: int) -> None:
    """Undo `cover`, in reverse order."""
    left, right, up, down, item, size, _ = links
    p = up[i]
    while p != i:
        q = p - 1
        while q != p:
            if item[q]:
                up[down[q]] = q
                down[up[q]] = q
                size[item[q]] += 1
                q -= 1
            else:
                q = down[q]
        p = up[p]
    left[right[i]] = i
    right[left[i]] = i


@internal
def cover_others(links: Links, p: int) -> None:
    """Cover the other items of an option."""
    q = p + 1
    while q != p:
        if links.item[q]:
            cover(links, links.item[q])
            q += 1
        else:
            q = links.up[q]


@internal
def uncover_others(links: Links, p: int) -> None:
    """Undo `cover_others`, in reverse order."""
    q = p - 1
    while q != p:
        if links.item[q]:
            uncover(links, links.item[q])
            q -= 1
        else:
            q = links.down[q]


@internal
def fewest(links: Links) -> int:
    """Return the item with the fewest options, 0 if none is left."""
    best, i = 0, links.right[0]
    while i:
        if best == 0 or links.size[i] < links.size[best]:
            best = i
        i = links.right[i]
    return best


@compiled
def search(links: Links, wanted: int, end: int, nodes: int) -> tuple[Int32Array, int, int, int, int, bool]:
    """Return solutions, their number, decisions, conflicts, open branches, and True if a limit was reached."""
    size, down, item, option = links.size, links.down, links.item, links.option
    depth = decisions = conflicts = branches = found = steps = 0
    levels, i = 1, links.right[0]
    while i:
        levels += 1
        i = links.right[i]
    tried = np.zeros(levels, np.int32)
    solutions = np.full((2, levels), -1, np.int32)
    while True:
        i = fewest(links)
        if i == 0:
            if found == len(solutions):
                solutions = doubled(solutions)
            for level in range(depth):
                solutions[found, level] = option[tried[level]]
            solutions[found, depth] = -1
            found += 1
            if found == wanted:
                return solutions, found, decisions, conflicts, branches, False
        else:
            conflicts += size[i] == 0
            branches += size[i] if size[i] > 1 else 0
            cover(links, i)
            tried[depth] = i
            depth += 1
        while depth:
            x = tried[depth - 1]
            if option[x] >= 0:
                uncover_others(links, x)
            x = down[x]
            tried[depth - 1] = x
            i = item[x]
            steps += 1
            if steps & CHECK == 0 and nanoseconds() > end:
                return solutions, found, decisions, conflicts, branches, True
            if x == i:
                uncover(links, i)
                depth -= 1
                continue
            if size[i] > 1:
                if decisions >= nodes:
                    return solutions, found, decisions, conflicts, branches, True
                decisions += 1
                branches -= 1
            cover_others(links, x)
            break
        if depth == 0:
            return solutions, found, decisions, conflicts, branches, False


class Dancing:
    """A session on an exact cover; its rings are made anew for each ask."""

    def __init__(self, form: Cover) -> None:
        self.form = form
        self.starts = np.cumsum([0, *map(len, form.options)]).astype(np.int32)
        self.covered = np.array([i for option in form.options for i in option], np.int32)

    def ask(self, ask: Ask) -> Answer:
        began = now()
        allowed = self.form.allowed(ask.domains)
        if allowed is None:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - began))
        end = nanoseconds_now() + int(min(ask.seconds, 1e9) * 1e9)
        links = linked(self.form.exact, self.form.items, self.starts, self.covered, np.array(allowed, np.int32))
        loaded = now()
        nodes = UNBOUNDED if ask.nodes is None else ask.nodes
        rows, found, decisions, conflicts, branches, stopped = search(links, ask.count, end, nodes)
        solved = now()
        solutions = tuple(self.form.solution(row[: row.index(-1)]) for row in rows[:found].tolist())
        undecided = Status.UNKNOWN if stopped else Status.UNSATISFIABLE
        return Answer(
            Status.SATISFIABLE if solutions else undecided,
            solutions,
            branches == 0 and not stopped,
            Reason.TIMEOUT if stopped else Reason.NONE,
            {"decisions": decisions, "conflicts": conflicts},
            Phases(load=loaded - began, solve=solved - loaded, decode=now() - solved),
        )

    def close(self) -> None:
        """Do nothing: the session holds no resources."""


@compiled
def nanoseconds_now() -> int:
    """Return the time of the clock that the search reads."""
    return nanoseconds()


def open(formula: Formula) -> Dancing:  # noqa: A001 - every variant's module has this name
    """Return a session on a board or on sums; its code is compiled now or loaded from the cache. Raises Unsupported."""
    session = Dancing(exact_cover(formula))
    with announce_compilation("native:dlx"):
        Dancing(Cover(1, 1, 1, ((0,),), ((0, 0),))).ask(Ask((1,)))
    return session
