// Contenders that plots draw: all that are shown, or the best of very many.
import type { Selection } from "../definitions/columns.ts";
import { ranked } from "../definitions/ranking.ts";
import { SCORES } from "../definitions/scores.ts";
import { h } from "../dom.ts";
import { select } from "../panels/controls.ts";
import type { Clock } from "../report.ts";
import type { View } from "../view.ts";
import { styleOf, type Colors, type Style } from "./palette.ts";
import { short } from "./svg.ts";

const MANY = 20;
const SIZES: [string, string][] = [["12", "12"], ["24", "24"], ["48", "48"], ["0", "all"]];

export const CLOCK_NAMES: Record<Clock, string> = { wall: "wall time", cpu: "CPU time" };
export const clockName = (view: View): string => CLOCK_NAMES[view.state.clock];

/** Return the limit that scores by the clock of the view use, in seconds. */
export const limitOf = ({ journal, state }: View): number => journal.limits[state.clock];

/** Return the limit that scores use, in words: it is of the other clock if this one has none. */
export function limitText(view: View): string {
  const { clock } = view.state, of: Clock = view.journal.summary.score_limits[clock].clock;
  return `${limitOf(view)} s of ${CLOCK_NAMES[of]}${of === clock ? "" : `, as none of ${CLOCK_NAMES[clock]} is known`}`;
}

export const selectionOf = (view: View, of = view.contenders): Selection => ({
  journal: view.journal, selected: view.selected, of, clock: view.state.clock,
});

/** Return what tells two selections of the same instances apart. */
export const keyOf = ({ clock, of }: Selection): string => [clock, ...of].join();

/** Return the contenders to draw that have times, best first. */
export function chosen(view: View): number[] {
  const all = timedRanked(view), most = view.state.drawn;
  return all.length > MANY && most ? all.slice(0, most) : all;
}

/** Return all contenders that have times, best first. */
export const timedRanked = (view: View): number[] =>
  ranked(selectionOf(view), view.state.rank).map((r) => r.index).filter((i) => view.journal.contenders[i].timed[view.state.clock]);

/** Return what is drawn of many contenders and a choice of how many, or null. */
export function choiceOfMany(view: View): HTMLElement | null {
  const n = timedRanked(view).length;
  if (n <= MANY) return null;
  const choose = (size: string): void => view.update({ drawn: Number(size) });
  const list = select(`draw the best by ${SCORES[view.state.rank].label}`, "drawn", SIZES, String(view.state.drawn), choose);
  return h("span", {}, list, ` of ${n} contenders`);
}

/** Return what to say of contenders that are left out, or "". */
export function untimedNote(view: View): string {
  const out = view.contenders.map((i) => view.journal.contenders[i]).filter((c) => !c.timed[view.state.clock]).map((c) => short(c.name));
  return out.length ? `Left out, since these times are not known or do not match the parent's clock: ${out.join(", ")}.` : "";
}

/** Return the style of a contender: its own in small journals, else by its rank. */
export function contenderStyle(view: View, index: number, rank: number, colors: Colors): Style {
  return styleOf(view.journal.contenders.length <= MANY ? index : rank, colors);
}
