/**
 * A task like a composer's, small: read figures, give a part to a child, hand in claims under the real grammar, send one note.
 * The same turns in the port's words and for the wire servers, each named by its place: a process that starts anew says the same.
 */
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../../pipeline/agents/tool.ts";
import { grammarFaults } from "../../../pipeline/compose/grammar.ts";
import { figureId } from "../../../pipeline/schema/fact.ts";
import type { TaskRequest } from "../../../pipeline/schema/task.ts";
import type { JsonObject } from "../../../pipeline/schema/turn.ts";
import { FULL, factsOf, instrument } from "../../render/fixtures.ts";
import type { WireCall } from "../wire/script.ts";
import { contractOf, testTools } from "./runs.ts";

export const PRODUCT = instrument().instrument;
const FACTS = new Map(factsOf(instrument(), FULL).map((fact) => [figureId(fact), fact]));

const SLOTS = [
  { name: "w", figure: "label/total_return.1y" },
  { name: "r", figure: "total_return.1y" },
];
const CLAIMS = [
  { id: "return", text: "지난 {w} 총수익률은 {r}입니다.", slots: SLOTS },
  { id: "typed", text: "지난 {w} 총수익률은 {r}로 두 배입니다.", slots: SLOTS },
];

export const TURNS: Record<string, WireCall[][]> = {
  analyst: [
    [
      { tool: "read_facts", arguments: { instrument: PRODUCT } },
      { tool: "approve_card", arguments: {} },
      { tool: "read_facts", arguments: { instrument: "US:NONE" } },
    ],
    [{ tool: "delegate", arguments: { role: "challenger", instrument: "KR:900020" } }],
    [
      { tool: "submit_claims", arguments: { claims: CLAIMS } },
      { tool: "send_note", arguments: { to: "desk" } },
    ],
    [{ tool: "finish", arguments: {} }],
  ],
  challenger: [
    [{ tool: "read_facts", arguments: { instrument: "KR:900020" } }],
    [
      { tool: "submit", arguments: { text: "doubtful", references: ["facts:KR:900020"] } },
      { tool: "finish", arguments: {} },
    ],
  ],
};

export const requestFor = (root_id: string): TaskRequest => ({
  schema: "task_request/v1",
  words: `Look at ${PRODUCT} and hand in its claims. This is run ${root_id}.`,
  blocks: [],
});

export function contractFor(root_id: string) {
  const base = contractOf({ root_id, subject: PRODUCT });
  return {
    ...base,
    tools: { ...base.tools, offered: [...base.tools.offered, "submit_claims"] },
    // A run that waited for a dead worker's lease must not run out of time.
    budget: { ...base.budget, wall_ms: 86_400_000 },
  };
}

const submitClaims = defineTool({
  name: "submit_claims",
  version: "1",
  effect: "read",
  description: "Hands in claims; what the grammar refuses comes back with codes.",
  input: z.strictObject({
    claims: z.array(
      z.strictObject({
        id: z.string(),
        text: z.string(),
        slots: z.array(z.strictObject({ name: z.string(), figure: z.string() })),
      }),
    ),
  }),
  scope: () => ({}),
  run({ claims }) {
    const judged = claims.map((claim) => ({
      claim,
      codes: grammarFaults({ locale: "ko-KR", ...claim }, { facts: FACTS, names: [] }).map(({ code }) => code),
    }));
    const document = {
      claims: judged.filter(({ codes }) => codes.length === 0).map(({ claim }) => claim),
      refused: judged.filter(({ codes }) => codes.length > 0).map(({ claim: { id }, codes }) => ({ id, codes })),
    };
    return {
      status: "OK",
      content: { accepted: document.claims.map(({ id }) => id), refused: document.refused },
      outputs: [{ name: "claims", document: document as JsonObject, references: [`facts:${PRODUCT}`] }],
    };
  },
});

/** `sendNote` is the effect; what it does is the test's affair. */
export function taskTools(sendNote: (context: ToolContext) => Promise<void>): Tool[] {
  return [
    ...testTools({ ran: [] }).filter(({ name }) => name !== "send_note"),
    submitClaims,
    defineTool({
      name: "send_note",
      version: "1",
      effect: "write",
      description: "Has an effect outside.",
      input: z.strictObject({ to: z.literal("desk") }),
      scope: ({ to }) => ({ write: [`notes:${to}`] }),
      async run(_, context) {
        await sendNote(context);
        return { status: "OK", content: { sent: true } };
      },
    }),
  ];
}
