/**
 * The causal register of a request: a folder of edges, one version a file. A version that cannot be read, is there twice
 * or has an impossible history is a fault of the register: what it said is unknown, so every use of the register is.
 */
import { AssayError } from "../domain/outcome.ts";
import { type CausalEdgeVersion, causalEdgeSchema } from "../schema/causal-edge.ts";
import type { FrozenBatch } from "../schema/frozen.ts";
import type { SourceFault } from "../schema/observation.ts";
import type { CollectTerms } from "./collect.ts";
import { decode } from "./decode.ts";
import { realRoots } from "./payload-file.ts";
import { type Mistake, readYamlDocument } from "./yaml-document.ts";
import { freezeYamlFolder } from "./yaml-folder.ts";

export type FrozenEdge = NonNullable<FrozenBatch["causal"]>[number];

export async function freezeCausal(
  folder: string,
  terms: CollectTerms,
  /** Why a history could not have come about, or null. */
  historyMistake: (edge: CausalEdgeVersion) => string | null,
): Promise<{ causal: FrozenEdge[]; faults: SourceFault[] }> {
  const roots = await realRoots(terms.folder, terms.allowRoots);
  const found = await freezeYamlFolder(folder, { prefix: "CAUSAL", roots, objects: terms.objects });
  const faults = found.faults.map(({ code, detail, hint }) => faultOf(code, detail, hint));
  const causal = new Map<string, FrozenEdge>();
  for (const { file, sha256, bytes } of found.files) {
    try {
      const { id, version } = readCausalEdge(bytes, file, historyMistake);
      const key = `${id}/${version}`;
      const other = causal.get(key);
      if (other === undefined) causal.set(key, { id, version, sha256, file });
      else faults.push(faultOf("CAUSAL_DUPLICATE", `${other.file} and ${file} are both ${key}`, "leave one of them"));
    } catch (fault) {
      if (!(fault instanceof AssayError)) throw fault;
      faults.push(faultOf("CAUSAL_INVALID", fault.message, fault.hint ?? ""));
    }
  }
  return { causal: [...causal.values()], faults };
}

/** Throws an AssayError that tells file, line and field. */
export function readCausalEdge(
  bytes: Uint8Array,
  file: string,
  historyMistake: (edge: CausalEdgeVersion) => string | null = () => null,
): CausalEdgeVersion {
  return readYamlDocument(decode(bytes, "utf-8"), file, {
    schema: causalEdgeSchema,
    code: "CAUSAL_INVALID",
    hint: "correct the lines named; batches/README.md describes an edge",
    mistakesOf(edge): Mistake[] {
      const message = historyMistake(edge);
      return message === null ? [] : [{ path: ["history"], message }];
    },
  });
}

function faultOf(code: string, detail: string, hint: string): SourceFault {
  return { source_id: "causal", instrument: null, code, detail: detail.slice(0, 2000), hint };
}
