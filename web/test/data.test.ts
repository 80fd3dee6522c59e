import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { decode, load } from "../src/data.ts";

// written by tests/reporting/page/fixture.py, which has the times straight from the journal
const fixture = JSON.parse(readFileSync("test/fixtures/container.json", "utf8"));
const container = new Uint8Array(Buffer.from(fixture.container, "base64"));
const expected = fixture.expected;
const [journal] = decode(container).journals;

test("what Python writes is read exactly: names, states, times to half a nanosecond", () => {
  assert.deepEqual(journal.names, expected.names);
  const halves = (times: Float64Array) => Array.from(times, (t) => (Number.isNaN(t) ? null : 2 * t));
  const found = journal.contenders.map((c) => ({
    name: c.name,
    state: [...c.state],
    unsatisfiable: [...c.unsatisfiable].map(Boolean),
    found: [...c.found],
    evidence: [...c.evidence],
    wall: halves(c.wall),
    cpu: halves(c.cpu),
  }));
  assert.deepEqual(found, expected.contenders);
});

test("an instance has its drawing, why it failed, and the command that runs it again", () => {
  assert.equal(journal.drawing(0), expected.drawing);
  assert.deepEqual(Object.fromEntries(journal.contenders[1].why), expected.why);
  assert.deepEqual([journal.command(0, 0), journal.command(1, 1)], expected.commands);
});

test("verdicts, families and corpora are named", () => {
  const verdicts = [...journal.contenders[1].verdict].map((v) => journal.verdicts[v]);
  assert.deepEqual(verdicts, ["correct", "unknown", "error", "wrong", "correct", "correct"]);
  assert.deepEqual([journal.families[journal.family[0]], journal.corpora[journal.corpus[5]]], ["sudoku 2x2", "made"]);
});

test("a document's data is base64 of gzip", async () => {
  const report = await load(`\n${gzipSync(container).toString("base64")}\n`);
  assert.deepEqual(report.journals[0].names, expected.names);
});

test("a page that holds no data is refused", async () => {
  await assert.rejects(load(""));
});
