// One state drives the whole page: what is shown, of which instances, for which contenders. It lives in the address's hash.
import type { Rank } from "./definitions/scores.ts";
import type { Clock, Journal, Report } from "./report.ts";

/** The state at the start. */
export const DEFAULTS = {
  /** Index of the journal that is shown. */
  journal: 0,
  clock: "wall" as Clock,
  /** Names of contenders that are hidden. */
  hidden: [] as string[],
  corpus: [] as string[],
  family: [] as string[],
  /** "CONTENDER=CONDITION", where "*" is any contender that is shown; conditions are those of filter.ts. All must hold. */
  where: [] as string[],
  /** Words that the instance's name contains. */
  search: "",
  /** Contender whose time lies from `from` to `to` seconds; "" for any that is shown. */
  timed: "",
  from: null as number | null,
  to: null as number | null,
  /** Column of the table, "-" before it for descending: "name", "corpus", "family", "decided" or "time:CONTENDER". */
  sort: "",
  /** Contenders of the scatter. */
  x: "",
  y: "",
  log: true,
  /** Axes show all of the data, not only where contenders differ. */
  whole: false,
  /** Names of the contenders that plots colour; none: the best and the one that is fastest most often. */
  focus: [] as string[],
  /** The ranking has all columns; all contenders. */
  more: false,
  all: false,
  /** Part of the page that is in sight, by its id. */
  at: "",
  /** Cactus by accumulated score instead of the number of instances. */
  score: false,
  /** Most contenders drawn in a plot, the best by rank; 0 draws all. */
  drawn: 48,
  /** Key of the score that ranks, one of the journal. */
  rank: "par2" as Rank,
  /** An unsatisfiable answer counts only with a proof that holds. */
  proofs: false,
  /** Name of the instance whose details are open, or "". */
  open: "",
  theme: "auto" as "auto" | "light" | "dark",
};

export type ViewState = typeof DEFAULTS;

/** What a panel needs to draw: the state, and what follows from it. */
export interface View {
  report: Report;
  journal: Journal;
  state: ViewState;
  /** Indexes of the instances that pass the filters, in the order of the journal. */
  selected: Int32Array;
  /** Indexes of the contenders that are shown. */
  contenders: number[];
  /** Change the state: the address follows, and everything is drawn again. */
  update(change: Partial<ViewState>): void;
}

/** Keys of the state that redraw only the panels that name them in `reacts`; a change of any other redraws all. */
export const LOCAL = ["open", "sort", "x", "y", "log", "score", "drawn", "rank", "whole", "focus", "more", "all", "at"] as const;

/** A part of the page. render is called at the start and after every change, at the latest when the panel comes into sight. */
export interface Panel {
  id: string;
  title: string;
  /** It shows the whole journal, whatever the filters. */
  whole?: boolean;
  /** Its name in the list of parts, if not the title. */
  short?: string;
  reacts?: readonly (typeof LOCAL)[number][];
  /** False if the report has nothing for this panel, which is then left out. */
  applies?(report: Report): boolean;
  render(root: HTMLElement, view: View): void;
}
