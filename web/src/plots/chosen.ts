// Contenders that plots draw: all that are shown, or the best of very many; and those that they colour.
import type { Selection } from "../definitions/columns.ts";
import { fastest } from "../definitions/portfolio.ts";
import { ranked } from "../definitions/ranking.ts";
import { scoreOf } from "../definitions/scores.ts";
import { h } from "../dom.ts";
import { cached, once } from "../memo.ts";
import { select } from "../panels/controls.ts";
import type { Clock } from "../report.ts";
import type { View } from "../view.ts";
import { focusColor, type Colors } from "./palette.ts";
import { short } from "./svg.ts";

const MANY = 60, FOCUSED = 4;
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

/** Return the contenders to draw that have times, best first; those in focus are among them. */
export function chosen(view: View): number[] {
  const all = timedRanked(view), most = view.state.drawn;
  if (all.length <= MANY || !most) return all;
  const focus = focused(view);
  return all.filter((i, k) => k < most || focus.includes(i));
}

/** Return all contenders that have times, best first. */
export const timedRanked = (view: View): number[] =>
  ranked(selectionOf(view), view.state.rank).map((r) => r.index).filter((i) => view.journal.contenders[i].timed[view.state.clock]);

const counts = once((_: Int32Array) => new Map<string, Map<number, number>>());

/** Return by contender on how many of the selected instances it is fastest. */
export function fastestOn(view: View): Map<number, number> {
  const selection = selectionOf(view);
  return cached(counts(view.selected), keyOf(selection), () => fastest(selection));
}

/** Return the contenders that plots colour: those that the state names, else the best three and the one fastest most often. */
export function focused(view: View): number[] {
  const known = timedRanked(view), named = view.state.focus.map((name) => view.journal.contenders.findIndex((c) => c.name === name));
  const some = named.filter((i) => known.includes(i));
  if (some.length) return some;
  const on = fastestOn(view), most = known.reduce((a, b) => ((on.get(b) ?? 0) > (on.get(a) ?? 0) ? b : a), known[0]);
  return [...new Set([...known.slice(0, FOCUSED - 1), ...(known.length ? [most] : []), ...known])].slice(0, FOCUSED);
}

/** Colour a contender, or make it grey again. */
export function toggleFocus(view: View, index: number): void {
  const before = focused(view), after = before.includes(index) ? before.filter((i) => i !== index) : [...before, index];
  view.update({ focus: after.map((i) => view.journal.contenders[i].name) });
}

/** Return the colour of a contender in focus, else null. */
export function colorOf(view: View, index: number, colors: Colors): string | null {
  const at = focused(view).indexOf(index);
  return at < 0 ? null : focusColor(at, colors);
}

/** Return what is drawn of many contenders and a choice of how many, or null. */
export function choiceOfMany(view: View): HTMLElement | null {
  const n = timedRanked(view).length;
  if (n <= MANY) return null;
  const choose = (size: string): void => view.update({ drawn: Number(size) });
  const list = select(`draw the best by ${scoreOf(view.journal, view.state.rank).label}`, "drawn", SIZES, String(view.state.drawn), choose);
  return h("span", {}, list, ` of ${n} contenders`);
}

/** Return what to say of contenders that are left out, or "". */
export function untimedNote(view: View): string {
  const out = view.contenders.map((i) => view.journal.contenders[i]).filter((c) => !c.timed[view.state.clock]).map((c) => short(c.label));
  return out.length ? `Left out, since these times are not known or do not match the parent's clock: ${out.join(", ")}.` : "";
}
