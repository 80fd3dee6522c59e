// Order of the table's rows.
import { cached, once } from "./memo.ts";
import { DECIDED, STATES, type Clock, type Journal } from "./report.ts";
import type { View } from "./view.ts";

const LAST = STATES.length;
const orders = once((_: Int32Array) => new Map<string, Int32Array>());

/** Return the selected instances in the order of the table; equal ones keep the order of the journal. */
export function order(view: View): Int32Array {
  const { journal, state, selected, contenders } = view;
  const column = state.sort.replace(/^-/, "");
  if (!column) return selected;
  const key = [state.sort, state.clock, ...(column === "decided" ? contenders : [])].join();
  return cached(orders(selected), key, () => sorted(selected, sortKeys(journal, column, state.clock, contenders), state.sort !== column));
}

/** Return rows by ascending or descending keys; NaN is last in both. */
function sorted(rows: Int32Array, keys: Float64Array, descending: boolean): Int32Array {
  const sign = descending ? -1 : 1;
  const ranks = keys.map((key) => (Number.isNaN(key) ? Infinity : sign * key));
  return rows.slice().sort((a, b) => (ranks[a] < ranks[b] ? -1 : ranks[a] > ranks[b] ? 1 : a - b));
}

/** Return a number for each instance, by which a column sorts; NaN where it has nothing. */
function sortKeys(journal: Journal, column: string, clock: Clock, contenders: number[]): Float64Array {
  if (column === "name") return nameRanks(journal);
  if (column === "corpus") return ranked(journal.corpora, journal.corpus);
  if (column === "family") return ranked(journal.families, journal.family);
  if (column === "decided") return new Float64Array(journal.size).map((_, i) => decidedBy(journal, contenders, i));
  return timeKeys(journal, column.replace(/^time:/, ""), clock);
}

/** Times of decided instances in seconds; above them the others, by state; NaN where not run. */
function timeKeys(journal: Journal, name: string, clock: Clock): Float64Array {
  const keys = new Float64Array(journal.size).fill(NaN);
  const c = journal.contenders.find((one) => one.name === name);
  if (!c) return keys;
  for (let i = 0; i < keys.length; i++) {
    if (c.state[i] === DECIDED) keys[i] = c[clock][i] || 0;
    else if (c.state[i]) keys[i] = Number.MAX_VALUE / LAST * c.state[i];
  }
  return keys;
}

/** Return how many of the contenders decided an instance. */
export function decidedBy(journal: Journal, contenders: number[], i: number): number {
  let n = 0;
  for (const k of contenders) if (journal.contenders[k].state[i] === DECIDED) n++;
  return n;
}

const nameRanks = once((journal: Journal) => textRanks(journal.names));

function ranked(names: string[], column: Uint16Array): Float64Array {
  const ranks = textRanks(names);
  return Float64Array.from(column, (k) => ranks[k]);
}

/** Return the rank of each text; case is ignored, and numbers within texts count as numbers. */
export function textRanks(texts: string[]): Float64Array {
  const keys = texts.map((text) => text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(15, "0")));
  const by = Int32Array.from(keys, (_, i) => i).sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
  const ranks = new Float64Array(texts.length);
  for (let j = 0; j < by.length; j++) ranks[by[j]] = j > 0 && keys[by[j]] === keys[by[j - 1]] ? ranks[by[j - 1]] : j;
  return ranks;
}
