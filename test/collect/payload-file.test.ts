import { execFileSync } from "node:child_process";
import { mkdir, open, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  assertLines,
  CSV_LIMITS,
  readPayloadFile,
  realRoots,
  resolveWithin,
} from "../../pipeline/collect/payload-file.ts";
import { folderOf } from "./support.ts";

async function read(folder: string, locator: string, allowRoots: string[] = [], limits = CSV_LIMITS) {
  const roots = await realRoots(folder, allowRoots);
  return Buffer.from(await readPayloadFile(locator, await resolveWithin(locator, roots), limits)).toString();
}

describe("only files of the batch folder and allowed roots are read", () => {
  test.each([
    ["inside", "b/in.csv", "in"],
    ["inside by a detour", "b/../b/in.csv", "in"],
    ["inside by a symlink", "link.csv", "in"],
    ["outside", "../outside/out.csv", "PATH_OUTSIDE_ROOT"],
    ["outside, and not there: not told apart", "../outside/none.csv", "PATH_OUTSIDE_ROOT"],
    ["absolute", "/etc/passwd", "PATH_OUTSIDE_ROOT"],
    ["a symlink that leads out", "leak.csv", "PATH_OUTSIDE_ROOT"],
    ["a folder symlink that leads out", "leak/out.csv", "PATH_OUTSIDE_ROOT"],
    ["a sibling whose name begins alike", "../batch-2/x.csv", "PATH_OUTSIDE_ROOT"],
    ["a NUL byte", "b/in.csv\0.png", "PATH_OUTSIDE_ROOT"],
    ["missing", "b/none.csv", "FILE_MISSING"],
    ["a folder", "b", "NOT_A_FILE"],
    ["below a file", "b/in.csv/x", "FILE_MISSING"],
  ])("%s", async (_name, locator, expected) => {
    const top = await folderOf({ "batch/b/in.csv": "in", "outside/out.csv": "out", "batch-2/x.csv": "x" });
    const folder = join(top, "batch");
    await symlink("b/in.csv", join(folder, "link.csv"));
    await symlink("../outside/out.csv", join(folder, "leak.csv"));
    await symlink("../outside", join(folder, "leak"));
    const outcome = await read(folder, locator).catch((fault: { code: string }) => fault.code);
    expect(outcome).toBe(expected);
  });

  test("an allowed root opens itself and nothing beside it", async () => {
    const top = await folderOf({ "batch/x": "", "shared/a.csv": "a", "shared-not/a.csv": "n" });
    const folder = join(top, "batch");
    const roots = [join(top, "shared"), join(top, "not-there")];
    expect(await read(folder, "../shared/a.csv", roots)).toBe("a");
    await expect(read(folder, "../shared-not/a.csv", roots)).rejects.toMatchObject({ code: "PATH_OUTSIDE_ROOT" });
  });
});

test.each(["pipe", "device"])("a %s is refused and never waited for", async (kind) => {
  const folder = await folderOf({ "dev/x": "" });
  if (kind === "pipe") execFileSync("mkfifo", [join(folder, "endless")]);
  else await symlink("/dev/zero", join(folder, "endless"));
  const roots = kind === "pipe" ? [] : ["/dev"];
  await expect(read(folder, "endless", roots)).rejects.toMatchObject({ code: "NOT_A_FILE" });
});

test("a file of 2 GB is refused by its size, unread", async () => {
  const folder = await folderOf({});
  const file = await open(join(folder, "huge.csv"), "w");
  await file.truncate(2 * 1024 ** 3);
  await file.close();
  const began = performance.now();
  await expect(read(folder, "huge.csv")).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  expect(performance.now() - began).toBeLessThan(1000);
});

test("a file exactly at the limit is read, one byte more is not", async () => {
  const folder = await folderOf({ "ten.csv": "0123456789", "eleven.csv": "0123456789x" });
  const limits = { bytes: 10, line: null, rows: null };
  expect(await read(folder, "ten.csv", [], limits)).toBe("0123456789");
  await expect(read(folder, "eleven.csv", [], limits)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
});

test("an empty file is read as it is", async () => {
  expect(await read(await folderOf({ "empty.csv": "" }), "empty.csv")).toBe("");
});

describe("lines and rows are bounded", () => {
  const limits = { bytes: 1000, line: 10, rows: 4 };
  const verdict = (text: string, given = limits) => {
    try {
      assertLines(Buffer.from(text), "x.csv", given);
      return "fine";
    } catch (fault) {
      return (fault as { code: string }).code;
    }
  };
  test.each([
    ["", "fine"],
    ["0123456789", "fine"],
    ["0123456789x", "LINE_TOO_LONG"],
    ["ab\n0123456789\ncd", "fine"],
    ["ab\n0123456789x\ncd", "LINE_TOO_LONG"],
    ["ab\ncd\n0123456789x", "LINE_TOO_LONG"],
    ["ab\r0123456789\rcd", "fine"],
    ["h\n1\n2\n3\n4\n", "fine"],
    ["h\n1\n2\n3\n4\n5\n6\n", "ROWS_TOO_MANY"],
  ])("%j: %s", (text, expected) => expect(verdict(text)).toBe(expected));

  test("a line of 20 MB in a file of 60 MB is found in a moment", async () => {
    const folder = await folderOf({});
    const line = Buffer.alloc(20 * 1024 * 1024, "x");
    await mkdir(join(folder, "p"));
    await writeFile(join(folder, "p/long.csv"), Buffer.concat([Buffer.from("a,b\n1,2\n"), line, Buffer.from("\n")]));
    await expect(read(folder, "p/long.csv")).rejects.toMatchObject({ code: "LINE_TOO_LONG" });
  });
});
