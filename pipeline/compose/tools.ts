/**
 * What a composer may do: look at the figures of one product, its research and its peers, and hand claims in. Every tool reads
 * documents that were handed to it; a claim is checked by the grammar here and by the gates after the run, never by its author.
 */
import { z } from "zod";
import { defineTool, type Tool } from "../agents/tool.ts";
import type { Locale } from "../domain/locale.ts";
import { type ClaimRecord, claimRecordSchema } from "../schema/claim.ts";
import type { SubmittedClaims } from "../schema/composed.ts";
import type { Fact } from "../schema/fact.ts";
import { type ResearchDefinition, sentencesOf } from "../schema/research.ts";
import type { JsonObject, JsonValue } from "../schema/turn.ts";
import { grammarFaults, LABEL } from "./grammar.ts";
import type { Product } from "./rules/rule.ts";

export const CLAIMS_MAX = 24;
const FIGURES_MAX = 200;

/** What a composer works on. */
export interface ComposerDesk {
  locale: Locale;
  as_of: string;
  product: Product;
  facts: ReadonlyMap<string, Fact>;
  research: ResearchDefinition | null;
  /** Registered names that may hold digits. */
  names: readonly string[];
}

const figure = z.string().min(1).max(120);
const claimInput = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,59}$/),
  ...claimRecordSchema.pick({ role: true, type: true, text: true, slots: true, supports: true, opposing: true }).shape,
  ...claimRecordSchema.pick({ confidence: true, causal_edge: true, absence_receipt: true }).shape,
});

export function composerTools(desk: ComposerDesk): Tool[] {
  const { facts, product } = desk;
  const factsScope = () => ({ read: [`facts:${product.instrument}`] });
  const sourceOf = (id: string) => ({ id: `fact/${id}`, range: null });

  const listFacts = defineTool({
    name: "list_facts",
    version: "1",
    description:
      "The product and all its figures by id, each with its status and, where it is unavailable, the reason.",
    input: z.strictObject({}),
    effect: "read",
    scope: factsScope,
    run: () => ({
      status: "OK",
      content: {
        locale: desk.locale,
        as_of: desk.as_of,
        product: { ...product },
        figures: [...facts].map(([id, { status, reason }]) => ({ figure: id, status, reason })),
      },
    }),
  });

  const readFacts = defineTool({
    name: "read_facts",
    version: "1",
    description:
      "Exact values of figures that are OK. The host prints them: a claim binds a figure and never repeats it.",
    input: z.strictObject({ figures: z.array(figure).min(1).max(FIGURES_MAX) }),
    effect: "read",
    scope: factsScope,
    run: ({ figures }) => {
      const known = [...new Set(figures)].flatMap((id) => {
        const fact = facts.get(id);
        return fact?.status === "OK" ? [{ id, fact }] : [];
      });
      if (known.length === 0) return { status: "EMPTY", code: "NO_FIGURE_OK" };
      return {
        status: "OK",
        content: known.map(({ id, fact }) => ({
          figure: id,
          value: fact.value,
          unit: fact.unit,
          currency: fact.currency,
          type: fact.epistemic_type,
          start_session: fact.start_session,
          end_session: fact.end_session,
        })),
        sources: known.map(({ id }) => sourceOf(id)),
      };
    },
  });

  const readResearch = defineTool({
    name: "read_research",
    version: "1",
    description: "The product's research definition: its sentences by section, with their type and sources.",
    input: z.strictObject({}),
    effect: "read",
    scope: () => ({ read: [`research:${product.instrument}`] }),
    run: () => {
      if (desk.research === null) return { status: "EMPTY", code: "NO_DEFINITION" };
      const sentences = sentencesOf(desk.research);
      return {
        status: "OK",
        content: sentences.map(({ section, sentence }) => ({
          section,
          id: sentence.id,
          type: sentence.type,
          sources: sentence.sources,
          causal_edge: sentence.causal_edge ?? null,
          text: { ...sentence.text },
        })),
        sources: sentences.map(({ sentence }) => ({ id: `research/${sentence.id}`, range: null })),
      };
    },
  });

  const comparePeers = defineTool({
    name: "compare_peers",
    version: "1",
    description: "Place among peers, their number, and their median return by window, as far as these are available.",
    input: z.strictObject({}),
    effect: "read",
    scope: () => ({ read: [`facts:${product.instrument}`] }),
    run: () => {
      const found = [...facts].filter(([id, fact]) => id.startsWith("peer_") && fact.status === "OK");
      if (found.length === 0) return { status: "EMPTY", code: "NO_PEERS" };
      return {
        status: "OK",
        content: found.map(([id, fact]) => ({ figure: id, value: fact.value, type: fact.epistemic_type })),
        sources: found.map(([id]) => sourceOf(id)),
      };
    },
  });

  const submitClaims = defineTool({
    name: "submit_claims",
    version: "1",
    description:
      "Hand in claims. Each text is one sentence with places {name} instead of numerals, each bound to a figure, or to label/<figure> for the name of its window. What the grammar refuses comes back with codes; hand all in again to replace them.",
    input: z.strictObject({ claims: z.array(claimInput).min(1).max(CLAIMS_MAX) }),
    effect: "read",
    scope: factsScope,
    run: ({ claims }, { call }) => {
      const document = checked(desk, claims, call);
      return {
        status: "OK",
        content: { accepted: document.claims.map(({ id }) => id), refused: document.refused as unknown as JsonValue },
        outputs: [
          { name: "claims", document: document as unknown as JsonObject, references: referencesOf(document.claims) },
        ],
      };
    },
  });
  return [listFacts, readFacts, readResearch, comparePeers, submitClaims];
}

/** `call` is `main#3.2`: the turn is what stands before the point. */
function checked(desk: ComposerDesk, drafts: z.output<typeof claimInput>[], call: string): SubmittedClaims {
  const document: SubmittedClaims = { schema: "submitted_claims/v1", claims: [], refused: [] };
  const seen = new Set<string>();
  for (const { id, ...draft } of drafts) {
    const record: ClaimRecord = {
      schema: "claim/v1",
      id: `claims/${id}`,
      instrument: desk.product.instrument,
      locale: desk.locale,
      ...draft,
      turn: call.slice(0, call.lastIndexOf(".")),
      receipt: call,
    };
    const faults: { code: string; detail: string }[] = grammarFaults(record, desk);
    if (seen.has(id)) faults.push({ code: "ID_REPEATED", detail: id });
    seen.add(id);
    if (faults.length === 0) document.claims.push(record);
    else document.refused.push({ id: record.id, faults });
  }
  return document;
}

/** What the claims rest on; the terminal gate asks whether all of it was read in this task. */
function referencesOf(claims: readonly ClaimRecord[]): string[] {
  const supports = claims.flatMap(({ supports, opposing }) =>
    opposing.kind === "found" ? [...supports, ...opposing.supports] : supports,
  );
  return [
    ...new Set([
      ...claims.flatMap(({ slots }) => slots.map(({ figure }) => `fact/${figure.replace(LABEL, "")}`)),
      ...supports.flatMap((support) =>
        support.kind === "fact" ? [`fact/${support.figure}`] : support.kind === "research" ? [support.sentence] : [],
      ),
    ]),
  ];
}
