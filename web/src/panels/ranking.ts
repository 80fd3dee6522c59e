// Contenders by a score: the figures of the summary with intervals, ranks and groups; under a filter, of the selected instances.
import { countState } from "../definitions/columns.ts";
import { meanRanks } from "../definitions/mean_ranks.ts";
import { ranked, type Ranked } from "../definitions/ranking.ts";
import { scoreLabels, scoreOf, type Score } from "../definitions/scores.ts";
import { standing, type Standing } from "../definitions/standing.ts";
import { h, keepFocus } from "../dom.ts";
import { count, number, percent, plural, seconds, timeUnit, total } from "../format.ts";
import { clockName, colorOf, fastestOn, keyOf, limitText, selectionOf, toggleFocus, untimedNote } from "../plots/chosen.ts";
import { nameOf, show } from "../plots/figure.ts";
import { pageColors } from "../plots/palette.ts";
import { NONE, type Contender } from "../report.ts";
import { linkWhere, toHash } from "../state.ts";
import { entries } from "../sums.ts";
import { advance, task } from "../tasks.ts";
import type { Panel, View } from "../view.ts";
import { choice, growing, link, scrolling, subset } from "./controls.ts";
import { decidedBar, intervalBar, rankBar, scoreAxis, scoreTicks } from "./ranking_bars.ts";
import { bestOf, columns, type Column } from "./ranking_columns.ts";

/** Rows that are shown of many: the best and the worst, and all that are wrong. */
const MANY = 14, BEST = 7, WORST = 3, AT_ONCE = 600, MOST_WRONG = 3;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** What a row needs: its contender, entry of the summary, and what is computed while the page is shown. */
interface Row {
  ranked: Ranked;
  entry: any;
  contender: Contender;
}

export const ranking: Panel = {
  id: "ranking",
  title: "Ranking",
  reacts: ["rank", "focus", "more", "all"],
  render(root, view) {
    const { rank, more } = view.state, score = scoreOf(view.journal, rank), selection = selectionOf(view), key = keyOf(selection);
    const byIndex = entries(view), place = (r: Ranked): number => Number(r.rank === null) + 2 * Number(r.wrong > 0);
    const rows = [...ranked(selection, rank)].sort((a, b) => place(a) - place(b))
      .map((r): Row => ({ ranked: r, entry: byIndex.get(r.index), contender: view.journal.contenders[r.index] }));
    const found = task(view.selected, `${rank},${key}`, () => standing(selection, rank));
    const means = more ? task(view.selected, key, () => meanRanks(selection)) : null;
    const shown = more ? columns(view, rows.map((row) => row.entry)) : [], best = shown.map((c) => bestOf(view, c, rows.map((row) => row.entry)));
    const fills: (() => void)[] = [];
    const line = (row: Row): HTMLElement => {
      const made = h("tr", { class: row.ranked.wrong ? "refuted" : null });
      const fill = (): void => made.replaceChildren(...cells(view, score, rows, row, shown, best, found.result, means?.result));
      fills.push(fill);
      fill();
      return made;
    };
    const right = rows.filter((row) => !row.ranked.wrong), wrong = rows.filter((row) => row.ranked.wrong);
    const [kept, grow] = folded(view, score, right, line), bodies = [...kept, h("tbody", {}, wrong.slice(0, view.state.all ? wrong.length : MOST_WRONG).map(line))];
    const head = h("tr");
    const table = h("table", { class: "ranking" }, h("thead", {}, head), bodies);
    const less = wrong.length > MOST_WRONG && right.length <= MANY && !view.state.all ? h("p", {}, allButton(view, `${count(wrong.length - MOST_WRONG)} more wrong contenders`)) : null;
    const controls = h("div", { class: "controls" }, choice("Score", "rank", scoreLabels(view.journal), view), flag(view, "more", "more columns", "fewer columns"),
      view.state.all ? flag(view, "all", "all contenders", "fewer contenders") : null);
    const host = h("div", {}, scrolling("Table of contenders", table), grow, less);
    const below = h("p", { class: "dim" });
    const changed = (): void => {
      head.replaceChildren(...heads(score, rows, shown, found.result));
      keepFocus(host, () => fills.forEach((fill) => fill()));
      host.setAttribute("aria-busy", String(!found.result || Boolean(means && !means.result)));
      below.textContent = notes(view, rows, found.result);
    };
    show(root, [h("div", { class: "lead" }, description(view, score), controls), host, below], () => advance(means ? [found, means] : [found], changed));
  },
};

const flag = (view: View, key: "more" | "all", on: string, off: string): HTMLElement =>
  h("button", { type: "button", "aria-pressed": String(view.state[key]), "data-focus": key, onclick: () => view.update({ [key]: !view.state[key] }) }, view.state[key] ? off : on);

const allButton = (view: View, text: string): HTMLElement =>
  h("button", { type: "button", "data-focus": "all", onclick: () => view.update({ all: true }) }, `▸ ${text}`);

/** Return the contenders without wrong answers: of many the best and the worst, with a button between them for the others. */
function folded(view: View, score: Score, rows: Row[], line: (row: Row) => HTMLElement): [HTMLElement[], HTMLElement | null] {
  if (rows.length <= MANY || view.state.all) {
    const [body, more] = growing(h("tbody"), rows, AT_ONCE, line);
    return [[body], more];
  }
  const hidden = rows.slice(BEST, -WORST), text = score.seconds ? seconds : number;
  const [first, last] = [hidden[0].ranked.value, hidden[hidden.length - 1].ranked.value];
  const between = first === null || last === null ? "" : ` between ${text(first)} and ${text(last)}`;
  const button = allButton(view, `${plural(hidden.length, "more contender")}${between}`);
  const fold = h("tbody", {}, h("tr", {}, h("td", {}), h("td", { class: "left", colspan: 8 }, button)));
  return [[h("tbody", {}, rows.slice(0, BEST).map(line)), fold, h("tbody", {}, rows.slice(-WORST).map(line))], null];
}

function heads(score: Score, rows: Row[], shown: Column[], found?: Standing): HTMLElement[] {
  const head = (text: string | Node, className = "", title = ""): HTMLElement => h("th", { scope: "col", class: className || null, title: title || false }, text);
  const unit = score.seconds ? `, ${unitOf(rows).name}` : "";
  return [
    head("#"), head("contender", "left name"), head("decided"),
    head(h("span", {}, h("i", { class: "sat" }, "sat"), " ", h("i", { class: "unsat" }, "unsat"), " ", h("i", { class: "not" }, "not")), "left wide"),
    head(score.label + unit, "", score.title),
    head(h("span", {}, h("span", { class: "hidden" }, "interval"), scoreTicks(scoreAxis(score, rows.map((row) => row.ranked), found))), "left wide"),
    ...(score.smaller ? [head("times best", "wide", `${score.label} divided by the least`)] : []),
    head("ranks", "left", "ranks that the instances leave open, 95 %"),
    ...(score.stored ? [head("mean gap", "wide", "to the best known value at the limit, of all instances")] : []),
    head("fastest on", "wide", "instances; the first of equals"),
    ...shown.map((c) => head(c.label, "", c.title)),
    ...(shown.length ? [head("mean rank"), head("group", "left")] : []),
  ];
}

/** Return the unit of the scores: one for all of a column. */
const unitOf = (rows: Row[]) => timeUnit(rows.filter((row) => !row.ranked.wrong).map((row) => row.ranked.value));

function cells(view: View, score: Score, rows: Row[], row: Row, shown: Column[], best: (number | null)[], found?: Standing, means?: Map<number, number>): HTMLElement[] {
  const { ranked: r, entry, contender } = row, { name } = contender, end = found?.ends.get(r.index);
  const figure = (field: string, value: number | null | undefined, text: string): HTMLElement =>
    h("span", { "data-contender": name, "data-field": field, "data-value": value }, typeof value === "number" ? text : "-");
  const color = r.wrong ? null : colorOf(view, r.index, pageColors());
  const unit = unitOf(rows), scored = (value: number): string => (score.seconds ? unit.text(value) : score.sums ? total(value) : number(value));
  const who = nameCell(view, r, contender);
  if (r.wrong && !shown.length) return [h("td", {}, "✗"), who, h("td", { class: "left", colspan: 7 }, refuted(view, entry))];
  const wide = (content: Node | string): HTMLElement => h("td", { class: "left wide" }, content);
  const least = rows.reduce((least, { ranked: { value, wrong } }) => (value !== null && !wrong ? Math.min(least, value) : least), Infinity);
  const ratio = r.value === null || !(least > 0) ? null : r.value / least;
  const range = end ? [figure("low", end.low, scored(end.low)), " to ", figure("high", end.high, scored(end.high))] : [];
  const ranks = end && end.rankLow !== null ? [rankBar(end, found!.ends.size, color), figure("rank_low", end.rankLow, count(end.rankLow)), h("span", { class: end.rankLow === end.rankHigh ? "hidden" : null }, "–", figure("rank_high", end.rankHigh, count(end.rankHigh!)))] : [found ? "-" : "…"];
  return [
    h("td", {}, r.wrong ? h("span", {}, "✗", h("span", { class: "hidden" }, figure("rank", r.rank, `${r.rank}`))) : figure("rank", r.rank, `${r.rank}`)),
    who,
    h("td", {}, counted(view, entry, "solved", "solved", entry.solved)),
    wide(decidedBar(entry, view.selected.length)),
    h("td", {}, figure("score", r.value, scored(r.value ?? 0))),
    h("td", { class: "left wide" }, intervalBar(scoreAxis(score, rows.map((one) => one.ranked), found), r.value, end, color), h("span", { class: "hidden" }, range)),
    ...(score.smaller ? [h("td", { class: "wide" }, figure("ratio", ratio, ratio === null ? "-" : number(ratio)))] : []),
    h("td", { class: "left ranks" }, ranks),
    ...(score.stored ? [h("td", { class: "wide" }, figure("gap", gapOf(view, r), percent(gapOf(view, r) ?? 0)))] : []),
    h("td", { class: "wide" }, h("span", { "data-contender": name, "data-field": "fastest" }, count(fastestOn(view).get(r.index) ?? 0))),
    ...shown.map((c, k) => summaryCell(view, c, entry, best[k])),
    ...(shown.length ? [h("td", {}, means ? figure("mean_rank", means.get(r.index), number(means.get(r.index) ?? 0)) : "…"), h("td", { class: "left groups", "data-contender": name }, found ? lettersOf(r.index, found) : "…")] : []),
  ];
}

/** Return the mean gap of a contender on all instances. */
const gapOf = ({ journal }: View, { index }: Ranked): number | null => journal.summary.contenders[index].objective?.gap ?? null;

/** Return the name of a contender as a button that colours its lines. */
function nameCell(view: View, r: Ranked, { name, label }: Contender): HTMLElement {
  const color = r.wrong ? null : colorOf(view, r.index, pageColors());
  const button = h("button", { type: "button", class: "plain", title: name, "aria-pressed": String(Boolean(color)), "data-focus": `colour ${name}`, onclick: () => toggleFocus(view, r.index) }, nameOf(label));
  if (color) button.style.color = color;
  return h("th", { scope: "row", class: "left name", title: name }, button, wrongMark(view, r));
}

/** Return the mark of a contender with a wrong answer, also where the filters leave out the instance. */
function wrongMark(view: View, { index, wrong }: Ranked): HTMLElement | null {
  const all: number = view.journal.summary.contenders[index].wrong;
  if (!all) return null;
  return h("span", { class: "wrong", title: `${plural(all, "wrong answer")} of all instances` }, wrong ? " wrong" : " ✗ wrong elsewhere");
}

/** Return what became of the instances of a contender with a wrong answer. */
function refuted(view: View, entry: any): HTMLElement {
  const first = view.journal.summary.agreement.disagreements.find((d: any) => d.contenders.includes(entry.name));
  const rest = ["solved", "unsupported", "timeout", "memory", "unknown", "error"].filter((state) => entry[state])
    .map((state) => `${count(entry[state])} ${state === "solved" ? "decided" : state}`);
  const why = first ? `; first: ${first.puzzle}, ${first.why}` : "";
  return h("span", { class: "why" }, "not ranked: ", counted(view, entry, "wrong", "wrong", entry.wrong, `${plural(entry.wrong, "wrong answer")}`), rest.length ? `, ${rest.join(", ")}` : "", why);
}

/** Return a count as a link to its instances. */
function counted(view: View, entry: any, field: string, condition: string, value: number | null, text = count(value ?? 0)): HTMLElement {
  const where = `${entry.name}=${condition}`;
  const change = () => view.update({ where: [...view.state.where.filter((one) => one !== where), where] });
  const content = value ? link(linkWhere(toHash({ ...view.state, open: "" }), where), change, `${field} ${entry.name}`, text) : text;
  return h("span", { "data-contender": entry.name, "data-field": field, "data-value": value }, content);
}

function summaryCell(view: View, c: Column, entry: any, best: number | null): HTMLElement {
  const value = c.value(entry), isBest = best !== null && value === best, text = value === null ? "-" : c.format(value);
  const attributes = { class: isBest ? "best" : value ? c.mark : "zero" };
  const content = c.condition ? counted(view, entry, c.field, c.condition, value, text) : h("span", { "data-contender": entry.name, "data-field": c.field, "data-value": value }, text);
  return h("td", attributes, content, isBest ? h("span", { class: "hidden" }, " best") : null);
}

/** Return the letters of a contender's groups, each at its place, so that those of a group are below each other. */
function lettersOf(index: number, { groups }: Standing): string {
  const letter = (k: number): string => LETTERS[k] ?? `(${k + 1})`;
  return (groups ?? []).map((group, k) => (group.includes(index) ? letter(k) : " ")).join("").trimEnd() || "-";
}

function description(view: View, score: Score): HTMLElement {
  const { journal, selected, contenders, state } = view, { unit } = journal.summary;
  const all = selected.length === journal.size, every = contenders.length === journal.contenders.length;
  if (score.stored) return h("p", { class: all ? "dim" : "filtered" }, `Of all ${plural(journal.size, unit)}${all ? "" : ", whatever the filters"}: ${score.label} is ${score.title}. Dot and line: score with its 95 % interval; bar: ranks.`);
  const over = all ? `Over all ${plural(selected.length, unit)}` : `Computed again, intervals and ranks too, over ${subset(view)} that pass the filters`;
  const among = every ? "" : `, among the ${count(contenders.length)} of ${plural(journal.contenders.length, "contender")} that are shown`;
  const proofs = state.proofs ? " An unsatisfiable answer counts only with a proof that holds." : "";
  const advised = state.clock === journal.clock && state.clock === "cpu" ? ", as a warning advises" : "";
  return h("p", { class: all && every && !state.proofs ? "dim" : "filtered" }, `${over}${among}: ${clockName(view)}${advised}. ${score.label} is ${score.title}; limit ${limitText(view)}. Dot and line: score with its 95 % interval; bar: ranks.${proofs}`);
}

const countAsked = (c: Contender, selected: Int32Array): number => selected.length - countState(c, selected, NONE);

function notes(view: View, rows: Row[], found?: Standing): string {
  const { selected, journal } = view, score = scoreOf(journal, view.state.rank);
  const groups = found?.groups === null ? "Ranks: too many contenders to test each pair." : "Ranks: who is shown to be ahead of whom (t-tests of the score, Holm's correction, 5 % for any false difference); contenders that share a letter as their group are not told apart.";
  const sure = rows.map((row) => [countAsked(row.contender, selected), row.ranked.solved]).filter(([n, decided]) => n && n === decided).map(([n]) => n);
  const share = sure.length && !score.sums && score.asked && !score.shift && !journal.resampled ? ` With none undecided of ${count(Math.min(...sure))} it allows for ${number(100 * (1 - 0.025 ** (1 / Math.min(...sure))))} %.` : "";
  const families = journal.resampled ? `, for families like these ${count(journal.resampled[1])} (${journal.resampled[0]}), which are resampled` : "";
  const over = `Interval of the score: over instances${found?.workers === null ? "" : " and workers"}${families}.${share}`;
  const assumed = found?.workers === "assumed" && !score.untimed ? "One repeat does not show how workers differ: 10 % is assumed." : "";
  const more = view.state.more ? "Times are medians over repeats, of decided instances; bold is best, of times only if all decided the same instances. Mean rank: over the instances asked of all, by the times of PAR-2. A count is a link to its instances." : "";
  const short = journal.leftOut.length ? `Names are without ${journal.leftOut.join(" and ")}.` : "";
  return [over, groups, assumed, more, short, score.untimed ? "" : untimedNote(view)].filter(Boolean).join(" ");
}
