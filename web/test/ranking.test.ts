// Rankings: tests/browser/test_numbers.py holds their numbers against Python's; here are what single parts state.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as d from "../src/definitions/index.ts";
import { STATES, type Journal } from "../src/report.ts";
import { mulberry } from "./sample.ts";

const U = NaN, LIMIT = 10;

/** Return a selection of contenders by their seconds; NaN is a timeout. */
function selection(times: number[][], change: (journal: Journal) => void = () => {}): d.Selection {
  const contenders = times.map((row, k) => ({
    name: `c${k}`, timed: { wall: true, cpu: true },
    state: Uint8Array.from(row, (t) => STATES.indexOf(Number.isNaN(t) ? "timeout" : "decided")),
    wall: Float64Array.from(row, (t) => t * 1e9),
  }));
  const journal = { limits: { wall: LIMIT }, names: [], contenders, summary: null } as unknown as Journal;
  change(journal);
  return { journal, selected: Int32Array.from(times[0], (_, i) => i), of: times.map((_, k) => k), clock: "wall" };
}

/** Return what a generator returns. */
function last<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const near = (got: number, want: number, path = ""): void => assert.ok(Math.abs(got - want) <= 1e-12 * Math.max(1, Math.abs(want)), `${path} ${got} is not ${want}`);
const scoresOf = (s: d.Selection, rank: d.Rank): number[] => [...d.ranked(s, rank)].sort((a, b) => a.index - b.index).map((r) => r.value!);
const TIMES = [[1, 3, U, U, 0], [3, 3, 4, U, 0], [9, U, 9, U, 2]];

test("scores counted by hand, as in tests/reporting/test_ranking.py", () => {
  const want: Partial<Record<d.Rank, number[]>> = {
    par2: [44 / 5, 30 / 5, 60 / 5],
    par10: [204 / 5, 110 / 5, 220 / 5],
    solved: [3, 4, 3],
    borda: [3 / 4 + 9 / 10 + 3 / 2 + 3 / 2, 1 / 4 + 9 / 12 + 3 / 2 + 1 + 9 / 13 + 3 / 2, 1 / 10 + 3 / 12 + 1 + 4 / 13],
    vbs: [2 / 5, 5 / 5, 0],
    "shapley-solved": [1 / 3 + 1 / 2 + 1 / 3, 1 / 3 + 1 / 2 + 1 / 2 + 1 / 3, 1 / 3 + 1 / 2 + 1 / 3],
  };
  for (const [rank, values] of Object.entries(want)) scoresOf(selection(TIMES), rank as d.Rank).forEach((value, k) => near(value, values[k], `${rank} of ${k}:`));
});

test("Shapley values add up to what the virtual best saves", () => {
  const sum = scoresOf(selection(TIMES), "shapley").reduce((a, b) => a + b, 0);
  near(sum, 2 * LIMIT - d.portfolio(selection(TIMES)).best!);
});

test("a mean is over the instances asked, and who was asked nothing or has no times has no rank", () => {
  const s = selection([[1, 3], [2, 2], [1, 1], [9, 9]], ({ contenders }) => {
    contenders[0].state[1] = 0;
    contenders[2].state.fill(0);
    contenders[3].timed.wall = false;
  });
  const byIndex = (rank: d.Rank): (number | null)[] => [...d.ranked(s, rank)].sort((a, b) => a.index - b.index).map((r) => r.rank);
  assert.deepEqual(byIndex("par2"), [1, 2, null, null]);
  assert.deepEqual(byIndex("solved"), [3, 1, null, 2], "a time that can't be trusted counts as the limit");
  near(d.ranked(s, "par2")[0].value!, 1);
});

test("equal numbers are told apart by time, equal times share a rank, and wrong answers are last", () => {
  const s = selection([[2, 2], [1, 2], [2, 2], [1, 1]], ({ contenders }) => { contenders[3].state[0] = STATES.indexOf("wrong"); });
  assert.deepEqual(d.ranked(s, "solved").map((r) => [r.index, r.rank]), [[1, 1], [0, 2], [2, 2], [3, 4]]);
  const ends = last(d.resampled(s, "solved"));
  assert.deepEqual([0, 1, 3].map((k) => [ends.get(k)!.rankLow, ends.get(k)!.rankHigh]), [[1, 2], [1, 1], [4, 4]]);
});

test("sums that differ by rounding alone share a rank", () => {
  const s = selection([[1, U], [U, 1], [1, 1]]);
  const table = d.scoreTable(s, "par2"), keys = Float64Array.of(0.1 + 0.2, 0.3, 0.4);
  assert.deepEqual([...d.ranksOf(table, keys, d.unitOf(keys))], [1, 1, 3]);
});

/** Return random times of three contenders: one that is three times slower, between two that are alike. */
function three(n: number): d.Selection {
  const random = mulberry(3), hard = Array.from({ length: n }, () => Math.exp(2 * random()) / 10);
  return selection([hard, hard.map((time) => 3 * time), hard.map((time, i) => time * (i % 2 ? 1.1 : 1 / 1.1))]);
}

test("the interval of PAR-2 is that of its mean", () => {
  const s = three(40), [low, high] = d.interval(d.penalised(s.journal.contenders[1], "wall", s.selected, LIMIT, 2))!;
  const ends = last(d.resampled(s, "par2")).get(1)!;
  near(ends.low, low);
  near(ends.high, high);
});

test("contenders that are alike share ranks and a group", () => {
  for (const n of [20, 40]) {
    const s = three(n), { groups, meanRanks } = last(d.grouped(s)), ends = last(d.resampled(s, "borda"));
    assert.deepEqual(groups!.map((group) => [...group].sort()), [[0, 2], [1]]);
    assert.equal(meanRanks.get(1), 3);
    assert.deepEqual([0, 1, 2].map((k) => [ends.get(k)!.rankLow, ends.get(k)!.rankHigh]), [[1, 2], [3, 3], [1, 2]]);
  }
});

test("equal times share the mean of their ranks, and only instances asked of all count", () => {
  const s = selection([[1, U, 5], [1, U, 5], [2, 3, 5]], ({ contenders }) => { contenders[0].state[2] = 0; });
  assert.deepEqual([...last(d.grouped(s)).meanRanks.values()], [(1.5 + 2.5) / 2, (1.5 + 2.5) / 2, (3 + 1) / 2]);
});

test("the signed-rank test is that of all signs", () => {
  for (const values of [[1, -2, 3, 4, 5], [2, 2, -2, 1, 0, 0, 7], [0, 3], Array(8).fill(1)]) {
    const sizes = values.map((v) => (v ? 1 + values.filter((x) => Math.abs(x) < Math.abs(v)).length + (values.filter((x) => Math.abs(x) === Math.abs(v)).length - 1) / 2 : 0));
    const every = Array.from({ length: 2 ** sizes.length }, (_, bits) => sizes.reduce((sum, size, k) => sum + (bits & (1 << k) ? size : 0), 0));
    const seen = sizes.reduce((sum, size, k) => sum + (values[k] > 0 ? size : 0), 0);
    const tail = Math.min(every.filter((w) => w <= seen).length, every.filter((w) => w >= seen).length);
    near(d.signedRankTest(Float64Array.from(values)), Math.min(1, (2 * tail) / every.length));
  }
  assert.equal(d.signedRankTest(new Float64Array(9)), 1);
});

test("many differences are tested by the normal distribution", () => {
  const differences = Float64Array.from({ length: 30 }, (_, k) => (k % 3 ? k + 1 : -k - 1));
  const positive = differences.reduce((sum, d) => sum + Math.max(d, 0), 0), variance = differences.reduce((sum, d) => sum + d * d, 0) / 4;
  near(d.signedRankTest(differences), d.erfc(Math.abs(positive - 465 / 2) / Math.sqrt(2 * variance)));
  const known = [[0, 1], [1, 0.15729920705028513], [2.5, 4.069520174449589e-4], [3, 2.209049699858544e-5], [5, 1.5374597944280349e-12]];
  for (const [x, value] of known) assert.ok(Math.abs(d.erfc(x) - value) < 1e-9 * value, `erfc(${x})`);
});

test("groups are the longest runs without a difference", () => {
  assert.deepEqual(d.runs([0, 1, 2, 3], (a, b) => Math.abs(a - b) > 1), [[0, 1], [1, 2], [2, 3]]);
  assert.deepEqual(d.runs([2, 0, 1], () => true), [[2], [0], [1]]);
});

test("above 100 contenders no pair is tested", () => {
  const found = last(d.grouped(selection(Array.from({ length: 101 }, (_, k) => [k / 100, k / 50]))));
  assert.equal(found.groups, null);
  assert.equal(found.meanRanks.size, 101);
});

test("no instances, no ranks", () => {
  const s = { ...selection(TIMES), selected: new Int32Array() };
  for (const rank of Object.keys(d.SCORES) as d.Rank[]) {
    assert.deepEqual(d.ranked(s, rank).map((r) => r.rank), [null, null, null]);
    assert.equal(last(d.resampled(s, rank)).size, 0);
  }
  assert.deepEqual(last(d.grouped(s)).groups, []);
});
