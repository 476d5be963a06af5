/**
 * Freezes the YAML files of a folder that a request names: bytes into the object store first, in the order of their names.
 * Files of other kinds, hidden ones and folders below are not looked at. What cannot be had is a fault with the folder's
 * prefix, and the rest goes on; nothing is parsed here.
 */
import { readdir } from "node:fs/promises";
import type { Sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import { quoted } from "./defects.ts";
import type { ObjectSink } from "./freeze.ts";
import { inParallel } from "./parallel.ts";
import { type Limits, type Roots, readPayloadFile, resolveWithin } from "./payload-file.ts";

const LIMITS: Limits = { bytes: 256 * 1024, line: null, rows: null };
const MAX_FILES = 2000;
const WIDTH = 8;
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}._ -]{0,120}$/u;

export interface FolderFile {
  /** Name within the folder. */
  file: string;
  sha256: Sha256;
  bytes: Uint8Array;
}
export interface FolderFault {
  /** Null: the folder itself. */
  file: string | null;
  code: string;
  detail: string;
  hint: string;
}

export async function freezeYamlFolder(
  folder: string,
  { prefix, roots, objects }: { prefix: "RESEARCH" | "CAUSAL"; roots: Roots; objects: ObjectSink },
): Promise<{ files: FolderFile[]; faults: FolderFault[] }> {
  const names = await listed(folder, roots).catch((fault: unknown) => asFault(fault, prefix, folder, null));
  if (!Array.isArray(names)) return { files: [], faults: [names] };
  const read = await inParallel(names, WIDTH, async (file): Promise<FolderFile | FolderFault> => {
    let bytes: Uint8Array;
    try {
      const locator = `${folder}/${file}`;
      if (!NAME.test(file))
        throw new AssayError("FILE_NAME", `${quoted(file)} is no plain file name`, { hint: "rename it" });
      bytes = await readPayloadFile(locator, await resolveWithin(locator, roots), LIMITS);
    } catch (fault) {
      return asFault(fault, prefix, folder, file);
    }
    return { file, sha256: await objects.put(bytes), bytes };
  });
  return {
    files: read.filter((one) => "bytes" in one),
    faults: read.filter((one) => "code" in one),
  };
}

async function listed(folder: string, roots: Roots): Promise<string[]> {
  const names = await readdir(await resolveWithin(folder, roots)).catch((fault: NodeJS.ErrnoException) => {
    if (fault instanceof AssayError) throw fault;
    throw new AssayError("FOLDER_UNREADABLE", `${folder} is no folder that can be read (${fault.code})`, {
      hint: "name a folder beside batch.yaml",
    });
  });
  const found = names.filter((name) => /\.ya?ml$/i.test(name) && !name.startsWith(".")).sort();
  if (found.length > MAX_FILES) {
    throw new AssayError("FOLDER_UNREADABLE", `${folder} holds more than ${MAX_FILES} files`, {
      hint: "split the batch",
    });
  }
  return found;
}

function asFault(fault: unknown, prefix: string, folder: string, file: string | null): FolderFault {
  if (!(fault instanceof AssayError)) throw fault;
  const what = file === null ? "FOLDER_" : "";
  const how = fault.code === "FILE_MISSING" ? "MISSING" : "UNREADABLE";
  const detail = file === null ? fault.message : `${folder}: ${fault.message}`;
  return { file, code: `${prefix}_${what}${how}`, detail, hint: fault.hint ?? "" };
}
