// The loop of the page: a change of the state changes the address, and draws again what is in sight, then the rest.
import { h, keepFocus } from "./dom.ts";
import { select, shown } from "./filter.ts";
import { applyTheme, goTo, header, onPrint } from "./frame.ts";
import { agreement } from "./panels/agreement.ts";
import { bar } from "./panels/bar.ts";
import { details } from "./panels/details.ts";
import { facts } from "./panels/facts.ts";
import { groupsPanel, numbersPanel } from "./panels/groups.ts";
import { headlinePanel } from "./panels/headline.ts";
import { nothing } from "./panels/nothing.ts";
import { ranking } from "./panels/ranking.ts";
import { table } from "./panels/table.ts";
import { requireProofs } from "./proofs.ts";
import type { Report } from "./report.ts";
import { cactusPanel } from "./plots/cactus.ts";
import { comparePanel } from "./plots/compare.ts";
import { coursesPanel } from "./plots/courses.ts";
import { differencesPanel } from "./plots/differences.ts";
import { ecdfPanel } from "./plots/ecdf.ts";
import { familiesPanel } from "./plots/families.ts";
import { heatPanel } from "./plots/heat.ts";
import { matrixPanel } from "./plots/matrix.ts";
import { portfolioPanel } from "./plots/portfolio.ts";
import { qualityPanels } from "./plots/quality.ts";
import { scalingPanel } from "./plots/scaling.ts";
import { scatterPanel } from "./plots/scatter.ts";
import { scoreLabels } from "./definitions/scores.ts";
import { show as display } from "./plots/figure.ts";
import { fromHash, toHash } from "./state.ts";
import { DEFAULTS, LOCAL, type Panel, type View, type ViewState } from "./view.ts";

/** Parts of the page from top to bottom, drawn when they come into sight. */
const PANELS: Panel[] = [
  ...[comparePanel, ranking, cactusPanel, familiesPanel, ...qualityPanels, coursesPanel, scatterPanel, differencesPanel],
  ...[ecdfPanel, portfolioPanel, matrixPanel, scalingPanel, heatPanel, groupsPanel, numbersPanel, table, agreement, facts],
];

const REDRAWS_SOME: ReadonlySet<string> = new Set(LOCAL);
/** Changes of these keys keep what is selected, and so what was computed of it. */
const SELECTS_SAME: ReadonlySet<string> = new Set([...LOCAL, "theme"]);
/** Changes of these keys replace the last entry of the browser's history instead of adding one. */
const QUIET: ReadonlySet<string> = new Set(["search", "from", "to", "sort", "theme", "at"]);

/** Milliseconds of drawing at once; then the browser shows what is drawn, and the rest follows. */
const BUDGET = 16;
/** Milliseconds without a change, after which panels out of sight are drawn. */
const PAUSE = 250;
/** Milliseconds that drawing waits for the browser to be idle. */
const SOON = 50;

interface Place {
  panel: Panel;
  root: HTMLElement;
  visible: boolean;
  stale: boolean;
}

export function start(report: Report): void {
  DEFAULTS.journal = report.journals.length - 1;
  DEFAULTS.clock = report.journals[DEFAULTS.journal].clock ?? "wall";
  DEFAULTS.rank = Object.keys(report.journals[DEFAULTS.journal].scores)[0] ?? "par2";
  let view = viewOf(report, fromHash(location.hash), update);
  const [top, filters, aside] = [placeOf(headlinePanel, true), placeOf(bar, true), placeOf(details, true)];
  const panels = PANELS.filter((panel) => panel.applies?.(report) ?? true);
  const parts = panels.map((panel) => placeOf(panel, false));
  const places = [top, filters, ...parts, aside];
  const main = h("main", { id: "main", tabindex: -1 }, parts.map((p) => p.root.parentElement));
  document.body.replaceChildren(header(() => view, panels, top.root.parentElement as Node), filters.root.parentElement as Node, main, aside.root.parentElement as Node);
  const sight = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) places.find((p) => p.root === entry.target)!.visible = entry.isIntersecting;
      draw(places.filter((p) => p.visible), BUDGET);
    },
    { rootMargin: "300px" },
  );
  for (const place of parts) sight.observe(place.root);
  let stopWaiting = (): void => {}, sought = view.state.at;

  function update(change: Partial<ViewState>): void {
    const state = { ...view.state, ...change };
    const changed = changedKeys(view.state, state);
    if (change.at) sought = change.at;
    if (!changed.length) return seek();
    const quiet = changed.every((key) => QUIET.has(key));
    history[quiet ? "replaceState" : "pushState"](null, "", `#${toHash(state)}`);
    show(state, changed);
  }

  function show(state: ViewState, changed: readonly string[]): void {
    const local = changed.every((key) => REDRAWS_SOME.has(key));
    view = changed.every((key) => SELECTS_SAME.has(key)) ? { ...view, state } : viewOf(report, state, update);
    applyTheme(state.theme);
    for (const place of places) {
      if (!local || place.panel.reacts?.some((key) => changed.includes(key))) place.stale = true;
    }
    const focused = () => places.filter((p) => p.root.contains(document.activeElement));
    draw(focused());
    draw(places.filter((p) => p.visible), BUDGET);
    draw(focused()); // the details, when they close, give the focus to another panel
    for (const place of places) place.root.inert = place.stale; // its controls still have the view before
    if (changed.includes("at")) sought = state.at;
    seek();
    drawRest(PAUSE);
  }

  /** Draw what is stale among some places; stop after `budget` milliseconds. */
  function draw(some: Place[], budget = Infinity): void {
    const start = performance.now();
    for (const place of some) {
      if (!place.stale) continue;
      if (performance.now() - start > budget) return;
      place.stale = place.root.inert = false;
      keepFocus(place.root, () => (isEmpty(place.panel) ? display(place.root, [nothing(view)]) : place.panel.render(place.root, view)));
    }
  }

  /** Return whether the filters leave nothing for a panel to show. */
  function isEmpty(panel: Panel): boolean {
    return !panel.whole && !(view.selected.length && view.contenders.length);
  }

  /** Draw what is stale a panel at a time: at once what is in sight, the rest when the reader pauses. */
  function drawRest(pause: number): void {
    stopWaiting();
    const seen = places.find((p) => p.stale && p.visible);
    const next = seen ?? places.find((p) => p.stale);
    main.setAttribute("aria-busy", String(Boolean(next)));
    if (!next) return seek();
    stopWaiting = later(() => {
      draw([next]);
      drawRest(seen ? pause : 0);
    }, seen ? 0 : pause);
  }

  /** Bring the part into sight that is asked for, also when those above it are drawn. */
  function seek(): void {
    if (sought) goTo(sought);
    if (!places.some((p) => p.stale)) sought = "";
  }

  function redraw(): void {
    for (const place of places) place.stale = true;
    draw(places);
  }

  function follow(): void {
    const state = fromHash(location.hash);
    show(state, changedKeys(view.state, state));
  }

  window.addEventListener("popstate", follow);
  window.addEventListener("hashchange", follow);
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement && event.target.value;
    if (event.key === "Escape" && view.state.open && !typing) update({ open: "" });
  });
  onPrint(redraw, () => view.state.theme);
  applyTheme(view.state.theme);
  draw([top, filters, aside]);
  drawRest(0);
}

/** Do something after a pause, when the browser has shown what is drawn and answered the reader; return what calls it off. */
function later(work: () => void, pause: number): () => void {
  let called: number | undefined;
  const timer = setTimeout(() => {
    called = window.requestIdleCallback?.(work, { timeout: SOON });
    if (called === undefined) work(); // Safari
  }, pause);
  return () => {
    clearTimeout(timer);
    if (called !== undefined) cancelIdleCallback(called);
  };
}

function viewOf(report: Report, state: ViewState, update: View["update"]): View {
  const shownReport = state.proofs ? requireProofs(report) : report;
  const journal = shownReport.journals[state.journal] ?? shownReport.journals[0], labels = scoreLabels(journal);
  const rank = state.rank in labels ? state.rank : Object.keys(labels)[0];
  return { report: shownReport, journal, state: { ...state, rank }, selected: select(journal, state), contenders: shown(journal, state), update };
}

function placeOf(panel: Panel, visible: boolean): Place {
  const root = h("div", { class: "body" });
  const title = h("h2", { id: `${panel.id}-title`, tabindex: -1 }, panel.title);
  h("section", { id: panel.id, "aria-labelledby": title.id }, title, root);
  return { panel, root, visible, stale: true };
}

function changedKeys(a: ViewState, b: ViewState): string[] {
  return Object.keys(a).filter((key) => JSON.stringify(a[key as keyof ViewState]) !== JSON.stringify(b[key as keyof ViewState]));
}
