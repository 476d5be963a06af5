/**
 * The research folder of a request: one definition a product, whatever its file is called. A file that cannot be used is
 * a fault of the product that it names, in its text or by its name; one that names nobody is nobody's. A definition
 * written after the day of as_of (in UTC) does not exist for the run.
 */
import { AssayError } from "../domain/outcome.ts";
import type { FrozenBatch } from "../schema/frozen.ts";
import { toFolderName } from "../schema/instrument.ts";
import type { SourceFault } from "../schema/observation.ts";
import { type ResearchDefinition, researchSchema } from "../schema/research.ts";
import type { CollectTerms } from "./collect.ts";
import { decode } from "./decode.ts";
import { realRoots } from "./payload-file.ts";
import { readYamlDocument } from "./yaml-document.ts";
import { type FolderFile, freezeYamlFolder } from "./yaml-folder.ts";

export type FrozenResearch = NonNullable<FrozenBatch["research"]>[number];

export async function freezeResearch(
  folder: string,
  terms: CollectTerms,
): Promise<{ research: FrozenResearch[]; faults: SourceFault[] }> {
  const roots = await realRoots(terms.folder, terms.allowRoots);
  const found = await freezeYamlFolder(folder, { prefix: "RESEARCH", roots, objects: terms.objects });
  const byFolderName = new Map(terms.instruments.map(({ instrument }) => [toFolderName(instrument), instrument]));
  const ownerOf = (file: string, text: string) =>
    /^instrument:[ \t]*["']?((?:KR|US):[A-Z0-9][A-Z0-9.-]{0,11})\b/m.exec(text)?.[1] ??
    byFolderName.get(file.replace(/\.ya?ml$/i, "").toUpperCase()) ??
    null;
  const faults = found.faults.map(({ file, code, detail, hint }): SourceFault => {
    const instrument = file === null ? null : ownerOf(file, "");
    return faultOf(file === null || instrument !== null ? code : "RESEARCH_NAMES_NOBODY", instrument, detail, hint);
  });
  const owned = new Map<string, FolderFile[]>();
  for (const one of found.files) {
    const owner = ownerOf(one.file, Buffer.from(one.bytes).toString("utf8"));
    if (owner !== null) owned.set(owner, [...(owned.get(owner) ?? []), one]);
    else
      faults.push(faultOf("RESEARCH_NAMES_NOBODY", null, `${one.file} names no instrument`, "give it an instrument"));
  }
  const known = new Set(terms.instruments.map(({ instrument }) => instrument));
  const research: FrozenResearch[] = [];
  for (const [instrument, files] of owned) {
    const fault = (code: string, detail: string, hint: string) => faults.push(faultOf(code, instrument, detail, hint));
    const [{ file, sha256, bytes }] = files as [FolderFile, ...FolderFile[]];
    if (!known.has(instrument)) {
      fault("RESEARCH_UNKNOWN_INSTRUMENT", `${file}: ${instrument} is not in the universe`, "correct its instrument");
    } else if (files.length > 1) {
      fault("RESEARCH_DUPLICATE", `${files.map((one) => one.file).join(", ")} define one product`, "leave one of them");
    } else {
      try {
        const definition = readResearch(bytes, file);
        if (definition.written_on > terms.batch.as_of.slice(0, 10)) {
          const detail = `${file}: written on ${definition.written_on}, after as_of ${terms.batch.as_of}`;
          fault("RESEARCH_AFTER_AS_OF", detail, "move as_of, or supply what was written by then");
        } else research.push({ instrument: definition.instrument, sha256, file });
      } catch (cause) {
        if (!(cause instanceof AssayError)) throw cause;
        fault("RESEARCH_INVALID", cause.message, cause.hint ?? "");
      }
    }
  }
  return { research, faults };
}

/** Throws an AssayError that tells file, line and field. */
export function readResearch(bytes: Uint8Array, file: string): ResearchDefinition {
  return readYamlDocument(decode(bytes, "utf-8"), file, {
    schema: researchSchema,
    code: "RESEARCH_INVALID",
    hint: "correct the lines named; batches/README.md describes a definition",
  });
}

function faultOf(code: string, instrument: string | null, detail: string, hint: string): SourceFault {
  return { source_id: "research", instrument, code, detail: detail.slice(0, 2000), hint };
}
