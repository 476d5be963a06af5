/** The commands beside `run`: what they print for people and for programs, what they refuse, and their exit codes. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { GATES } from "../../pipeline/gates/index.ts";
import { emptyDatabase } from "../support/database.ts";
import { placeAfterRun } from "./ran.ts";
import { exampleIn, faultOf, type Place, place, rowsOf, succeeded } from "./support.ts";

let here: Place;
let batch: string;
let out: string;
const json = async (...args: string[]) => JSON.parse(succeeded(await here.call(...args, "--json")).stdout);
const text = async (...args: string[]) => succeeded(await here.call(...args)).stdout;

beforeAll(async () => {
  here = await place();
  batch = exampleIn(here.dir);
});

describe("before anything was run", () => {
  it("status says so, show and replay refuse", async () => {
    expect(await text("status")).toBe("no batch was received yet: `assay run <batch>`\n");
    expect(await json("status")).toEqual([]);
    for (const command of [
      ["show", "US:YAMPL/last_close"],
      ["replay", "example-csv"],
      ["status", "example-csv"],
    ]) {
      const refused = await here.call(...command, "--json");
      expect(refused.code, command.join(" ")).toBe(1);
      expect(faultOf(refused)).toMatchObject({ code: "BATCH_UNKNOWN", hint: expect.any(String) });
    }
  });

  it("plan lists every step as to be worked, and works none", async () => {
    const none = { found: 0, missing: 4 };
    expect(await json("plan", batch)).toMatchObject({
      batch: "example-csv",
      steps: { facts: none, peers: none, render: none, recalculate: none, verify: none },
      to_work: ["KR:91A010", "KR:91A020", "US:YAMPL", "US:YBULN"],
    });
    expect(await text("plan", batch)).toMatch(
      /example-csv: 4 instruments\n +facts +4 to work +0 recorded\n[\s\S]*cost: none/,
    );
  });

  it("status knows the batch that was planned and that it is unfinished", async () => {
    expect(await json("status", "example-csv")).toMatchObject([
      { batch: "example-csv", instruments: 4, unfinished: 4, verdicts: {} },
    ]);
    expect(await text("status")).toContain("0 of 4 instruments have a verdict");
    expect(faultOf(await here.call("show", "US:YAMPL/last_close", "--json")).code).toBe("NOT_RECORDED");
  });
});

describe("after a run", () => {
  beforeAll(async () => {
    here = await placeAfterRun();
    batch = exampleIn(here.dir);
    out = join(here.dir, "out");
  });

  it("plan has nothing to work, and status is finished", async () => {
    expect(await json("plan", batch)).toMatchObject({ steps: { render: { found: 4, missing: 0 } }, to_work: [] });
    expect(await text("plan", batch)).toContain("nothing to work");
    expect(await json("status")).toMatchObject([{ batch: "example-csv", verdicts: { PASS: 4 }, unfinished: 0 }]);
    expect(await text("status", "example-csv")).toContain(
      "4 of 4 instruments have a verdict: 4 pass, 0 review, 0 block",
    );
  });

  it("a batch with a changed price is unfinished until it is run", async () => {
    const changed = exampleIn(here.dir, {}, "changed");
    const path = join(changed, "prices/us/YBULN.csv");
    writeFileSync(path, readFileSync(path, "utf8").trimEnd().split("\n").slice(0, -1).join("\n"));
    succeeded(await here.call("plan", changed));
    expect(await json("status", "example-csv")).toMatchObject([{ unfinished: expect.any(Number) }]);
    expect((await json("status", "example-csv"))[0].unfinished).toBeGreaterThan(0);
    expect(await text("status")).toContain("unfinished: run the batch again");
    succeeded(await here.call("plan", batch));
    expect((await json("status", "example-csv"))[0].unfinished).toBe(0);
  });

  it("show leads a figure to the rows of its payload, both sessions and the second path", async () => {
    const shown = await json("show", "KR:91A020/total_return.1y");
    const row = rowsOf(join(out, "facts.csv")).find(
      ({ instrument, fact, window }) => instrument === "KR:91A020" && fact === "total_return" && window === "1y",
    );
    expect(shown).toMatchObject({
      figure: "total_return.1y",
      instrument: "KR:91A020",
      printed: row?.printed,
      fact: {
        value: row?.value,
        start_session: row?.start_session,
        end_session: row?.end_session,
        formula: "total_return/1",
      },
      recalculated: { printed: row?.printed, reason: null },
    });
    const bars = shown.evidence.find((item: { source_id: string }) => item.source_id === "kr-bars");
    expect(bars.rows.map((one: { date: string }) => one.date)).toEqual([row?.start_session, row?.end_session]);
    expect(bars).toMatchObject({
      locator: "prices/kr/91A020.csv",
      payload_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const lines = rowsInFile(join(batch, bars.locator));
    for (const one of bars.rows) expect(lines[one.row]?.replaceAll("-", "")).toContain(one.date.replaceAll("-", ""));
    expect(shown.page.length).toBeGreaterThan(0);
    expect(shown.page.every((one: { match: boolean }) => one.match)).toBe(true);

    const said = await text("show", "KR:91A020/total_return.1y");
    expect(said).toContain(`KR:91A020 total_return.1y: ${row?.printed}`);
    expect(said).toContain(`row ${bars.rows[0].row}, ${row?.start_session}`);
    expect(said).toMatch(/second path .*recalculate\/formulas\/total_return\.sql/);
  });

  it("show says why a figure is unavailable", async () => {
    expect(await text("show", "US:YBULN/premium.last")).toMatch(/^US:YBULN premium\.last: unavailable \(\w+\)/);
  });

  it("show --sql is a psql script, which gives the printed figure in a database that knows nothing", async () => {
    const script = await text("show", "US:YAMPL/price_return.1m", "--sql");
    expect(script).toMatch(/\\set|\\copy|SELECT/i);
    expect(script).toContain("price_return");
    const psql = spawnSync("psql", ["--version"]).status === 0;
    if (!psql) return;
    const ran = spawnSync("psql", [here.env.DATABASE_URL as string, "-X", "-q", "-v", "ON_ERROR_STOP=1"], {
      input: script,
      encoding: "utf8",
    });
    expect(ran.stderr).toBe("");
    const row = rowsOf(join(out, "facts.csv")).find(
      ({ instrument, fact, window }) => instrument === "US:YAMPL" && fact === "price_return" && window === "1m",
    );
    expect(ran.stdout).toContain(row?.printed);
  });

  it("show lists the versions of an instrument, and one by the beginning of its id", async () => {
    const versions = await json("show", "US:YAMPL");
    expect(versions).toMatchObject([{ instrument: "US:YAMPL", locale: "ko-KR", channel: "internal-review" }]);
    expect(await json("show", versions[0].version_id.slice(0, 12))).toEqual(versions);
  });

  it.each([
    [["show", "US:NONE/last_close"], "INSTRUMENT_UNKNOWN"],
    [["show", "US:YAMPL/total_retrun.1y"], "FIGURE_UNKNOWN"],
    [["show", "US:YAMPL/total_retrun.1y", "--sql"], "FIGURE_UNKNOWN"],
    [["show", "0000"], "VERSION_UNKNOWN"],
    [["show", "US:YAMPL/last_close", "--batch", "none"], "BATCH_UNKNOWN"],
    [["status", "none"], "BATCH_UNKNOWN"],
    [["replay", "none"], "BATCH_UNKNOWN"],
    [["plan", "none"], "BATCH_NOT_FOUND"],
    [["run", "none"], "BATCH_NOT_FOUND"],
  ])("%j is refused with %s and a hint, in words and in JSON", async (command, code) => {
    const refused = await here.call(...command, "--json");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(faultOf(refused)).toMatchObject({ code, hint: expect.any(String) });
    const said = await here.call(...command);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain(`assay: ${code}: `);
    expect(said.stderr).not.toContain("    at ");
  });
});

describe("gates", () => {
  it("--reference names every code with meaning and remedy", async () => {
    const reference = await text("gates", "--reference");
    for (const { codes } of GATES) for (const code of Object.keys(codes)) expect(reference).toContain(code);
    expect((await json("gates")).map(({ id }: { id: string }) => id)).toEqual(GATES.map(({ id }) => id));
    expect(await text("gates")).toContain("SCALE_BREAK");
  });
});

describe("doctor", () => {
  it("tries each part and finds all well", async () => {
    const checks: { name: string; ok: boolean }[] = await json("doctor");
    expect(checks.map(({ name }) => name)).toEqual([
      "node",
      "database",
      "ledger",
      "objects",
      "queue",
      "fonts",
      "browser",
      "disk",
      "policy",
    ]);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  });

  it("says how to fix what is missing, with exit 1, and still tries the rest", async () => {
    const lame = await place({ env: { CHROME_PATH: "/nowhere/chrome" } });
    const ended = await lame.call("doctor");
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/FAIL browser +there is no browser at \/nowhere\/chrome/);
    expect(ended.stdout).toMatch(/ok +policy/);
    const lost = await place({ env: { DATABASE_URL: "postgresql://assay_app:x@127.0.0.1:1/assay?sslmode=disable" } });
    const checks = JSON.parse((await lost.call("doctor", "--json")).stdout);
    expect(checks).toContainEqual(expect.objectContaining({ name: "database", ok: false, hint: expect.any(String) }));
  });

  it("without a browser a run is refused as a whole: no product is blamed", async () => {
    const lame = await place({ env: { CHROME_PATH: "/nowhere/chrome" } });
    const ended = await lame.call("run", batch, "--out", join(lame.dir, "out"), "--json");
    expect(ended.code).toBe(1);
    expect(faultOf(ended).code).toBe("BROWSER_MISSING");
  });
});

describe("misuse", () => {
  it.each(["run", "plan", "status", "show", "replay", "gates", "doctor"])(
    "%s --help says what it does",
    async (command) => {
      const help = await text(command, "--help");
      expect(help).toContain(`Usage: assay ${command}`);
      expect(help).toContain("--json");
    },
  );

  it.each([
    [["frobnicate"]],
    [["run"]],
    [["run", "x", "--frob"]],
    [["run", "x", "--concurrency", "0"]],
    [["run", "x", "--concurrency", "many"]],
  ])("%j is exit 2 and points to the help", async (command) => {
    const ended = await here.call(...command);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^error: /);
  });

  it.each([
    [{ ASSAY_TENANT: "Not A Tenant" }, "CONFIG_INVALID"],
    [{ ASSAY_DATA: "/dev/null/data" }, "DATA_DIR_NOT_WRITABLE"],
  ])("%j is %s", async (env, code) => {
    const wrong = await place({ env: env as unknown as Record<string, string> });
    const ended = await wrong.call("status", "--json");
    expect(ended.code).toBe(1);
    expect(faultOf(ended)).toMatchObject({ code, hint: expect.any(String) });
  });
});

describe("a Postgres of one's own", () => {
  it("that is empty is prepared with the owner's URL, and refused without", async () => {
    const empty = await emptyDatabase();
    const dir = mkdtempSync(join(tmpdir(), "assay-e2e-"));
    try {
      const bare = await place({ env: { DATABASE_URL: empty.appUrl, ASSAY_ADMIN_DATABASE_URL: "", ASSAY_DATA: dir } });
      const refused = await bare.call("status", "--json");
      expect(refused.code).toBe(1);
      expect(faultOf(refused).hint).toContain("ASSAY_ADMIN_DATABASE_URL");
      const own = await place({ env: { DATABASE_URL: empty.appUrl, ASSAY_ADMIN_DATABASE_URL: empty.ownerUrl } });
      succeeded(await own.call("run", batch, "--only", "KR:91A010", "--out", join(dir, "out")));
      expect(rowsOf(join(dir, "out/quarantine.csv"))).toEqual([]);
    } finally {
      await empty.drop();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

function rowsInFile(path: string): string[] {
  return readFileSync(path, "utf8").split("\n");
}
