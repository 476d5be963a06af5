/**
 * Two sources that state one field differently. The expense ratio follows the fact's own rule of agreement; dates and
 * classifications must be equal, and what is said to pay nothing must have no payouts. Net assets move daily and index
 * names are worded freely, so neither is compared.
 */
import type { MetadataField } from "../schema/batch.ts";
import { figureId } from "../schema/fact.ts";
import { defineGate, examples } from "./gate.ts";

const COMPARED = ["listed_on", "inception_on", "tax_type", "risk_grade"] as const satisfies readonly MetadataField[];

export const conflict = defineGate({
  id: "conflict",
  version: 1,
  family: "data",
  stage: "data",
  question: "Do the sources agree on what they state?",
  needs: ["facts", "metadata", "side_series"],
  codes: {
    CONFLICT: {
      severity: "REVIEW",
      meaning: "two sources state different values; neither is taken as the figure",
      remedy: "look at the issuer's document and have the wrong source corrected or taken out of the batch",
    },
  },
  check({ facts, metadata, side_series }, report, examined) {
    const withheld = new Set<string>();
    for (const fact of facts) {
      examined(figureId(fact));
      // The date of a figure in conflict (`…_on`) is withheld with it and is no second finding.
      if (fact.reason !== "CONFLICT" || withheld.has(fact.fact.replace(/_on$/, ""))) continue;
      withheld.add(fact.fact);
      report("CONFLICT", figureId(fact), statements(metadata, fact.fact) || "the sources state different values");
    }
    for (const field of COMPARED) {
      const values = metadata.flatMap(({ fields }) => fields?.filter((stated) => stated.field === field) ?? []);
      const different = new Set(values.map(({ value }) => value.normalize("NFKC").replace(/\s+/gu, "")));
      if (different.size > 1 && !facts.some((fact) => fact.fact === field && fact.reason === "CONFLICT")) {
        report("CONFLICT", field, statements(metadata, field));
      }
    }
    const denied = side_series.filter(({ kind }) => kind === "pays_nothing").map(({ source_id }) => source_id);
    const paid = side_series.filter(({ kind, count }) => kind === "payout" && count > 0);
    if (denied.length > 0 && paid.length > 0) {
      const files = paid.map(({ source_id, count }) => `${source_id} has ${count} payouts`);
      report("CONFLICT", "pays_nothing", `${denied.join(", ")} says that it pays nothing, ${examples(files)}`);
    }
  },
});

function statements(
  metadata: readonly { source_id: string; fields: readonly { field: string; stated: string }[] | null }[],
  field: string,
): string {
  const said = metadata.flatMap(({ source_id, fields }) =>
    (fields ?? []).filter((stated) => stated.field === field).map(({ stated }) => `${source_id} states ${stated}`),
  );
  return examples(said);
}
