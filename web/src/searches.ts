// Searches for the best solution, as harness/reporting/page/searches.py stores them.
import { bytes, numbers, signed, type Column } from "./container.ts";
import { count } from "./format.ts";
import type { Quality, Searches, Step, Value } from "./report.ts";

type StoredValues = { held: Column; big: Record<string, string> };

export interface StoredSearches extends Quality {
  sense: Column;
  some: Column;
  known: StoredValues;
  courses: (Record<"count" | "micro" | "kind", Column> & { value: StoredValues })[];
}

export function decodeSearches(stored: StoredSearches, columns: Uint8Array): Searches {
  const valuesOf = ({ held, big }: StoredValues): ((k: number) => Value) => {
    const found = numbers(held, columns);
    return (k) => ({ at: Number(big[k] ?? signed(found[k])), get text() { return big[k] ?? count(signed(found[k])); } });
  };
  const known = valuesOf(stored.known), some = bytes(stored.some, columns);
  const courses = stored.courses.map((course) => {
    const ends = numbers(course.count, columns), micro = numbers(course.micro, columns), kind = bytes(course.kind, columns), value = valuesOf(course.value);
    for (let i = 1; i < ends.length; i++) ends[i] += ends[i - 1];
    const start = (i: number): number => ends[i - 1] ?? 0;
    const steps = (i: number): Step[] => Array.from({ length: ends[i] - start(i) }, (_, k) => k + start(i)).map((k) => ({ seconds: micro[k] / 1e6, bound: kind[k] === 1, ...value(k) }));
    const reached = (i: number): Value | null => {
      let k = ends[i] - 1;
      while (k >= start(i) && kind[k]) k--;
      return k < start(i) ? null : value(k);
    };
    return { steps, reached };
  });
  return { ...stored, sense: bytes(stored.sense, columns), known: (i) => (some[i] ? known(i) : null), course: (c, i) => courses[c].steps(i), reached: (c, i) => courses[c].reached(i) };
}
