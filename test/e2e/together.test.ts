/** Several processes on one data directory: each batch has one set of results, and strangers do not work each other's jobs. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXAMPLE_STEPS, exampleIn, faultOf, manifestOf, place, query, reportOf, succeeded } from "./support.ts";

describe("two processes at once", () => {
  it("on the same batch: the second waits or is told, and every step is recorded once", async () => {
    const here = await place();
    const batch = exampleIn(here.dir);
    const run = (out: string) => here.assay("run", batch, "--out", join(here.dir, out), "--json");
    const ended = await Promise.all([run("one"), run("two")]);
    const refused = ended.filter(({ code }) => code !== 0);
    for (const one of refused) expect(faultOf(one)).toMatchObject({ code: "BATCH_RUNNING", hint: expect.any(String) });
    expect(refused.length).toBeLessThan(2);

    succeeded(await here.call("run", batch, "--out", join(here.dir, "three"), "--json"));
    const done = ["one", "two"].filter((_out, index) => ended[index]?.code === 0);
    for (const out of done) expect(manifestOf(join(here.dir, out))).toEqual(manifestOf(join(here.dir, "three")));
    const [{ events, steps } = { events: 0, steps: 0 }] = await query<{ events: number; steps: number }>(
      here,
      `SELECT (SELECT count(*)::int FROM ledger_event WHERE type = 'step_recorded/v1') AS events,
              (SELECT count(*)::int FROM step_result) AS steps`,
    );
    expect({ events, steps }).toEqual({ events: EXAMPLE_STEPS, steps: EXAMPLE_STEPS });
  });

  it("on two batches: both end with every verdict, as each does alone", async () => {
    const here = await place();
    const alone = await place();
    const batches = ["first", "second"].map((name) =>
      exampleIn(here.dir, { yaml: [["id: example-csv", `id: ${name}`]] }, name),
    );
    const ended = await Promise.all(
      batches.map((batch, index) => here.assay("run", batch, "--out", join(here.dir, `out-${index}`))),
    );
    for (const one of ended) succeeded(one);
    for (const [index, batch] of batches.entries()) {
      expect(reportOf(join(here.dir, `out-${index}`)).verdicts).toEqual({ pass: 4, review: 0, block: 0 });
      succeeded(await alone.call("run", batch, "--out", join(alone.dir, `out-${index}`)));
      expect(manifestOf(join(here.dir, `out-${index}`))).toEqual(manifestOf(join(alone.dir, `out-${index}`)));
    }
  });

  it("of two tenants on the same batch: neither takes the other's jobs or sees its batch", async () => {
    const here = await place();
    const batch = exampleIn(here.dir, { universe: (text) => text.split("\n").slice(0, 2).join("\n") });
    const other = await place({
      env: { ...here.env, ASSAY_DATA: here.env.ASSAY_DATA as string, ASSAY_TENANT: "other" },
    });
    const ended = await Promise.all([
      here.assay("run", batch, "--out", join(here.dir, "ours")),
      other.assay("run", batch, "--out", join(here.dir, "theirs")),
    ]);
    for (const one of ended) succeeded(one);
    for (const out of ["ours", "theirs"]) expect(reportOf(join(here.dir, out)).verdicts.pass).toBe(1);
  });
});
