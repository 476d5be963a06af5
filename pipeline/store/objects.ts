/**
 * Bytes by their SHA-256, as files under the data directory. Written beside, synced and renamed: after a crash an object
 * is whole or absent. Re-hashed on every read: altered bytes are never returned. Deletes nothing and overwrites nothing
 * but a file of the wrong length.
 */
import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Sha256, sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";

/** What a folder or a bucket can do alike. */
export interface ObjectStore {
  /** Durable once resolved. Equal bytes are stored once. */
  put(bytes: Uint8Array): Promise<Sha256>;
  /** Throws OBJECT_MISSING or OBJECT_ALTERED. */
  get(digest: Sha256): Promise<Buffer>;
  /** Whether it is there; says nothing about its bytes. */
  has(digest: Sha256): Promise<boolean>;
}

/** How bytes reach an open file: replaced in tests of a full disk. */
export type WriteBytes = (file: FileHandle, bytes: Uint8Array) => Promise<void>;

export function openObjects(dataDir: string, write: WriteBytes = writeBytes): ObjectStore {
  const root = join(dataDir, "objects");
  const folders = new Map<string, Promise<string>>();
  const folderOf = (digest: Sha256) => {
    const prefix = digest.slice(0, 2);
    let folder = folders.get(prefix);
    if (folder === undefined) {
      folder = makeFolder(root, prefix);
      folders.set(prefix, folder);
      // A failure is tried again by the next put.
      folder.catch(() => folders.delete(prefix));
    }
    return folder;
  };

  return {
    async put(bytes) {
      const digest = sha256(bytes);
      const path = pathOf(root, digest);
      if ((await sizeOf(path)) === bytes.length) return digest;
      try {
        await writeObject(await folderOf(digest), path, bytes, write);
      } catch (error) {
        // A folder removed while we run is made again.
        folders.delete(digest.slice(0, 2));
        throw toFault(error, root);
      }
      return digest;
    },
    async get(digest) {
      const path = pathOf(root, digest);
      const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code !== "ENOENT") throw toFault(cause, root);
        throw new AssayError("OBJECT_MISSING", `no object ${digest}`, {
          hint: "Restore it from a backup; `assay replay` of the batch makes what follows from its inputs again.",
          cause,
        });
      });
      if (sha256(bytes) !== digest) {
        throw new AssayError("OBJECT_ALTERED", `the bytes of object ${digest} are not those that were stored`, {
          hint: `Keep ${path} for whoever looks into it, then restore the object from a backup.`,
        });
      }
      return bytes;
    },
    async has(digest) {
      return (await sizeOf(pathOf(root, digest))) !== undefined;
    },
  };
}

/** Digests come from documents: one that is not a digest must not become a path. */
function pathOf(root: string, digest: Sha256): string {
  if (!/^[0-9a-f]{64}$/.test(digest)) {
    throw new AssayError("OBJECT_DIGEST_MALFORMED", `not a SHA-256: ${JSON.stringify(String(digest).slice(0, 80))}`);
  }
  return join(root, digest.slice(0, 2), digest.slice(2));
}

async function makeFolder(root: string, prefix: string): Promise<string> {
  const folder = join(root, prefix);
  if ((await mkdir(folder, { recursive: true })) !== undefined) await syncFolder(root);
  return folder;
}

async function writeObject(folder: string, path: string, bytes: Uint8Array, write: WriteBytes): Promise<void> {
  const aside = join(folder, `.${randomBytes(8).toString("hex")}`);
  try {
    const file = await open(aside, "wx", 0o644);
    try {
      await write(file, bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw error;
  }
  // Without it a power cut may undo the rename, after the ledger has named the object.
  await syncFolder(folder);
}

async function writeBytes(file: FileHandle, bytes: Uint8Array): Promise<void> {
  await file.writeFile(bytes);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

function toFault(error: unknown, root: string): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (["ENOSPC", "EDQUOT", "EFBIG"].includes(code)) {
    return new AssayError("DISK_FULL", `no room left to store an object (${code})`, {
      retry: "later",
      hint: `Free some space on the disk of ${root}, or set ASSAY_DATA to another one, and run again; nothing is half-written.`,
      cause: error,
    });
  }
  if (["EACCES", "EPERM", "EROFS", "ENOTDIR", "EISDIR"].includes(code)) {
    return new AssayError("OBJECT_STORE_CLOSED", `the object store cannot be used (${code})`, {
      hint: `Check who may write to ${root}.`,
      cause: error,
    });
  }
  return error;
}
