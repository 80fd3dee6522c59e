// Contenders ranked by a score, with intervals and groups that are not told apart.
import { countState } from "../definitions/columns.ts";
import { meanRanks } from "../definitions/mean_ranks.ts";
import { ranked, type Ranked } from "../definitions/ranking.ts";
import { SCORE_LABELS, SCORES, type Rank, type Score } from "../definitions/scores.ts";
import { standing, type Standing } from "../definitions/standing.ts";
import { h } from "../dom.ts";
import { count, number, plural, seconds } from "../format.ts";
import { clockName, keyOf, limitText, selectionOf, untimedNote } from "../plots/chosen.ts";
import { nameOf, show } from "../plots/figure.ts";
import { NONE, type Contender } from "../report.ts";
import { advance, task } from "../tasks.ts";
import type { Panel, View } from "../view.ts";
import { growing, scrolling, select, subset } from "./controls.ts";

/** Rows that are drawn at once. */
const MOST = 60;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

export const ranking: Panel = {
  id: "ranking",
  title: "Ranking",
  reacts: ["rank"],
  applies: (report) => report.journals.some((journal) => journal.contenders.length > 1),
  render(root, view) {
    const { rank } = view.state, score: Score = SCORES[rank], selection = selectionOf(view), key = keyOf(selection);
    const every = [...ranked(selection, rank)].sort((a, b) => Number(a.rank === null) - Number(b.rank === null));
    const found = task(view.selected, `${rank},${key}`, () => standing(selection, rank));
    const means = task(view.selected, key, () => meanRanks(selection));
    const fills: (() => void)[] = [];
    const row = (r: Ranked): HTMLElement => {
      const line = h("tr");
      fills.push(() => line.replaceChildren(...cells(view, score, r, found.result, means.result)));
      fills.at(-1)!();
      return line;
    };
    const heads = ["#", "contender", score.label, "95 %", "ranks, 95 %", "mean rank", "group"];
    const head = h("tr", {}, heads.map((text) => h("th", { scope: "col", class: LEFT.has(text) ? "left" : null }, text)));
    const [body, more] = growing(h("tbody"), every, MOST, row);
    const choose = (value: string): void => view.update({ rank: value as Rank });
    const controls = h("div", { class: "controls" }, select("Score", "score", Object.entries(SCORE_LABELS), rank, choose));
    const host = h("div", {}, scrolling("Table of ranks", h("table", { class: "summary" }, h("thead", {}, head), body)), more);
    const below = h("p", { class: "dim" });
    const changed = (): void => {
      for (const fill of fills) fill();
      host.setAttribute("aria-busy", String(!found.result || !means.result));
      below.textContent = notes(view, every, found.result);
    };
    show(root, [controls, description(view, score), host, below], () => advance([found, means], changed));
  },
};

const LEFT: ReadonlySet<string> = new Set(["contender", "group"]);

function cells(view: View, score: Score, r: Ranked, found?: Standing, means?: Map<number, number>): HTMLElement[] {
  const { name } = view.journal.contenders[r.index], end = found?.ends.get(r.index), text = score.seconds ? seconds : number;
  const figure = (field: string, value: number | null | undefined, format: (value: number) => string): HTMLElement =>
    h("span", { "data-contender": name, "data-field": field, "data-value": value }, typeof value === "number" ? format(value) : "-");
  const range = (fields: [string, string], low: number | null | undefined, high: number | null | undefined, format: (value: number) => string) =>
    end && low !== null ? [figure(fields[0], low, format), " to ", figure(fields[1], high, format)] : found ? "-" : "…";
  return [
    h("td", {}, figure("rank", r.rank, count)),
    h("th", { scope: "row", class: "left" }, nameOf(name), r.wrong ? h("span", { class: "wrong" }, " (wrong)") : null),
    h("td", {}, figure("score", r.value, text)),
    h("td", {}, range(["low", "high"], end?.low, end?.high, text)),
    h("td", {}, range(["rank_low", "rank_high"], end?.rankLow, end?.rankHigh, count)),
    h("td", {}, means ? figure("mean_rank", means.get(r.index), number) : "…"),
    h("td", { class: "left groups", "data-contender": name }, found ? lettersOf(r.index, found) : "…"),
  ];
}

/** Return the letters of a contender's groups, each at its place, so that those of a group are below each other. */
function lettersOf(index: number, { groups }: Standing): string {
  const letter = (k: number): string => LETTERS[k] ?? `(${k + 1})`;
  return (groups ?? []).map((group, k) => (group.includes(index) ? letter(k) : " ")).join("").trimEnd() || "-";
}

function description(view: View, score: Score): HTMLElement {
  const { journal, selected, contenders } = view, { unit } = journal.summary;
  const all = selected.length === journal.names.length, every = contenders.length === journal.contenders.length;
  const over = all ? `Over all ${plural(selected.length, unit)}` : `Computed again, intervals and groups too, over ${subset(view)} that pass the filters`;
  const among = every ? "" : `, among the ${count(contenders.length)} of ${plural(journal.contenders.length, "contender")} that are shown`;
  const proofs = view.state.proofs ? " An unsatisfiable answer counts only with a proof that holds." : "";
  return h("p", { class: all && every ? null : "filtered" }, `${score.label}, ${clockName(view)}: ${score.title}. Limit: ${limitText(view)}. ${over}${among}.${proofs}`);
}

const countAsked = (c: Contender, selected: Int32Array): number => selected.length - countState(c, selected, NONE);

function notes(view: View, every: Ranked[], found?: Standing): string {
  const score: Score = SCORES[view.state.rank], { journal, selected } = view;
  const groups = found?.groups === null ? "Ranks and group: too many contenders to test each pair." : "Ranks and group: contenders that share a letter are not told apart (t-tests of the score, Holm's correction, 5 % for any false difference).";
  const wrong = every.some((r) => r.wrong) ? "Contenders with a wrong answer rank last." : "";
  const sure = every.map((r) => countAsked(journal.contenders[r.index], selected)).filter((n, k) => n && n === every[k].solved);
  const share = sure.length && !score.sums && score.asked ? ` With none undecided of ${count(Math.min(...sure))} it allows for ${number(100 * (1 - 0.025 ** (1 / Math.min(...sure))))} %.` : "";
  const over = `Interval of the score: over instances${found?.workers === null ? "" : " and workers"}.${share}`;
  const assumed = found?.workers === "assumed" && !score.untimed ? "One repeat does not show how workers differ: 10 % is assumed." : "";
  const out = score.untimed ? "" : untimedNote(view);
  return [over, groups, assumed, "Mean rank: over the instances asked of all, by the times of PAR-2.", wrong, out].filter(Boolean).join(" ");
}
