// A chart on the screen: a canvas as wide as its host, and what is under the pointer.
import { h } from "../dom.ts";
import { paintChart, type Chart, type Pen } from "./chart.ts";
import type { Colors } from "./palette.ts";
import { short } from "./svg.ts";

/** What is under the pointer: its place in the chart, text, and what a click does. */
export interface Hit {
  x: number;
  y: number;
  text: string[];
  act?: () => void;
}

/** Returns what is nearest to a place, all 0..1, of a box of so many pixels. */
export type Finder = (x: number, y: number, width: number, height: number) => Hit | null;

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

/** Draw a chart in a host; return what removes it. */
export function drawChart(host: HTMLElement, chart: Chart, height: number, colors: Colors, find: Finder): () => void {
  const canvas = h("canvas") as HTMLCanvasElement, tip = h("div", { class: "tip", hidden: true });
  let width = 0, box = { left: 0, top: 0, width: 1, height: 1 };
  const draw = (): void => {
    width = Math.max(host.clientWidth, 200);
    const ratio = devicePixelRatio, context = canvas.getContext("2d")!;
    [canvas.width, canvas.height] = [width * ratio, height * ratio];
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    context.scale(ratio, ratio);
    box = paintChart(chart, canvasPen(context), width, height, colors);
  };
  const hitAt = (event: MouseEvent): Hit | null => {
    const rect = canvas.getBoundingClientRect();
    const [x, y] = [(event.clientX - rect.left - box.left) / box.width, 1 - (event.clientY - rect.top - box.top) / box.height];
    return x < 0 || x > 1 || y < 0 || y > 1.02 ? null : find(x, y, box.width, box.height);
  };
  const show = (hit: Hit | null): void => {
    tip.hidden = !hit;
    canvas.style.cursor = hit?.act ? "pointer" : "";
    if (!hit) return;
    tip.replaceChildren(...hit.text.map((line) => h("div", {}, h("bdi", {}, short(line, 200)))));
    tip.style.left = `${box.left + hit.x * box.width}px`;
    tip.style.top = `${box.top + (1 - hit.y) * box.height}px`;
    tip.classList.toggle("left", hit.x > 0.6);
    tip.classList.toggle("below", hit.y > 0.75);
  };
  canvas.addEventListener("mousemove", (event) => show(hitAt(event)));
  canvas.addEventListener("mouseleave", () => show(null));
  canvas.addEventListener("click", (event) => hitAt(event)?.act?.());
  host.append(canvas, tip);
  draw();
  const sight = new ResizeObserver(() => {
    if (host.clientWidth > 0 && Math.abs(host.clientWidth - width) > 1) draw();
  });
  sight.observe(host);
  return () => {
    sight.disconnect();
    host.replaceChildren();
  };
}
