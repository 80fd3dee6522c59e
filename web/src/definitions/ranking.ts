// Contenders by a score, wrong answers last, as harness/reporting/ranking/ranks.py ranks them.
import { cached, once } from "../memo.ts";
import { DECIDED, NONE, WRONG } from "../report.ts";
import { asksSome, countState, timesAt, type Selection } from "./columns.ts";
import { SCORES, type Rank, type Score } from "./scores.ts";

/** A contender on the selected instances; score and rank are null if its times can't be trusted, or if it was asked nothing. */
export interface Ranked {
  index: number;
  solved: number;
  wrong: number;
  value: number | null;
  rank: number | null;
}

/** Points of the contenders `of`, by instance and contender. */
export interface Board {
  score: Score;
  of: number[];
  wrong: boolean[];
  points: Float64Array;
  /** Points that tell equal scores apart. */
  ties: Float64Array | null;
  /** 1 where asked, for scores that are means over the instances asked. */
  asked: Uint8Array | null;
}

const known = once((_: Int32Array) => new Map<string, Ranked[]>());

/** Return the contenders best first; computed once per selection. */
export function ranked(s: Selection, rank: Rank): Ranked[] {
  return cached(known(s.selected), [rank, s.clock, ...s.of].join(), () => order(s, rank));
}

function order(s: Selection, rank: Rank): Ranked[] {
  const b = board(s, rank), n = s.selected.length, { values, keys } = means(b, s.selected.map((_, i) => i));
  const found = places(b, keys, unitOf(keys));
  const entry = (index: number): Ranked => {
    const j = b.of.indexOf(index), c = s.journal.contenders[index];
    const value = j < 0 ? null : (ofSummary(s, index, rank) ?? values[j] * (b.score.sums ? n : 1));
    return { index, solved: countState(c, s.selected, DECIDED), wrong: countState(c, s.selected, WRONG), value, rank: found[j] ?? null };
  };
  const last = (r: Ranked): number => Number(r.wrong > 0);
  return s.of.map(entry).sort((a, b) => last(a) - last(b) || (a.rank ?? MOST) - (b.rank ?? MOST));
}

const MOST = Number.MAX_SAFE_INTEGER;

/** Return PAR-k of all instances as the summary has it, to the last digit. */
function ofSummary({ journal, selected, clock }: Selection, index: number, rank: Rank): number | null {
  if (selected.length !== journal.names.length || !(rank === "par2" || rank === "par10")) return null;
  const entry = journal.summary.contenders[index];
  return (clock === "cpu" ? entry.cpu : entry)[rank];
}

/** Return the points of those contenders that a score can rank. */
export function board(s: Selection, rank: Rank): Board {
  const { journal, selected, clock } = s, score: Score = SCORES[rank];
  const of = s.of.filter((i) => (journal.contenders[i].timed || score.untimed) && asksSome(journal.contenders[i], selected));
  const contenders = of.map((i) => journal.contenders[i]), n = selected.length, k = of.length;
  const points = new Float64Array(n * k), times = new Float64Array(k), row = new Float64Array(k);
  const ties = score.byTime ? new Float64Array(n * k) : null, asked = score.asked ? new Uint8Array(n * k) : null;
  let longest = 0;
  for (let i = 0; i < n; i++) {
    timesAt(contenders, clock, selected[i], journal.limit, times);
    score.points(times, journal.limit, row);
    for (let j = 0, at = i * k; j < k; j++, at++) {
      const isAsked = Number(contenders[j].state[selected[i]] !== NONE);
      if (asked) asked[at] = isAsked;
      points[at] = asked && !isAsked ? 0 : row[j];
      if (ties) longest = Math.max(longest, (ties[at] = times[j] || 0));
    }
  }
  if (ties) for (let at = 0; at < ties.length; at++) ties[at] /= longest * Math.max(1, n) + 1;
  return { score, of, wrong: contenders.map((c) => countState(c, selected, WRONG) > 0), points, ties, asked };
}

/** Return the mean points over instances, given by their rows, and keys by which the smaller is better. */
export function means({ score, of, points, ties, asked }: Board, rows: Int32Array): { values: Float64Array; keys: Float64Array } {
  const k = of.length, n = Math.max(1, rows.length), sign = score.smaller ? 1 : -1;
  const values = new Float64Array(k), keys = new Float64Array(k), counts = new Float64Array(k);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] * k;
    for (let j = 0; j < k; j++) values[j] += points[row + j];
    if (ties) for (let j = 0; j < k; j++) keys[j] += ties[row + j];
    if (asked) for (let j = 0; j < k; j++) counts[j] += asked[row + j];
  }
  for (let j = 0; j < k; j++) {
    values[j] /= asked ? Math.max(1, counts[j]) : n;
    keys[j] = sign * values[j] + keys[j] / n;
  }
  return { values, keys };
}

/** Return what keys differ by, at the least, if they differ by more than rounding errors. */
export const unitOf = (keys: Float64Array): number => keys.reduce((most, key) => Math.max(most, Math.abs(key)), 0) * 1e-12 || 1;

/** Return the rank of each contender of a board, the smallest key first, behind them the wrong ones; equal ones get the lowest. */
export function places({ wrong }: Board, keys: Float64Array, unit: number): Int32Array {
  const steps = keys.map((key) => Math.round(key / unit)), found = new Int32Array(keys.length);
  const differ = (a: number, b: number): number => Number(wrong[a]) - Number(wrong[b]) || steps[a] - steps[b];
  const order = found.map((_, j) => j).sort(differ);
  for (let r = 0; r < order.length; r++) {
    found[order[r]] = r && !differ(order[r - 1], order[r]) ? found[order[r - 1]] : r + 1;
  }
  return found;
}
