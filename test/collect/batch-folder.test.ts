import { describe, expect, test } from "vitest";
import { readBatchFolder } from "../../pipeline/collect/batch-folder.ts";
import { readBatchYaml } from "../../pipeline/collect/batch-yaml.ts";
import { AssayError } from "../../pipeline/domain/outcome.ts";
import { BATCH_YAML, folderOf, universeCsv } from "./support.ts";

const NOW = Date.parse("2026-06-01T00:00:00Z");
const UNIVERSE = universeCsv([{ instrument: "KR:069500" }]);
const read = (folder: string, now = NOW) => readBatchFolder(folder, { allowRoots: [], now });

function faultOf(yaml: string): AssayError {
  try {
    readBatchYaml(yaml, "batch.yaml");
  } catch (fault) {
    if (fault instanceof AssayError) return fault;
    throw fault;
  }
  throw new Error("was accepted");
}

test("a good folder is read, and its bytes handed back as they were", async () => {
  const folder = await folderOf({ "batch.yaml": BATCH_YAML, "universe.csv": UNIVERSE });
  const { batch, batchBytes, universeBytes, instruments, universeFaults } = await read(folder);
  expect(batch.as_of).toBe("2026-05-03T23:00:00.000Z");
  expect(Buffer.from(batchBytes).toString()).toBe(BATCH_YAML);
  expect(Buffer.from(universeBytes).toString()).toBe(UNIVERSE);
  expect([instruments.length, universeFaults]).toEqual([1, []]);
});

describe("a mistake names file, line, field and fix", () => {
  const changed = (from: string, to: string) => {
    expect(BATCH_YAML).toContain(from);
    return BATCH_YAML.replace(from, to);
  };
  test.each([
    [
      "an unknown field",
      changed("    market: KR\n", "    market: KR\n    colour: red\n"),
      15,
      'unknown field "colour"',
    ],
    ["a missing field", changed("    currency: KRW\n", ""), 11, "sources[0].currency"],
    ["an impossible date", changed("KR: 2026-04-30", "KR: 2026-04-31"), 5, "cutoff.KR: must be a calendar date"],
    ["an instant without offset", changed("08:00:00+09:00", "08:00:00"), 4, "with an offset"],
    ["an unknown adapter", changed("contract: csv-bars", "contract: excel"), 12, "sources[0].contract"],
    ["a code that is a number", changed('["0000J0"]', "[069500]"), 26, "put it in quotes"],
    ["an unknown zone", changed("Europe/London", "Europe/Londinium"), 39, "no such time zone"],
    ["one file for every product", changed("prices/{ticker}.csv", "prices/all.csv"), 15, "must hold {ticker}"],
    ["one rate file per product", changed("files: fx.csv", "files: fx-{ticker}.csv"), 37, "must not hold {ticker}"],
    ["another placeholder", changed("prices/{ticker}.csv", "prices/{ticker}{isin}.csv"), 15, "only {ticker}"],
    ["an id used twice", changed("id: usdkrw", "id: kr-bars"), 33, "a second source called kr-bars"],
    ["a close without a basis", changed("{ close: split_adjusted }", "{ }"), 17, "basis"],
    ["a duplicate key", changed("title:", "id: other\ntitle:"), 3, "unique"],
    ["an unknown tag", changed("A small batch", "!!js/function x"), 3, "tag"],
    ["broken YAML", changed("locales: [ko-KR]", "locales: [ko-KR"), 8, "batch.yaml:8"],
    ["a prototype key", changed("title: A small batch", "title: A\n__proto__: { x: 1 }"), 4, "__proto__"],
    ["nothing", "", 1, "batch.yaml:1"],
    ["a list", "- 1\n", 1, "batch.yaml:1"],
  ])("%s", (_name, yaml, line, said) => {
    const fault = faultOf(yaml);
    expect(fault.code).toBe("BATCH_INVALID");
    expect(fault.message).toContain(said);
    expect(fault.at).toBe(`batch.yaml:${line}`);
    expect(fault.hint).not.toBe("");
  });

  test("all mistakes are told at once, in the order of the file", () => {
    const yaml = BATCH_YAML.replace("channel: internal-review", "channel: X Y").replace("id: small", "id: Small");
    expect(
      faultOf(yaml)
        .message.split("\n")
        .map((line) => line.slice(0, 14)),
    ).toEqual(["batch.yaml:2: ", "batch.yaml:8: "]);
  });
});

describe("hostile YAML", () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n`;
  test.each([
    ["a bomb of aliases", bomb, "YAML_ALIAS"],
    [
      "one alias",
      BATCH_YAML.replace("title: A small batch", "title: &t A").replace("id: small", "id: *t"),
      "YAML_ALIAS",
    ],
    ["an anchor", BATCH_YAML.replace("title: ", "title: &t "), "YAML_ALIAS"],
    ["deep brackets", `x: ${"[".repeat(100_000)}`, "YAML_TOO_DEEP"],
    ["deep brackets, closed", `x: ${"[".repeat(150)}${"]".repeat(150)}`, "YAML_TOO_DEEP"],
    ["deep dashes", `${"- ".repeat(20_000)}x`, "YAML_TOO_DEEP"],
    ["deeper dashes, which end the parser's process", `${"- ".repeat(400_000)}x`, "YAML_TOO_DEEP"],
    ["deep question marks", "? ".repeat(300_000), "YAML_TOO_DEEP"],
    ["deep keys", Array.from({ length: 190 }, (_, at) => `${" ".repeat(at)}a:\n`).join(""), "YAML_TOO_DEEP"],
    ["keys on one line", "a: ".repeat(9000), "BATCH_INVALID"],
    ["tags on one line", "!!omap ".repeat(1000), "BATCH_INVALID"],
    ["anchors on one line", "&a ".repeat(200_000), "YAML_TOO_LARGE"],
    ["very many keys", Array.from({ length: 40_000 }, (_, at) => `k${at}: 1`).join("\n"), "YAML_TOO_LARGE"],
    ["nearly too many keys", Array.from({ length: 4500 }, (_, at) => `k${at}: 1`).join("\n"), "BATCH_INVALID"],
    ["one key very often", "a: b\n".repeat(4500), "BATCH_INVALID"],
    ["two documents", `${BATCH_YAML}---\n${BATCH_YAML}`, "BATCH_INVALID"],
  ])("%s is refused, in seconds at most", (_name, yaml, code) => {
    const began = performance.now();
    expect(faultOf(yaml).code).toMatch(new RegExp(`^(${code})$`));
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

test("a batch from the future is refused; one of this very moment is not", async () => {
  const folder = await folderOf({ "batch.yaml": BATCH_YAML, "universe.csv": UNIVERSE });
  const asOf = Date.parse("2026-05-03T23:00:00Z");
  await expect(read(folder, asOf - 1)).rejects.toMatchObject({ code: "BATCH_FROM_FUTURE" });
  await expect(read(folder, asOf)).resolves.toBeDefined();
});

test.each([
  ["no folder", {}, "BATCH_NOT_FOUND"],
  ["no universe", { "batch.yaml": BATCH_YAML }, "FILE_MISSING"],
  ["a universe outside", { "batch.yaml": BATCH_YAML.replace("universe.csv", "../universe.csv") }, "PATH_OUTSIDE_ROOT"],
  ["a request over 1 MB", { "batch.yaml": `# ${"x".repeat(1_100_000)}` }, "PAYLOAD_TOO_LARGE"],
  ["a binary request", { "batch.yaml": "a\0b" }, "BATCH_INVALID"],
])("%s", async (_name, files, code) => {
  const folder = await folderOf(files as Record<string, string>);
  await expect(read(folder)).rejects.toMatchObject({ code });
});
