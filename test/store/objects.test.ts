import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../pipeline/domain/digest.ts";
import { openObjects, type WriteBytes } from "../../pipeline/store/objects.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "assay-objects-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const bytes = Buffer.from("date,close\n2026-04-30,12345\n");
const digest = sha256(bytes);
const pathOf = (of: string) => join(dataDir, "objects", of.slice(0, 2), of.slice(2));
const filesBelow = () =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

describe("an object", () => {
  it("comes back as it was put, under the SHA-256 of its bytes", async () => {
    const objects = openObjects(dataDir);
    expect(await objects.has(digest)).toBe(false);
    expect(await objects.put(bytes)).toBe(digest);
    expect(await objects.has(digest)).toBe(true);
    expect(await objects.get(digest)).toEqual(bytes);
    expect(readFileSync(pathOf(digest))).toEqual(bytes);
  });

  it("may be empty", async () => {
    const objects = openObjects(dataDir);
    expect(await objects.get(await objects.put(new Uint8Array()))).toHaveLength(0);
  });

  it("is one file, however often and however many at once put it, and nothing else is left", async () => {
    const objects = [openObjects(dataDir), openObjects(dataDir)];
    await Promise.all(Array.from({ length: 40 }, (_, n) => objects[n % 2]!.put(bytes)));
    expect(filesBelow().map((entry) => entry.name)).toEqual([digest.slice(2)]);
  });

  it("that is there is not written again", async () => {
    await openObjects(dataDir).put(bytes);
    const never: WriteBytes = () => Promise.reject(new Error("written twice"));
    expect(await openObjects(dataDir, never).put(bytes)).toBe(digest);
  });

  it("cut short by a crash is written again", async () => {
    const objects = openObjects(dataDir);
    await objects.put(bytes);
    truncateSync(pathOf(digest), 3);
    await objects.put(bytes);
    expect(await objects.get(digest)).toEqual(bytes);
  });

  it("is put again after its folder was removed under a running process", async () => {
    const objects = openObjects(dataDir);
    await objects.put(bytes);
    rmSync(join(dataDir, "objects"), { recursive: true });
    await objects.put(bytes).catch(() => undefined);
    expect(await objects.put(bytes)).toBe(digest);
  });
});

describe("tampering is told, never returned", () => {
  it.each([
    ["one byte changed", () => writeFileSync(pathOf(digest), "date,close\n2026-04-30,12346\n"), "OBJECT_ALTERED"],
    ["cut short", () => truncateSync(pathOf(digest), 5), "OBJECT_ALTERED"],
    ["emptied", () => truncateSync(pathOf(digest), 0), "OBJECT_ALTERED"],
    ["removed", () => rmSync(pathOf(digest)), "OBJECT_MISSING"],
  ])("%s", async (_name, tamper, code) => {
    const objects = openObjects(dataDir);
    await objects.put(bytes);
    tamper();
    await expect(objects.get(digest)).rejects.toMatchObject({ code });
  });

  it.each([["../../etc/passwd"], [""], ["ABCDEF"], [`${"a".repeat(63)}/`], [digest.toUpperCase()]])(
    "%j is no digest and reaches no file",
    async (name) => {
      const objects = openObjects(dataDir);
      await expect(objects.get(name)).rejects.toMatchObject({ code: "OBJECT_DIGEST_MALFORMED" });
      await expect(objects.has(name)).rejects.toMatchObject({ code: "OBJECT_DIGEST_MALFORMED" });
    },
  );
});

const halfThenFull: WriteBytes = async (file, all) => {
  await file.write(all.subarray(0, all.length / 2));
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
};

describe("a full disk", () => {
  it("is DISK_FULL with a hint, leaves no half-written file, and the next put works", async () => {
    await expect(openObjects(dataDir, halfThenFull).put(bytes)).rejects.toMatchObject({
      code: "DISK_FULL",
      retry: "later",
      hint: expect.stringContaining("Free some space"),
    });
    expect(filesBelow()).toEqual([]);
    expect(await openObjects(dataDir).put(bytes)).toBe(digest);
  });

  // Mounting needs rights that not every machine gives; the law above holds everywhere.
  const disk = mountSmallDisk();
  it.each(disk === undefined ? [] : [disk])("a real one of 64 KB (%s)", async (mounted) => {
    try {
      const objects = openObjects(mounted);
      const small = await objects.put(bytes);
      await expect(objects.put(Buffer.alloc(200_000, 7))).rejects.toMatchObject({ code: "DISK_FULL" });
      const names = readdirSync(mounted, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      expect(names.map((entry) => entry.name)).toEqual([small.slice(2)]);
      expect(await objects.get(small)).toEqual(bytes);
    } finally {
      execFileSync("umount", [mounted]);
      rmSync(mounted, { recursive: true });
    }
  });
});

it("a store that cannot be written to is OBJECT_STORE_CLOSED", async () => {
  writeFileSync(join(dataDir, "objects"), "a file where the folder should be");
  await expect(openObjects(dataDir).put(bytes)).rejects.toMatchObject({ code: "OBJECT_STORE_CLOSED" });
});

function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "assay-small-disk-"));
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}
