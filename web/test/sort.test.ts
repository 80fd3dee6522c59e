import assert from "node:assert/strict";
import { test } from "node:test";
import { select } from "../src/filter.ts";
import { nextSort } from "../src/panels/table.ts";
import { sampleJournal, viewOf } from "./sample.ts";
import { order, textRanks } from "../src/sort.ts";
import { DEFAULTS, type ViewState } from "../src/view.ts";

const journal = sampleJournal(400, 4, 5);
const rows = (change: Partial<ViewState>): number[] => [...order(viewOf(journal, change))];

test("numbers in names count as numbers", () => {
  const names = ["b", "a10", "A9", "a09", "a"];
  assert.deepEqual([...textRanks(names)], [4, 3, 1, 1, 0]);
});

test("equal rows keep the order of the journal, ascending and descending", () => {
  for (const sort of ["corpus", "-corpus", "family", "-family", "decided", "-decided"]) {
    const found = rows({ sort });
    assert.deepEqual([...found].sort((a, b) => a - b), [...select(journal, DEFAULTS)]);
    const key = (i: number) => (sort.includes("corpus") ? journal.corpus[i] : sort.includes("family") ? journal.families[journal.family[i]] : journal.contenders.filter((c) => c.state[i] === 1).length);
    for (let k = 1; k < found.length; k++) {
      const [a, b] = [key(found[k - 1]), key(found[k])];
      assert.ok(sort[0] === "-" ? a >= b : a <= b, sort);
      if (a === b) assert.ok(found[k - 1] < found[k], sort);
    }
  }
});

test("times ascend, and after them come the undecided by state", () => {
  const c = journal.contenders[1];
  for (const clock of ["wall", "cpu"] as const) {
    const found = rows({ sort: `time:${c.name}`, clock });
    const decided = found.filter((i) => c.state[i] === 1);
    assert.deepEqual(found.slice(0, decided.length), decided);
    decided.reduce((a, b) => (assert.ok(c[clock][a] <= c[clock][b]), b));
    found.slice(decided.length).reduce((a, b) => (assert.ok(c.state[a] <= c.state[b]), b));
  }
});

test("instances that were not run are last in both directions", () => {
  const c = journal.contenders[0];
  const before = c.state[5];
  c.state[5] = 0;
  try {
    for (const sort of ["time:native", "-time:native"]) assert.equal(rows({ sort, search: "" }).at(-1), 5);
  } finally {
    c.state[5] = before;
  }
});

test("only selected instances are sorted, and a column that does not exist keeps their order", () => {
  const where = ["cpsat=timeout"];
  assert.deepEqual(rows({ where, sort: "-name" }).sort((a, b) => a - b), rows({ where }));
  assert.deepEqual(rows({ where, sort: "time:nobody" }), rows({ where }));
});

test("the number of contenders that decided is of those that are shown", () => {
  const all = rows({ sort: "decided" });
  const { state } = journal.contenders[0];
  const found = rows({ sort: "decided", hidden: journal.contenders.slice(1).map((c) => c.name) });
  assert.notDeepEqual(found, all);
  found.reduce((a, b) => (assert.ok(Number(state[a] === 1) <= Number(state[b] === 1)), b));
});

test("a heading sorts up, down, and not at all", () => {
  assert.equal(nextSort("", "name"), "name");
  assert.equal(nextSort("name", "name"), "-name");
  assert.equal(nextSort("-name", "name"), "");
  assert.equal(nextSort("-name", "corpus"), "corpus");
});
