// One instance: its drawing, and each contender's outcome with evidence, reason, and the command that runs it again.
import { secondsAt } from "../definitions/columns.ts";
import { h } from "../dom.ts";
import { EVIDENCE } from "../filter.ts";
import { count, seconds } from "../format.ts";
import { once } from "../memo.ts";
import { coursePart } from "../plots/courses.ts";
import { DECIDED, type Clock, type Contender, type Journal } from "../report.ts";
import { order } from "../sort.ts";
import { EVIDENCE_LABELS, STATE_WORDS, stateOf } from "../states.ts";
import type { Panel, View } from "../view.ts";
import { copyable, growing, scrolling } from "./controls.ts";

const positions = once(({ names }: Journal) => {
  const known = new Map<string, number>();
  for (let i = names.length - 1; i >= 0; i--) known.set(names[i], i);
  return known;
});

/** Return the index of an instance, -1 if the journal has none of this name. */
export const indexOf = (journal: Journal, name: string): number => positions(journal).get(name) ?? -1;

export const details: Panel = {
  id: "details",
  title: "Instance",
  whole: true,
  reacts: ["open", "sort"],
  render(root, view) {
    const place = root.parentElement as HTMLElement;
    const instance = view.state.open ? indexOf(view.journal, view.state.open) : -1;
    const before = place.hidden || !root.hasChildNodes() ? document.activeElement : null;
    place.hidden = !view.state.open;
    if (!view.state.open) root.replaceChildren();
    else if (instance < 0) root.replaceChildren(closeButton(view), h("p", {}, `The journal has no instance ${view.state.open}.`));
    else root.replaceChildren(...shown(view, instance));
    moveFocus(place, before);
  },
};

let opener: Element | null = null;

/** Give the focus to the details when they open, and back to where it was, or to the table, when they close. */
function moveFocus(place: HTMLElement, before: Element | null): void {
  if (before && !place.hidden) {
    opener = before;
    place.querySelector("h2")?.focus();
  } else if (opener && place.hidden) {
    const back = opener.isConnected && opener !== document.body ? opener : document.querySelector(".grid");
    (back as HTMLElement | null)?.focus({ preventScroll: true });
    opener = null;
  }
}

function shown(view: View, i: number): HTMLElement[] {
  const { journal } = view;
  const drawing = journal.drawing(i);
  const kind = [`no. ${count(i + 1)}`, `corpus ${journal.corpora[journal.corpus[i]]}`, journal.families[journal.family[i]]].join(" · ");
  return [
    h("div", { class: "controls" }, ...steps(view, i), closeButton(view)),
    h("h3", { class: "name" }, journal.names[i]),
    h("p", { class: "dim" }, kind),
    drawing === null ? h("p", { class: "dim" }, "The page has no drawing of this instance.") : h("pre", { tabindex: 0, role: "group", "aria-label": "Drawing of the instance" }, drawing),
    ...coursePart(view, i, Math.min(COURSE, innerWidth - 24), showOutcome),
    ...outcomes(view, i),
  ];
}

/** Bring the outcome of a contender into sight. */
function showOutcome(k: number): void {
  const row = document.querySelector<HTMLElement>(`#details tbody[data-number="${k}"]`);
  row?.scrollIntoView({ block: "center" });
  row?.animate({ backgroundColor: ["var(--accent-bg)", "var(--accent-bg)", "transparent"] }, 4000);
}

function closeButton(view: View): HTMLElement {
  return h("button", { type: "button", "data-focus": "close", onclick: () => view.update({ open: "" }) }, "Close (Esc)");
}

/** Return buttons to the instances before and after, in the order of the table. */
function steps(view: View, i: number): HTMLElement[] {
  const rows = order(view);
  const at = rows.indexOf(i);
  const step = (label: string, to: number) => {
    const open = () => view.update({ open: view.journal.names[rows[to]] });
    return h("button", { type: "button", "data-focus": label, disabled: at < 0 || to < 0 || to >= rows.length, onclick: open }, label);
  };
  return [step("Previous", at - 1), step("Next", at + 1)];
}

const COURSE = 760;
const HEAD = ["contender", "outcome", "wall", "CPU", "solutions", "judged", ""];
const MOST = 60;

function outcomes(view: View, i: number): HTMLElement[] {
  const head = HEAD.map((text) => h("th", { scope: "col" }, text || h("span", { class: "hidden" }, "command")));
  const [table, more] = growing(h("table", { class: "outcomes" }, h("thead", {}, h("tr", {}, head))), byOutcome(view, i), MOST, (k) => outcome(view.journal, i, k));
  return [scrolling("Outcomes", table), more];
}

/** Return all contenders: those that are wrong, those that decided by time, the others. */
function byOutcome({ journal, state }: View, i: number): number[] {
  const rank = (k: number) => {
    const c = journal.contenders[k];
    if (stateOf(c, i) === "wrong") return -1;
    return c.state[i] === DECIDED ? c[state.clock][i] || 0 : Infinity;
  };
  const ranks = journal.contenders.map((_, k) => rank(k));
  return [...ranks.keys()].sort((a, b) => (ranks[a] < ranks[b] ? -1 : ranks[a] > ranks[b] ? 1 : a - b));
}

function outcome(journal: Journal, i: number, k: number): HTMLElement {
  const c = journal.contenders[k];
  const state = stateOf(c, i);
  const word = state === "decided" ? (c.unsatisfiable[i] ? "unsatisfiable" : "satisfiable") : STATE_WORDS[state].label;
  const run = state !== "none";
  const evidence = Object.entries(EVIDENCE).flatMap(([key, bit]) => (c.evidence[i] & bit ? [EVIDENCE_LABELS[key]] : []));
  const verdict = journal.verdicts[c.verdict[i]].replaceAll("_", " ");
  const time = (field: Clock) =>
    h("td", { "data-field": field, "data-value": c[field][i] }, c.state[i] === DECIDED ? seconds(secondsAt(c, field, i)) : "-");
  const again = journal.command(i, k);
  const command = h("tr", { hidden: true }, h("td", { colspan: HEAD.length, class: "left" }, copyable(again)));
  const why = c.why.get(i);
  const cells = [
    h("th", { scope: "row", class: "left name", title: c.name }, c.label),
    h("td", { class: `left s-${state}`, "data-field": "state", "data-value": state }, `${STATE_WORDS[state].sign} ${word}`),
    time("wall"),
    time("cpu"),
    h("td", { "data-field": "found", "data-value": c.found[i] }, run ? count(c.found[i]) : "-"),
    h("td", { class: "left judged" }, run ? [verdict, ...evidence].join(", ") : "-"),
    h("td", {}, run && again ? toggle(command, c.name) : null),
  ];
  const reason = why ? h("tr", {}, h("td", { colspan: HEAD.length, class: "left why" }, why)) : null;
  return h("tbody", { "data-contender": c.name, "data-number": k }, h("tr", {}, cells), reason, logs(journal, c, i), command);
}

const STREAMS = ["standard output", "standard error"];

/** Return links to what a contender's programs printed, of the first repeat; null if nothing is kept. */
function logs(journal: Journal, c: Contender, i: number): HTMLElement | null {
  const paths = c.logs.get(i);
  if (!paths) return null;
  const href = (path: string) => [...(journal.summary.logs_from ?? ".").split("/"), ...path.split("/")].map(encodeURIComponent).join("/");
  const links = paths.flatMap((path, n) => [n ? " · " : "log: ", h("a", { href: href(path) }, STREAMS[n])]);
  return h("tr", {}, h("td", { colspan: HEAD.length, class: "left why" }, links));
}

/** Return a button that shows and hides a row. */
function toggle(row: HTMLElement, name: string): HTMLElement {
  const button = h("button", { type: "button", "aria-expanded": "false", onclick: flip }, "run again", h("span", { class: "hidden" }, ` ${name}`));
  return button;

  function flip(): void {
    row.hidden = !row.hidden;
    button.setAttribute("aria-expanded", String(!row.hidden));
  }
}
