// Figures of a contender over selected instances, with the keys and definitions of harness/reporting/frame/summary.py.
import { reader, sortedTimes, stateCounts } from "./definitions/columns.ts";
import { quantile } from "./definitions/par.ts";
import { EVIDENCE } from "./filter.ts";
import { DECIDED, STATES, type Clock, type Contender, type Journal } from "./report.ts";
import type { View } from "./view.ts";

/** Return entries of the contenders that are shown, by their index: the summary's own if no instance is filtered away. */
export function entries(view: View): Map<number, any> {
  const { journal, selected, contenders } = view;
  const all = selected.length === journal.size;
  return new Map(contenders.map((k) => [k, all ? journal.summary.contenders[k] : filteredEntry(journal, k, selected)]));
}

/** Return the entry over selected instances; what the page has no columns of (phases, peak memory) is null. */
export function filteredEntry(journal: Journal, k: number, selected: Int32Array): any {
  const c = journal.contenders[k];
  const amortised = journal.summary.contenders[k].amortised;
  const counts = decidedCounts(c, selected);
  const clock = (name: Clock) => clockFigures(c, name, selected, journal.limits[name], amortised);
  return { name: c.name, ...counts, ...evidenceCounts(c, selected), ...clock("wall"), cpu: clock("cpu"), phases: {}, peak: null, amortised };
}

function decidedCounts(c: Contender, selected: Int32Array): Record<string, number> {
  const counts = stateCounts(c, selected);
  let unsatisfiable = 0;
  for (let j = 0; j < selected.length; j++) unsatisfiable += c.unsatisfiable[selected[j]];
  const unsolved = STATES.slice(DECIDED + 1).map((state, j) => [state, counts[DECIDED + 1 + j]]);
  const solved = counts[DECIDED];
  return { solved, satisfiable: solved - unsatisfiable, unsatisfiable, ...Object.fromEntries(unsolved) };
}

function evidenceCounts(c: Contender, selected: Int32Array): Record<string, number> {
  const bits = new Int32Array(32);
  for (let j = 0; j < selected.length; j++) bits[c.evidence[selected[j]] & 31]++;
  const having = (bit: number) => bits.reduce((sum, n, value) => sum + (value & bit ? n : 0), 0);
  return Object.fromEntries(Object.entries(EVIDENCE).map(([key, bit]) => [key, having(bit)]));
}

function clockFigures(c: Contender, clock: Clock, selected: Int32Array, limit: number, amortised: boolean): any {
  const timeAt = reader(c, clock);
  let [asked, decided, total, max] = [0, 0, 0, 0];
  for (let j = 0; j < selected.length; j++) {
    const state = c.state[selected[j]];
    if (state) asked++;
    if (state !== DECIDED) continue;
    const time = timeAt(selected[j]);
    decided++;
    total += time;
    if (time > max) max = time;
  }
  if (!c.timed[clock]) return { seconds: NO_TIMES, puzzles_per_second: null, par2: null, par10: null };
  const par = (factor: number) => (asked ? (total + factor * limit * (asked - decided)) / asked : null);
  const at = (q: number) => (amortised ? null : quantile(sortedTimes(c, clock, selected), q));
  const seconds = {
    total,
    mean: total / decided,
    max: amortised ? null : max,
    // Sorting is left to those who ask: the page shows these of one clock alone.
    get median() { return at(0.5); },
    get p95() { return at(0.95); },
  };
  return { seconds: decided ? seconds : NO_TIMES, puzzles_per_second: total ? decided / total : null, par2: par(2), par10: par(10) };
}

const NO_TIMES = { total: null, median: null, mean: null, p95: null, max: null };
