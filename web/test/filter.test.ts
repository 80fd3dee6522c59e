import assert from "node:assert/strict";
import { test } from "node:test";
import { EVIDENCE, select, shown, splitWhere } from "../src/filter.ts";
import { DECIDED, STATES } from "../src/report.ts";
import { HOSTILE, sampleJournal } from "./sample.ts";
import { DEFAULTS, type ViewState } from "../src/view.ts";

const journal = sampleJournal(500, 7, 3);
const ids = (change: Partial<ViewState>): number[] => [...select(journal, { ...DEFAULTS, ...change })];
const every = (keep: (i: number) => boolean): number[] => journal.names.map((_, i) => i).filter(keep);
const cadical = journal.contenders[2];

test("without filters all instances pass", () => {
  assert.deepEqual(ids({}), every(() => true));
});

test("each state, decision and kind of evidence selects the instances that the summary counts", () => {
  journal.contenders.forEach((c, k) => {
    const entry = journal.summary.contenders[k];
    for (const key of ["solved", "satisfiable", "unsatisfiable", ...STATES.slice(2), ...Object.keys(EVIDENCE)]) {
      assert.equal(ids({ where: [`${c.name}=${key}`] }).length, entry[key], `${c.name} ${key}`);
    }
  });
});

test("all conditions must hold, of corpora and families one", () => {
  const both = ids({ where: [`${cadical.name}=timeout`, "cpsat=decided"] });
  assert.deepEqual(both, every((i) => cadical.state[i] === STATES.indexOf("timeout") && journal.contenders[1].state[i] === DECIDED));
  assert.ok(both.length);
  assert.deepEqual(ids({ corpus: ["corpus1"], family: ["cnf", "latin 30"] }), every((i) => journal.corpus[i] === 1 && journal.family[i] > 0));
});

test("any contender means one that is shown", () => {
  const names = journal.contenders.map((c) => c.name);
  const hidden = names.filter((name) => name !== "cpsat");
  assert.deepEqual(ids({ where: ["*=timeout"], hidden }), ids({ where: ["cpsat=timeout"] }));
  assert.deepEqual(shown(journal, { ...DEFAULTS, hidden }), [1]);
  assert.ok(ids({ where: ["*=timeout"] }).length > ids({ where: ["cpsat=timeout"] }).length);
});

test("a verdict is a filter", () => {
  const uncertified = ids({ where: [`${cadical.name}=verdict:uncertified`] });
  assert.deepEqual(uncertified, every((i) => cadical.verdict[i] === 4));
});

test("a range of times includes its ends and decided instances alone", () => {
  const times = every((i) => cadical.state[i] === DECIDED).map((i) => cadical.wall[i] / 1e9).sort((a, b) => a - b);
  const [from, to] = [times[10], times[50]];
  const found = ids({ timed: cadical.name, from, to });
  assert.equal(found.length, 41);
  assert.deepEqual(found, every((i) => cadical.state[i] === DECIDED && cadical.wall[i] / 1e9 >= from && cadical.wall[i] / 1e9 <= to));
  assert.deepEqual(ids({ timed: cadical.name, to, clock: "cpu" }), every((i) => cadical.state[i] === DECIDED && cadical.cpu[i] / 1e9 <= to));
});

test("times that can't be trusted pass no range", () => {
  const untimed = journal.contenders[6];
  assert.equal(untimed.timed.wall, false);
  assert.deepEqual(ids({ timed: untimed.name, from: 0 }), []);
});

test("each word of a search is in the name, in any case", () => {
  assert.deepEqual(ids({ search: "CORPUS1 4" }), every((i) => journal.names[i].includes("corpus1") && journal.names[i].includes("4")));
  HOSTILE.forEach((name, i) => assert.ok(ids({ search: name }).includes(i), name));
});

test("the condition stands after the last equals sign", () => {
  assert.deepEqual(splitWhere("pysat:cadical195[x=1]=timeout"), ["pysat:cadical195[x=1]", "timeout"]);
  assert.deepEqual(splitWhere("timeout"), ["", "timeout"]);
});

test("a contender or condition that does not exist selects nothing", () => {
  assert.deepEqual(ids({ where: ["nobody=timeout"] }), []);
  assert.deepEqual(ids({ where: ["native=toString"] }), []);
});
