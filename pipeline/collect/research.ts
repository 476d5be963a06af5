/**
 * The research folder of a request: one definition a product, whatever its file is called. Its product is the parsed one;
 * only a file that cannot be parsed is taken by its text or its name. A file that cannot be used is a fault of every
 * product that it names, so that none can hide another's; one that names nobody is nobody's. A definition written after
 * the day of as_of (in UTC) does not exist for the run.
 */
import { AssayError } from "../domain/outcome.ts";
import type { FrozenBatch } from "../schema/frozen.ts";
import { toFolderName } from "../schema/instrument.ts";
import type { SourceFault } from "../schema/observation.ts";
import { type ResearchDefinition, researchOwnerSchema, researchSchema } from "../schema/research.ts";
import type { CollectTerms } from "./collect.ts";
import { decode } from "./decode.ts";
import { realRoots } from "./payload-file.ts";
import { readYamlDocument } from "./yaml-document.ts";
import { type FolderFile, freezeYamlFolder } from "./yaml-folder.ts";

export type FrozenResearch = NonNullable<FrozenBatch["research"]>[number];

interface Reading {
  file: FolderFile;
  /** The products that the file names: first its owner, then any other. */
  named: string[];
  definition: ResearchDefinition | AssayError;
}

export async function freezeResearch(
  folder: string,
  terms: CollectTerms,
): Promise<{ research: FrozenResearch[]; faults: SourceFault[] }> {
  const roots = await realRoots(terms.folder, terms.allowRoots);
  const found = await freezeYamlFolder(folder, { prefix: "RESEARCH", roots, objects: terms.objects });
  const byFolderName = new Map(terms.instruments.map(({ instrument }) => [toFolderName(instrument), instrument]));
  const ownerByName = (file: string) => byFolderName.get(file.replace(/\.ya?ml$/i, "").toUpperCase());
  const faults = found.faults.map(({ file, code, detail, hint }): SourceFault => {
    const instrument = file === null ? null : (ownerByName(file) ?? null);
    return faultOf(file === null || instrument !== null ? code : "RESEARCH_NAMES_NOBODY", instrument, detail, hint);
  });
  const owned = new Map<string, Reading[]>();
  for (const one of found.files) {
    const reading = read(one, ownerByName(one.file));
    const [owner, ...others] = reading.named;
    if (owner === undefined) {
      faults.push(faultOf("RESEARCH_NAMES_NOBODY", null, `${one.file} names no instrument`, "give it an instrument"));
      continue;
    }
    owned.set(owner, [...(owned.get(owner) ?? []), reading]);
    for (const other of others) faults.push(namesSeveral(reading, other));
  }
  const known = new Set(terms.instruments.map(({ instrument }) => instrument));
  const research: FrozenResearch[] = [];
  for (const [instrument, readings] of owned) {
    const fault = (code: string, detail: string, hint: string) => faults.push(faultOf(code, instrument, detail, hint));
    const [reading] = readings as [Reading, ...Reading[]];
    const { definition, named } = reading;
    const { file, sha256 } = reading.file;
    if (!known.has(instrument)) {
      fault("RESEARCH_UNKNOWN_INSTRUMENT", `${file}: ${instrument} is not in the universe`, "correct its instrument");
    } else if (readings.length > 1) {
      const files = readings.map((one) => one.file.file).join(", ");
      fault("RESEARCH_DUPLICATE", `${files} define one product`, "leave one of them");
    } else if (named.length > 1) {
      faults.push(namesSeveral(reading, instrument));
    } else if (definition instanceof AssayError) {
      fault("RESEARCH_INVALID", definition.message, definition.hint ?? "");
    } else if (definition.written_on > terms.batch.as_of.slice(0, 10)) {
      const detail = `${file}: written on ${definition.written_on}, after as_of ${terms.batch.as_of}`;
      fault("RESEARCH_AFTER_AS_OF", detail, "move as_of, or supply what was written by then");
    } else research.push({ instrument, sha256, file });
  }
  return { research, faults };
}

function read(file: FolderFile, byName: string | undefined): Reading {
  const definition = orRefusal(() => readResearch(file.bytes, file.file));
  const parsed = definition instanceof AssayError ? orRefusal(() => readOwner(file.bytes, file.file)) : definition;
  const text = Buffer.from(file.bytes).toString("utf8");
  const byText = /^instrument:[ \t]*["']?((?:KR|US):[A-Z0-9][A-Z0-9.-]{0,11})\b/m.exec(text)?.[1];
  const named = [parsed instanceof AssayError ? undefined : parsed.instrument, byText, byName];
  return { file, named: [...new Set(named.filter((one) => one !== undefined))], definition };
}

function readOwner(bytes: Uint8Array, file: string): { instrument: string } {
  return readYamlDocument(decode(bytes, "utf-8"), file, {
    schema: researchOwnerSchema,
    code: "RESEARCH_INVALID",
    hint: "",
  });
}

function namesSeveral({ file, named }: Reading, instrument: string): SourceFault {
  const detail = `${file.file} names ${named.join(" and ")}, by its instrument, its text or its file name`;
  return faultOf("RESEARCH_INVALID", instrument, detail, "let its file name and its instrument name one product");
}

function orRefusal<T>(work: () => T): T | AssayError {
  try {
    return work();
  } catch (refusal) {
    if (refusal instanceof AssayError) return refusal;
    throw refusal;
  }
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
