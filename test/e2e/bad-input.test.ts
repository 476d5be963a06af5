/**
 * Hostile input: what spoils the request is refused with a code and writes nothing; what spoils one product is that
 * product's, in quarantine with its reason, and every product of the universe is somewhere in the output.
 */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../pipeline/domain/digest.ts";
import { openObjects } from "../../pipeline/store/objects.ts";
import {
  type BatchEdit,
  change,
  exampleIn,
  faultOf,
  filesBelow,
  type Place,
  place,
  query,
  reportOf,
  rowsOf,
  succeeded,
  textOf,
} from "./support.ts";

let here: Place;
let batches = 0;
beforeAll(async () => {
  here = await place();
});

function batchWith(edit: BatchEdit, spoil: (folder: string) => void = () => undefined): string {
  const folder = exampleIn(here.dir, edit, `batch-${++batches}`);
  spoil(folder);
  return folder;
}

async function run(batch: string, ...more: string[]) {
  const out = `${batch}-out`;
  const ended = await here.call("run", batch, "--out", out, "--json", ...more);
  return { ...ended, out };
}

const BARS = "prices/us/YBULN.csv";
describe("a request that cannot be used is refused, and nothing is written or recorded", () => {
  it.each<[name: string, code: string, at: string | null, spoil: (folder: string) => void]>([
    ["empty batch.yaml", "BATCH_INVALID", "batch.yaml", (at) => writeFileSync(join(at, "batch.yaml"), "")],
    [
      "binary batch.yaml",
      "BATCH_INVALID",
      "batch.yaml",
      (at) => writeFileSync(join(at, "batch.yaml"), Buffer.from([0, 255, 254, 1, 128])),
    ],
    ["YAML bomb", "YAML_ALIAS", "batch.yaml:1", (at) => writeFileSync(join(at, "batch.yaml"), yamlBomb())],
    [
      "nest of brackets",
      "YAML_TOO_DEEP",
      "batch.yaml",
      (at) => writeFileSync(join(at, "batch.yaml"), `a: ${"[".repeat(100_000)}`),
    ],
    ["2 GB batch.yaml", "PAYLOAD_TOO_LARGE", null, (at) => truncateSync(join(at, "batch.yaml"), 2 ** 31)],
    ["unknown field", "BATCH_INVALID", "batch.yaml:1", (at) => change(join(at, "batch.yaml"), ["title:", "titel:"])],
    [
      "as_of after now",
      "BATCH_FROM_FUTURE",
      "batch.yaml",
      (at) => change(join(at, "batch.yaml"), ["as_of: 2026-07-01", "as_of: 9026-07-01"]),
    ],
    ["no universe", "FILE_MISSING", null, (at) => rmSync(join(at, "universe.csv"))],
    ["empty universe", "UNIVERSE_INVALID", "universe.csv", (at) => writeFileSync(join(at, "universe.csv"), "")],
    [
      "universe out of the root",
      "PATH_OUTSIDE_ROOT",
      null,
      (at) => change(join(at, "batch.yaml"), ["universe: universe.csv", "universe: ../../../../etc/passwd"]),
    ],
    [
      "universe through a symlink",
      "PATH_OUTSIDE_ROOT",
      null,
      (at) => {
        rmSync(join(at, "universe.csv"));
        symlinkSync("/etc/passwd", join(at, "universe.csv"));
      },
    ],
  ])("%s: %s", async (_name, code, at, spoil) => {
    const refused = await run(batchWith({}, spoil));
    expect(refused.code).toBe(1);
    const fault = faultOf(refused);
    expect(fault).toMatchObject({ code, hint: expect.any(String) });
    if (at !== null) expect(fault.at).toBe(at);
    expect(existsSync(refused.out)).toBe(false);
    expect(await query(here, "SELECT count(*)::int AS events FROM ledger_event")).toEqual([{ events: 0 }]);
  });

  it("no folder, and a file in place of one", async () => {
    expect(faultOf(await run(join(here.dir, "nowhere"))).code).toBe("BATCH_NOT_FOUND");
    writeFileSync(join(here.dir, "a-file"), "");
    expect(faultOf(await run(join(here.dir, "a-file"))).code).toBe("BATCH_NOT_FOUND");
  });
});

describe("a file that cannot be used is its product's fault", () => {
  const SPOILED: [name: string, said: string, spoil: (path: string) => void][] = [
    ["is missing", "EVIDENCE_MISSING", (path) => rmSync(path)],
    ["is empty", "the file is empty", (path) => writeFileSync(path, "")],
    [
      "is binary",
      "the file is binary",
      (path) => writeFileSync(path, Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256))),
    ],
    ["is one line of 2 GB", "PAYLOAD_TOO_LARGE", (path) => truncateSync(path, 2 ** 31)],
    [
      "has a line of 2 MB",
      "LINE_TOO_LONG",
      (path) => appendFileSync(path, `2026-06-30,${"1".repeat(2 * 1024 * 1024)}\n`),
    ],
    [
      "is a folder",
      "NOT_A_FILE",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    [
      "is a symlink out of the root",
      "PATH_OUTSIDE_ROOT",
      (path) => {
        rmSync(path);
        symlinkSync("/etc/passwd", path);
      },
    ],
  ];
  const idOf = (index: number) => `US:BAD${index}`;
  let ended: Awaited<ReturnType<typeof run>>;

  beforeAll(async () => {
    const tickers = SPOILED.map((_, index) => `BAD${index}`);
    const rows = tickers.map(
      (ticker) => `US:${ticker},US,${ticker},,,Foxglove ${ticker},Foxglove Funds,USD,COMMODITY,BAD,,1,false`,
    );
    const batch = batchWith(
      {
        yaml: [["pays_nothing: [YBULN]", `pays_nothing: [YBULN, ${tickers.join(", ")}]`]],
        universe: (text) => `${text.trimEnd()}\n${rows.join("\n")}\n`,
      },
      (folder) => {
        for (const [index, [, , spoil]] of SPOILED.entries()) {
          const path = join(folder, `prices/us/${tickers[index]}.csv`);
          cpSync(join(folder, BARS), path);
          spoil(path);
        }
      },
    );
    ended = succeeded(await run(batch)) as typeof ended;
  });

  it.each(SPOILED.map(([name, said], index) => [name, said, index] as const))(
    "a price file that %s: quarantined with %s",
    (_name, said, index) => {
      const found = rowsOf(join(ended.out, "quarantine.csv")).filter(({ instrument }) => instrument === idOf(index));
      const told = found.map(({ code, severity, detail }) => `${severity} ${code} ${detail}`).join("\n");
      expect(told).toContain("BLOCK ");
      expect(told).toContain(said);
      const factsOf = (id: string) =>
        rowsOf(join(ended.out, "facts.csv"))
          .filter(({ instrument, fact }) => instrument === id && fact !== "total_expense_ratio_stated")
          .map(({ fact, window }) => `${fact} ${window}`);
      expect(factsOf(idOf(index))).toEqual(factsOf("US:YBULN"));
    },
  );

  it("the others are made", () => {
    expect(reportOf(ended.out).verdicts).toEqual({ pass: 4, review: 0, block: SPOILED.length });
    expect(filesBelow(join(ended.out, "cards")).filter((path) => path.endsWith(".png"))).toHaveLength(4);
  });

  it("a cutoff before all data: every product in quarantine with a reason, and no figure shown", async () => {
    const cutoff = "cutoff: { KR: 2026-06-30, US: 2026-06-30 }";
    const ended = await run(batchWith({ yaml: [[cutoff, "cutoff: { KR: 2001-01-02, US: 2001-01-02 }"]] }));
    succeeded(ended);
    expect(reportOf(ended.out).verdicts).toEqual({ pass: 0, review: 0, block: 4 });
    const named = new Set(rowsOf(join(ended.out, "quarantine.csv")).map(({ instrument }) => instrument));
    expect(named.size).toBe(4);
    expect(existsSync(join(ended.out, "cards"))).toBe(false);
  });
});

describe("a universe with bad rows", () => {
  it("each product has a card or a row of quarantine.csv", async () => {
    const rows = [
      "US:YAMPL,US,YAMPL,,,Twice,Foxglove Funds,USD,EQUITY_INDEX,US_LARGE_BLEND,,1,false",
      "US:TYPE,US,TYPE,,,No such type,Foxglove Funds,USD,NFT,NFT,,1,false",
      "US:SHORT,US,SHORT",
      "US:LONE,US,LONE,,,No benchmark there,Foxglove Funds,USD,COMMODITY,COMMODITY,US:NONE,1,false",
      "US:RING1,US,RING1,,,Ring one,Foxglove Funds,USD,COMMODITY,COMMODITY,US:RING2,1,false",
      "US:RING2,US,RING2,,,Ring two,Foxglove Funds,USD,COMMODITY,COMMODITY,US:RING1,1,false",
      "US:../../x,US,../../x,,,Path,Foxglove Funds,USD,COMMODITY,COMMODITY,,1,false",
    ];
    const ended = await run(batchWith({ universe: (text) => `${text.trimEnd()}\n${rows.join("\n")}\n` }));
    succeeded(ended);
    const codes = new Map<string, string[]>();
    for (const { instrument = "", code = "" } of rowsOf(join(ended.out, "quarantine.csv"))) {
      codes.set(instrument, [...(codes.get(instrument) ?? []), code]);
    }
    const detail = (id: string) =>
      rowsOf(join(ended.out, "quarantine.csv"))
        .filter(({ instrument }) => instrument === id)
        .map(({ code, detail: text }) => `${code} ${text}`)
        .join("\n");
    for (const id of ["US:TYPE", "US:SHORT", "US:LONE", "US:RING1", "US:RING2", "US:YAMPL"])
      expect(codes.has(id), id).toBe(true);
    expect(detail("US:RING1")).toContain("US:RING2");
    expect(detail("US:LONE")).toContain("US:NONE");
    expect(detail("US:YAMPL")).toMatch(/already on line|UNIVERSE_DUPLICATE/);
    expect(filesBelow(ended.out).filter((path) => path.includes("..") || path.endsWith("/x"))).toEqual([]);
    const report = reportOf(ended.out);
    expect(report.faults.map(({ code }) => code)).toContain("UNIVERSE_ROW_INVALID");
    // A row that names nobody is told, and blocks nobody.
    expect(detail("")).toContain("US:../../x");
    const cards = new Set(filesBelow(join(ended.out, "cards")).map((path) => path.split("/")[0]));
    expect(cards).toEqual(new Set(["KR-91A010", "KR-91A020", "US-YBULN"]));
  });
});

describe("names that are more than names", () => {
  const MARKUP = `<script>document.title='run'</script><img src=x onerror=alert(1)>`;

  it("markup is text on the card and in the report, and a formula is neutralised in every table", async () => {
    const formula = "=HYPERLINK(1)";
    const ended = await run(
      batchWith({
        universe: (text) =>
          text
            .replace("Foxglove Gold Bullion Trust,Foxglove Funds", `"${MARKUP}","${formula}"`)
            .replace("온새미 나루터200", "@SUM(A1)"),
      }),
    );
    succeeded(ended);
    const top = ["cards", "quarantine"].find((name) => existsSync(join(ended.out, name, "US-YBULN")));
    const html = textOf(ended.out, `${top}/US-YBULN/ko-KR/card.html`);
    for (const page of [html, textOf(ended.out, "report.html")]) {
      expect(page).not.toMatch(/<script|<img src=x/);
      expect(page).toContain("&lt;script&gt;");
    }
    for (const table of ["facts.csv", "recalculation.csv", "quarantine.csv", "claims.csv"]) {
      for (const row of rowsOf(join(ended.out, table))) {
        for (const [column, value] of Object.entries(row)) {
          const isFigure = /^[+\-\u2212]?[\d,]*\.?\d+(e[+-]?\d+)?(%p?|원|달러)?$/.test(value);
          expect(/^[=+\-@\t\r]/.test(value) && !isFigure, `${table} ${column}: ${value}`).toBe(false);
        }
      }
    }
  });
});

describe("a full disk", () => {
  it("of the output: DISK_FULL, no manifest, nothing half-written, and the next run needs no work", async () => {
    const batch = batchWith({});
    const out = `${batch}-out`;
    mkdirSync(out);
    // What is written there has no room, as on a disk that is full.
    symlinkSync("/dev/full", join(out, "facts.csv.partial"));
    const ended = await run(batch);
    expect(ended.code).toBe(1);
    expect(faultOf(ended)).toMatchObject({ code: "DISK_FULL", hint: expect.any(String) });
    expect(filesBelow(out).filter((path) => /manifest|partial|facts/.test(path))).toEqual([]);
    succeeded(await run(batch));
    expect(reportOf(out).cache.misses).toBe(0);
  });

  it("of the store: DISK_FULL for the run as a whole, nothing half-written, and with room it goes on", async () => {
    const tight = await place();
    const batch = exampleIn(tight.dir);
    const objects = join(tight.dir, "data/objects");
    mkdirSync(objects);
    const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1200k", "tmpfs", objects]).status === 0;
    if (!isMounted) {
      // Not ours to mount: the same law on the store itself, with a disk that takes half of what it is given.
      const store = openObjects(tight.dir, async (file, bytes) => {
        await file.write(bytes.subarray(0, bytes.length / 2));
        throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      });
      await expect(store.put(Buffer.from("some bytes"))).rejects.toMatchObject({ code: "DISK_FULL" });
      expect(filesBelow(objects)).toEqual([]);
      return;
    }
    const out = join(tight.dir, "out");
    try {
      const ended = await tight.call("run", batch, "--out", out, "--json");
      expect(ended.code).toBe(1);
      expect(faultOf(ended)).toMatchObject({ code: "DISK_FULL", hint: expect.any(String) });
      expect(existsSync(join(out, "manifest.json"))).toBe(false);
      for (const path of filesBelow(objects)) {
        expect(sha256(readFileSync(join(objects, path))), path).toBe(path.replace("/", ""));
      }
      spawnSync("mount", ["-o", "remount,size=64m", objects]);
      succeeded(await tight.call("run", batch, "--out", out));
      expect(reportOf(out).verdicts.pass).toBe(4);
    } finally {
      spawnSync("umount", ["-l", objects]);
    }
  });
});

describe("a store that was tampered with before a run", () => {
  it("is its product's fault, with a row for every fact of it, and the others are made", async () => {
    const own = await place();
    const batch = exampleIn(own.dir);
    const bytes = readFileSync(join(batch, BARS));
    const digest = sha256(bytes);
    const folder = join(own.dir, "data/objects", digest.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, digest.slice(2)), Buffer.from(bytes).fill("9", bytes.length - 4, bytes.length - 1));
    const out = join(own.dir, "out");
    succeeded(await own.call("run", batch, "--out", out));
    const rows = rowsOf(join(out, "quarantine.csv"));
    expect(new Set(rows.map(({ instrument }) => instrument))).toEqual(new Set(["US:YBULN"]));
    expect(rows.map(({ code, detail }) => `${code} ${detail}`).join("\n")).toContain("OBJECT_ALTERED");
    expect(reportOf(out).verdicts).toEqual({ pass: 3, review: 0, block: 1 });
    const facts = rowsOf(join(out, "facts.csv")).filter(({ instrument }) => instrument === "US:YBULN");
    expect(facts.length).toBeGreaterThan(100);
    expect(facts.filter(({ status, value }) => status === "OK" || value !== "")).toEqual([]);
  });
});

function yamlBomb(): string {
  const lines = ['a: &a ["x","x","x","x","x","x","x","x","x"]'];
  for (let level = 1; level < 10; level++) {
    const [name, before] = [String.fromCharCode(97 + level), String.fromCharCode(96 + level)];
    lines.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(",")}]`);
  }
  return lines.join("\n");
}
