// One state drives the whole page: what is shown, of which instances, for which contenders. It lives in the address's hash.
import type { Journal, Report } from "./report.ts";

export interface ViewState {
  /** Index of the journal that is shown. */
  journal: number;
  clock: "wall" | "cpu";
  /** Names of contenders that are hidden. */
  hidden: string[];
  corpus: string[];
  family: string[];
  /** "CONTENDER=STATE" conditions; "*=STATE" is any contender. All must hold. */
  where: string[];
  /** Words that the instance's name contains. */
  search: string;
  /** Seconds of the sorted contender, or of any: an instance is kept if a time lies between. */
  from: number | null;
  to: number | null;
  /** Column of the table, "-" before it for descending: "name", "corpus" or a contender's name. */
  sort: string;
  /** Contenders of the scatter. */
  x: string;
  y: string;
  log: boolean;
  rank: "par2" | "par10" | "solved";
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

/** A part of the page. render is called at the start and after every change. */
export interface Panel {
  id: string;
  title: string;
  render(root: HTMLElement, view: View): void;
}
