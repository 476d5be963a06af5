/**
 * Freezes one payload: bytes into the object store first, then the SOURCE_VERSION that says what they are. Only the
 * dates at its ends are looked at. A payload that cannot even be decoded is frozen too (UNUSABLE): it is what the source sent. Deterministic: the
 * same bytes under the same contract have the same evidence id, whenever they are read.
 */
import { digestOf, type Sha256 } from "../domain/digest.ts";
import type { Source } from "../schema/batch.ts";
import type { SourceVersion } from "../schema/evidence.ts";
import { detectEncoding, type Encoding } from "./decode.ts";
import { observedThrough } from "./observed.ts";

export interface ObjectSink {
  put(bytes: Uint8Array): Promise<Sha256>;
}

export interface FrozenEvidence {
  evidence_id: Sha256;
  version: SourceVersion;
  /** Real path that was read; null for bytes that were made, not read. Never part of a document. */
  locatorPath: string | null;
}

export interface Payload {
  source: Source;
  instrument: string | null;
  /** As the batch names it, `{ticker}` filled in. */
  locator: string;
  locatorPath: string | null;
  bytes: Uint8Array;
}

export async function freeze(payload: Payload, tenant: string, objects: ObjectSink): Promise<FrozenEvidence> {
  const { source, bytes } = payload;
  const payload_sha256 = await objects.put(bytes);
  const encoding = detectEncoding(bytes, declaredEncoding(source));
  const version: SourceVersion = {
    schema: "source_version/v1",
    tenant,
    source_id: source.id,
    source_contract: source.contract,
    contract_digest: contractDigest(source),
    source_locator: payload.locator,
    vendor: source.vendor,
    instrument: payload.instrument,
    payload_sha256,
    payload_bytes: bytes.length,
    media_type: source.contract === "json-metadata" ? "application/json" : "text/csv",
    encoding: encoding ?? declaredEncoding(source) ?? "utf-8",
    observed_at: encoding === null ? null : observedThrough(bytes, source, encoding),
    published_at: source.published_at ?? null,
    first_usable_at: firstUsable(source),
    first_usable_basis: "declared",
    retrieved_at: source.retrieved_at,
    revision_id: `sha256-${payload_sha256.slice(0, 16)}`,
    supersedes: null,
    quality_state: encoding === null ? "UNUSABLE" : "USABLE",
    rights_state: source.rights,
    is_demonstration: source.contract === "synthetic",
  };
  return { evidence_id: digestOf("source_version", version), version, locatorPath: payload.locatorPath };
}

function declaredEncoding(source: Source): Encoding | undefined {
  if (source.contract === "synthetic" || source.contract === "json-metadata") return "utf-8";
  return source.encoding;
}

/** The later of publication and retrieval. Both are UTC text of one form, so that text order is time order. */
function firstUsable({ published_at, retrieved_at }: Source): string {
  return published_at !== undefined && published_at > retrieved_at ? published_at : retrieved_at;
}

const digests = new WeakMap<Source, Sha256>();
/** Digest of the terms under which a source is read. */
export function contractDigest(source: Source): Sha256 {
  const known = digests.get(source) ?? digestOf("source_contract", source);
  digests.set(source, known);
  return known;
}
