"""Dancing links: Knuth's Algorithm X on exact covers, written to be read; dlx.py compiles the same functions.

Every item is a ring of nodes, its header and one for each option that covers it; the items left are a ring too, with
the root 0. To cover an item takes it out of the ring of items, and hides its options from the rings of all other
items. A node that is taken out keeps its neighbours, so undoing in reverse order puts everything back: the links
dance. The search covers the item with the fewest options, and tries each of them. Optional items are in no ring of
items: only options cover them.

    i  an item, its header's number, from 1     x, p, q  a node     o  an option
    left, right   neighbours in the ring of items       up, down  neighbours in the ring of an item
    item          the header of a node; 0 for a spacer, which stands between two options and knows their ends
    size          number of options of an item          option    the option of a node; -1 of a header

D. E. Knuth, The Art of Computer Programming 4B, 7.2.2.1, Algorithm C without colours ("Dancing Links", 2000).
"""

from collections.abc import Iterable, Iterator
from time import monotonic_ns as nanoseconds
from typing import Any, NamedTuple

from backends.native.budget import Budget, SearchSession
from backends.native.exact_cover import Cover, exact_cover
from encoders.formula import Formula
from puzzles.problem.arrays import Int32Array, Int64Array
from puzzles.problem.values import Domains, Solution

CHECK = 63  # a mask: the clock is read every 64 steps
DEPTH, DECISIONS, CONFLICTS, BRANCHES, STEPS = range(5)  # indices into Links.counts
FOUND, EXHAUSTED, STOPPED = range(3)  # results of a search
NEVER = 1 << 62  # decisions


class Links(NamedTuple):
    """Rings of a cover, and a search, in lists or arrays. Option o covers covered[starts[o] : starts[o + 1]].

    tried  at each level, the node of the current option; a header before the first
    """

    exact: int
    items: int
    starts: Int32Array
    covered: Int32Array
    left: Int32Array
    right: Int32Array
    up: Int32Array
    down: Int32Array
    item: Int32Array
    size: Int32Array
    option: Int32Array
    tried: Int32Array
    counts: Int64Array


def new_links(form: Cover) -> Links:
    """Return lists for the rings of all options; `link` makes the rings of some options."""
    starts, covered = [0], list[int]()
    for option in form.options:
        covered += option
        starts.append(len(covered))
    headers, nodes = form.items + 1, form.items + 2 + len(covered) + len(form.options)
    lengths = (headers, headers, nodes, nodes, nodes, headers, nodes, form.exact, 5)
    rows: Any = [[-1] * n for n in lengths]
    return Links(form.exact, form.items, starts, covered, *rows)  # type: ignore[arg-type]


def link(links: Links, options: Iterable[int]) -> None:
    """Make the rings of these options, for a new search."""
    left, right, up, down, item = links.left, links.right, links.up, links.down, links.item
    for k in range(5):
        links.counts[k] = 0
    for i in range(links.items + 1):
        left[i] = right[i] = up[i] = down[i] = item[i] = i
        links.size[i] = 0
    for i in range(links.exact + 1):
        left[i] = i - 1 if i else links.exact
        right[i] = i + 1 if i < links.exact else 0
    spacer = links.items + 1
    item[spacer] = 0
    for o in options:
        x = spacer
        for k in range(links.starts[o], links.starts[o + 1]):
            x += 1
            i = links.covered[k] + 1
            above = up[i]
            up[x], down[x], item[x], links.option[x] = above, i, i, o
            down[above] = up[i] = x
            links.size[i] += 1
        down[spacer] = x
        up[x + 1] = spacer + 1
        spacer = x + 1
        item[spacer] = 0


def cover(links: Links, i: int) -> None:
    """Take an item out, and hide its options."""
    left, right, up, down, item, size = links.left, links.right, links.up, links.down, links.item, links.size
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


def uncover(links: Links, i: int) -> None:
    """Undo `cover`, in reverse order."""
    left, right, up, down, item, size = links.left, links.right, links.up, links.down, links.item, links.size
    p = up[i]
    while p != i:
        q = p - 1
        while q != p:
            if item[q]:
                up[down[q]] = down[up[q]] = q
                size[item[q]] += 1
                q -= 1
            else:
                q = down[q]
        p = up[p]
    left[right[i]] = right[left[i]] = i


def turn(links: Links, p: int, step: int) -> None:
    """Cover the other items of an option, from left to right; with step -1 uncover them, in reverse order."""
    q = p + step
    while q != p:
        if links.item[q]:
            if step > 0:
                cover(links, links.item[q])
            else:
                uncover(links, links.item[q])
            q += step
        else:
            q = links.up[q] if step > 0 else links.down[q]


def choose(links: Links) -> bool:
    """Cover the item with the fewest options, to try these at a new level. False if no item is left."""
    best, i, size, counts = 0, links.right[0], links.size, links.counts
    while i:
        if best == 0 or size[i] < size[best]:
            best = i
        i = links.right[i]
    if best:
        counts[CONFLICTS] += size[best] == 0
        counts[BRANCHES] += size[best] if size[best] > 1 else 0  # the only option of an item is no branching
        cover(links, best)
        links.tried[counts[DEPTH]] = best
        counts[DEPTH] += 1
    return best > 0


def advance(links: Links, resumed: bool, nodes: int, end: int) -> int:
    """Search for a solution, depth first, after the previous one if resumed; its options are those of `tried`.

    Returns FOUND, EXHAUSTED, or STOPPED at so many decisions, or if the monotonic clock passes `end` (ns).
    """
    tried, counts = links.tried, links.counts
    if not resumed and not choose(links):
        return FOUND
    while counts[DEPTH]:
        level = counts[DEPTH] - 1
        x = tried[level]
        if links.option[x] >= 0:
            turn(links, x, -1)
        x = tried[level] = links.down[x]
        i = links.item[x]
        counts[STEPS] += 1
        if counts[STEPS] & CHECK == 0 and nanoseconds() > end:
            return STOPPED
        if x == i:
            uncover(links, i)
            counts[DEPTH] -= 1
            continue
        if links.size[i] > 1:
            if counts[DECISIONS] >= nodes:
                return STOPPED
            counts[DECISIONS] += 1
            counts[BRANCHES] -= 1
        turn(links, x, 1)
        if not choose(links):
            return FOUND
    return EXHAUSTED


class Dancing:
    """An exact cover and its rings, which are made anew for each search."""

    def __init__(self, form: Cover) -> None:
        self.form, self.links = form, new_links(form)

    def link(self, options: list[int]) -> None:
        link(self.links, options)

    def advance(self, resumed: bool, nodes: int, end: int) -> int:
        return advance(self.links, resumed, nodes, end)

    def chosen(self, depth: int) -> list[int]:
        """Return the options of a solution."""
        return [self.links.option[x] for x in self.links.tried[:depth]]

    def solutions(self, domains: Domains, budget: Budget) -> Iterator[Solution]:
        """Yield all solutions."""
        allowed, ask = self.form.allowed(domains), budget.ask
        if allowed is None:
            return
        end, nodes = nanoseconds() + int(min(ask.seconds, 1e9) * 1e9), NEVER if ask.nodes is None else ask.nodes
        self.link(allowed)
        ending, resumed = FOUND, False
        while ending == FOUND:
            ending, resumed = self.advance(resumed, nodes, end), True
            depth, budget.decisions, budget.conflicts, budget.open_branches = map(int, self.links.counts[:STEPS])
            budget.exhausted = ending == STOPPED
            if ending == FOUND:
                yield self.form.solution(self.chosen(depth))


def open(formula: Formula) -> SearchSession[Dancing]:  # noqa: A001 - every variant's module has this name
    """Return a session on a board or on sums. Raises Unsupported."""
    return SearchSession(Dancing(exact_cover(formula)), Dancing.solutions)
