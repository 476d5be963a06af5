/** That something is absent is proved by a query that looked, completed and found nothing; "not found" alone is not "absent". */
import { BLOCKS_BY_RULE, defineGate, hitsOf, reportHits } from "./gate.ts";

export const absence = defineGate({
  id: "absence",
  version: 1,
  family: "evidence",
  stage: "sentences",
  question: "Is everything said to be absent proved by a completed query?",
  needs: ["sentences", "query_receipts", "rules"],
  codes: {
    ABSENCE_UNPROVEN: {
      severity: "REVIEW",
      blocks_when: BLOCKS_BY_RULE,
      meaning: "a sentence says that something is or was not there, and no completed query with no result says so",
      remedy:
        "search the sources, name the receipt of the search in the claim, and say what was searched; or leave it out",
    },
  },
  check({ sentences, query_receipts, rules }, report, examined) {
    const receipts = new Map(query_receipts.map((receipt) => [receipt.receipt_id, receipt]));
    for (const sentence of sentences) {
      examined(sentence.id);
      const hits = hitsOf(sentence, rules.lexicons, "ABSENCE_UNPROVEN");
      const receipt = receipts.get(sentence.absence_receipt ?? "");
      const isProven =
        receipt !== undefined &&
        receipt.status === "NO_MATCH" &&
        receipt.result_count === 0 &&
        receipt.searched_source_evidence_ids.length > 0 &&
        receipt.in_order;
      if (!isProven) reportHits(sentence, hits, report, "ABSENCE_UNPROVEN");
      // A claim that names a receipt rests on it, whatever its words.
      if (!isProven && hits.length === 0 && sentence.absence_receipt !== null) {
        const detail = receipt === undefined ? "the receipt is unknown" : `the query ended ${receipt.status}`;
        report("ABSENCE_UNPROVEN", sentence.id, detail, { blocks: true });
      }
    }
  },
});
