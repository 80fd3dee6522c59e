// Scores that rank contenders, as harness/reporting/views/ranking/scores.py defines them: points on one instance.
import type { Journal } from "../report.ts";

/** What a score sees of the contenders on one instance: seconds, NaN where not decided, and the limit. */
export interface Performance {
  times: Float64Array;
  limit: number;
}

/** Write the points of each contender on the instance. */
export type Points = (of: Performance, points: Float64Array) => void;

export interface Score {
  label: string;
  title: string;
  points: Points;
  /** The most points on an instance. */
  most: (limit: number, contenders: number) => number;
  /** The smaller score is better. */
  smaller?: boolean;
  /** A mean over the instances asked, else over all. */
  asked?: boolean;
  /** The sum over instances, no mean. */
  sums?: boolean;
  /** The score is a time. */
  seconds?: boolean;
  /** Times that can't be trusted are no obstacle. */
  untimed?: boolean;
  /** It is of all instances, whatever the filters: points are not computed here. */
  stored?: boolean;
  /** The times of others do not matter. */
  alone?: boolean;
  /** Seconds: points are log(1 + time / shift), and the score is a shifted geometric mean. */
  shift?: number;
  /** Equal scores are told apart by the time of the instances decided. */
  byTime?: boolean;
}

const par = (factor: number): Points => ({ times, limit }, points) => {
  for (let j = 0; j < times.length; j++) points[j] = Number.isNaN(times[j]) ? factor * limit : times[j];
};

/** Shift of geometric means, in seconds. */
const SHIFT = 10;

const shifted: Points = ({ times, limit }, points) => {
  for (let j = 0; j < times.length; j++) points[j] = Math.log1p((Number.isNaN(times[j]) ? limit : times[j]) / SHIFT);
};

const solved: Points = ({ times }, points) => {
  for (let j = 0; j < times.length; j++) points[j] = Number(!Number.isNaN(times[j]));
};

/** Of two that decided, each gets the other's share of their times; each also plays itself, for 1/2 that is taken off. */
const borda: Points = ({ times }, points) => {
  for (let i = 0; i < times.length; i++) {
    points[i] = 0;
    if (Number.isNaN(times[i])) continue;
    for (let j = 0; j < times.length; j++) {
      const both = times[i] + times[j];
      points[i] += Number.isNaN(both) ? 1 : both > 0 ? times[j] / both : 0.5;
    }
    points[i] -= 0.5;
  }
};

/** Seconds that the virtual best loses without the contender; without any it takes twice the limit. */
const marginal: Points = ({ times, limit }, points) => {
  let fastest = -1, first = 2 * limit, second = first;
  points.fill(0);
  for (let j = 0; j < times.length; j++) {
    if (times[j] < first) [fastest, first, second] = [j, times[j], first];
    else if (times[j] < second) second = times[j];
  }
  if (fastest >= 0) points[fastest] = second - first;
};

/** Shapley value of the seconds saved: each saving is shared by all that are at least as fast. */
const shapley: Points = ({ times, limit }, points) => {
  const sorted = times.filter((time) => !Number.isNaN(time)).sort(), worth = new Float64Array(sorted.length);
  let value = 0, next = 2 * limit;
  for (let k = sorted.length - 1; k >= 0; k--) {
    worth[k] = value += (next - sorted[k]) / (k + 1);
    next = sorted[k];
  }
  for (let j = 0; j < times.length; j++) points[j] = Number.isNaN(times[j]) ? 0 : worth[firstAt(sorted, times[j])];
};

/** Shapley value of the instance: 1, shared by all that decided it. */
const shapleySolved: Points = (of, points) => {
  solved(of, points);
  const deciding = points.reduce((a, b) => a + b, 0);
  for (let j = 0; j < points.length; j++) points[j] /= deciding || 1;
};

/** Return the first position of a value that is there. */
export function firstAt(sorted: Float64Array, value: number): number {
  let low = 0, high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const saved = (limit: number): number => 2 * limit, one = (): number => 1;
const MEAN = { alone: true, smaller: true, asked: true, seconds: true };

export const SCORES = {
  par2: { label: "PAR-2", title: "mean time, twice the limit where not decided", points: par(2), most: saved, ...MEAN },
  par10: { label: "PAR-10", title: "mean time, ten times the limit where not decided", points: par(10), most: (limit: number) => 10 * limit, ...MEAN },
  sgm: {
    label: "SGM", title: "shifted geometric mean of times, shift 10 s, the limit where not decided",
    points: shifted, most: (limit: number) => Math.log1p(limit / SHIFT), shift: SHIFT, ...MEAN,
  },
  solved: { label: "decided", title: "instances decided; equal numbers by their time", points: solved, most: one, sums: true, untimed: true, byTime: true, alone: true },
  borda: { label: "Borda", title: "points of the MiniZinc challenge against each other contender", points: borda, most: (_: number, contenders: number) => contenders - 1, sums: true },
  vbs: { label: "marginal", title: "PAR-2 that the virtual best solver would lose without the contender", points: marginal, most: saved, seconds: true },
  shapley: { label: "Shapley", title: "the contender's share of the PAR-2 that the virtual best solver saves (Shapley value)", points: shapley, most: saved, seconds: true },
  "shapley-solved": {
    label: "Shapley of decided", title: "the contender's share of the instances that the virtual best solver decides (Shapley value)",
    points: shapleySolved, most: one, sums: true, untimed: true,
  },
} satisfies Record<string, Score>;

/** Return the score for a mean of points over n instances. */
export const ofMean = ({ shift, sums }: Score, mean: number, n: number): number => (shift ? shift * Math.expm1(mean) : sums ? mean * n : mean);

/** A score of SCORES, or one that a journal has stored. */
export type Rank = string;

/** Return a score of a journal; one that it does not have is PAR-2. */
export function scoreOf({ scores }: Pick<Journal, "scores">, rank: Rank): Score {
  const stored = scores[rank], none = (): void => {};
  return stored ? { ...stored, points: none, most: () => Infinity, untimed: true, stored: true } : SCORES[rank as keyof typeof SCORES] ?? SCORES.par2;
}

/** Return the words of each score of a journal, to choose from. */
export const scoreLabels = ({ scores }: Journal): Record<Rank, string> =>
  Object.fromEntries(Object.entries({ ...scores, ...SCORES }).map(([key, { label }]) => [key, label]));
