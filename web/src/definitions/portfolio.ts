// Virtual best solver, and what each contender adds to it.
import type { Contender } from "../report.ts";
import { DECIDED, secondsAt, type Selection } from "./columns.ts";

/** What a contender adds, in seconds per instance of PAR-k. */
export interface Share {
  index: number;
  /** Instances that it decided fastest; the first of equals. */
  wins: number;
  /** Instances that no other contender decided. */
  alone: Int32Array;
  /** By how much PAR-k of the virtual best is worse without it. */
  marginal: number;
  /** Its Shapley value: the mean of what it adds to the contenders before it, over all their orders. */
  shapley: number;
}

export interface Portfolio {
  /** PAR-k of the virtual best, null without instances. */
  best: number | null;
  shares: Share[];
}

/** Return the portfolio of the contenders; mistimed ones decide nothing. `factor` is the k of PAR-k. */
export function portfolio(s: Selection, factor = 2): Portfolio {
  const n = s.selected.length, k = s.of.length, most = factor * s.journal.limit;
  const contenders = s.of.map((i) => s.journal.contenders[i]);
  const wins = new Uint32Array(k), marginal = new Float64Array(k), shapley = new Float64Array(k);
  const alone: number[][] = contenders.map(() => []);
  const gains = new Float64Array(k), who = new Int32Array(k);
  let best = 0;
  for (let at = 0; at < n; at++) {
    const id = s.selected[at], decided = fastestFirst(contenders, s, id, most, gains, who);
    best += decided ? most - gains[0] : most;
    if (!decided) continue;
    wins[who[0]]++;
    if (decided === 1) alone[who[0]].push(id);
    marginal[who[0]] += gains[0] - (decided > 1 ? gains[1] : 0);
    addShapley(gains, who, decided, shapley);
  }
  const shares = s.of.map((index, j) => ({
    index, wins: wins[j], alone: Int32Array.from(alone[j]), marginal: n ? marginal[j] / n : 0, shapley: n ? shapley[j] / n : 0,
  }));
  return { best: n ? best / n : null, shares };
}

/** Sort the contenders that decided an instance by their gain, `most` less their time; return their number. */
function fastestFirst(
  contenders: Contender[], s: Selection, id: number, most: number, gains: Float64Array, who: Int32Array,
): number {
  let n = 0;
  for (let j = 0; j < contenders.length; j++) {
    const c = contenders[j];
    if (!c.timed || c.state[id] !== DECIDED) continue;
    const gain = most - secondsAt(c, s.clock, id);
    let k = n++;
    for (; k > 0 && gains[k - 1] < gain; k--) {
      gains[k] = gains[k - 1];
      who[k] = who[k - 1];
    }
    gains[k] = gain;
    who[k] = j;
  }
  return n;
}

/** A gain is worth its rise above the next smaller one, shared by all that reach it. */
function addShapley(gains: Float64Array, who: Int32Array, n: number, shapley: Float64Array): void {
  let value = 0;
  for (let k = n - 1; k >= 0; k--) {
    value += (gains[k] - (k + 1 < n ? gains[k + 1] : 0)) / (k + 1);
    shapley[who[k]] += value;
  }
}
