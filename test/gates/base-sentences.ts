/** Sentences with which every sentence gate passes, one claim in each language with its record, and tokens for those of a case. */
import { openAnalysers } from "../../pipeline/compose/language/open.ts";
import type { ClaimRecord } from "../../pipeline/schema/claim.ts";
import type { SearchRecord } from "../../pipeline/schema/query-receipt.ts";
import type { Sentence } from "../../pipeline/schema/sentence.ts";

const analysers = await openAnalysers();

const TEXTS: Record<string, Pick<ClaimRecord, "locale" | "text">> = {
  "claims/ko": { locale: "ko-KR", text: "지난 {w} 총수익률은 {r}입니다." },
  "claims/en": { locale: "en-US", text: "Over {w} the total return was {r}." },
};
const SLOTS = [
  { name: "w", figure: "label/total_return.1y" },
  { name: "r", figure: "total_return.1y" },
];

export function baseClaims(): ClaimRecord[] {
  return Object.entries(TEXTS).map(([id, { locale, text }]) => ({
    schema: "claim/v1",
    id,
    instrument: "US:VRDNT",
    locale,
    role: "point",
    type: "DERIVED",
    text,
    slots: SLOTS,
    supports: [{ kind: "fact", figure: "total_return.1y" }],
    opposing: { kind: "sought", receipt_id: "receipt-1" },
    confidence: "high",
    causal_edge: null,
    absence_receipt: null,
    turn: "turn-1",
    receipt: "call-1",
  }));
}

export function baseReceipts(): SearchRecord[] {
  return [
    {
      schema: "search_record/v1",
      receipt_id: "receipt-1",
      call_id: "call-7",
      query: "swap counterparty",
      source_as_of: "2026-05-02T00:00:00.000Z",
      in_order: true,
      searched_source_evidence_ids: ["us-profile:instrument"],
      status: "NO_MATCH",
      result_count: 0,
    },
  ];
}

export function baseSentences(): Sentence[] {
  const claims = baseClaims().map(({ id, locale, text, slots, type }) =>
    sentence({ id, kind: "claim", locale, text, slots, type }),
  );
  return [
    ...claims,
    sentence({ id: "fixed/ko", locale: "ko-KR", text: "분배금은 자산에서 지급됩니다." }),
    sentence({ id: "fixed/en", locale: "en-US", text: "Distributions are paid out of the fund's assets." }),
  ];
}

/** A case names what matters of a sentence; the rest is that of a fixed line, and its tokens are the analyser's. */
export function sentence(part: Partial<Sentence> & Pick<Sentence, "id" | "locale" | "text">): Sentence {
  const whole: Sentence = {
    kind: "fixed",
    slots: [],
    type: null,
    causal_edge: null,
    absence_receipt: null,
    ...part,
    tokens: [],
  };
  return { ...whole, tokens: analysers[whole.locale].analyse(whole.text, { slots: whole.slots }) };
}
