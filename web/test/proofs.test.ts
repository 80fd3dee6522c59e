// Proofs required: the numbers are those of Python, by tests/reporting/page/fixture.py.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decode } from "../src/data.ts";
import { ranked } from "../src/definitions/ranking.ts";
import { SCORES, type Rank } from "../src/definitions/scores.ts";
import { select, shown } from "../src/filter.ts";
import { requireProofs } from "../src/proofs.ts";
import type { Clock } from "../src/report.ts";
import { DEFAULTS } from "../src/view.ts";

const fixture = JSON.parse(readFileSync("test/fixtures/proved.json", "utf8"));
const report = decode(new Uint8Array(Buffer.from(fixture.container, "base64")));
const strict = requireProofs(report), [journal] = strict.journals;

test("every score ranks as in Python, by both clocks and their limits", () => {
  assert.deepEqual(journal.limits, { wall: 10, cpu: 3 });
  for (const score of Object.keys(SCORES) as Rank[]) {
    for (const clock of ["wall", "cpu"] as Clock[]) {
      const found = ranked({ journal, selected: select(journal, DEFAULTS), of: shown(journal, DEFAULTS), clock }, score);
      const wanted: [string, number, number][] = fixture.rankings[`${score} ${clock}`];
      assert.ok(wanted, `proved.json has no ranking '${score} ${clock}': run python -m tests.reporting.page.fixture`);
      assert.deepEqual(found.map((r) => [journal.contenders[r.index].name, r.rank]), wanted.map(([name, rank]) => [name, rank]), `${score} ${clock}`);
      found.forEach((r, k) => assert.ok(Math.abs(r.value! - wanted[k][2]) <= 1e-9 * Math.abs(wanted[k][2]), `${score} ${clock}: ${r.value}, not ${wanted[k][2]}`));
    }
  }
});

test("the summary counts answers without a proof by themselves, and the filter finds them", () => {
  journal.contenders.forEach((c, k) => {
    const entry = journal.summary.contenders[k];
    for (const [key, value] of Object.entries(fixture.counts[k])) {
      assert.equal(entry[key], value, `${c.name} ${key}`);
      assert.equal(select(journal, { ...DEFAULTS, where: [`${c.name}=${key}`] }).length, value, `${c.name} ${key}`);
    }
  });
});

test("without the switch all answers count, and a contender without losses keeps its entry", () => {
  const [plain] = report.journals;
  assert.deepEqual(plain.summary.contenders.map((c: any) => c.unsatisfiable), [4, 4, 4, 4]);
  assert.equal(journal.summary.contenders[0], plain.summary.contenders[0]);
  assert.equal(requireProofs(report), strict, "computed once");
});
