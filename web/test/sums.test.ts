import assert from "node:assert/strict";
import { test } from "node:test";
import { ranked } from "../src/definitions/ranking.ts";
import { columns, valueAt } from "../src/panels/ranking_columns.ts";
import { selectionOf } from "../src/plots/chosen.ts";
import { sampleJournal, viewOf } from "./sample.ts";
import { entries, filteredEntry } from "../src/sums.ts";

const journal = sampleJournal(700, 8, 11);
const KEYS = ["seconds.total", "seconds.median", "seconds.mean", "seconds.p95", "seconds.max", "puzzles_per_second", "par2", "par10"];

test("sums over all instances equal the summary", () => {
  const { selected } = viewOf(journal, {});
  journal.summary.contenders.forEach((entry: any, k: number) => {
    const found = filteredEntry(journal, k, selected);
    for (const key of [...KEYS, ...KEYS.map((one) => `cpu.${one}`)]) {
      const [a, b] = [valueAt(found, key), valueAt(entry, key)];
      assert.ok(a === b || Math.abs(a - b) <= 1e-12 * Math.abs(b), `${entry.name} ${key}: ${a}, not ${b}`);
    }
    for (const c of columns(viewOf(journal, {}), journal.summary.contenders).filter((one) => one.condition)) assert.equal(valueAt(found, c.field), entry[c.field], c.field);
  });
});

test("sums of two halves add up", () => {
  const parts = ["corpus0", "corpus1"].map((name) => filteredEntry(journal, 1, viewOf(journal, { corpus: [name] }).selected));
  for (const key of ["solved", "satisfiable", "unsatisfiable", "timeout", "wrong", "uncertified"]) {
    assert.equal(parts[0][key] + parts[1][key], journal.summary.contenders[1][key], key);
  }
});

test("without filters the page shows the summary's own entries", () => {
  for (const [k, entry] of entries(viewOf(journal, {}))) assert.equal(entry, journal.summary.contenders[k]);
});

test("times that can't be trusted have no sums", () => {
  const k = journal.contenders.findIndex((c) => !c.timed.wall);
  const { seconds, par2, cpu } = filteredEntry(journal, k, viewOf(journal, { corpus: ["corpus0"] }).selected);
  assert.deepEqual([seconds.median, par2, cpu.par10], [null, null, null]);
});

test("shares of a batch have a mean and no median", () => {
  const amortised = sampleJournal(50, 2, 2);
  amortised.summary.contenders[0].amortised = true;
  const { seconds } = filteredEntry(amortised, 0, Int32Array.of(7, 8, 9, 10, 11));
  assert.equal(seconds.median, null);
  assert.ok(seconds.mean > 0);
});

test("a selection without a decided instance has no times, and twice the limit as PAR-2", () => {
  const view = viewOf(journal, { where: ["cpsat=timeout"] });
  const found = filteredEntry(journal, 1, view.selected);
  assert.deepEqual([found.solved, found.timeout, found.seconds.mean, found.puzzles_per_second], [0, view.selected.length, null, null]);
  assert.equal(found.par2, 2 * journal.limits.wall);
  assert.equal(filteredEntry(journal, 1, new Int32Array(0)).par2, null);
});

test("contenders with wrong answers rank last, those without times after the others", () => {
  for (const rank of ["par2", "par10", "solved"] as const) {
    const view = viewOf(journal, { rank });
    const byIndex = entries(view);
    const found = ranked(selectionOf(view), rank).map(({ index }) => byIndex.get(index));
    const wrong = found.map((entry) => Number(entry.wrong > 0));
    assert.deepEqual(wrong, [...wrong].sort());
    const right = found.filter((entry) => !entry.wrong);
    const key = (entry: any) => (rank === "solved" ? -entry.solved : (entry[rank] ?? Infinity));
    right.reduce((a, b) => (assert.ok(key(a) <= key(b)), b));
  }
});
