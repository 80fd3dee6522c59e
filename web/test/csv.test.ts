import assert from "node:assert/strict";
import { test } from "node:test";
import { csvCell, printable } from "../src/printable.ts";
import { sampleJournal, viewOf } from "./sample.ts";
import { viewCsv } from "../src/view_csv.ts";

test("cells that a spreadsheet takes for a formula are defused, numbers are not", () => {
  const cells = { "=cmd()": "'=cmd()", "+1": "+1", "-1e-7": "-1e-7", "+a": "'+a", "@x": "'@x", "-": "'-", a: "a", "": "", "-0x1": "'-0x1" };
  for (const [text, cell] of Object.entries(cells)) assert.equal(csvCell(text), cell);
});

test("invisible characters are shown as escapes, as Python does", () => {
  assert.equal(printable("a\u202eb\n\t\x07\xa0\udc80\u{e0001}é漢😀 "), "a\\u202eb\\n\\t\\x07\\xa0\\udc80\\U000e0001é漢😀 ");
});

test("the view as CSV has the selected rows in order, and exact times of the contenders that are shown", () => {
  const journal = sampleJournal(60, 3, 4), view = viewOf(journal, { hidden: ["native"], corpus: ["corpus0"], sort: "-name" });
  const [head, ...lines] = viewCsv(view).join("").trimEnd().split("\n");
  assert.equal(head, "instance,corpus,family,cpsat state,cpsat wall,cpsat cpu,pysat:cadical195[x=1]/extended state,pysat:cadical195[x=1]/extended wall,pysat:cadical195[x=1]/extended cpu");
  assert.equal(lines.length, view.selected.length);
  const at = lines.findIndex((line) => line.startsWith("corpus0:31,"));
  const i = journal.names.indexOf("corpus0:31");
  const cells = lines[at].split(",");
  assert.equal(Number(cells[4]), journal.contenders[1].wall[i] / 1e9);
  assert.ok(lines.some((line) => line.startsWith("</script>")) && lines.some((line) => line.startsWith("\\u202egnp")));
});
