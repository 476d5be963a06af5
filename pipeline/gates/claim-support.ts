/**
 * Every claim leads to what supports it: figures of this product that are OK, rows of evidence that the card may rest on,
 * sentences of its research. A query receipt is none of these: it supports its own query's result and nothing else.
 */
import type { ClaimRecord, Support } from "../schema/claim.ts";
import { byFigure, defineGate, okValue } from "./gate.ts";

export const claimSupport = defineGate({
  id: "claim-support",
  version: 1,
  family: "evidence",
  stage: "sentences",
  question: "Does every claim lead to eligible support, at an exact place?",
  needs: ["sentences", "claims", "facts", "sources", "query_receipts"],
  codes: {
    UNSUPPORTED: {
      severity: "BLOCK",
      meaning: "a claim binds what is not a figure of this product, or rests on nothing that the card may rest on",
      remedy: "bind a figure that is OK, or name the evidence with its row; drop the claim where there is none",
    },
    RECEIPT_AS_EVIDENCE: {
      severity: "BLOCK",
      meaning: "a query receipt is used as evidence about the product",
      remedy: "cite what the query found, by its own evidence; a receipt says only that a query was run",
    },
  },
  check({ sentences, claims, facts, sources, query_receipts }, report, examined) {
    const rows = byFigure(facts);
    const usable = new Set(
      sources.flatMap(({ version }) => (version?.quality_state === "USABLE" ? [version.evidence_id] : [])),
    );
    const research = new Set(sentences.flatMap(({ kind, id }) => (kind === "research" ? [id] : [])));
    const receipts = new Set(query_receipts.map(({ receipt_id }) => receipt_id));
    const wrong = (support: Support): string | null => {
      if (support.kind === "fact") return okValue(rows, support.figure) === null ? support.figure : null;
      if (support.kind === "evidence") return usable.has(support.evidence_id) ? null : support.evidence_id;
      if (support.kind === "research") return research.has(support.sentence) ? null : support.sentence;
      return null;
    };
    for (const sentence of sentences) {
      examined(sentence.id);
      const claim = sentence.kind === "claim" ? claims.find(({ id }) => sentence.id === id) : undefined;
      if (sentence.kind !== "claim") continue;
      if (claim === undefined) {
        report("UNSUPPORTED", sentence.id, "no record of this claim");
        continue;
      }
      const isBound = (figure: string) => okValue(rows, figure.replace(/^label\//, "")) !== null;
      const loose = claim.slots.filter(({ figure }) => !isBound(figure)).map(({ figure }) => figure);
      const bad = claim.supports.flatMap((support) => wrong(support) ?? []);
      const solid = claim.supports.filter((support) => support.kind !== "receipt" && wrong(support) === null);
      if (loose.length > 0) report("UNSUPPORTED", sentence.id, `bound to what is no figure here: ${loose.join(", ")}`);
      else if (bad.length > 0) report("UNSUPPORTED", sentence.id, `rests on ${bad.join(", ")}, which it may not`);
      else if (solid.length === 0 && claim.absence_receipt === null)
        report("UNSUPPORTED", sentence.id, "rests on nothing");
      if (usesReceipt(claim)) report("RECEIPT_AS_EVIDENCE", sentence.id, "a receipt is named as support");
      if (claim.opposing.kind === "sought" && !receipts.has(claim.opposing.receipt_id)) {
        report("UNSUPPORTED", sentence.id, `opposing evidence was sought by ${claim.opposing.receipt_id}, unknown`);
      }
    }
  },
});

function usesReceipt({ supports, opposing }: ClaimRecord): boolean {
  const against = opposing.kind === "found" ? opposing.supports : [];
  return [...supports, ...against].some(({ kind }) => kind === "receipt");
}
