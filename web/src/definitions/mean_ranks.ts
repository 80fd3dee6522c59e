// Mean ranks over instances, by the times of PAR-2.
import { NONE } from "../report.ts";
import { asksSome, secondsOr, timed, type Selection } from "./columns.ts";
import { firstAt } from "./scores.ts";

/** Return the mean rank of each contender over the instances asked of all; yields after each instance. */
export function* meanRanks(s: Selection): Generator<void, Map<number, number>> {
  const { journal, selected, clock } = s;
  const of = timed(s).filter((i) => asksSome(journal.contenders[i], selected)), contenders = of.map((i) => journal.contenders[i]);
  const ids = selected.filter((id) => contenders.every((c) => c.state[id] !== NONE));
  if (!of.length || !ids.length) return new Map();
  const times = contenders.map((c) => Float64Array.from(ids, (id) => secondsOr(c, clock, id, 2 * journal.limits[clock])));
  const sums = new Float64Array(of.length), row = new Float64Array(of.length), sorted = row.slice();
  for (let i = 0; i < ids.length; i++) {
    for (let j = 0; j < row.length; j++) row[j] = times[j][i];
    addRanks(row, sorted, sums);
    yield;
  }
  return new Map(of.map((index, j) => [index, sums[j] / ids.length]));
}

/** Add the rank of each value, from 1, to the sums; equal ones share the mean of theirs. `sorted` is room to sort in. */
function addRanks(values: Float64Array, sorted: Float64Array, sums: Float64Array): void {
  sorted.set(values);
  sorted.sort();
  for (let j = 0; j < values.length; j++) {
    const first = firstAt(sorted, values[j]);
    let end = first + 1;
    while (sorted[end] === values[j]) end++;
    sums[j] += (first + 1 + end) / 2;
  }
}
