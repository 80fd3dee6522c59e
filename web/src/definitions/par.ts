// Intervals of means: harness/reporting/statistics/bootstrap.py.
/** Draws of an interval, and the most weights in one: of more instances each MOST-th shares a weight. */
export const DRAWS = 1000, MOST = 10_000;

/** Return the means with one more value, which is 0, or `most`. */
export function drawnEnds(weights: Float64Array, sums: Float64Array, count: number, most: number): [number, number] {
  const sum = dot(weights, sums), more = weights[weights.length - 1], total = count + more;
  return [sum / total, (sum + most * more) / total];
}

export function dot(weights: Float64Array, values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += weights[i] * values[i];
  return sum;
}

/** Return the sums of n values from a start that are at the same place in runs of `size`. */
export function folded(values: Float64Array, start: number, n: number, size: number): Float64Array {
  const sums = new Float64Array(size);
  for (let i = 0; i < n; i++) sums[i % size] += values[start + i];
  return sums;
}

/** Write the weights of a draw: exponential random numbers, a hash of a counter. */
export function drawWeights(draw: number, weights: Float64Array): void {
  const start = 0x9e3779b9 + draw * weights.length;
  for (let i = 0; i < weights.length; i++) {
    let h = (start + i) | 0;
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h = (h ^ (h >>> 16)) >>> 0;
    weights[i] = -Math.log((h + 0.5) / 4294967296);
  }
}

/** Return the ends of an interval of a value, wider by an independent margin, within 0 and `most`. */
export function widened(value: number, [low, high]: [number, number], margin: number, most: number): [number, number] {
  return [Math.max(value - Math.hypot(value - low, margin), 0), Math.min(value + Math.hypot(high - value, margin), most)];
}

/** Return the quantile of sorted values, linear between two. */
export function quantile(sorted: Float64Array, p: number): number {
  const at = (sorted.length - 1) * p, low = Math.floor(at);
  const next = sorted[Math.min(low + 1, sorted.length - 1)];
  return sorted[low] + (next - sorted[low]) * (at - low);
}
