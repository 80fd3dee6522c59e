// One state drives the whole page: what is shown, of which instances, for which contenders. It lives in the address's hash.
import type { Rank } from "./definitions/scores.ts";
import type { Clock, Journal, Report } from "./report.ts";

export interface ViewState {
  /** Index of the journal that is shown. */
  journal: number;
  clock: Clock;
  /** Names of contenders that are hidden. */
  hidden: string[];
  corpus: string[];
  family: string[];
  /** "CONTENDER=CONDITION", where "*" is any contender that is shown; conditions are those of filter.ts. All must hold. */
  where: string[];
  /** Words that the instance's name contains. */
  search: string;
  /** Contender whose time lies from `from` to `to` seconds; "" for any that is shown. */
  timed: string;
  from: number | null;
  to: number | null;
  /** Column of the table, "-" before it for descending: "name", "corpus", "family", "decided" or "time:CONTENDER". */
  sort: string;
  /** Contenders of the scatter. */
  x: string;
  y: string;
  log: boolean;
  /** Axes show all of the data, not only where contenders differ. */
  whole: boolean;
  /** Names of the contenders that plots colour; none: the best and the one that is fastest most often. */
  focus: string[];
  /** The ranking has all columns; all contenders. */
  more: boolean;
  all: boolean;
  /** Part of the page that is in sight, by its id. */
  at: string;
  /** Cactus by accumulated score instead of the number of instances. */
  score: boolean;
  /** Most contenders drawn in a plot, the best by rank; 0 draws all. */
  drawn: number;
  rank: Rank;
  /** An unsatisfiable answer counts only with a proof that holds. */
  proofs: boolean;
  /** Name of the instance whose details are open, or "". */
  open: string;
  theme: "auto" | "light" | "dark";
}

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
export type LocalKey = (typeof LOCAL)[number];

/** A part of the page. render is called at the start and after every change, at the latest when the panel comes into sight. */
export interface Panel {
  id: string;
  title: string;
  /** Its name in the list of parts, if not the title. */
  short?: string;
  reacts?: readonly LocalKey[];
  /** False if the report has nothing for this panel, which is then left out. */
  applies?(report: Report): boolean;
  render(root: HTMLElement, view: View): void;
}
