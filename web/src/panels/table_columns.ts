// Columns of the table of instances: what a cell shows and says.
import { secondsAt } from "../definitions/columns.ts";
import { seconds } from "../format.ts";
import { ranked } from "../definitions/ranking.ts";
import { cached } from "../memo.ts";
import { selectionOf } from "../plots/chosen.ts";
import { short } from "../plots/svg.ts";
import { DECIDED, type Clock, type Contender } from "../report.ts";
import { decidedBy } from "../sort.ts";
import { STATE_WORDS, stateOf } from "../states.ts";
import type { View } from "../view.ts";

export interface TableColumn {
  /** As in ViewState.sort. */
  key: string;
  /** Whole name, where the label is a part of it. */
  title?: string;
  label: string;
  /** In pixels. */
  width: number;
  /** True for words, which are aligned left. */
  words?: boolean;
  text(instance: number): string;
  /** The text that is cut, where it is. */
  full?(instance: number): string;
  className(instance: number): string;
}

const WIDEST_NAME = 380, NARROW = 0.42, PADDING = 16, LETTER = 8.3, BOLD = 9.4;
/** Pixels of a contender's column: its name has two lines. */
const width = (name: string): number => Math.min(220, Math.max(96, PADDING + BOLD * Math.min(12, name.length), PADDING + 4.8 * name.length));

export function tableColumns(view: View): TableColumn[] {
  const { journal, contenders } = view;
  const plain = (key: string, label: string, width: number, text: (i: number) => string) => ({ key, label, width, text, className: () => "", words: true });
  const least = new Map<number, number>(), longest = journal.names.reduce((n, name) => Math.max(n, name.length), 0) - journal.start.length;
  const nameWidth = Math.round(Math.min(WIDEST_NAME, innerWidth * NARROW, Math.max(90, PADDING + LETTER * longest)));
  const leastAt = (i: number) => cached(least, i, () => Math.min(...contenders.map((k) => timeAt(view, journal.contenders[k], i))));
  return [
    { ...plain("name", journal.summary.unit, nameWidth, (i) => short(journal.names[i].slice(journal.start.length), Math.floor((nameWidth - PADDING) / LETTER))), full: (i: number) => journal.names[i] },
    { ...plain("decided", "decided by", 80, (i) => `${decidedBy(journal, contenders, i)}/${contenders.length}`), words: false },
    ...ranked(selectionOf(view), view.state.rank).map(({ index }) => contenderColumn(view, index, leastAt)),
    ...(journal.corpora.length > 1 ? [plain("corpus", "corpus", 130, (i) => journal.corpora[journal.corpus[i]])] : []),
    ...(journal.families.length > 1 ? [plain("family", "family", 130, (i) => journal.families[journal.family[i]])] : []),
  ];
}

function contenderColumn(view: View, k: number, leastAt: (i: number) => number): TableColumn {
  const c = view.journal.contenders[k];
  const { clock } = view.state;
  const isFastest = (i: number) => view.contenders.length > 1 && timeAt(view, c, i) < Infinity && timeAt(view, c, i) === leastAt(i);
  return {
    key: `time:${c.name}`,
    title: c.name,
    label: c.label,
    width: width(c.label),
    text: (i) => outcomeText(c, clock, i),
    className: (i) => `s-${stateOf(c, i)}${isFastest(i) ? " best" : ""}`,
  };
}

function outcomeText(c: Contender, clock: Clock, i: number): string {
  const state = stateOf(c, i);
  if (state === "none") return "";
  if (state !== "decided") return `${STATE_WORDS[state].sign} ${STATE_WORDS[state].label}`;
  const time = c.timed[clock] ? seconds(secondsAt(c, clock, i)) : STATE_WORDS.decided.sign;
  return c.unsatisfiable[i] ? `∅ ${time}` : time;
}

/** Return the seconds of a contender that decided an instance, else Infinity. */
function timeAt({ state }: View, c: Contender, i: number): number {
  return c.timed[state.clock] && c.state[i] === DECIDED ? secondsAt(c, state.clock, i) : Infinity;
}
