// Small multiples of the cactus, one for each corpus or family: a tie of all may be two clear orders of the parts.
import { cactus, thinned } from "../definitions/curves.ts";
import { ranked } from "../definitions/ranking.ts";
import { scoreOf, type Rank } from "../definitions/scores.ts";
import { standing, type Standing } from "../definitions/standing.ts";
import { count } from "../format.ts";
import { h } from "../dom.ts";
import { cached, once } from "../memo.ts";
import { link } from "../panels/controls.ts";
import { toHash } from "../state.ts";
import type { Journal } from "../report.ts";
import { advance, task } from "../tasks.ts";
import type { Panel, View, ViewState } from "../view.ts";
import { rangeOf } from "./axis.ts";
import { cactusChart } from "./cactus.ts";
import { chartPicture } from "./chart_svg.ts";
import { chosen, clockName, colorOf, keyOf, selectionOf } from "./chosen.ts";
import { multiples, show } from "./figure.ts";
import { pageColors } from "./palette.ts";
import { short } from "./svg.ts";

const MOST = 9, MOST_NAMED = 2, POINTS = 300, HEIGHT = 130, LEAST = 170, LETTER = 7.5;

interface Part {
  name: string;
  ids: Int32Array;
}

const parts = once((_: Int32Array) => new Map<string, Part[]>());

type Key = "corpus" | "family" | "folder";

/** Return by what instances are grouped: corpora, of one corpus its families, of one family the folders of its names. */
const groupedBy = ({ corpora, families }: Journal): Key => (corpora.length > 1 ? "corpus" : families.length > 1 ? "family" : "folder");

const folderOf = ({ names, start }: Journal, id: number): string => names[id].slice(start.length, Math.max(start.length, names[id].indexOf("/", start.length)));

/** Return the name of an instance's part. */
const partOf = (j: Journal, key: Key, id: number): string => (key === "corpus" ? j.corpora[j.corpus[id]] : key === "family" ? j.families[j.family[id]] : folderOf(j, id));

/** Return the selected instances by part, the largest first. */
function partsOf({ journal, selected }: View, key: Key): Part[] {
  return cached(parts(selected), key, () => {
    const found = new Map<string, number[]>();
    for (const id of selected) cached(found, partOf(journal, key, id), (): number[] => []).push(id);
    return [...found].map(([name, ids]) => ({ name, ids: Int32Array.from(ids) })).sort((a, b) => b.ids.length - a.ids.length);
  });
}

/** Return the change of the state that selects a part. */
const selecting = (key: Key, name: string): Partial<ViewState> => (key === "folder" ? { search: `${name}/` } : { [key]: [name] });

export const familiesPanel: Panel = {
  id: "families",
  title: "By family",
  short: "Families",
  reacts: ["log", "drawn", "rank", "focus"],
  applies: ({ journals }) => journals.some((j) => j.corpora.length > 1 || j.families.length > 1 || (j.size > 1 && folderOf(j, 0) !== "")),
  render(root, view) {
    const key = groupedBy(view.journal), all = partsOf(view, key), some = all.slice(0, MOST), of = chosen(view);
    const curves = some.map(({ ids }) => cactus({ ...selectionOf(view, of), selected: ids }, false).map((curve) => thinned(curve, POINTS)));
    const range = rangeOf(curves.flat().map((c) => c.y), 0), colors = pageColors();
    const cell = (part: Part, width: number): Element[] => {
      const where = selecting(key, part.name);
      const title = link(`#${toHash({ ...view.state, ...where })}`, () => view.update(where), `part ${part.name}`, `${short(part.name, width / LETTER - 6)} (${count(part.ids.length)})`);
      const chart = cactusChart(view, curves[some.indexOf(part)], 0, colors, { most: part.ids.length, range, small: true });
      const picture = chartPicture({ ...chart, label: `${part.name}: ${chart.label}` }, width, HEIGHT, colors);
      const first = h("div", { class: "dim first" });
      places.set(part, first);
      return [h("h3", {}, title), first, picture];
    };
    const places = new Map<Part, HTMLElement>(), rank = scoreOf(view.journal, view.state.rank).stored ? "par2" : view.state.rank;
    const tasks = some.map(({ ids }) => task(ids, `${rank},${keyOf(selectionOf(view))}`, () => standing({ ...selectionOf(view), selected: ids }, rank)));
    const plots = multiples(root, LEAST, some, cell);
    const fill = (): void => {
      some.forEach((part, k) => places.get(part)?.replaceChildren(...firstOf(view, part, rank, tasks[k].result)));
      plots.setAttribute("aria-busy", String(tasks.some(({ result }) => !result)));
    };
    const more = all.length > MOST ? ` The ${MOST} largest of ${count(all.length)}.` : "";
    const note = `${clockName(view)} of the n-th instance decided, for each ${key}; colours as beside, one scale of times. First place by ${scoreOf(view.journal, rank).label}, as the headline tests it.${more}`;
    show(root, [h("p", { class: "dim" }, note), plots], () => advance(tasks, fill));
  },
};

/** Return who wins the instances of a part, or who may be first, by the rule of the headline. */
function firstOf(view: View, { ids }: Part, rank: Rank, found?: Standing): (HTMLElement | string)[] {
  if (!found) return ["…"];
  const right = ranked({ ...selectionOf(view), selected: ids }, rank).filter((r) => r.value !== null && !r.wrong);
  const first = right.filter((r) => found.ends.get(r.index)?.rankLow === 1), names = first.map((r) => named(view, r.index));
  if (right.length < 2 || !first.length) return [];
  if (first.length === 1 && found.ends.get(first[0].index)!.rankHigh === 1) return [names[0], " wins"];
  if (first.length > MOST_NAMED) return [`open: ${count(first.length)} may be first`];
  return ["open: ", ...names.flatMap((name, k) => (k ? [" or ", name] : [name]))];
}

/** Return the name of a contender in the colour of its lines. */
function named(view: View, index: number): HTMLElement {
  const made = h("b", {}, short(view.journal.contenders[index].label, 20)), color = colorOf(view, index, pageColors());
  if (color) made.style.color = color;
  return made;
}
