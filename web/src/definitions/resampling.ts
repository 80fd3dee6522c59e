// Bootstrap intervals of a score and of the ranks by it: the instances are drawn for all contenders together.
import type { Selection } from "./columns.ts";
import { DRAWS, MOST, positions, quantile } from "./par.ts";
import { means, ranksOf, scoreTable, unitOf } from "./ranking.ts";
import type { Rank } from "./scores.ts";

/** The ends of the 95 % intervals of a contender's score and rank. */
export interface Ends {
  low: number;
  high: number;
  rankLow: number;
  rankHigh: number;
}

/** Return the ends by contender; yields after each draw. */
export function* resampled(s: Selection, rank: Rank): Generator<void, Map<number, Ends>> {
  const b = scoreTable(s, rank), n = s.selected.length, drawn = new Int32Array(Math.min(n, MOST));
  const part = Math.sqrt(drawn.length / n), { values, keys } = means(b, null), unit = unitOf(keys);
  const scores = b.of.map(() => new Float64Array(DRAWS)), ranks = b.of.map(() => new Float64Array(DRAWS));
  for (let d = 0; d < DRAWS; d++) {
    positions(d, n, drawn);
    const some = means(b, drawn);
    const found = ranksOf(b, keys.map((key, j) => key + (some.keys[j] - key) * part), unit);
    for (let j = 0; j < b.of.length; j++) {
      scores[j][d] = values[j] + (some.values[j] - values[j]) * part;
      ranks[j][d] = found[j];
    }
    yield;
  }
  const scale = b.score.sums ? n : 1, last = DRAWS - 1;
  const ends = (j: number): Ends => {
    const [score, rank] = [scores[j].sort(), ranks[j].sort()];
    return {
      low: quantile(score, 0.025) * scale, high: quantile(score, 0.975) * scale,
      rankLow: rank[Math.floor(0.025 * last)], rankHigh: rank[Math.ceil(0.975 * last)],
    };
  };
  return new Map(b.of.map((index, j) => [index, ends(j)]));
}
