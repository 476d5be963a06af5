/**
 * Reads a file that a batch names, and trusts nothing about it: the path must end, symlinks resolved, in the batch folder
 * or an allowed root; it must be a regular file (a pipe or a device would never end) of bounded size, lines and rows.
 * What is refused here is never stored and never parsed.
 */
import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { AssayError } from "../domain/outcome.ts";

export interface Limits {
  bytes: number;
  /** Longest line; null for a format without lines (JSON). */
  line: number | null;
  rows: number | null;
}
const MB = 1024 * 1024;
export const CSV_LIMITS: Limits = { bytes: 64 * MB, line: MB, rows: 1_000_000 };
export const JSON_LIMITS: Limits = { bytes: 64 * MB, line: null, rows: null };

/** Real paths of the folders that files may be read from. The first is the one that relative paths start at. */
export type Roots = readonly [string, ...string[]];

export async function realRoots(folder: string, allowRoots: readonly string[]): Promise<Roots> {
  const own = await realpath(folder).catch((fault: NodeJS.ErrnoException) => {
    throw new AssayError("BATCH_NOT_FOUND", `no batch folder ${folder}`, {
      hint: "name a folder that holds batch.yaml",
      cause: fault,
    });
  });
  const others: string[] = [];
  for (const root of allowRoots) {
    // An allowed root that is not there allows nothing.
    const real = await realpath(root).catch(() => null);
    if (real !== null) others.push(real);
  }
  return [own, ...others];
}

/** The real path of `locator`. FILE_MISSING when it lies inside but is not there. */
export async function resolveWithin(locator: string, roots: Roots): Promise<string> {
  if (locator.includes("\0")) throw outside(locator);
  const stated = resolve(roots[0], locator);
  // Before the disk is asked, so that the answer does not tell what exists outside.
  if (!isWithin(stated, roots)) throw outside(locator);
  const real = await realpath(stated).catch((fault: NodeJS.ErrnoException) => {
    throw fileFault(locator, fault);
  });
  if (!isWithin(real, roots)) throw outside(locator);
  return real;
}

export async function readPayloadFile(locator: string, real: string, limits: Limits): Promise<Uint8Array> {
  // NONBLOCK: opening a pipe without a writer would wait for ever. NOFOLLOW: the real path is no symlink unless swapped.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(real, flags).catch((fault: NodeJS.ErrnoException) => {
    throw fileFault(locator, fault);
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new AssayError("NOT_A_FILE", `${locator} is not a regular file`, { hint: "name a file" });
    if (stat.size > limits.bytes) throw tooLarge(locator, limits.bytes);
    const bytes = await readAll(file, stat.size, locator, limits.bytes);
    assertLines(bytes, locator, limits);
    return bytes;
  } finally {
    await file.close();
  }
}

/** Size by stat may be stale: a file that grows while it is read is refused at the limit, not followed. */
async function readAll(file: FileHandle, size: number, locator: string, limit: number): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafeSlow(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    length += bytesRead;
    if (bytesRead === 0) return buffer.subarray(0, length);
    if (length > limit) throw tooLarge(locator, limit);
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafeSlow(Math.min(MB, limit))]);
  }
}

export function assertLines(bytes: Uint8Array, locator: string, { line, rows }: Limits): void {
  if (line === null || rows === null) return;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // From each line break to the last one within reach: a few leaps a file, whatever its lines.
  let start = 0;
  while (buffer.length - start > line) {
    const next = Math.max(buffer.lastIndexOf(0x0a, start + line), buffer.lastIndexOf(0x0d, start + line));
    if (next < start) {
      throw new AssayError("LINE_TOO_LONG", `${locator} has a line of more than ${line} bytes`, {
        hint: "is it really CSV, with line breaks?",
      });
    }
    start = next + 1;
  }
  if (buffer.length <= rows) return;
  let count = 0;
  for (let at = buffer.indexOf(0x0a); at >= 0; at = buffer.indexOf(0x0a, at + 1)) count += 1;
  if (count > rows + 1) {
    throw new AssayError("ROWS_TOO_MANY", `${locator} has more than ${rows} rows`, { hint: "split the file" });
  }
}

function isWithin(path: string, roots: Roots): boolean {
  return roots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));
}

function outside(locator: string): AssayError {
  return new AssayError("PATH_OUTSIDE_ROOT", `${JSON.stringify(locator)} leads out of the batch folder`, {
    hint: "move the file into the batch folder, or allow its folder with --allow-root",
  });
}

function tooLarge(locator: string, limit: number): AssayError {
  return new AssayError("PAYLOAD_TOO_LARGE", `${locator} is larger than ${limit / MB} MB`, { hint: "split the file" });
}

function fileFault(locator: string, fault: NodeJS.ErrnoException): AssayError {
  if (fault.code === "ENOENT" || fault.code === "ENOTDIR") {
    return new AssayError("FILE_MISSING", `${locator} is not there`, { hint: "supply the file, or correct its path" });
  }
  if (fault.code === "ELOOP") return outside(locator);
  return new AssayError("FILE_UNREADABLE", `${locator} cannot be read (${fault.code ?? fault.message})`, {
    hint: "check the file's permissions",
    cause: fault,
  });
}
