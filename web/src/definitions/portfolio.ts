// Virtual best solver, and what each contender adds to it.
import { DECIDED, type Contender } from "../report.ts";
import { secondsAt, type Selection } from "./columns.ts";

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

/** Return the portfolio of the contenders; mistimed ones decide nothing. */
export function portfolio(s: Selection): Portfolio {
  const n = s.selected.length, k = s.of.length, most = 2 * s.journal.limit;
  const contenders = s.of.map((i) => s.journal.contenders[i]);
  const wins = new Uint32Array(k), marginal = new Float64Array(k), shapley = new Float64Array(k);
  const alone: number[][] = contenders.map(() => []);
  const own = new Float64Array(k), buffer = new Float64Array(k), worth = new Float64Array(k);
  let best = 0;
  for (const id of s.selected) {
    const decided = timesOf(contenders, s, id, own, buffer), sorted = buffer.subarray(0, decided).sort();
    best += decided ? sorted[0] : most;
    if (!decided) continue;
    const first = own.indexOf(sorted[0]);
    wins[first]++;
    if (decided === 1) alone[first].push(id);
    marginal[first] += (decided > 1 ? sorted[1] : most) - sorted[0];
    shares(sorted, most, worth);
    for (let j = 0; j < k; j++) if (!Number.isNaN(own[j])) shapley[j] += worth[firstAt(sorted, own[j])];
  }
  const all = s.of.map((index, j) => ({
    index, wins: wins[j], alone: Int32Array.from(alone[j]), marginal: n ? marginal[j] / n : 0, shapley: n ? shapley[j] / n : 0,
  }));
  return { best: n ? best / n : null, shares: all };
}

/** Write the seconds of each contender, NaN where not decided, and those that are decided; return their number. */
function timesOf(contenders: Contender[], s: Selection, id: number, own: Float64Array, decided: Float64Array): number {
  let n = 0;
  for (let j = 0; j < contenders.length; j++) {
    const c = contenders[j], known = c.timed && c.state[id] === DECIDED;
    own[j] = known ? secondsAt(c, s.clock, id) : NaN;
    if (known) decided[n++] = own[j];
  }
  return n;
}

/** Write the Shapley value of each of the sorted times: a saving is shared by all that are at least as fast. */
function shares(sorted: Float64Array, most: number, worth: Float64Array): void {
  let value = 0;
  for (let k = sorted.length - 1; k >= 0; k--) {
    value += ((k + 1 < sorted.length ? sorted[k + 1] : most) - sorted[k]) / (k + 1);
    worth[k] = value;
  }
}

/** Return the first position of a value that is there. */
function firstAt(sorted: Float64Array, value: number): number {
  let low = 0, high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
