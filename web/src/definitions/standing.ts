// Intervals of a score, and the contenders that are shown to be behind others: harness/reporting/ranking/.
import type { Selection } from "./columns.ts";
import { DRAWS, dot, drawnEnds, drawWeights, folded, MOST, quantile, widened } from "./par.ts";
import { keyOf, means, ranksOf, scoreTable, unitOf, type ScoreTable } from "./ranking.ts";
import type { Rank } from "./scores.ts";
import { studentP } from "./student.ts";
import { workerError, workerMargin, workersOf, type Workers } from "./workers.ts";

/** The ends of the 95 % intervals of a contender's score and rank. */
export interface Ends {
  low: number;
  high: number;
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

const LEVEL = 0.05, MOST_TESTED = 100, TINY = 1e-300, STEP = 0.01, MOST_STEPS = 200_000_000;

/** Return the intervals and groups of a score; yields often. */
export function* standing(s: Selection, rank: Rank): Generator<void, Standing> {
  const b = scoreTable(s, rank), k = b.of.length, { values, keys } = means(b), workers = workersOf(s, b.of);
  const known = workers.usual ? (workers.repeats > 1 ? "measured" : "assumed") : null;
  if (!k || !b.n) return { ends: new Map(), groups: [], workers: known };
  const place = ranksOf(b, keys, unitOf(keys)), order = b.of.map((_, j) => j).sort((x, y) => place[x] - place[y]);
  const slopes = yield* slopesOf(b), drawn = yield* intervals(b);
  const after = k <= MOST_TESTED ? yield* behind(b, keys, slopes, workers, order) : null;
  const most = b.score.most(b.limit, k), scale = b.score.sums ? b.n : 1;
  const count = (flags: Iterable<boolean>): number => [...flags].filter(Boolean).length;
  const ends = (j: number): Ends => {
    const [low, high] = widened(values[j], drawn[j], b.score.untimed ? 0 : workerMargin(workers, slopes[j]), most);
    return { low: low * scale, high: high * scale, rankLow: after && 1 + count(after.map((row) => row[j])), rankHigh: after && k - count(after[j]) };
  };
  const groups = after && runs(order, (x, y) => after[x][y] || after[y][x]).map((run) => run.map((j) => b.of[j]));
  return { ends: new Map(b.of.map((index, j) => [index, ends(j)])), groups, workers: known };
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

/** Return the ends of the interval of each contender's mean over instances; yields after each draw. */
function* intervals(b: ScoreTable): Generator<void, [number, number][]> {
  const size = Math.min(b.n, MOST), weights = new Float64Array(size + 1), most = b.score.most(b.limit, b.of.length);
  const all = folded(new Float64Array(b.n).fill(1), 0, b.n, size);
  const sums = b.of.map((_, j) => folded(b.points, j * b.n, b.n, size));
  const counts = b.asked.map((flags) => (flags ? folded(Float64Array.from(flags), 0, b.n, size) : null));
  const lows = b.of.map(() => new Float64Array(DRAWS)), highs = b.of.map(() => new Float64Array(DRAWS));
  for (let d = 0; d < DRAWS; d++) {
    drawWeights(d, weights);
    const total = dot(weights, all);
    sums.forEach((each, j) => {
      const count = counts[j];
      [lows[j][d], highs[j][d]] = drawnEnds(weights, each, count ? dot(weights, count) : total, most);
    });
    yield;
  }
  return lows.map((low, j) => [quantile(low.sort(), 0.025), quantile(highs[j].sort(), 0.975)]);
}

/** Return by pair whether the second is shown to be behind the first; yields after each test. */
function* behind(b: ScoreTable, keys: Float64Array, slopes: Float64Array[], workers: Workers, order: number[]): Generator<void, boolean[][]> {
  const k = keys.length, differ = b.of.map(() => Array<boolean>(k).fill(false)), tests: [a: number, c: number, p: number][] = [];
  for (let a = 0; a < k; a++) {
    for (let c = a + 1; c < k; c++) {
      if (b.wrong[a] !== b.wrong[c]) differ[a][c] = differ[c][a] = true;
      else tests.push([a, c, pairTest(b, a, c, slopes[c].map((slope, d) => slope - slopes[a][d]), workers)]);
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

/** Return the p-value that two contenders have the same mean key: tests_of in differences.py. */
function pairTest(b: ScoreTable, a: number, c: number, slopes: Float64Array, workers: Workers): number {
  const { n } = b, some = new Float64Array(n);
  let number = 0, sum = 0, unequal = 0;
  for (let i = 0; i < n; i++) {
    if (!(b.asked[a]?.[i] ?? 1) || !(b.asked[c]?.[i] ?? 1)) continue;
    const apart = keyOf(b, b.points[c * n + i], b.times[c * n + i]) - keyOf(b, b.points[a * n + i], b.times[a * n + i]);
    some[number++] = apart;
    sum += apart;
    unequal += Number(apart !== 0);
  }
  const mean = sum / Math.max(number, 1), degrees = Math.max(number - 1, 1);
  if (number < 2 || !mean) return 1;
  let squares = 0;
  for (let i = 0; i < number; i++) squares += (some[i] - mean) ** 2;
  const instances = squares / degrees / number, { variance: between, freedom } = workerError(workers, slopes);
  const variance = Math.max(instances + between, TINY);
  const joint = variance ** 2 / Math.max(instances ** 2 / degrees + between ** 2 / freedom, TINY);
  return Math.max(studentP(Math.abs(mean) / Math.sqrt(variance), joint), 0.5 ** Math.max(unequal - 1, 0));
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
