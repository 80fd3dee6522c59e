// Virtual best solver, and what each contender adds to it.
import { timesOf, type Selection } from "./columns.ts";
import { marginal, shapley } from "./scores.ts";

/** What a contender adds, in seconds per instance of PAR-2. */
export interface Share {
  index: number;
  /** Instances that it decided fastest; the first of equals. */
  wins: number;
  /** Instances that no other contender decided. */
  alone: Int32Array;
  /** By how much PAR-2 of the virtual best is worse without it. */
  marginal: number;
  /** Its Shapley value: the mean of what it adds to the contenders before it, over all their orders. */
  shapley: number;
}

export interface Portfolio {
  /** PAR-2 of the virtual best, null without instances. */
  best: number | null;
  shares: Share[];
}

/** Return by contender the instances that it decided fastest, the first of equals. */
export function fastest(s: Selection): Map<number, number> {
  const n = s.selected.length, first = new Int32Array(n).fill(-1), least = new Float64Array(n).fill(Infinity), column = new Float64Array(n);
  s.of.forEach((index) => {
    timesOf(s.journal.contenders[index], s.clock, s.selected, NaN, column);
    for (let i = 0; i < n; i++) if (column[i] < least[i]) [least[i], first[i]] = [column[i], index];
  });
  const wins = new Map(s.of.map((index) => [index, 0]));
  for (const index of first) if (index >= 0) wins.set(index, wins.get(index)! + 1);
  return wins;
}

/** Return the portfolio of the contenders; mistimed ones decide nothing. */
export function portfolio(s: Selection): Portfolio {
  const n = s.selected.length, k = s.of.length, limit = s.journal.limits[s.clock];
  const columns = s.of.map((i) => {
    const column = new Float64Array(n);
    timesOf(s.journal.contenders[i], s.clock, s.selected, NaN, column);
    return column;
  });
  const wins = fastest(s), gained = new Float64Array(k), shares = new Float64Array(k);
  const alone: number[][] = columns.map(() => []);
  const times = new Float64Array(k), points = new Float64Array(k), of = { times, limit };
  let best = 0;
  for (let i = 0; i < n; i++) {
    let first = -1, decided = 0;
    for (let j = 0; j < k; j++) {
      times[j] = columns[j][i];
      if (Number.isNaN(times[j])) continue;
      decided++;
      if (first < 0 || times[j] < times[first]) first = j;
    }
    best += decided ? times[first] : 2 * limit;
    if (!decided) continue;
    if (decided === 1) alone[first].push(s.selected[i]);
    marginal(of, points);
    for (let j = 0; j < k; j++) gained[j] += points[j];
    shapley(of, points);
    for (let j = 0; j < k; j++) shares[j] += points[j];
  }
  const all = s.of.map((index, j) => ({
    index, wins: wins.get(index)!, alone: Int32Array.from(alone[j]), marginal: n ? gained[j] / n : 0, shapley: n ? shares[j] / n : 0,
  }));
  return { best: n ? best / n : null, shares: all };
}
