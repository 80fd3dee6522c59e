// Order of contenders, as in the terminal: wrong answers last, then by the measure that the view names.
import { cached, once } from "../memo.ts";
import { DECIDED, WRONG } from "../report.ts";
import { countState, type Selection } from "./columns.ts";
import { mean, penalised } from "./par.ts";

export type Rank = "par2" | "par10" | "solved";

/** Figures of a contender on the selected instances; `value` is PAR-k, null if its times can't be trusted. */
export interface Ranked {
  index: number;
  solved: number;
  wrong: number;
  value: number | null;
}

const known = once((_: Int32Array) => new Map<string, Ranked[]>());

/** Return the contenders best first; computed once per selection. */
export function ranked(s: Selection, rank: Rank): Ranked[] {
  return cached(known(s.selected), [rank, s.clock, ...s.of].join(), () => order(s, rank));
}

function order(s: Selection, rank: Rank): Ranked[] {
  const last = (r: Ranked): number => Number(r.wrong > 0);
  const by = (a: Ranked, b: Ranked): number => (rank === "solved" ? b.solved - a.solved : 0) || valueOf(a) - valueOf(b);
  return s.of
    .map((index) => ({ index, ...figures(s, index, rank === "par10" ? 10 : 2) }))
    .sort((a, b) => last(a) - last(b) || by(a, b));
}

/** The value to sort by, finite so that differences are numbers. */
const valueOf = ({ value }: Ranked): number => value ?? Number.MAX_VALUE;

/** PAR-k of all instances is the summary's own, to the last digit. */
function figures(s: Selection, index: number, factor: 2 | 10): Omit<Ranked, "index"> {
  const { journal, selected, clock } = s, c = journal.contenders[index];
  const entry = selected.length === journal.names.length ? journal.summary.contenders[index] : null;
  const computed = (): number | null => (c.timed ? mean(penalised(c, clock, selected, journal.limit, factor)) : null);
  const value = entry ? (clock === "cpu" ? entry.cpu : entry)[`par${factor}`] : computed();
  return { solved: countState(c, s.selected, DECIDED), wrong: countState(c, s.selected, WRONG), value };
}
