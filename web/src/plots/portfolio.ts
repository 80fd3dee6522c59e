// Virtual best solver: its PAR-2, and what each contender adds to it.
import { portfolio, type Portfolio, type Share } from "../definitions/portfolio.ts";
import { h } from "../dom.ts";
import { count, seconds } from "../format.ts";
import { cached, once } from "../memo.ts";
import { scrolling } from "../panels/controls.ts";
import type { Report } from "../report.ts";
import type { View } from "../view.ts";
import { clockName, keyOf, selectionOf, untimedNote } from "./chosen.ts";
import { exact, instanceLink, listOf, nameOf, show, tableElement } from "./figure.ts";

const MOST_AT_ONCE = 10_000_000, MOST_NAMED = 12;

const portfolios = once((_: Int32Array) => new Map<string, Portfolio>());

export const portfolioPanel = {
  id: "portfolio",
  title: "Virtual best solver",
  short: "Virtual best",
  applies: (report: Report): boolean => report.journals.some((journal) => journal.contenders.length > 1),
  render(root: HTMLElement, view: View, asked = false): void {
    const selection = selectionOf(view), known = portfolios(view.selected), key = keyOf(selection);
    if (!asked && !known.has(key) && view.selected.length * view.contenders.length > MOST_AT_ONCE) {
      const compute = (): void => portfolioPanel.render(root, view, true);
      return show(root, [h("p", {}, "Of so many outcomes this takes some seconds. ", h("button", { onclick: compute }, "Compute"))]);
    }
    const found = cached(known, key, () => portfolio(selection));
    found.shares.sort((a, b) => b.marginal - a.marginal || b.shapley - a.shapley);
    const best = h("p", {}, "PAR-2 of the virtual best solver, which takes the fastest contender for each instance: ", exact(seconds(found.best), "virtual-best", found.best));
    const note = `Seconds per instance of PAR-2 on ${clockName(view)} that a contender saves. Marginal: added to all the others. Shapley: mean over all orders in which contenders may be added, so that the values add up; contenders that are alike share what they save. ${untimedNote(view)}`;
    show(root, [best, scrolling("Contributions", tableOf(view, found)), h("p", { class: "dim" }, note)]);
  },
};

function tableOf(view: View, found: Portfolio): HTMLElement {
  const row = (share: Share): (string | HTMLElement)[] => [
    nameOf(view.journal.contenders[share.index].label),
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
