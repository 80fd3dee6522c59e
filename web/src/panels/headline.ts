// The top of the page: the run in a line, who wins or what changed, and what to know before believing it.
import { h } from "../dom.ts";
import { count } from "../format.ts";
import { printable } from "../printable.ts";
import type { Headline, Journal, Tile } from "../report.ts";
import { linkWhere, toHash } from "../state.ts";
import type { Panel, View } from "../view.ts";
import { link, subset } from "./controls.ts";
import { partial } from "./facts.ts";

const MARKS: Record<Tile["mark"], string> = { bad: "✗", doubt: "⚠", good: "✓", open: "–" };

export const headlinePanel: Panel = {
  id: "top",
  title: "Result",
  whole: true,
  render(root, view) {
    const { journal, report, state } = view, { sentence, details } = said(view);
    const lines = [...details, ...(state.proofs ? ["Here any unsatisfiable answer counts."] : []), ...(narrowed(view) ? [`This is of all ${count(journal.size)}; what follows is of ${subset(view)}.`] : [])];
    root.replaceChildren(
      h("p", { class: "dim" }, [...journal.facts, ...report.journals.map(described)].join(" · ")),
      h("h1", {}, unbroken(sentence)),
      h("p", { class: "details" }, unbroken(lines.join(" "))),
      h("ul", { class: "tiles", "aria-label": "Trust" }, journal.trust.map((tile) => h("li", {}, tileLink(view, tile)))),
    );
  },
};

/** Return a text whose scores, such as PAR-2, stay on one line. */
const unbroken = (text: string): (string | HTMLElement)[] => text.split(/(PAR-\d+\.?)/).map((part, k) => (k % 2 ? h("span", { class: "whole" }, part) : part));

const narrowed = ({ selected, journal, contenders }: View): boolean => selected.length < journal.size || contenders.length < journal.contenders.length;

/** Return what is said: of two journals what changed, then who is first in the one that is shown. */
function said({ journal, report, state }: View): Headline {
  const own = journal.headlines[state.clock];
  if (!report.headline) return own;
  const which = report.journals.length > 1 ? `In ${printable(name(journal))}: ` : "";
  return { sentence: report.headline.sentence, details: [...report.headline.details, `${which}${own.sentence}.`] };
}

const name = ({ path }: Journal): string => path.split("/").at(-1)!;

/** Return the name of a journal, and that its run is not complete. */
const described = (j: Journal): string => `${name(j)}${j.summary.interrupted ? ` (${partial(j.summary)})` : ""}`;

function tileLink(view: View, { mark, head, text, where, at }: Tile): HTMLElement {
  const hash = toHash({ ...view.state, at: where ? "instances" : at });
  const change = (): void => view.update(where ? { where: [...view.state.where.filter((one) => one !== where), where], at: "instances" } : { at });
  const made = link(where ? linkWhere(hash, where) : `#${hash}`, change, `tile ${head}`, h("span", {}, h("b", {}, `${MARKS[mark]} ${head}`), " ", h("span", {}, text)));
  made.className = mark;
  return made;
}
