/**
 * Whether the sources speak of the same product as the universe: ISIN by equality, names but for spacing, case and
 * character form. Compares what is stated; it does not guess which of two names is right.
 */
import type { MetadataField } from "../schema/batch.ts";
import { defineGate, examples } from "./gate.ts";

const NAMES = ["name_ko", "name_en"] as const satisfies readonly MetadataField[];

export const identity = defineGate({
  id: "identity",
  version: 1,
  family: "data",
  stage: "data",
  question: "Do the sources speak of the product that the universe names?",
  needs: ["instrument", "sources", "metadata", "defects"],
  codes: {
    IDENTITY_MISMATCH: {
      severity: "REVIEW",
      blocks_when: "the ISIN differs, or a reader found a file of another product",
      meaning:
        "a source gives the product another ISIN or name, or the universe calls hedged what has nothing to hedge",
      remedy: "compare universe, source and issuer's page; correct the universe or have the source corrected",
    },
  },
  check({ instrument, sources, metadata, defects }, report, examined) {
    examined(instrument.instrument);
    const records = new Map(metadata.map((record) => [record.source_id, record]));
    const names: string[] = [];
    for (const source of sources) {
      if (source.kind !== "metadata" || source.serves !== "instrument" || source.version === null) continue;
      examined(source.source_id);
      const record = records.get(source.source_id);
      if (record === undefined) {
        report("EVIDENCE_MISSING", source.source_id, "the file was frozen but what it states was not handed in");
        continue;
      }
      for (const { field, value } of record.fields ?? []) {
        if (field === "isin" && instrument.isin !== "" && value.trim() !== instrument.isin) {
          const detail = `${source.source_id} states ${value.trim()}, the universe ${instrument.isin}`;
          report("IDENTITY_MISMATCH", "isin", detail, { blocks: true });
        }
        const name = NAMES.find((candidate) => candidate === field);
        if (name !== undefined && instrument[name] !== "" && folded(value) !== folded(instrument[name])) {
          names.push(`${name}: ${source.source_id} states "${value}", the universe "${instrument[name]}"`);
        }
      }
    }
    if (names.length > 0) report("IDENTITY_MISMATCH", "name", examples(names));
    // A hedge is seen only against a comparison in another currency; in its own, the mark or the benchmark is wrong.
    const compared = sources.filter(({ serves, currency }) => serves === "benchmark" && currency !== null);
    if (
      instrument.fx_hedged &&
      compared.length > 0 &&
      compared.every(({ currency }) => currency === instrument.currency)
    ) {
      report(
        "IDENTITY_MISMATCH",
        "fx_hedged",
        `hedged, and compared with ${instrument.benchmark} in ${instrument.currency} too`,
      );
    }
    for (const { code, source_id, detail } of defects) {
      if (code === "IDENTITY_MISMATCH") report("IDENTITY_MISMATCH", source_id, detail, { blocks: true });
    }
  },
});

function folded(name: string): string {
  return name.normalize("NFKC").replace(/\s+/gu, "").toLowerCase();
}
