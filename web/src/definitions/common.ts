// Instances that two journals have in common.

/** Return the selected instances that are in `from`, and their partners at the same places of `to`. */
export function commonInstances(selected: Int32Array, from: Int32Array, to: Int32Array): [Int32Array, Int32Array] {
  const partners = new Map<number, number>();
  for (let k = 0; k < from.length; k++) partners.set(from[k], to[k]);
  const ids = selected.filter((id) => partners.has(id));
  return [ids, ids.map((id) => partners.get(id)!)];
}
