// Rankings: tests/browser/test_numbers.py holds their numbers against Python's; here are what single parts state.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as d from "../src/definitions/index.ts";
import { STATES, type Journal } from "../src/report.ts";
import { last, mulberry } from "./sample.ts";

const U = NaN, LIMIT = 10;
/** Of the workers of contenders, by repeat. */
const EFFECTS = [[0.01, -0.01, 0], [0, 0.01, -0.01], [-0.01, 0, 0.01]];

/** Return a selection of contenders by their seconds; NaN is a timeout. */
function selection(times: number[][], change: (journal: Journal) => void = () => {}): d.Selection {
  const contenders = times.map((row, k) => ({
    name: `c${k}`, timed: { wall: true, cpu: true }, effects: { wall: EFFECTS[k % EFFECTS.length], cpu: [] },
    state: Uint8Array.from(row, (t) => STATES.indexOf(Number.isNaN(t) ? "timeout" : "decided")),
    wall: Float64Array.from(row, (t) => t * 1e9),
    steady: { wall: { times: Float64Array.from(row, (t) => t * 1e9), noise: 0, deviation: 0.006 } },
  }));
  const block = Int32Array.from(times[0], (_, i) => i);
  const journal = { limits: { wall: LIMIT }, size: 0, contenders, block, resampled: null, summary: null, scores: {} } as unknown as Journal;
  change(journal);
  return { journal, selected: Int32Array.from(times[0], (_, i) => i), of: times.map((_, k) => k), clock: "wall" };
}

const near = (got: number, want: number, path = "", part = 1e-12): void => assert.ok(Math.abs(got - want) <= part * Math.max(1, Math.abs(want)), `${path} ${got} is not ${want}`);
const scoresOf = (s: d.Selection, rank: d.Rank): number[] => [...d.ranked(s, rank)].sort((a, b) => a.index - b.index).map((r) => r.value!);
const TIMES = [[1, 3, U, U, 0], [3, 3, 4, U, 0], [9, U, 9, U, 2]];

test("scores counted by hand, as in tests/reporting/test_ranking.py", () => {
  const want: Record<d.Rank, number[]> = {
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
  const { ends } = last(d.standing(s, "solved"));
  assert.deepEqual([0, 1, 3].map((k) => [ends.get(k)!.rankLow, ends.get(k)!.rankHigh]), [[1, 3], [1, 3], [4, 4]]);
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

test("an interval of more than 10,000 instances is Python's", () => {
  const s = selection([Array.from({ length: 20_000 }, (_, k) => ((k * 7919) % 20_011) / 1000)]);
  s.journal.contenders[0].effects.wall = [];
  s.journal.limits.wall = 10;
  const { low, high } = last(d.standing(s, "par2")).ends.get(0)!;
  assert.ok(Math.abs(low - 9.938533393501755) < 1e-9 && Math.abs(high - 10.074922622981424) < 1e-9, `${low}, ${high}`);
});

test("contenders that are alike share ranks and a group", () => {
  for (const n of [20, 40]) {
    const s = three(n), { groups, ends, workers } = last(d.standing(s, "borda")), ranks = last(d.meanRanks(s));
    assert.deepEqual(groups!.map((group) => [...group].sort()), [[0, 2], [1]]);
    assert.equal(ranks.get(1), 3);
    assert.equal(workers, "measured");
    assert.deepEqual([0, 1, 2].map((k) => [ends.get(k)!.rankLow, ends.get(k)!.rankHigh]), [[1, 2], [3, 3], [1, 2]]);
  }
});

test("a difference that workers explain is none, with one repeat one of 20 % neither", () => {
  const apart = (effects: (number | null)[][], factor: number, deviation: number): number => {
    const s = three(40);
    s.journal.contenders[1].wall = s.journal.contenders[0].wall.map((time) => time * factor);
    effects.forEach((one, k) => {
      const c = s.journal.contenders[k];
      c.effects.wall = one;
      c.steady = one.length ? { wall: { times: c.wall, noise: 0, deviation } } : {};
    });
    return last(d.standing({ ...s, of: [0, 1] }, "par2")).groups!.length;
  };
  assert.equal(apart([[0.005, -0.005, 0], [0, 0.005, -0.005]], 1.2, 0.006), 2);
  assert.equal(apart([[0.2, -0.2, 0], [0, 0.2, -0.2]], 1.2, 0.15), 1);
  assert.equal(apart([[0], [0]], 1.2, 0.07), 1);
  assert.equal(apart([[0], [0]], 2, 0.07), 2);
  assert.equal(apart([[], []], 1.02, 0), 2, "imported: each outcome has a worker of its own");
});

test("no letter contradicts the order", () => {
  const random = mulberry(5), times = Array.from({ length: 8 }, (_, k) => Array.from({ length: 30 }, () => (random() < 0.1 ? U : (1 + k / 8) * random() ** (k % 3))));
  for (const rank of Object.keys(d.SCORES) as d.Rank[]) {
    const s = selection(times), order = d.ranked(s, rank).map((r) => r.index), { groups } = last(d.standing(s, rank));
    const letters = order.map((index) => groups!.flatMap((group, k) => (group.includes(index) ? [k] : [])));
    for (let k = 1; k < letters.length; k++) {
      assert.ok(letters[k][0] >= letters[k - 1][0] && letters[k].at(-1)! >= letters[k - 1].at(-1)!, `${rank}: ${JSON.stringify(letters)}`);
    }
  }
});

test("equal times share the mean of their ranks, and only instances asked of all count", () => {
  const s = selection([[1, U, 5], [1, U, 5], [2, 3, 5]], ({ contenders }) => { contenders[0].state[2] = 0; });
  assert.deepEqual([...last(d.meanRanks(s)).values()], [(1.5 + 2.5) / 2, (1.5 + 2.5) / 2, (3 + 1) / 2]);
});

test("Student's t, and its distances", () => {
  const known = [[1, 12.706205], [2, 4.302653], [3, 3.182446], [4, 2.776445], [5, 2.570582], [30, 2.042272], [200, 1.971896], [Infinity, 1.971896]];
  for (const [freedom, distance] of known) {
    assert.ok(Math.abs(d.studentP(distance, freedom) - 0.05) < 1e-6, `${freedom}`);
    assert.ok(Math.abs(d.distanceAt(0.05, freedom) - distance) < 1e-5, `${freedom}`);
  }
});

test("groups are the longest runs without a difference", () => {
  assert.deepEqual(d.runs([0, 1, 2, 3], (a, b) => Math.abs(a - b) > 1), [[0, 1], [1, 2], [2, 3]]);
  assert.deepEqual(d.runs([2, 0, 1], () => true), [[2], [0], [1]]);
});

test("above 100 contenders no pair is tested", () => {
  const s = selection(Array.from({ length: 101 }, (_, k) => [k / 100, k / 50])), { ends, groups } = last(d.standing(s, "par2"));
  assert.equal(groups, null);
  assert.equal(ends.get(3)!.rankLow, null);
  assert.ok(ends.get(3)!.low < 0.045);
});

test("no instances, no ranks", () => {
  const s = { ...selection(TIMES), selected: new Int32Array() };
  for (const rank of Object.keys(d.SCORES) as d.Rank[]) {
    assert.deepEqual(d.ranked(s, rank).map((r) => r.rank), [null, null, null]);
    assert.equal(last(d.standing(s, rank)).ends.size, 0);
  }
  assert.equal(last(d.meanRanks(s)).size, 0);
});

test("the interval of a mean over families is that of Python", () => {
  const values = Array.from({ length: 16 }, (_, i) => (1 + ((i * 7) % 16)) ** 2 / 8), families = values.map((_, i) => i >> 1);
  const want = [7.509697299534176, 18.954337737152837]; // as in tests/reporting/test_families.py
  d.meanInterval(values, families).forEach((end, k) => near(end, want[k], "", 1e-9));
  assert.deepEqual(d.meanInterval([1, 2], [3, 3]), [0, Infinity]);
});
