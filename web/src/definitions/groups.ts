// Mean ranks, and groups of contenders that do not differ: harness/reporting/ranking/differences.py.
import { NONE } from "../report.ts";
import { asksSome, secondsOr, timed, type Selection } from "./columns.ts";
import { firstAt } from "./scores.ts";

export interface Groups {
  /** Mean rank over the instances asked of all, by contender. */
  meanRanks: Map<number, number>;
  /** Contenders by mean rank; null for too many to test each pair. */
  groups: number[][] | null;
}

const LEVEL = 0.05, MOST_TESTED = 100, EXACT = 25;

/** Return mean ranks and groups by the times of PAR-2; yields after each instance and each test. */
export function* grouped(s: Selection): Generator<void, Groups> {
  const { journal, selected, clock } = s;
  const of = timed(s).filter((i) => asksSome(journal.contenders[i], selected)), contenders = of.map((i) => journal.contenders[i]);
  const ids = selected.filter((id) => contenders.every((c) => c.state[id] !== NONE));
  if (!of.length || !ids.length) return { meanRanks: new Map(), groups: [] };
  const times = contenders.map((c) => Float64Array.from(ids, (id) => secondsOr(c, clock, id, 2 * journal.limits[clock])));
  const sums = new Float64Array(of.length), row = new Float64Array(of.length), sorted = row.slice();
  for (let i = 0; i < ids.length; i++) {
    for (let j = 0; j < row.length; j++) row[j] = times[j][i];
    addRanks(row, sorted, sums);
    yield;
  }
  const meanRanks = new Map(of.map((index, j) => [index, sums[j] / ids.length]));
  if (of.length > MOST_TESTED) return { meanRanks, groups: null };
  const order = of.map((_, j) => j).sort((a, b) => sums[a] - sums[b]), tests: Test[] = [];
  for (let a = 0; a < of.length; a++) {
    for (let b = a + 1; b < of.length; b++) {
      tests.push({ a, b, p: signedRankTest(times[a].map((time, i) => time - times[b][i])) });
      yield;
    }
  }
  return { meanRanks, groups: runs(order, differing(tests)).map((run) => run.map((j) => of[j])) };
}

interface Test {
  a: number;
  b: number;
  p: number;
}

/** Add the rank of each value, from 1, to the sums; equal ones share the mean of theirs. `sorted` is room to sort in. */
function addRanks(values: Float64Array, sorted: Float64Array, sums: Float64Array): void {
  sorted.set(values);
  sorted.sort();
  for (let j = 0; j < values.length; j++) {
    const first = firstAt(sorted, values[j]);
    let end = first + 1;
    while (sorted[end] === values[j]) end++;
    sums[j] += (first + 1 + end) / 2;
  }
}

/** Return the p-value that differences are symmetric about 0, as Python's signed_rank_test. */
export function signedRankTest(differences: Float64Array): number {
  const sizes = differences.map(Math.abs).sort(), above = differences.filter((d) => d > 0).sort();
  const doubled: number[] = []; // twice the rank, so that it is whole, of each difference that is not 0
  let positive = 0, counted = 0;
  for (let start = 0, end = 0; start < sizes.length; start = end) {
    while (sizes[end] === sizes[start]) end++;
    if (!sizes[start]) continue;
    const rank = start + 1 + end;
    for (let k = start; k < end; k++) doubled.push(rank);
    for (; above[counted] === sizes[start]; counted++) positive += rank;
  }
  if (!doubled.length) return 1;
  const total = doubled.reduce((a, b) => a + b, 0);
  if (doubled.length > EXACT) return erfc(Math.abs(positive - total / 2) / Math.sqrt(doubled.reduce((a, b) => a + b * b, 0) / 2));
  const ways = new Float64Array(total + 1);
  ways[0] = 1;
  for (const rank of doubled) for (let sum = total; sum >= rank; sum--) ways[sum] += ways[sum - rank];
  const sum = (some: Float64Array): number => some.reduce((a, b) => a + b, 0);
  return Math.min(1, (2 * Math.min(sum(ways.subarray(0, positive + 1)), sum(ways.subarray(positive)))) / sum(ways));
}

/** Return the complementary error function of x >= 0: a series, and for large x a continued fraction. */
export function erfc(x: number): number {
  if (x < 2.5) {
    let term = x, sum = x;
    for (let k = 1; term > 1e-17 * sum; k++) sum += term *= (2 * x * x) / (2 * k + 1);
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let fraction = x;
  for (let k = 80; k; k--) fraction = x + k / 2 / fraction;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
}

/** Return whether two contenders differ, of all tests together (Holm's method). */
function differing(tests: Test[]): (a: number, b: number) => boolean {
  const found = new Set<string>(), sorted = [...tests].sort((a, b) => a.p - b.p);
  for (let k = 0; k < sorted.length && sorted[k].p * (sorted.length - k) < LEVEL; k++) found.add(`${sorted[k].a} ${sorted[k].b}`);
  return (a, b) => found.has(`${Math.min(a, b)} ${Math.max(a, b)}`);
}

/** Return the longest runs in an order in which no pair differs. */
export function runs(order: number[], differ: (a: number, b: number) => boolean): number[][] {
  const found: number[][] = [];
  let stop = 0;
  for (let start = 0; start < order.length; start++) {
    let end = Math.max(stop, start + 1);
    while (end < order.length && order.slice(start, end).every((one) => !differ(one, order[end]))) end++;
    if (end > stop) {
      found.push(order.slice(start, end));
      stop = end;
    }
  }
  return found;
}
