// The run: host, versions, settings, and the commands of the run and of this page.
import { h } from "../dom.ts";
import { count, plural } from "../format.ts";
import { shellWord } from "../printable.ts";
import type { Panel } from "../view.ts";
import { copyable } from "./controls.ts";

export const facts: Panel = {
  id: "run",
  title: "Run",
  whole: true,
  render(root, { journal, report }) {
    const s = journal.summary;
    const [program] = report.command.split(" report ");
    const run = Array.isArray(s.command) ? [program, ...s.command.map(shellWord)].join(" ") : String(s.command);
    const corpora = s.corpora.map((c: any) => `${c.name} (${plural(c.puzzles, s.unit)})`).join(", ");
    const settings = {
      journal: journal.path,
      corpora,
      limit: s.limit === null ? null : `${s.limit} s`,
      "CPU limit": s.cpu_limit === null ? null : `${s.cpu_limit} s`,
      "solutions asked for": s.count,
      seed: s.seed,
      checkers: s.checkers.join(", "),
      state: s.interrupted ? partial(s) : "complete",
    };
    root.replaceChildren(
      h("p", {}, "This page: ", copyable(report.command)),
      h("p", {}, "The run: ", copyable(run)),
      h("div", { class: "facts" }, list("Settings", settings), list("Host", s.host), list("Versions", { ...s.versions, "this page": report.version })),
    );
  },
};

/** Return what became of a run that is not complete. */
export const partial = (summary: { state: string }): string => `${summary.state === "interrupted" ? "interrupted" : "killed, or still running"}: partial results`;

function list(title: string, values: Record<string, unknown>): HTMLElement {
  const known = Object.entries(values).filter(([, value]) => value !== null && value !== "" && !(title === "Host" && (value === 0 || value === "unknown")));
  return h("div", {}, h("h3", {}, title), h("dl", {}, known.map(([key, value]) => [h("dt", {}, key), h("dd", { "data-field": `${title.toLowerCase()}.${key}` }, text(key, value))])));
}

function text(key: string, value: unknown): string {
  if (key === "memory" && typeof value === "number") return `${count(Math.round(value / 2 ** 20))} MiB`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
