// Error that workers leave in a score: harness/reporting/statistics/workers.py.
import type { Selection } from "./columns.ts";
import { distanceAt } from "./student.ts";

/** Of statistics.py: usual and largest deviation of the ratio of two workers, and the error of a median beside a mean. */
const BETWEEN_WORKER_SD = 0.025, LARGEST_WORKER_SD = 0.1, PRIOR_WEIGHT = 1, MEDIAN_ERROR = 1.2;

export interface Workers {
  /** By contender, of the repeats that all contenders have; 0 of one that decided nothing. */
  effects: number[][];
  repeats: number;
  /** Deviation of the ratio of two workers; 0 if each outcome has a worker of its own. */
  usual: number;
  /** By contender, of the effect of its workers beside those of others. */
  deviations: number[];
}

/** Return the workers of the contenders `of`, on the clock of a selection. */
export function workersOf({ journal, clock }: Selection, of: number[]): Workers {
  const all = of.map((i) => journal.contenders[i].effects[clock]), isKnown = (e: number | null): boolean => e !== null;
  const repeats = all.filter((one) => !one.length || one.some(isKnown)).reduce((n, one) => Math.min(n, one.length), Infinity);
  if (!repeats || repeats === Infinity) return { effects: of.map(() => []), repeats: 0, usual: 0, deviations: of.map(() => 0) };
  const known = all.map((one) => (one.length >= repeats ? one.slice(0, repeats) : Array<null>(repeats).fill(null)));
  const decided = known.filter((one) => one.some(isKnown));
  const common = [...Array(repeats).keys()].filter((r) => decided.every((one) => isKnown(one[r])));
  const effects = known.map((one) => common.map((r) => one[r] ?? 0)), usual = Math.max(BETWEEN_WORKER_SD, othersDeviation(all));
  const deviations = of.map((i) => journal.contenders[i].steady[clock]?.deviation ?? 0);
  return { effects, repeats: common.length, usual: common.length > 1 ? usual : Math.max(usual, LARGEST_WORKER_SD), deviations };
}

/** Return the deviation of log ratios of two workers, from the effects of all: others_deviation of times.py. */
function othersDeviation(all: (number | null)[][]): number {
  const most = all.reduce((n, one) => Math.max(n, one.length), 0);
  const every = all.filter((one): one is number[] => one.length === most && !one.includes(null));
  if (every.length < 3 || most < 2) return 0;
  const middle = every[0].map((_, r) => median(every.map((one) => one[r])));
  const variances = every.map((one) => variance(one.map((e, r) => e - middle[r])));
  return Math.sqrt(2 * (variances.reduce((a, b) => a + b, 0) / every.length));
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b), half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Return the sum of squared distances from the mean. */
function squaresOf(values: number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

const variance = (values: number[]): number => squaresOf(values) / (values.length - 1);

/** Return the variance of the sum of slopes times effects beside those of others, and its degrees of freedom. */
export function workerError({ repeats, usual, deviations }: Workers, slopes: ArrayLike<number>): { variance: number; freedom: number } {
  if (!usual) return { variance: 0, freedom: Infinity };
  const variance = deviations.reduce((sum, deviation, d) => sum + (slopes[d] * deviation) ** 2, 0);
  return { variance, freedom: (deviations.length - 1) * (repeats - 1) || Infinity };
}

/** Return the half-width of the 95 % interval of a contender's score due to workers. */
export function workerMargin({ effects, repeats, usual }: Workers, slopes: ArrayLike<number>): number {
  if (!usual) return 0;
  let scale = 0;
  for (let d = 0; d < slopes.length; d++) scale += slopes[d] ** 2;
  scale *= usual ** 2 / 2;
  if (repeats < 2) return Math.sqrt(scale) * distanceAt(0.05, Infinity);
  const row = Array.from({ length: repeats }, (_, r) => effects.reduce((sum, one, d) => sum + slopes[d] * one[r], 0));
  const freedom = PRIOR_WEIGHT + repeats - 1, squares = squaresOf(row);
  const each = Math.max((PRIOR_WEIGHT * scale + squares) / freedom, squares / (repeats - 1));
  return Math.sqrt((each / repeats) * (repeats > 2 ? MEDIAN_ERROR ** 2 : 1)) * distanceAt(0.05, freedom);
}
