// Cactus (quantile) and cumulative distribution of times.
import { DECIDED, NONE, WRONG, type Clock, type Contender } from "../report.ts";
import { countState, reader, sortedTimes, timed, type Selection } from "./columns.ts";

/** Points of one contender, both ascending. */
export interface Curve {
  name: string;
  x: Float64Array;
  y: Float64Array;
}

const WRONG_SCORE = -16;
export const BEST = "virtual best";

/** Return x = 1, 2, ... instances solved, or with `score` 1 for each after -16 for each wrong answer; y = seconds. */
export function cactus(s: Selection, score: boolean): Curve[] {
  return timed(s).map((i) => {
    const c = s.journal.contenders[i];
    return cactusOf(c.name, sortedTimes(c, s.clock, s.selected), score ? WRONG_SCORE * countState(c, s.selected, WRONG) : 0);
  });
}

function cactusOf(name: string, y: Float64Array, start: number): Curve {
  const x = new Float64Array(y.length);
  for (let k = 0; k < x.length; k++) x[k] = start + k + 1;
  return { name, x, y };
}

/** Return the cactus of the least time of each instance that some contender decided. */
export function virtualBest(s: Selection): Curve {
  const least = leastTimes(timed(s).map((i) => s.journal.contenders[i]), s.clock, s.selected);
  return cactusOf(BEST, least.filter((t) => !Number.isNaN(t)).sort(), 0);
}

/** Return the least seconds of each selected instance, NaN where nothing decided it. */
export function leastTimes(contenders: Contender[], clock: Clock, selected: Int32Array): Float64Array {
  const least = new Float64Array(selected.length).fill(NaN);
  for (const c of contenders) {
    const { state } = c, seconds = reader(c, clock);
    for (let k = 0; k < selected.length; k++) {
      if (state[selected[k]] !== DECIDED) continue;
      const t = seconds(selected[k]);
      if (!(least[k] <= t)) least[k] = t;
    }
  }
  return least;
}

/** Return x = distinct times; y = share of the instances asked of the contender that it solved within x. */
export function ecdf(s: Selection): Curve[] {
  return timed(s).map((i) => {
    const c = s.journal.contenders[i], times = sortedTimes(c, s.clock, s.selected);
    const asked = s.selected.length - countState(c, s.selected, NONE);
    const x = new Float64Array(times.length), y = new Float64Array(times.length);
    let n = 0;
    for (let k = 0; k < times.length; k++) {
      if (times[k] === times[k + 1]) continue;
      x[n] = times[k];
      y[n++] = (k + 1) / asked;
    }
    return { name: c.name, x: x.slice(0, n), y: y.slice(0, n) };
  });
}

/** Return a curve with at most about `most` points, evenly spread along its instances; the first and last are kept. */
export function thinned(curve: Curve, most: number): Curve {
  const n = curve.x.length, step = Math.ceil(n / most);
  if (step <= 1) return curve;
  const size = Math.ceil((n - 1) / step) + 1, x = new Float64Array(size), y = new Float64Array(size);
  for (let k = 0; k < size; k++) [x[k], y[k]] = [curve.x[Math.min(k * step, n - 1)], curve.y[Math.min(k * step, n - 1)]];
  return { name: curve.name, x, y };
}
