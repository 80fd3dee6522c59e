// The rows and columns of the current view as CSV: exact seconds, "." as the decimal point.
import { secondsAt } from "./definitions/columns.ts";
import { csv } from "./printable.ts";
import { DECIDED, type Clock } from "./report.ts";
import { order } from "./sort.ts";
import { stateOf } from "./states.ts";
import type { View } from "./view.ts";

const PART = 2000;

export function viewCsv(view: View): string[] {
  const rows = order(view);
  const parts = [csv([headings(view)])];
  for (let from = 0; from < rows.length; from += PART) {
    parts.push(csv(Array.from(rows.subarray(from, from + PART), (i) => cells(view, i))));
  }
  return parts;
}

function headings({ journal, contenders }: View): string[] {
  const fields = contenders.flatMap((k) => ["state", "wall", "cpu"].map((field) => `${journal.contenders[k].name} ${field}`));
  return ["instance", "corpus", "family", ...fields];
}

function cells({ journal, contenders }: View, i: number): string[] {
  const line = [journal.names[i], journal.corpora[journal.corpus[i]], journal.families[journal.family[i]]];
  for (const k of contenders) {
    const c = journal.contenders[k];
    const decided = c.state[i] === DECIDED;
    const state = decided ? (c.unsatisfiable[i] ? "unsatisfiable" : "satisfiable") : stateOf(c, i);
    const exact = (clock: Clock) => (decided ? String(secondsAt(c, clock, i)) : "");
    line.push(state, exact("wall"), exact("cpu"));
  }
  return line;
}
