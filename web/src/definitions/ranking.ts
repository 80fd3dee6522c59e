// Contenders by a score, wrong answers last, as harness/reporting/views/ranking/ranks.py ranks them.
import { cached, once } from "../memo.ts";
import { DECIDED, NONE, WRONG } from "../report.ts";
import { asksSome, countState, timesOf, type Selection } from "./columns.ts";
import { ofMean, scoreOf, type Rank, type Score } from "./scores.ts";

/** A contender on the selected instances; score and rank are null if its times can't be trusted, or if it was asked nothing. */
export interface Ranked {
  index: number;
  solved: number;
  wrong: number;
  value: number | null;
  rank: number | null;
}

/** Points of the contenders `of` on n instances: a contender's are together. */
export interface ScoreTable {
  score: Score;
  n: number;
  limit: number;
  of: number[];
  wrong: boolean[];
  times: Float64Array;
  points: Float64Array;
  /** Points of a second, which tell equal scores apart. */
  share: number;
  /** By contender, 1 where asked; null if it was asked all, or if the score is a mean over all. */
  asked: (Uint8Array | null)[];
}

const known = once((_: Int32Array) => new Map<string, Ranked[]>());

/** Return the contenders best first; computed once per selection. */
export function ranked(s: Selection, rank: Rank): Ranked[] {
  return cached(known(s.selected), [rank, s.clock, ...s.of].join(), () => (s.journal.scores[rank] ? stored(s, rank) : order(s, rank)));
}

function order(s: Selection, rank: Rank): Ranked[] {
  const b = scoreTable(s, rank), n = s.selected.length, { values, keys } = means(b);
  const found = ranksOf(b, keys, unitOf(keys));
  const entry = (index: number): Ranked => {
    const j = b.of.indexOf(index), c = s.journal.contenders[index];
    const value = j < 0 ? null : (ofSummary(s, index, rank) ?? ofMean(b.score, values[j], n));
    return { index, solved: countState(c, s.selected, DECIDED), wrong: countState(c, s.selected, WRONG), value, rank: found[j] ?? null };
  };
  return inOrder(s.of.map(entry));
}

/** Return the contenders by a score of the whole journal. */
function stored({ journal, selected, clock, of }: Selection, rank: Rank): Ranked[] {
  const { rows } = journal.scores[rank].clocks[clock];
  return inOrder(of.map((index) => {
    const c = journal.contenders[index], row = rows[index];
    return { index, solved: countState(c, selected, DECIDED), wrong: countState(c, selected, WRONG), value: row?.score ?? null, rank: row?.rank ?? null };
  }));
}

/** Return the contenders by their ranks, those with wrong answers last. */
function inOrder(all: Ranked[]): Ranked[] {
  const last = (r: Ranked): number => Number(r.wrong > 0);
  return all.sort((a, b) => last(a) - last(b) || (a.rank ?? MOST) - (b.rank ?? MOST));
}

const MOST = Number.MAX_SAFE_INTEGER;

/** Return PAR-k of all instances as the summary has it, to the last digit. */
function ofSummary({ journal, selected, clock }: Selection, index: number, rank: Rank): number | null {
  if (selected.length !== journal.size || !(rank === "par2" || rank === "par10")) return null;
  const entry = journal.summary.contenders[index];
  return (clock === "cpu" ? entry.cpu : entry)[rank];
}

/** Return the points of those contenders that a score can rank. */
export function scoreTable(s: Selection, rank: Rank): ScoreTable {
  const { journal, selected, clock } = s, score: Score = scoreOf(journal, rank), n = selected.length;
  const of = s.of.filter((i) => (journal.contenders[i].timed[clock] || score.untimed) && asksSome(journal.contenders[i], selected));
  const contenders = of.map((i) => journal.contenders[i]), k = of.length;
  const times = new Float64Array(n * k), points = new Float64Array(n * k), row = new Float64Array(k), gained = new Float64Array(k);
  const performance = { times: row, limit: journal.limits[clock] };
  contenders.forEach((c, j) => timesOf(c, clock, selected, journal.limits[clock], times.subarray(j * n, j * n + n)));
  if (score.alone) score.points({ times, limit: performance.limit }, points); // of all instances, as of one
  for (let i = 0; i < n && !score.alone; i++) {
    for (let j = 0, at = i; j < k; j++, at += n) row[j] = times[at];
    score.points(performance, gained);
    for (let j = 0, at = i; j < k; j++, at += n) points[at] = gained[j];
  }
  const asked = contenders.map((c) => (score.asked && countState(c, selected, NONE) ? Uint8Array.from(selected, (id) => Number(c.state[id] !== NONE)) : null));
  asked.forEach((flags, j) => flags?.forEach((flag, i) => { points[j * n + i] *= flag; }));
  const wrong = contenders.map((c) => countState(c, selected, WRONG) > 0);
  return { score, n, limit: journal.limits[clock], of, wrong, times, points, share: score.byTime ? shareOf(times, n) : 0, asked };
}

/** Return what a second counts for: so little that all times of a contender are less than one instance. */
const shareOf = (times: Float64Array, n: number): number => 1 / (times.reduce((a, b) => (b > a ? b : a), 0) * Math.max(1, n) + 1);

/** Return the key of an instance, from its points and time: the smaller is better. */
export const keyOf = (b: ScoreTable, points: number, time: number): number => (b.score.smaller ? points : -points) + (time || 0) * b.share;

/** Return the mean points over the instances that count, and keys by which the smaller is better. */
export function means(b: ScoreTable): { values: Float64Array; keys: Float64Array } {
  const values = Float64Array.from(b.of, (_, j) => sumOf(b.points, j * b.n, b.n) / countOf(b, j));
  return { values, keys: values.map((value, j) => (b.score.smaller ? value : -value) + (b.share && (b.share * sumOf(b.times, j * b.n, b.n)) / countOf(b, j))) };
}

/** Return how many instances count of a contender. */
const countOf = ({ n, asked }: ScoreTable, j: number): number => Math.max(1, asked[j] ? sumOf(asked[j], 0, n) : n);

/** Return the sum of n values from a start; NaN counts for nothing. */
function sumOf(values: ArrayLike<number>, start: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += values[start + i] || 0;
  return sum;
}

/** Return what keys differ by, at the least, if they differ by more than rounding errors. */
export const unitOf = (keys: Float64Array): number => keys.reduce((most, key) => Math.max(most, Math.abs(key)), 0) * 1e-12 || 1;

/** Return the rank of each contender of a table, the smallest key first, behind them the wrong ones; equal ones get the lowest. */
export function ranksOf({ wrong }: ScoreTable, keys: Float64Array, unit: number): Int32Array {
  const steps = keys.map((key) => Math.round(key / unit)), found = new Int32Array(keys.length);
  const differ = (a: number, b: number): number => Number(wrong[a]) - Number(wrong[b]) || steps[a] - steps[b];
  const order = found.map((_, j) => j).sort(differ);
  for (let r = 0; r < order.length; r++) {
    found[order[r]] = r && !differ(order[r - 1], order[r]) ? found[order[r - 1]] : r + 1;
  }
  return found;
}
