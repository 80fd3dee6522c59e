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
  const small = (column: Column) => bytes(column, columns);
  const valuesOf = ({ held, big }: StoredValues): ((k: number) => Value) => {
    const found = numbers(held, columns);
    return (k) => ({ text: big[k] ?? count(signed(found[k])), at: Number(big[k] ?? signed(found[k])) });
  };
  const known = valuesOf(stored.known), some = small(stored.some);
  const courses = stored.courses.map((course) => {
    const ends = numbers(course.count, columns), micro = numbers(course.micro, columns), kind = small(course.kind), value = valuesOf(course.value);
    for (let i = 1; i < ends.length; i++) ends[i] += ends[i - 1];
    return (i: number): Step[] => Array.from({ length: ends[i] - (ends[i - 1] ?? 0) }, (_, k) => k + (ends[i - 1] ?? 0)).map((k) => ({ seconds: micro[k] / 1e6, bound: kind[k] === 1, ...value(k) }));
  });
  return { ...stored, sense: small(stored.sense), known: (i) => (some[i] ? known(i) : null), course: (c, i) => courses[c](i) };
}
