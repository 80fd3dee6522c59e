// Virtual best solver: its PAR-2, and what each contender adds to it.
import { portfolio, type Portfolio, type Share } from "../definitions/portfolio.ts";
import { h } from "../dom.ts";
import { count, seconds } from "../format.ts";
import { cached, once } from "../memo.ts";
import { scrolling } from "../panels/controls.ts";
import type { Report } from "../report.ts";
import type { View } from "../view.ts";
import { linearAxis, tickSeconds } from "./axis.ts";
import { letters, namesWidth, paintAcross, picture, pictureWidth, svgPen, WIDEST } from "./chart_svg.ts";
import { clockName, keyOf, selectionOf, untimedNote } from "./chosen.ts";
import { exact, figure, instanceLink, listOf, nameOf, show, tableElement } from "./figure.ts";
import { LIGHT, pageColors, type Colors } from "./palette.ts";
import { element, px, short, type Node } from "./svg.ts";

const ROW = 26, TOP = 24, BOTTOM = 44, MOST_BARS = 20, MOST_AT_ONCE = 10_000_000, MOST_NAMED = 12;

const portfolios = once((_: Int32Array) => new Map<string, Portfolio>());

export const portfolioPanel = {
  id: "portfolio",
  title: "Virtual best solver",
  applies: (report: Report): boolean => report.journals.some((journal) => journal.contenders.length > 1),
  render(root: HTMLElement, view: View, asked = false): void {
    const selection = selectionOf(view), known = portfolios(view.selected), key = keyOf(selection);
    if (!asked && !known.has(key) && view.selected.length * view.contenders.length > MOST_AT_ONCE) {
      const compute = (): void => portfolioPanel.render(root, view, true);
      return show(root, [h("p", {}, "Of so many outcomes this takes some seconds. ", h("button", { onclick: compute }, "Compute"))]);
    }
    const found = cached(known, key, () => portfolio(selection));
    found.shares.sort((a, b) => b.shapley - a.shapley);
    const told = found.shares.slice(0, MOST_NAMED).map((s) => `${short(view.journal.contenders[s.index].name)} ${seconds(s.shapley)}`).join(", ");
    const host = h("div", { class: "plot", role: "img", "aria-label": `Shapley contribution to the virtual best solver: ${told}.` });
    host.append(element(drawn(view, found, pageColors(), pictureWidth(root))));
    const best = h("p", {}, "PAR-2 of the virtual best solver, which takes the fastest contender for each instance: ", exact(seconds(found.best), "virtual-best", found.best));
    const note = `Seconds per instance of PAR-2 on ${clockName(view)} that a contender saves. Marginal: added to all the others. Shapley: mean over all orders in which contenders may be added, so that the values add up. ${untimedNote(view)}`;
    const content = figure({ note, plot: h("div", {}, best, host), file: "portfolio", svg: () => drawn(view, found, LIGHT, WIDEST) });
    const table = scrolling("Contributions", tableOf(view, found));
    show(root, [content, table]);
  },
};

function tableOf(view: View, found: Portfolio): HTMLElement {
  const row = (share: Share): (string | HTMLElement)[] => [
    nameOf(view.journal.contenders[share.index].name),
    exact(count(share.wins), "wins", share.wins),
    aloneCell(view, share),
    exact(seconds(share.marginal), "worth", share.marginal),
    exact(seconds(share.shapley), "shapley", share.shapley),
  ];
  return tableElement({ heads: ["contender", "fastest on", "alone at", "marginal", "Shapley"], rows: found.shares.map(row) });
}

/** The number of instances that no other contender decided, with the first of them. */
function aloneCell(view: View, { alone }: Share): HTMLElement {
  const number = exact(count(alone.length), "alone", alone.length);
  if (!alone.length) return number;
  const links = listOf([...alone], MOST_NAMED, (id) => instanceLink(view, view.journal.names[id]));
  return h("details", {}, h("summary", {}, number), links);
}

function drawn(view: View, found: Portfolio, colors: Colors, width: number): Node {
  const left = namesWidth(width), right = width - 20;
  const shares = found.shares.slice(0, MOST_BARS), height = TOP + ROW * shares.length + BOTTOM, nodes: Node[] = [], pen = svgPen(nodes);
  const most = Math.max(0, ...shares.map((s) => Math.max(s.shapley, s.marginal))) || 1, bottom = height - BOTTOM;
  const axis = linearAxis("seconds per instance saved", { least: 0, most: most * 1.04 }, (v) => (v ? tickSeconds(v) : "0"));
  const at = (value: number): number => left + axis.place(value) * (right - left);
  pen.fill(`M0,0H${width}V${height}H0Z`, colors.ground);
  paintAcross(axis, pen, { left, top: TOP, width: right - left, height: bottom - TOP }, colors);
  shares.forEach((share, k) => {
    const y = TOP + ROW * (k + 0.5);
    pen.text(left - 10, y + 4, short(view.journal.contenders[share.index].name, letters(left)), "end", colors.text);
    pen.fill(`M${left},${y - 8}H${px(at(share.shapley))}v8H${left}Z`, colors.accent);
    pen.fill(`M${left},${y + 1}H${px(at(share.marginal))}v6H${left}Z`, colors.states[4]);
  });
  [["Shapley", colors.accent], ["marginal", colors.states[4]]].forEach(([name, color], k) => {
    pen.fill(`M${left + 90 * k},6h12v8h-12Z`, color);
    pen.text(left + 90 * k + 17, 14, name, "start", colors.dim);
  });
  pen.stroke(`M${left},${TOP}V${bottom}H${right}`, colors.line, 1);
  return picture(width, height, nodes);
}
