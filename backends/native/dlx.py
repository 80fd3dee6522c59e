"""Dancing links, compiled: the algorithm of links.py on arrays, with the same names, in the same order."""

from collections.abc import Iterator
from time import monotonic_ns
from typing import NamedTuple

import numpy as np

from backends.contract.answer import Ask
from backends.native.budget import Budget, SearchSession
from backends.native.columns import limits_of
from backends.native.compiling import announce_compilation, compiled, internal
from backends.native.exact_cover import Cover, exact_cover
from backends.native.intrinsics import nanoseconds
from backends.native.memory import allocate, view, words
from encoders.formula import Formula
from puzzles.problem.arrays import Int32Array, Int64Array
from puzzles.problem.values import Domains, Solution

CHECK = 63  # a mask: the clock is read every 64 levels
DEPTH, DECISIONS, CONFLICTS, BRANCHES, STEPS = range(5)  # indices into LinkArrays.counts
FOUND, EXHAUSTED, STOPPED = range(3)  # results of a search


class LinkArrays(NamedTuple):
    """Rings of a cover, as in links.py, and a search. Option o covers covered[starts[o] : starts[o + 1]]."""

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


def new_links(cover: Cover) -> LinkArrays:
    """Return memory for the rings of all options; `link` makes the rings of some options."""
    starts = np.cumsum([0, *map(len, cover.options)]).astype(np.int32)
    covered = np.array([i for option in cover.options for i in option], np.int32)
    lengths = dict.fromkeys(("left", "right", "size"), cover.items + 1) | {"tried": cover.exact, "counts": 5}
    nodes = cover.items + 2 + len(covered) + len(cover.options)
    lengths |= dict.fromkeys(("up", "down", "item", "option"), nodes)
    links = allocate(LinkArrays, lengths, exact=cover.exact, items=cover.items, starts=starts, covered=covered)
    links.option[:] = -1
    return links


@compiled
def link(memory: Int64Array, options: Int32Array) -> None:
    """Make the rings of these options."""
    links = view(memory, LinkArrays)
    left, right, up, down, item = links.left, links.right, links.up, links.down, links.item
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


@internal
def cover(links: LinkArrays, i: int) -> None:
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


@internal
def uncover(links: LinkArrays, i: int) -> None:
    """Undo `cover`, in reverse order."""
    left, right, up, down, item, size = links.left, links.right, links.up, links.down, links.item, links.size
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
def cover_others(links: LinkArrays, p: int) -> None:
    """Cover the other items of an option."""
    q = p + 1
    while q != p:
        if links.item[q]:
            cover(links, links.item[q])
            q += 1
        else:
            q = links.up[q]


@internal
def uncover_others(links: LinkArrays, p: int) -> None:
    """Undo `cover_others`, in reverse order."""
    q = p - 1
    while q != p:
        if links.item[q]:
            uncover(links, links.item[q])
            q -= 1
        else:
            q = links.down[q]


@internal
def fewest(links: LinkArrays) -> int:
    """Return the item with the fewest options, 0 if no item is left."""
    best, i = 0, links.right[0]
    while i:
        if best == 0 or links.size[i] < links.size[best]:
            best = i
        i = links.right[i]
    return best


@internal
def choose(links: LinkArrays) -> bool:
    """Cover the item with the fewest options, to try these at a new level. False if no item is left."""
    i, counts = fewest(links), links.counts
    if i:
        options = links.size[i]
        counts[CONFLICTS] += options == 0
        counts[BRANCHES] += options if options > 1 else 0
        cover(links, i)
        links.tried[counts[DEPTH]] = i
        counts[DEPTH] += 1
    return i > 0


@compiled
def search(memory: Int64Array, resumed: bool, nodes: int, end: int) -> int:
    """Search for a solution, after the previous one if resumed; `tried` holds a node of each option of the solution.

    Returns FOUND, EXHAUSTED, or STOPPED at so many decisions, or if the monotonic clock passes `end` (ns).
    """
    links = view(memory, LinkArrays)
    tried, counts = links.tried, links.counts
    if not resumed and not choose(links):
        return FOUND
    while counts[DEPTH]:
        level = counts[DEPTH] - 1
        x = tried[level]
        if links.option[x] >= 0:
            uncover_others(links, x)
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
        cover_others(links, x)
        if not choose(links):
            return FOUND
    return EXHAUSTED


class Dancing:
    """An exact cover and its rings, which are made anew for each search."""

    def __init__(self, form: Cover) -> None:
        self.form, self.links = form, new_links(form)
        self.memory = words(self.links)


def solutions(model: Dancing, domains: Domains, budget: Budget) -> Iterator[Solution]:
    """Yield all solutions, in the order of links.py."""
    allowed = model.form.allowed(domains)
    if allowed is None:
        return
    limits, links = limits_of(budget.ask), model.links
    end = monotonic_ns() + limits.nanoseconds
    link(model.memory, np.array(allowed, np.int32))
    links.counts[:] = 0
    ending, resumed = FOUND, False
    while ending == FOUND:
        ending, resumed = search(model.memory, resumed, limits.nodes, end), True
        depth, budget.decisions, budget.conflicts, budget.open_branches = links.counts[:STEPS].tolist()
        budget.exhausted = ending == STOPPED
        if ending == FOUND:
            yield model.form.solution(links.option[links.tried[:depth]].tolist())


def open(formula: Formula) -> SearchSession[Dancing]:  # noqa: A001 - every variant's module has this name
    """Return a session on a board or on sums; its code is compiled now or loaded from the cache. Raises Unsupported."""
    session = SearchSession(Dancing(exact_cover(formula)), solutions)
    with announce_compilation("native:dlx"):
        SearchSession(Dancing(Cover(1, 1, 1, ((0,),), ((0, 0),))), solutions).ask(Ask((1,)))
    return session
