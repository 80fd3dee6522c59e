// Intervals of a score, and the contenders that are shown to be behind others: harness/reporting/views/ranking/.
import type { Selection } from "./columns.ts";
import { DRAWS, dot, drawnEnds, drawWeights, folded, MOST, quantile, widened } from "./par.ts";
import { keyOf, means, ranksOf, scoreTable, unitOf, type ScoreTable } from "./ranking.ts";
import { ofMean, type Rank } from "./scores.ts";
import { meanInterval } from "./skewed.ts";
import { studentP } from "./student.ts";
import { workerError, workerMargin, workersOf, type Workers } from "./workers.ts";

/** The ends of the 95 % intervals of a contender's score and rank. */
export interface Ends {
  low: number;
  high: number;
  /** The same without the allowance for instances that were not seen. */
  seenLow: number;
  seenHigh: number;
  /** Null for too many contenders to test each pair. */
  rankLow: number | null;
  rankHigh: number | null;
}

export interface Standing {
  ends: Map<number, Ends>;
  /** Contenders that are not told apart, in the order of the score; null for too many to test each pair. */
  groups: number[][] | null;
  /** How the variation between workers is known; null if there is none. */
  workers: "measured" | "assumed" | null;
}

const LEVEL = 0.05, MOST_TESTED = 100, TINY = 1e-300, LEAST_DEGREES = 20, STEP = 0.01, MOST_STEPS = 200_000_000;

/** Return the intervals and groups of a score; yields often. */
export function* standing(s: Selection, rank: Rank): Generator<void, Standing> {
  if (s.journal.scores[rank]) return stored(s, rank);
  const b = scoreTable(s, rank), k = b.of.length, { values, keys } = means(b), workers = workersOf(s, b.of);
  const known = workers.usual ? (workers.repeats > 1 ? "measured" : "assumed") : null;
  if (!k || !b.n) return { ends: new Map(), groups: [], workers: known };
  const place = ranksOf(b, keys, unitOf(keys)), order = b.of.map((_, j) => j).sort((x, y) => place[x] - place[y]);
  const slopes = yield* slopesOf(b), drawn = yield* intervals(b, s);
  const after = k <= MOST_TESTED ? yield* behind(s, b, keys, slopes, workers, order) : null;
  const most = b.score.most(b.limit, k);
  const count = (flags: Iterable<boolean>): number => [...flags].filter(Boolean).length;
  const ends = (j: number): Ends => {
    const margin = b.score.untimed ? 0 : workerMargin(workers, slopes[j]);
    const [[low, high], [seenLow, seenHigh]] = [drawn[j].all, drawn[j].seen].map((ends) => widened(values[j], ends, margin, most).map((end) => ofMean(b.score, end, b.n)));
    return { low, high, seenLow, seenHigh, rankLow: after && 1 + count(after.map((row) => row[j])), rankHigh: after && k - count(after[j]) };
  };
  const groups = after && runs(order, (x, y) => after[x][y] || after[y][x]).map((run) => run.map((j) => b.of[j]));
  return { ends: new Map(b.of.map((index, j) => [index, ends(j)])), groups, workers: known };
}

/** Return the intervals and groups of a score of the whole journal. */
function stored({ journal, clock, of }: Selection, rank: Rank): Standing {
  const { rows, groups } = journal.scores[rank].clocks[clock], ends = new Map<number, Ends>();
  for (const index of of) {
    const row = rows[index];
    if (row) ends.set(index, { low: row.low, high: row.high, seenLow: row.seen_low ?? row.low, seenHigh: row.seen_high ?? row.high, rankLow: row.rank_low, rankHigh: row.rank_high });
  }
  return { ends, groups, workers: null };
}

/** Return by how much a factor exp(e) on the times of contender d changes the mean key of another, by e. */
function* slopesOf(b: ScoreTable): Generator<void, Float64Array[]> {
  const { n, score, limit } = b, k = b.of.length, every = score.alone ? 1 : Math.ceil((k * n * k ** 2) / MOST_STEPS), counts = new Float64Array(k);
  const found = b.of.map(() => new Float64Array(k)), row = new Float64Array(k), points = row.slice(), base = row.slice(), of = { times: row, limit };
  if (k > MOST_TESTED && !score.alone) return found;
  for (let i = 0; i < n; i += every) {
    for (let j = 0; j < k; j++) row[j] = b.times[j * n + i];
    score.points(of, points);
    for (let j = 0; j < k; j++) {
      base[j] = keyOf(b, points[j], row[j]);
      counts[j] += b.asked[j]?.[i] ?? 1;
    }
    if (score.alone) {
      for (let j = 0; j < k; j++) row[j] *= 1 + STEP;
      score.points(of, points);
      for (let j = 0; j < k; j++) if (b.asked[j]?.[i] ?? 1) found[j][j] += keyOf(b, points[j], row[j]) - base[j];
    } else for (let d = 0; d < k; d++) {
      const time = row[d];
      row[d] *= 1 + STEP;
      score.points(of, points);
      for (let j = 0; j < k; j++) if (b.asked[j]?.[i] ?? 1) found[j][d] += keyOf(b, points[j], row[j]) - base[j];
      row[d] = time;
    }
    yield;
  }
  return found.map((sums, j) => sums.map((sum) => sum / Math.max(1, counts[j]) / STEP));
}

/** Return the interval of each contender's mean over instances, and the one of what was seen alone; yields after each draw. */
function* intervals(b: ScoreTable, { journal, selected }: Selection): Generator<void, Record<"all" | "seen", [number, number]>[]> {
  const resampled = journal.resampled !== null, skewed = b.score.seconds && b.score.smaller, family = Array.from(selected, (id, i) => (resampled ? journal.block[id] : i));
  const seen: [number, number][] = [];
  for (let j = 0; j < b.of.length && (resampled || skewed); j++) {
    const asked = family.map((_, i) => i).filter((i) => b.asked[j]?.[i] ?? 1);
    seen.push(meanInterval(asked.map((i) => b.points[j * b.n + i]), asked.map((i) => family[i])));
    yield;
  }
  if (resampled) return seen.map((ends) => ({ all: ends, seen: ends }));
  const size = Math.min(b.n, MOST), weights = new Float64Array(size + 1), most = b.score.most(b.limit, b.of.length);
  const all = folded(new Float64Array(b.n).fill(1), 0, b.n, size);
  const sums = b.of.map((_, j) => folded(b.points, j * b.n, b.n, size));
  const counts = b.asked.map((flags) => (flags ? folded(Float64Array.from(flags), 0, b.n, size) : null));
  const [lows, highs] = [0, 1].map(() => b.of.map(() => new Float64Array(DRAWS)));
  for (let d = 0; d < DRAWS; d++) {
    drawWeights(d, weights);
    const total = dot(weights, all);
    sums.forEach((each, j) => {
      const count = counts[j];
      [lows[j][d], highs[j][d]] = drawnEnds(weights, each, count ? dot(weights, count) : total, most);
    });
    yield;
  }
  return lows.map((low, j) => {
    const ends: [number, number] = [quantile(low.sort(), 0.025), quantile(highs[j].sort(), 0.975)];
    return { all: ends, seen: seen[j] ?? ends };
  });
}

/** Return by pair whether the second is shown to be behind the first; yields after each test. */
function* behind(s: Selection, b: ScoreTable, keys: Float64Array, slopes: Float64Array[], workers: Workers, order: number[]): Generator<void, boolean[][]> {
  const k = keys.length, differ = b.of.map(() => Array<boolean>(k).fill(false)), tests: [a: number, c: number, p: number][] = [];
  for (let a = 0; a < k; a++) {
    for (let c = a + 1; c < k; c++) {
      if (b.wrong[a] !== b.wrong[c]) differ[a][c] = differ[c][a] = true;
      else tests.push([a, c, pairTest(s, b, a, c, slopes[c].map((slope, d) => slope - slopes[a][d]), workers)]);
      yield;
    }
  }
  tests.sort((x, y) => x[2] - y[2]);
  for (let t = 0; t < tests.length && tests[t][2] * (tests.length - t) < LEVEL; t++) {
    const [a, c] = tests[t];
    differ[a][c] = differ[c][a] = true;
  }
  const before = (a: number, c: number): boolean => (b.wrong[a] === b.wrong[c] ? keys[a] < keys[c] : b.wrong[c]);
  const after = differ.map((row, a) => row.map((differs, c) => differs && before(a, c)));
  for (let x = 0; x < k; x++) {
    for (let y = k - 1; y >= 0; y--) {
      const a = order[x], c = order[y];
      if (y <= x) after[a][c] = false;
      else after[a][c] &&= (!x || after[order[x - 1]][c]) && (y === k - 1 || after[a][order[y + 1]]);
    }
  }
  return after;
}

/** Return the p-value that two contenders have the same mean key: pair_test in differences.py. */
function pairTest(s: Selection, b: ScoreTable, a: number, c: number, slopes: Float64Array, workers: Workers): number {
  const { n } = b, apart = new Float64Array(n), at = new Int32Array(n);
  const byFamily = new Map<number, number>();
  let number = 0, sum = 0, unequal = 0;
  for (let i = 0; i < n; i++) {
    if (!(b.asked[a]?.[i] ?? 1) || !(b.asked[c]?.[i] ?? 1)) continue;
    apart[number] = keyOf(b, b.points[c * n + i], b.times[c * n + i]) - keyOf(b, b.points[a * n + i], b.times[a * n + i]);
    sum += apart[number];
    unequal += Number(apart[number] !== 0);
    if (s.journal.resampled) byFamily.set(s.journal.block[s.selected[i]], (byFamily.get(s.journal.block[s.selected[i]]) ?? 0) + apart[number]);
    at[number++] = i;
  }
  if (number < 2 || !sum) return 1;
  if (s.journal.resampled) unequal = [...byFamily.values()].filter(Boolean).length; // signs of families: those of their instances are not independent
  const shown = apart.slice(0, number), block = Int32Array.from(at.subarray(0, number), (i) => s.journal.block[s.selected[i]]);
  if (b.score.seconds && b.score.alone && !b.score.shift) withoutDrift(s, b, a, c, at, block, shown);
  const mean = shown.reduce((total, value) => total + value, 0) / number;
  if (mean * sum <= 0) return 1;
  const [instances, degrees] = varianceOfMean(shown, mean, block), { variance: between, freedom } = workerError(workers, slopes);
  const variance = Math.max(instances + between, TINY);
  const joint = variance ** 2 / Math.max(instances ** 2 / degrees + between ** 2 / freedom, TINY);
  return Math.max(studentP(Math.abs(mean) / Math.sqrt(variance), joint), 0.5 ** Math.max(unequal - 1, 0));
}

/** Replace differences of times by those of times without drift: without_drift in differences.py. */
function withoutDrift(s: Selection, b: ScoreTable, a: number, c: number, at: Int32Array, block: Int32Array, shown: Float64Array): void {
  const one = s.journal.contenders[b.of[a]].steady[s.clock], other = s.journal.contenders[b.of[c]].steady[s.clock];
  if (!one || !other) return;
  const ratios = shown.map((_, k) => Math.log(other.times[s.selected[at[k]]] / one.times[s.selected[at[k]]]));
  const time = shown.map((_, k) => (b.points[a * b.n + at[k]] + b.points[c * b.n + at[k]]) / 2);
  const sums = new Map<number, [count: number, ratios: number]>();
  let known = 0, total = 0, squares = 0;
  ratios.forEach((ratio, k) => {
    if (Number.isNaN(ratio)) return;
    const [count, before] = sums.get(block[k]) ?? [0, 0];
    sums.set(block[k], [count + 1, before + ratio]);
    known++;
    total += time[k];
  });
  if (!known) return;
  ratios.forEach((ratio, k) => {
    if (Number.isNaN(ratio)) return;
    const [count, within] = sums.get(block[k])!;
    squares += (ratio - within / count) ** 2;
  });
  const degrees = known - sums.size, spread = squares / Math.max(degrees, 1);
  const seen = one.noise && other.noise && degrees >= LEAST_DEGREES && spread;
  const real = seen ? Math.min(1, Math.max(0, 1 - (one.noise + other.noise) / spread)) : 1;
  ratios.forEach((ratio, k) => {
    if (!Number.isNaN(ratio)) shown[k] = (real * time[k] + (1 - real) * (total / known)) * ratio;
  });
}

/** Return the variance of a mean, with degrees of freedom: by instance, or by block if that is more. */
function varianceOfMean(values: Float64Array, mean: number, block: Int32Array): [variance: number, degrees: number] {
  const n = values.length, blocks = new Map<number, [count: number, sum: number]>();
  let squares = 0, together = 0, sizes = 0;
  values.forEach((value, k) => {
    const [count, sum] = blocks.get(block[k]) ?? [0, 0];
    blocks.set(block[k], [count + 1, sum + value - mean]);
    squares += (value - mean) ** 2;
  });
  for (const [count, sum] of blocks.values()) [together, sizes] = [together + sum ** 2, sizes + count ** 2];
  const alone = squares / (n - 1) / n, clustered = blocks.size > 1 ? ((together / n ** 2) * blocks.size) / (blocks.size - 1) : 0;
  return clustered > alone ? [clustered, Math.max(n ** 2 / sizes - 1, 1)] : [alone, n - 1];
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
