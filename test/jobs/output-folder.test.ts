/** The output folder: a manifest means complete, what is ours and stale goes, and nothing else is touched. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../pipeline/domain/digest.ts";
import { OutputFolder } from "../../pipeline/jobs/output/folder.ts";

let dir: string;
let out: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "assay-out-"));
  out = join(dir, "out");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const has = (path: string) => existsSync(join(out, path));
function put(path: string, text = "foreign"): void {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), text);
}
async function written(files: Record<string, string>, finish = true): Promise<OutputFolder> {
  const folder = new OutputFolder(out);
  await folder.begin();
  for (const [path, text] of Object.entries(files)) await folder.write(path, text);
  if (finish) await folder.finish();
  return folder;
}

const CARD = "cards/US-A/ko-KR/card.html";
const BLOCKED = "quarantine/US-A/ko-KR/card.html";

describe("the manifest", () => {
  it("names every file by path with SHA-256 and size, in order, and not the reports", async () => {
    const folder = await written({ "facts.csv": "b", [CARD]: "한글" }, false);
    await folder.writeReport("report.json", "{}");
    const manifest = await folder.finish();
    expect(manifest).toEqual({
      schema: "manifest/v1",
      files: [
        { path: CARD, sha256: sha256("한글"), size: 6 },
        { path: "facts.csv", sha256: sha256("b"), size: 1 },
      ],
    });
    expect(JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"))).toEqual(manifest);
    expect(has("report.json")).toBe(true);
  });

  it("is gone while files are written, and comes last", async () => {
    await written({ "facts.csv": "1" });
    const folder = await written({ "facts.csv": "2" }, false);
    expect(has("manifest.json")).toBe(false);
    await folder.finish();
    expect(has("manifest.json")).toBe(true);
  });

  it("does not depend on the order of writing", async () => {
    await written({ "a.csv": "1", "b.csv": "2" });
    const one = readFileSync(join(out, "manifest.json"));
    await written({ "b.csv": "2", "a.csv": "1" });
    expect(readFileSync(join(out, "manifest.json"))).toEqual(one);
  });

  it("no temporary file is left", async () => {
    await written({ "facts.csv": "1", [CARD]: "2" });
    expect(readdirSync(out, { recursive: true }).filter((path) => String(path).includes("partial"))).toEqual([]);
  });
});

describe("what an earlier run left", () => {
  it("is removed where this run does not write it", async () => {
    await written({ "facts.csv": "1", [CARD]: "good" });
    await written({ "facts.csv": "1", [BLOCKED]: "bad" });
    expect([has(CARD), has(BLOCKED), has("facts.csv")]).toEqual([false, true, true]);
  });

  it("is removed too when a run was killed in between: a card blocked since does not stay among the good ones", async () => {
    await written({ "facts.csv": "1", [CARD]: "good" });
    await written({ "facts.csv": "1" }, false);
    put("cards/US-B/en-US/card.png.partial");
    await written({ "facts.csv": "1", [BLOCKED]: "bad" });
    expect([has(CARD), has("cards/US-B/en-US/card.png.partial"), has(BLOCKED)]).toEqual([false, false, true]);
  });

  it.each(["notes.txt", "cards/US-A/ko-KR/notes.txt", "cards/readme.html", "mine/card.html"])(
    "the foreign file %s is not touched",
    async (path) => {
      await written({ "facts.csv": "1", [CARD]: "good" });
      put(path);
      await written({ "facts.csv": "1" });
      expect(readFileSync(join(out, path), "utf8")).toBe("foreign");
    },
  );

  it.each(["mine.txt", "../outside.txt", "/etc/hosts-of-nobody", "cards/../../outside.txt"])(
    "a manifest that names %s removes nothing of others",
    async (path) => {
      mkdirSync(out);
      writeFileSync(join(dir, "outside.txt"), "kept");
      put("manifest.json", JSON.stringify({ schema: "manifest/v1", files: [{ path, sha256: "", size: 0 }] }));
      await written({ "facts.csv": "1" });
      expect(readFileSync(join(dir, "outside.txt"), "utf8")).toBe("kept");
    },
  );

  it.each(["", "{", "null", "[]", '{"files":7}', '{"files":[null,{"path":5}]}'])(
    "a manifest that reads %j is no obstacle",
    async (text) => {
      put("manifest.json", text);
      await written({ "facts.csv": "1" });
      expect(has("facts.csv")).toBe(true);
    },
  );
});

describe("links", () => {
  it("a folder of ours that leads elsewhere is refused, and what lies there is kept", async () => {
    mkdirSync(join(dir, "elsewhere/US-A/ko-KR"), { recursive: true });
    writeFileSync(join(dir, "elsewhere/US-A/ko-KR/card.html"), "kept");
    mkdirSync(out);
    symlinkSync(join(dir, "elsewhere"), join(out, "cards"));
    await written({ "facts.csv": "1" });
    expect(readFileSync(join(dir, "elsewhere/US-A/ko-KR/card.html"), "utf8")).toBe("kept");
    await expect(written({ [CARD]: "new" })).rejects.toMatchObject({ code: "OUTPUT_NOT_WRITABLE" });
    expect(readFileSync(join(dir, "elsewhere/US-A/ko-KR/card.html"), "utf8")).toBe("kept");
  });
});

describe("a folder that cannot be written", () => {
  it.runIf(existsSync("/proc/self"))("a place that takes no folders: OUTPUT_NOT_WRITABLE, at once", async () => {
    await expect(new OutputFolder("/proc/assay/out").begin()).rejects.toMatchObject({ code: "OUTPUT_NOT_WRITABLE" });
  });

  it("with no space: DISK_FULL, and neither file nor part of it is there", async () => {
    const folder = await written({}, false);
    symlinkSync("/dev/full", join(out, "facts.csv.partial"));
    await expect(folder.write("facts.csv", "1")).rejects.toMatchObject({ code: "DISK_FULL", retry: "later" });
    expect(readdirSync(out)).toEqual([]);
  });

  it("a file in place of the folder: OUTPUT_NOT_WRITABLE with what to do", async () => {
    writeFileSync(out, "");
    await expect(new OutputFolder(out).begin()).rejects.toMatchObject({
      code: "OUTPUT_NOT_WRITABLE",
      hint: expect.any(String),
    });
  });

  it("a folder in place of a file: OUTPUT_NOT_WRITABLE", async () => {
    put("facts.csv/inside");
    await expect(written({ "facts.csv": "1" })).rejects.toMatchObject({ code: "OUTPUT_NOT_WRITABLE" });
    chmodSync(out, 0o755);
  });
});
