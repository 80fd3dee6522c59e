// PAR-k and its bootstrap interval.
import { DECIDED, NONE, type Clock, type Contender } from "../report.ts";
import { secondsAt } from "./columns.ts";

/** Return the seconds of each instance asked, `factor` times the limit where it is not decided. */
export function penalised(c: Contender, clock: Clock, selected: Int32Array, limit: number, factor: number): Float64Array {
  const values = new Float64Array(selected.length);
  let n = 0;
  for (let k = 0; k < selected.length; k++) {
    const state = c.state[selected[k]];
    if (state !== NONE) values[n++] = state === DECIDED ? secondsAt(c, clock, selected[k]) : factor * limit;
  }
  return values.slice(0, n);
}

/** Return the mean; null of nothing. */
export function mean(values: Float64Array): number | null {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k];
  return values.length ? sum / values.length : null;
}

/** Resamples, and the most instances in one. */
export const DRAWS = 1000, MOST = 10_000;

/** Return the 95 % bootstrap interval of the mean. tests/reporting/plots/cases.json defines the draws. */
export function interval(values: Float64Array): [number, number] | null {
  const n = values.length, drawn = new Int32Array(Math.min(n, MOST)), value = mean(values);
  if (value === null) return null;
  if (values.every((v) => v === values[0])) return [value, value];
  const means = new Float64Array(DRAWS);
  for (let d = 0; d < DRAWS; d++) {
    positions(d, n, drawn);
    for (let i = 0; i < drawn.length; i++) means[d] += values[drawn[i]];
    means[d] /= drawn.length;
  }
  means.sort();
  const scale = Math.sqrt(drawn.length / n);
  return [value + (quantile(means, 0.025) - value) * scale, value + (quantile(means, 0.975) - value) * scale];
}

/** Write the positions among n values that a resample draws. */
export function positions(draw: number, n: number, drawn: Int32Array): void {
  const start = 0x9e3779b9 + draw * drawn.length;
  for (let i = 0; i < drawn.length; i++) {
    let h = (start + i) | 0;
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h = (h ^ (h >>> 16)) >>> 0;
    drawn[i] = Math.floor((h * n) / 4294967296);
  }
}

/** Return the quantile of sorted values, linear between two. */
export function quantile(sorted: Float64Array, p: number): number {
  const at = (sorted.length - 1) * p, low = Math.floor(at);
  const next = sorted[Math.min(low + 1, sorted.length - 1)];
  return sorted[low] + (next - sorted[low]) * (at - low);
}
