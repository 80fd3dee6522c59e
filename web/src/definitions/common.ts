// Instances that two journals have in common, by name.
import type { Journal } from "../report.ts";

const known = new WeakMap<Journal, Map<string, number>>();

/** Return index by name. */
function byName(journal: Journal): Map<string, number> {
  let found = known.get(journal);
  if (!found) known.set(journal, (found = new Map(journal.names.map((name, i) => [name, i]))));
  return found;
}

/** Return the selected instances of a journal that the other has, and their indexes there. */
export function commonInstances(journal: Journal, selected: Int32Array, other: Journal): [Int32Array, Int32Array] {
  if (journal === other) return [selected, selected];
  const names = byName(other), ids: number[] = [], others: number[] = [];
  for (const id of selected) {
    const at = names.get(journal.names[id]);
    if (at === undefined) continue;
    ids.push(id);
    others.push(at);
  }
  return [Int32Array.from(ids), Int32Array.from(others)];
}
