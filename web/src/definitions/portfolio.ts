// Virtual best solver, and what each contender adds to it.
import { DECIDED, type Contender } from "../report.ts";
import { timed, timesOf, type Selection } from "./columns.ts";
import { leastTimes } from "./curves.ts";
import { ranked } from "./ranking.ts";
import type { Rank } from "./scores.ts";

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
    for (let i = 0; i < n; i++) {
      if (!(column[i] < least[i])) continue;
      least[i] = column[i];
      first[i] = index;
    }
  });
  const wins = new Map(s.of.map((index) => [index, 0]));
  for (const index of first) if (index >= 0) wins.set(index, wins.get(index)! + 1);
  return wins;
}

/** Return the portfolio of the contenders; mistimed ones decide nothing. Marginal and Shapley values are scores of the ranking. */
export function portfolio(s: Selection): Portfolio {
  const { selected, clock, journal } = s, n = selected.length, of = timed(s), some = of.map((i) => journal.contenders[i]);
  const deciding = selected.map((id) => some.reduce((sum, c) => sum + Number(c.state[id] === DECIDED), 0));
  const aloneOf = ({ state }: Contender): Int32Array => selected.filter((id, k) => deciding[k] === 1 && state[id] === DECIDED);
  const alone = new Map(some.map((c, k) => [of[k], aloneOf(c)])), wins = fastest(s);
  const worth = (rank: Rank): Map<number, number> => new Map(ranked(s, rank).map((r) => [r.index, r.value ?? 0]));
  const marginal = worth("vbs"), shapley = worth("shapley");
  const shares = s.of.map((index): Share => ({
    index, wins: wins.get(index)!, alone: alone.get(index) ?? new Int32Array(), marginal: marginal.get(index)!, shapley: shapley.get(index)!,
  }));
  const undecided = 2 * journal.limits[clock], times = leastTimes(some, clock, selected);
  return { best: n ? times.reduce((sum, time) => sum + (Number.isNaN(time) ? undecided : time), 0) / n : null, shares };
}
