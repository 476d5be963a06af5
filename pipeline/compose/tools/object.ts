/**
 * Tool: hands in objections to claims of others, and gaps. An objection stands in the record whatever becomes of the claim: it
 * is neither voted on nor averaged, and nobody but its author can take it back.
 */
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../agents/tool.ts";
import { type Disagreement, groundSchema, type Objections, STANCES } from "../../schema/composed.ts";
import { sentencesOf } from "../../schema/research.ts";
import type { JsonObject } from "../../schema/turn.ts";
import { draftsOf, ownClaims } from "../drafts.ts";
import { type Desk, type ProductDesk, readScopes } from "./desk.ts";
import { instrumentInput, NOT_ON_DESK, onDesk, researchSource, sourceOf } from "./sources.ts";

const OBJECTIONS_MAX = 24;
const GAPS_MAX = 12;

const objectionInput = z.strictObject({
  about: z.string().min(1).max(90),
  stance: z.enum(STANCES),
  grounds: z.array(groundSchema).min(1).max(12),
  counter_claim: z.string().min(1).max(90).nullable(),
});
const gapInput = z.strictObject({ code: z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/), detail: z.string().max(300) });

const input = z
  .strictObject({
    instrument: instrumentInput,
    objections: z.array(objectionInput).max(OBJECTIONS_MAX),
    gaps: z.array(gapInput).max(GAPS_MAX),
  })
  .refine(({ objections, gaps }) => objections.length + gaps.length > 0, "neither an objection nor a gap");

export function objectTo(desk: Desk): Tool {
  return defineTool({
    name: "object",
    version: "1",
    description: `Hand in your objections to what others say, and gaps: what you looked for and could not find or settle. All in
one call; calling again replaces them. about: a claim of another (claims/…) or a sentence of the research (research/…).
stance: disagrees, if both cannot be read as they stand; qualifies, if it is right and one-sided. grounds: figures, sentences
of research, places of evidence or causal edges that you have read. counter_claim: a claim that says the other side, else null.`,
    input,
    effect: "read",
    scope: ({ instrument }) => ({ read: [readScopes(instrument).facts] }),
    run: ({ instrument, objections, gaps }, context) => {
      const own = onDesk(desk, instrument);
      if (own === null) return NOT_ON_DESK;
      const known = knownTo(own, context);
      const judged = objections.map((objection) => ({ objection, code: refusalOf(objection, known) }));
      const refused = judged.flatMap(({ objection, code }) =>
        code === null ? [] : [{ about: objection.about, code }],
      );
      const { role, task_id } = context.contract;
      const document: Objections = {
        schema: "objections/v1",
        objections: judged.flatMap(({ objection, code }): Disagreement[] =>
          code === null ? [{ by: role, task: task_id, ...objection }] : [],
        ),
        gaps,
      };
      const accepted = document.objections.length;
      if (accepted + gaps.length === 0) return { status: "EMPTY", code: "NOTHING_ACCEPTED", content: { refused } };
      const references = document.objections.flatMap(({ about, grounds }) => [
        ...grounds.flatMap((ground) => sourceOf(instrument, ground)),
        known.others.get(about) ?? researchSource(instrument, about),
      ]);
      return {
        status: "OK",
        content: { accepted, refused },
        outputs: [
          {
            name: "objections",
            document: document as unknown as JsonObject,
            references: [...new Set(references)],
          },
        ],
      };
    },
  });
}

interface Known {
  /** Claims of others, with the document that each stands in. */
  others: Map<string, string>;
  own: Set<string>;
  sentences: Set<string>;
}

function knownTo({ research }: ProductDesk, context: ToolContext): Known {
  const others = [...draftsOf(context).claims].map(([id, drafts]) => [id, drafts[0]!.reference] as const);
  return {
    others: new Map(others),
    own: new Set(ownClaims(context).map(({ id }) => id)),
    sentences: new Set(research === null ? [] : sentencesOf(research).map(({ sentence }) => `research/${sentence.id}`)),
  };
}

function refusalOf(
  { about, counter_claim }: z.output<typeof objectionInput>,
  { others, own, sentences }: Known,
): string | null {
  if (own.has(about)) return "CLAIM_IS_YOURS";
  if (!others.has(about) && !sentences.has(about)) return "CLAIM_UNKNOWN";
  if (counter_claim === null) return null;
  if (counter_claim === about || (!others.has(counter_claim) && !own.has(counter_claim))) {
    return "COUNTER_CLAIM_UNKNOWN";
  }
  return null;
}
