// A chart on the screen: uPlot draws axes and follows the pointer, paint() draws the rest.
import uPlot from "uplot";
import { fitting, type Axis } from "./axis.ts";
import { h } from "../dom.ts";
import { paint, type Chart, type Pen } from "./chart.ts";
import type { Colors } from "./palette.ts";
import { short } from "./svg.ts";

/** What is under the pointer: its place in the chart, text, and the instance that a click opens. */
export interface Hit {
  x: number;
  y: number;
  text: string[];
  open?: string;
}

/** Returns what is nearest to a place, all 0..1, of a box of so many pixels. */
export type Finder = (x: number, y: number, width: number, height: number) => Hit | null;

const MARGINS = 80; // pixels beside the plot
const FONT = '12px system-ui, "DejaVu Sans", sans-serif';

function canvasPen(context: CanvasRenderingContext2D): Pen {
  return {
    stroke(path, color, width, dash = []) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.setLineDash(dash);
      context.stroke(new Path2D(path));
    },
    fill(path, color) {
      context.fillStyle = color;
      context.fill(new Path2D(path));
    },
    points(x, y, size, color) {
      context.fillStyle = color;
      for (let k = 0; k < x.length; k++) context.fillRect(x[k] - size / 2, y[k] - size / 2, size, size);
    },
    text(x, y, text, anchor, color, halo) {
      context.fillStyle = color;
      context.font = FONT;
      context.textAlign = anchor === "middle" ? "center" : anchor;
      context.textBaseline = "alphabetic";
      if (halo) {
        context.strokeStyle = halo;
        context.lineWidth = 3;
        context.setLineDash([]);
        context.strokeText(text, x, y);
      }
      context.fillText(text, x, y);
    },
  };
}

function axisOptions(axis: Axis, scale: string, size: number, colors: Colors): uPlot.Axis {
  return {
    scale, size, label: axis.label, labelSize: 22, labelGap: 0, gap: 4, font: FONT, labelFont: FONT, stroke: colors.dim,
    side: scale === "x" ? 2 : 3,
    splits: () => axis.ticks.map(([at]) => at),
    values: (u) => (scale === "x" ? fitting(axis.ticks, u.width - MARGINS) : axis.ticks).map(([, text]) => text),
    grid: { stroke: colors.grid, width: 1 },
    ticks: { stroke: colors.line, width: 1, size: 4 },
    border: { show: true, stroke: colors.line, width: 1 },
  };
}

/** Draw a chart in a host; return what removes it. */
export function drawChart(host: HTMLElement, chart: Chart, height: number, colors: Colors, find: Finder, open: (name: string) => void): () => void {
  const tip = h("div", { class: "tip", hidden: true });
  const draw = (u: uPlot): void => {
    const ratio = uPlot.pxRatio, { left, top, width, height } = u.bbox;
    u.ctx.save();
    u.ctx.scale(ratio, ratio);
    paint(chart, canvasPen(u.ctx), { left: left / ratio, top: top / ratio, width: width / ratio, height: height / ratio }, colors);
    u.ctx.restore();
  };
  const plot = new uPlot(
    {
      width: Math.max(host.clientWidth, 200), height,
      padding: [18, 14, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false, setScale: false }, points: { show: false } },
      scales: { x: { time: false, range: [0, 1] }, y: { range: [0, 1] } },
      axes: [axisOptions(chart.x, "x", 30, colors), axisOptions(chart.y, "y", 58, colors)],
      series: [{}, { show: false }],
      hooks: { draw: [draw] },
    },
    [[0, 1], [0, 1]],
    host,
  );
  const hitAt = (event: MouseEvent): Hit | null => {
    const rect = plot.over.getBoundingClientRect();
    return find((event.clientX - rect.left) / rect.width, 1 - (event.clientY - rect.top) / rect.height, rect.width, rect.height);
  };
  plot.over.append(tip);
  plot.over.addEventListener("mousemove", (event) => showTip(tip, plot.over, hitAt(event)));
  plot.over.addEventListener("mouseleave", () => showTip(tip, plot.over, null));
  plot.over.addEventListener("click", (event) => {
    const name = hitAt(event)?.open;
    if (name !== undefined) open(name);
  });
  const sight = new ResizeObserver(() => {
    if (host.clientWidth > 0 && Math.abs(host.clientWidth - plot.width) > 1) plot.setSize({ width: host.clientWidth, height });
  });
  sight.observe(host);
  return () => {
    sight.disconnect();
    plot.destroy();
  };
}

function showTip(tip: HTMLElement, over: HTMLElement, hit: Hit | null): void {
  tip.hidden = !hit;
  over.style.cursor = hit?.open !== undefined ? "pointer" : "";
  if (!hit) return;
  tip.replaceChildren(...hit.text.map((line) => h("div", {}, h("bdi", {}, short(line, 200)))));
  const left = hit.x * over.clientWidth, top = (1 - hit.y) * over.clientHeight;
  tip.style.left = `${left}px`;
  tip.style.top = `${top}px`;
  tip.classList.toggle("left", hit.x > 0.6);
  tip.classList.toggle("below", hit.y > 0.75);
}
