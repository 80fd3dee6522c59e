// PAR-2 of the contenders with intervals.
import { asksSome, timed } from "../definitions/columns.ts";
import { interval, penalised, widened } from "../definitions/par.ts";
import { ranked, type Ranked } from "../definitions/ranking.ts";
import { workerMargin, workersOf } from "../definitions/workers.ts";
import { DECIDED } from "../report.ts";
import { h } from "../dom.ts";
import { count, seconds } from "../format.ts";
import { cached, once } from "../memo.ts";
import type { Panel, View } from "../view.ts";
import { floor, timeAxis, type Axis } from "./axis.ts";
import { letters, namesWidth, paintAcross, picture, pictureWidth, svgPen, WIDEST } from "./chart_svg.ts";
import { choiceOfMany, chosen, clockName, contenderStyle, limitText, selectionOf, untimedNote } from "./chosen.ts";
import { exact, figure, nameOf, scaleChoice, show, type Table } from "./figure.ts";
import { LIGHT, pageColors, type Colors } from "./palette.ts";
import { element, px, short, type Node } from "./svg.ts";

/** An interval that reaches beyond this multiple of the longest bar is cut off. */
const FARTHEST = 2;
const ROW = 24, RIGHT = 90, TOP = 8, BOTTOM = 46;
type Interval = [number, number] | null;

export const par2Panel: Panel = {
  id: "par2",
  title: "PAR-2",
  reacts: ["log", "drawn", "rank"],
  render(root, view) {
    const bars = barsOf(view);
    const host = h("div", { class: "plot", role: "img", "aria-label": labelOf(view, bars), "aria-busy": "true" });
    let running = true;
    const fill = (): void => host.replaceChildren(element(drawn(view, bars, pageColors(), pictureWidth(root))));
    const next = (): void => {
      const bar = bars.find((bar) => bar.interval === undefined);
      host.setAttribute("aria-busy", String(Boolean(bar)));
      if (!running || !bar) return;
      bar.interval = known(view, bar.index);
      fill();
      setTimeout(next);
    };
    const content = figure({
      controls: [scaleChoice(view), choiceOfMany(view)].filter((part) => part !== null),
      note: `Mean seconds per instance, twice the limit (${limitText(view)}) for each that is not decided; whiskers: 95 % interval over instances and workers, which allows for failures that were not seen. ${untimedNote(view)}`,
      plot: host, table: () => tableOf(view, bars), file: "par2", svg: () => drawn(view, bars, LIGHT, WIDEST),
    });
    show(root, [content], () => {
      fill();
      setTimeout(next);
      return () => { running = false; };
    });
  },
};

interface Bar extends Ranked {
  name: string;
  /** Undefined until it is computed. */
  interval?: Interval;
}

const intervals = once((_: Int32Array) => new Map<string, Interval>());
const keyOf = (view: View, index: number): string => `${index} ${view.state.clock}`;

/** Return the contenders to draw, lowest PAR-2 first. */
function barsOf(view: View): Bar[] {
  const figures = new Map(ranked(selectionOf(view), "par2").map((r) => [r.index, r]));
  const some = chosen(view).map((i) => figures.get(i)!).filter((r) => r.value !== null);
  return some
    .sort((a, b) => a.value! - b.value!)
    .map((r) => ({ ...r, name: view.journal.contenders[r.index].name, interval: intervals(view.selected).get(keyOf(view, r.index)) }));
}

/** Return the interval of a contender, computed once per selection. */
function known(view: View, index: number): Interval {
  return cached(intervals(view.selected), keyOf(view, index), () => computed(view, index));
}

function computed(view: View, index: number): Interval {
  const { journal, selected, state } = view, c = journal.contenders[index], selection = selectionOf(view), most = 2 * journal.limits[state.clock];
  const values = penalised(c, state.clock, selected, journal.limits[state.clock], 2), ends = interval(values, most);
  if (!ends) return null;
  const of = timed(selection).filter((i) => asksSome(journal.contenders[i], selected)), value = values.reduce((a, b) => a + b, 0) / values.length;
  const spent = selected.reduce((sum, id) => sum + (c.state[id] === DECIDED ? (c[state.clock][id] || 0) / 1e9 : 0), 0);
  const slopes = of.map((i) => (i === index ? spent / values.length : 0));
  return widened(value, ends, workerMargin(workersOf(selection, of), slopes), most);
}

function labelOf(view: View, bars: Bar[]): string {
  const told = bars.slice(0, 12).map((bar) => `${short(bar.name)} ${seconds(bar.value)}`).join(", ");
  return `PAR-2 of ${clockName(view)}, lowest first: ${told}.`;
}

function axisOf(view: View, bars: Bar[]): Axis {
  const values = bars.map((bar) => bar.value!), longest = FARTHEST * Math.max(...values, 0);
  const ends = bars.flatMap((bar) => [bar.value!, ...(bar.interval ?? [])]).filter((v) => v > 0).map((v) => Math.min(v, longest));
  const most = Math.max(...ends, 0) || 2 * view.journal.limits[view.state.clock], least = Math.min(...ends, most);
  return timeAxis(`PAR-2, ${clockName(view)}`, { least: floor(least * 0.8), most: most * 1.05 }, view.state.log);
}

/** Bars from 0, or on a logarithmic axis, which has no 0, dots alone. */
function drawn(view: View, bars: Bar[], colors: Colors, width: number): Node {
  const left = namesWidth(width), right = width - RIGHT, drawnRanks = chosen(view);
  const height = TOP + ROW * bars.length + BOTTOM, axis = axisOf(view, bars), nodes: Node[] = [], pen = svgPen(nodes);
  const bottom = height - BOTTOM, at = (value: number): number => left + axis.place(value) * (right - left);
  pen.fill(`M0,0H${width}V${height}H0Z`, colors.ground);
  paintAcross(axis, pen, { left, top: TOP, width: right - left, height: bottom - TOP }, colors);
  bars.forEach((bar, k) => {
    const y = TOP + ROW * (k + 0.5), x = at(bar.value!), { color } = contenderStyle(view, bar.index, drawnRanks.indexOf(bar.index), colors);
    pen.text(left - 10, y + 4, bar.wrong ? `${short(bar.name, letters(left) - 8)} (wrong)` : short(bar.name, letters(left)), "end", colors.text);
    if (view.state.log) pen.fill(`M${px(x - 4)},${y}a4,4 0 1 0 8,0a4,4 0 1 0 -8,0Z`, color);
    else pen.fill(`M${left},${y - 7}H${px(x)}V${y + 7}H${left}Z`, color);
    if (bar.interval) {
      const [low, high] = bar.interval.map(at), end = Math.min(high, right);
      pen.stroke(`M${px(low)},${y}H${px(end)}M${px(low)},${y - 4}v8${high > right ? `M${px(end - 5)},${y - 4}l5,4l-5,4` : `M${px(high)},${y - 4}v8`}`, view.state.log ? color : colors.text, 1.5);
    }
    pen.text(right + 12, y + 4, seconds(bar.value), "start", colors.dim);
  });
  pen.stroke(`M${left},${TOP}V${bottom}H${right}`, colors.line, 1);
  return picture(width, height, nodes);
}

function tableOf(view: View, bars: Bar[]): Table {
  const cells = (bar: Bar): (string | HTMLElement)[] => {
    const [low, high] = known(view, bar.index) ?? [null, null];
    return [
      nameOf(bar.name), count(bar.solved), exact(seconds(bar.value), "par2", bar.value),
      exact(seconds(low), "low", low), exact(seconds(high), "high", high),
    ];
  };
  return { heads: ["contender", "decided", "PAR-2", "low", "high"], rows: bars.map(cells) };
}
