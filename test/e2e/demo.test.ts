/** The whole demonstration batch: every product has its cards or its reason, and every figure shown is recalculated. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { filesBelow, place, ROOT, reportOf, rowsOf, succeeded, textOf } from "./support.ts";

const BATCH = "demo-2026-08-28";

it("a hundred products in Korean: each has its card or its reason, every figure matches, and a warm run works nothing", {
  timeout: 600_000,
}, async () => {
  const here = await place({ embedded: true });
  const out = join(here.dir, "out");
  const run = () => here.assay("run", BATCH, "--locale", "ko-KR", "--out", out);
  succeeded(await run());
  const { instruments, verdicts, numerals, numerals_other, chart_points, tiles, cards } = reportOf(out);
  expect(instruments).toBe(100);
  expect(verdicts.pass + verdicts.review + verdicts.block).toBe(100);
  expect(verdicts.block).toBeGreaterThan(0);
  expect(verdicts.block).toBeLessThan(15);

  const blocked = new Set(
    rowsOf(join(out, "quarantine.csv"))
      .filter(({ severity }) => severity === "BLOCK")
      .map(({ instrument }) => instrument),
  );
  expect(blocked.size).toBe(verdicts.block);
  const folders = new Set(filesBelow(join(out, "cards")).map((path) => path.split("/")[0]?.replace("-", ":")));
  for (const { instrument = "" } of rowsOf(join(ROOT, "batches", BATCH, "universe.csv"))) {
    expect(folders.has(instrument), instrument).toBe(!blocked.has(instrument));
  }
  expect(cards).toEqual({ html: folders.size, png: folders.size });

  // What is short of a match belongs to a card in quarantine.
  const misses = rowsOf(join(out, "recalculation.csv")).filter(({ match }) => match !== "true");
  expect(misses.filter(({ instrument = "" }) => !blocked.has(instrument))).toEqual([]);
  expect(numerals.bound).toBe(numerals.shown);
  expect(numerals.shown - numerals.matched).toBeLessThanOrEqual(misses.length);
  expect(chart_points.drawn).toBeGreaterThan(50_000);
  expect(tiles.shown).toBeGreaterThanOrEqual(3 * folders.size);
  expect(numerals_other.unclassified).toBe(0);
  for (const path of filesBelow(out).filter((each) => each.endsWith("card.json"))) {
    expect(textOf(out, path), path).toMatch(/"is_demonstration":true|DEMONSTRATION|demonstration/i);
  }

  const manifest = textOf(out, "manifest.json");
  succeeded(await run());
  expect(reportOf(out).cache.misses).toBe(0);
  expect(textOf(out, "manifest.json")).toBe(manifest);
});
