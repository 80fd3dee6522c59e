"""Dancing links: Knuth's Algorithm X on exact covers, written to be read.

Every item is a ring of nodes, its header and one for each option that covers it; the items left are a ring too, with
the root 0. To cover an item takes it out of the ring of items, and hides its options from the rings of all other
items. A node that is taken out keeps its neighbours, so undoing in reverse order puts everything back: the links
dance. The search covers the item with the fewest options, and tries each of them. Optional items are in no ring of
items: only options cover them.

    i  an item, its header's number, from 1     x, p, q  a node
    left, right   neighbours in the ring of items       up, down  neighbours in the ring of an item
    item          the header of a node; 0 for a spacer, which stands between two options
    size          number of options of an item          option    the option of a node

D. E. Knuth, The Art of Computer Programming 4B, 7.2.2.1, Algorithm C without colours ("Dancing Links", 2000).
"""

from collections.abc import Iterator

from backends.native.budget import Budget, SearchSession
from backends.native.exact_cover import Cover, exact_cover
from encoders.formula import Formula
from puzzles.problem.values import Domains, Solution


class Links:
    """Rings of a cover with some of its options."""

    def __init__(self, cover: Cover, options: list[int]) -> None:
        headers = cover.items + 1
        ring = list(range(cover.exact + 1))
        alone = list(range(cover.exact + 1, headers))
        self.left, self.right = [*ring[-1:], *ring[:-1], *alone], [*ring[1:], 0, *alone]
        self.up, self.down, self.item = list(range(headers)), list(range(headers)), list(range(headers))
        self.size, self.option = [0] * headers, [-1] * headers
        first = self.append(0, -1)
        for o in options:
            for i in cover.options[o]:
                self.append(i + 1, o)
            last = len(self.item) - 1
            self.down[first] = last  # a spacer knows the ends of the options beside it
            before, first = first, self.append(0, -1)
            self.up[first] = before + 1

    def append(self, i: int, option: int) -> int:
        """Append a node to the ring of item `i`, or a spacer; return its number."""
        x = len(self.item)
        above = self.up[i] if i else x
        for row, value in ((self.up, above), (self.down, i or x), (self.item, i), (self.option, option)):
            row.append(value)
        if i:
            self.down[above] = self.up[i] = x
            self.size[i] += 1
        return x

    def others(self, p: int, step: int = 1) -> Iterator[int]:
        """Yield the other nodes of an option in a ring, from left to right, or with step -1 from right to left."""
        q = p + step
        while q != p:
            if self.item[q]:
                yield q
                q += step
            else:
                q = self.up[q] if step > 0 else self.down[q]

    def cover(self, i: int) -> None:
        """Take an item out, and hide its options."""
        self.left[self.right[i]], self.right[self.left[i]] = self.left[i], self.right[i]
        p = self.down[i]
        while p != i:
            for q in self.others(p):
                self.up[self.down[q]], self.down[self.up[q]] = self.up[q], self.down[q]
                self.size[self.item[q]] -= 1
            p = self.down[p]

    def uncover(self, i: int) -> None:
        """Undo `cover`, in reverse order."""
        p = self.up[i]
        while p != i:
            for q in self.others(p, -1):
                self.up[self.down[q]] = self.down[self.up[q]] = q
                self.size[self.item[q]] += 1
            p = self.up[p]
        self.left[self.right[i]] = self.right[self.left[i]] = i

    def fewest(self) -> int:
        """Return the item with the fewest options, 0 if no item is left."""
        best, i = 0, self.right[0]
        while i:
            if not best or self.size[i] < self.size[best]:
                best = i
            i = self.right[i]
        return best


def open(formula: Formula) -> SearchSession[Cover]:  # noqa: A001 - every variant's module has this name
    """Return a session on a board or on sums. Raises Unsupported."""
    return SearchSession(exact_cover(formula), search)


def search(cover: Cover, domains: Domains, budget: Budget) -> Iterator[Solution]:
    """Yield all solutions, depth first; the only option of an item is no branching."""
    allowed = cover.allowed(domains)
    if allowed is None:
        return
    links = Links(cover, allowed)
    tried: list[int] = []  # the node of the current option, at each level; a header before the first
    while True:
        i = links.fewest()
        if i == 0:
            yield cover.solution([links.option[x] for x in tried])
        else:
            budget.conflicts += links.size[i] == 0
            budget.open_branches += links.size[i] if links.size[i] > 1 else 0
            links.cover(i)
            tried.append(i)
        while tried:
            x = tried[-1]
            if links.option[x] >= 0:
                for q in links.others(x, -1):
                    links.uncover(links.item[q])
            x = tried[-1] = links.down[x]
            i = links.item[x]
            if x == i:
                links.uncover(i)
                tried.pop()
            elif links.size[i] > 1 and not budget.enter_branch():
                return
            else:
                for q in links.others(x):
                    links.cover(links.item[q])
                break
        else:
            return
