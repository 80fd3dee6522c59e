import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../src/data.ts";

test("a page that holds no data is refused", async () => {
  await assert.rejects(load(""));
});
