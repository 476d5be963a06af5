/**
 * Tool: hands claims in. Each is checked by the grammar here, by verifiers of the run, and by the gates after it; never by its
 * author. The claims of one task are about one product.
 */
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../agents/tool.ts";
import { type ClaimRecord, claimRecordSchema } from "../../schema/claim.ts";
import type { SubmittedClaims } from "../../schema/composed.ts";
import type { JsonObject, JsonValue } from "../../schema/turn.ts";
import { draftsOf } from "../drafts.ts";
import { grammarFaults, LABEL } from "../grammar.ts";
import { type Desk, type ProductDesk, readScopes } from "./desk.ts";
import { edgeSource, factSource, instrumentInput, NOT_ON_DESK, onDesk, sourceOf } from "./sources.ts";

export const CLAIMS_MAX = 24;

const claimInput = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,59}$/),
  ...claimRecordSchema.pick({ role: true, type: true, text: true, slots: true, supports: true, opposing: true }).shape,
  ...claimRecordSchema.pick({ confidence: true, causal_edge: true, absence_receipt: true }).shape,
});
type ClaimInput = z.output<typeof claimInput>;
const input = z.strictObject({ instrument: instrumentInput, claims: z.array(claimInput).min(1).max(CLAIMS_MAX) });

export function submitClaims(desk: Desk): Tool {
  return defineTool({
    name: "submit_claims",
    version: "2",
    description: `Hand in claims, all that you have in one call; calling again replaces them. Each text is one sentence in the
language of the task, with a place {name} instead of every numeral, date and rank. A place is bound in slots to a figure that
is OK, or to label/<figure> for the name of its window ({w}: "1 year"), which a sentence about a windowed figure must name.
supports: the figures and research/<id> sentences that it rests on. opposing: what speaks against it, likewise (kind found).
type: that of the figures it binds; INFERRED or OPINION for a sentence of research. causal_edge: only with a text that says why.
What the grammar refuses comes back with codes: mend it and hand all in again. Ids come back as claims/<id>.`,
    input,
    effect: "read",
    scope: ({ instrument }) => ({ read: [readScopes(instrument).facts] }),
    run: ({ instrument, claims }, context) => {
      const own = onDesk(desk, instrument);
      if (own === null) return NOT_ON_DESK;
      const document = checked(desk, own, claims, context);
      return {
        status: "OK",
        content: { accepted: document.claims.map(({ id }) => id), refused: document.refused as unknown as JsonValue },
        outputs: [
          {
            name: "claims",
            document: document as unknown as JsonObject,
            references: [...new Set(document.claims.flatMap(restsOn))],
          },
        ],
      };
    },
  });
}

/** `call` is `main#3.2`: the turn is what stands before the point. */
function checked(desk: Desk, own: ProductDesk, inputs: ClaimInput[], context: ToolContext): SubmittedClaims {
  const { call } = context;
  const document: SubmittedClaims = { schema: "submitted_claims/v1", claims: [], refused: [] };
  const seen = new Set<string>();
  const others = draftsOf(context).claims;
  for (const { id, ...said } of inputs) {
    const record: ClaimRecord = {
      schema: "claim/v1",
      id: `claims/${id}`,
      instrument: own.product.instrument,
      locale: desk.locale,
      ...said,
      turn: call.slice(0, call.lastIndexOf(".")),
      receipt: call,
    };
    const faults: { code: string; detail: string }[] = grammarFaults(record, own);
    if (seen.has(id)) faults.push({ code: "ID_REPEATED", detail: id });
    if (others.has(record.id)) faults.push({ code: "ID_TAKEN", detail: `${record.id} is a claim of another` });
    seen.add(id);
    if (faults.length === 0) document.claims.push(record);
    else document.refused.push({ id: record.id, faults });
  }
  return document;
}

/** Everything that a claim rests on or names as the other side: whoever proposes or supports it has read that itself. */
export function restsOn({ instrument, slots, supports, opposing, causal_edge }: ClaimRecord): string[] {
  const named = opposing.kind === "found" ? [...supports, ...opposing.supports] : supports;
  return [
    ...boundFigures(slots).map((figure) => factSource(instrument, figure)),
    ...named.flatMap((support) => sourceOf(instrument, support)),
    ...(causal_edge === null ? [] : [edgeSource(causal_edge)]),
  ];
}

/** Figures that places are bound to, each once; the window of a figure is the figure's. */
export function boundFigures(slots: ClaimRecord["slots"]): string[] {
  return [...new Set(slots.map(({ figure }) => (figure.startsWith(LABEL) ? figure.slice(LABEL.length) : figure)))];
}
