// Computing once what several panels and redraws need.

/** Return the function with its results kept as long as their keys live. */
export function once<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { value: V }>();
  return (key) => {
    let found = known.get(key);
    if (!found) known.set(key, (found = { value: compute(key) }));
    return found.value;
  };
}

/** Return the function that computes a value at its first call. */
export function lazy<V extends object>(compute: () => V): () => V {
  let known: V | undefined;
  return () => (known ??= compute());
}

/** Return what a map has at a key; compute and add it if it has nothing. */
export function cached<K, V>(known: Map<K, V>, key: K, compute: () => V): V {
  if (!known.has(key)) known.set(key, compute());
  return known.get(key) as V;
}
