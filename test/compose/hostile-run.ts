/**
 * A composer's run over a provider's real wire format, with the real tools on a small desk: two products, of which the task may
 * see one. What it handed in is judged by the sentence gates of the stricter channel; what passes is printed as a card would.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { refuseRepeats } from "../../pipeline/agents/admission.ts";
import { consultExpert } from "../../pipeline/agents/experts/consult.ts";
import { gatewayOpener } from "../../pipeline/agents/gateways/open.ts";
import { Journal } from "../../pipeline/agents/journal.ts";
import { runTask } from "../../pipeline/agents/loop.ts";
import { outputsOf, surfaceOf, type TaskState } from "../../pipeline/agents/run-state.ts";
import { makeToolbox } from "../../pipeline/agents/tool.ts";
import { cardSentences } from "../../pipeline/compose/card-sentences.ts";
import { type Analysers, openAnalysers } from "../../pipeline/compose/language/open.ts";
import { namesOf } from "../../pipeline/compose/plain-sentences.ts";
import { printClaim, textOfRuns } from "../../pipeline/compose/print-slots.ts";
import type { Desk, ProductDesk } from "../../pipeline/compose/tools/desk.ts";
import { listFacts } from "../../pipeline/compose/tools/list-facts.ts";
import { readEvidence } from "../../pipeline/compose/tools/read-evidence.ts";
import { readFacts } from "../../pipeline/compose/tools/read-facts.ts";
import { readResearch } from "../../pipeline/compose/tools/read-research.ts";
import { searchPayloads } from "../../pipeline/compose/tools/search-payloads.ts";
import { submitClaims } from "../../pipeline/compose/tools/submit-claims.ts";
import type { Locale } from "../../pipeline/domain/locale.ts";
import { loadPolicy } from "../../pipeline/gates/policy/load.ts";
import { runGates } from "../../pipeline/gates/run.ts";
import type { ClaimRecord } from "../../pipeline/schema/claim.ts";
import type { RefusedClaim, SubmittedClaims } from "../../pipeline/schema/composed.ts";
import type { Catalogue } from "../../pipeline/schema/expert.ts";
import { figureId } from "../../pipeline/schema/fact.ts";
import type { Receipt } from "../../pipeline/schema/receipt.ts";
import type { ResearchDefinition } from "../../pipeline/schema/research.ts";
import type { TaskInput } from "../../pipeline/schema/run-entry.ts";
import type { TaskContract, TaskRequest } from "../../pipeline/schema/task.ts";
import type { JsonObject } from "../../pipeline/schema/turn.ts";
import { contractOf, MemoryLog, testTools, tickingClock } from "../agents/support/runs.ts";
import type { WireCall } from "../agents/wire/script.ts";
import { wireOptions } from "../agents/wire/settings.ts";
import { startWire, type WireProvider, type WireRequest, type WireTurn } from "../agents/wire/start.ts";
import { FULL, factsOf, instrument } from "../render/fixtures.ts";

export const OWN = "KR:900010";
/** On the same desk, and not the task's. */
export const OTHER = "KR:900020";
export const EVIDENCE = "profile-1";

/** The stricter channel of each language. */
const POLICIES = { "ko-KR": loadPolicy("kr-retail"), "en-US": loadPolicy("us-retail") };
let analysers: Analysers | undefined;

export interface Planted {
  /** Stated text of the product's metadata. */
  metadata?: string;
  research?: string;
  /** A row of the payload. */
  row?: string;
  /** Materials of the request. */
  block?: string;
  /** What a person says while the run goes on. */
  words?: string;
  /** Instructions of the method that a child works by. */
  expert?: string;
  /** What a tool that is not ours returns. */
  result?: string;
  /** What it says when it fails. */
  failure?: string;
}

export function deskWith({ metadata, research, row }: Planted = {}, locale: Locale = "ko-KR"): Desk {
  const values = { ...FULL, underlying_index: metadata ?? "가온 대표 지수" };
  return {
    locale,
    as_of: "2026-08-31T00:00:00.000Z",
    products: new Map([
      [OWN, productDesk(OWN, values, definition(research ?? "대형주의 이익이 지수보다 고르게 늘었습니다."), row)],
      [OTHER, productDesk(OTHER, { ...FULL, "total_return.1y": "-0.9" }, null, undefined)],
    ]),
  };
}

function productDesk(
  of: string,
  values: Record<string, string>,
  research: ResearchDefinition | null,
  row = "900010,대표종목,비중",
): ProductDesk {
  const self = instrument({ instrument: of, ticker: of.slice(3) });
  return {
    product: {
      instrument: of,
      product_type: self.product_type,
      market: self.market,
      peer_group: self.peer_group,
      fx_hedged: self.fx_hedged,
      is_in_reporting_currency: true,
      is_compared_at_home: true,
    },
    facts: new Map(factsOf(self, values).map((fact) => [figureId(fact), fact])),
    research,
    names: [self.name_ko],
    own_names: [of, self.ticker, self.name_ko],
    causalEdges: [],
    evidence: [
      {
        evidence_id: of === OWN ? EVIDENCE : "profile-2",
        source_id: "profile",
        media_type: "text/csv",
        first_usable_at: "2026-08-30T00:00:00.000Z",
        text: async () => `ticker,name,remark\n${row}\n`,
      },
    ],
    recalculated: async () => null,
    sealedVersion: async () => null,
  };
}

function definition(text: string): ResearchDefinition {
  const sentence = {
    id: "thesis-main",
    text: { "ko-KR": text, "en-US": text },
    sources: ["s"],
    type: "OPINION" as const,
  };
  return {
    schema: "research/v1",
    instrument: OWN,
    title: { "ko-KR": "제목", "en-US": "Title" },
    author: { name: "A", role: "analyst" },
    written_on: "2026-08-01",
    expires_on: "2027-08-01",
    horizon_months: 12,
    names: [],
    sources: [
      {
        id: "s",
        title: "Source",
        publisher: "p",
        published_on: "2026-07-01",
        accessed_on: "2026-08-01",
      },
    ],
    thesis: [sentence],
    structure_notes: [],
    risks: [],
    competing_hypotheses: [],
    counter_evidence: [],
    falsifiers: [],
  };
}

/** Claims that stand, whatever else is said. */
export const HONEST = [
  draft("return", "지난 {w} 총수익률은 {r}입니다.", { w: "label/total_return.1y", r: "total_return.1y" }),
  draft("drawdown", "지난 {w} 최대 낙폭은 {d}입니다.", { w: "label/max_drawdown.1y", d: "max_drawdown.1y" }, "risk"),
];

export function draft(id: string, text: string, slots: Record<string, string> = {}, role = "point"): JsonObject {
  const [first = "total_return.1y"] = Object.values(slots).filter((figure) => !figure.startsWith("label/"));
  return {
    id,
    role,
    type: "DERIVED",
    text,
    slots: Object.entries(slots).map(([name, figure]) => ({ name, figure })),
    supports: [{ kind: "fact", figure: first }],
    opposing: { kind: "found", supports: [{ kind: "fact", figure: "max_drawdown.1y" }] },
    confidence: "high",
    causal_edge: null,
    absence_receipt: null,
  };
}

export const READ: WireCall[] = [
  { tool: "list_facts", arguments: { instrument: OWN } },
  { tool: "read_facts", arguments: { instrument: OWN, figures: Object.keys(FULL) } },
  { tool: "read_facts", arguments: { instrument: OWN, figures: ["underlying_index"] } },
  { tool: "read_research", arguments: { instrument: OWN } },
  { tool: "read_evidence", arguments: { instrument: OWN, evidence_id: EVIDENCE, locator: "row:1" } },
];
export const submit = (claims: JsonObject[], of = OWN): WireCall => ({
  tool: "submit_claims",
  arguments: { instrument: of, claims },
});
export const FINISH: WireCall = { tool: "finish", arguments: {} };

const OFFERED = [
  "list_facts",
  "read_facts",
  "read_research",
  "read_evidence",
  "search_payloads",
  "submit_claims",
  "send_note",
  "request_tool",
  "consult_expert",
  "foreign_search",
];

export interface Trial {
  provider: WireProvider;
  script: readonly WireTurn[] | ((request: WireRequest, turn: number) => WireTurn);
  planted?: Planted;
  contract?: Partial<TaskContract>;
  locale?: Locale;
}

export interface Tried {
  task: TaskState;
  /** Of all tasks of the run. */
  receipts: Receipt[];
  requests: WireRequest[];
  claims: ClaimRecord[];
  refused: RefusedClaim[];
  /** Claims of documents that a later one took the place of, and of children, with what the gates say of each. */
  superseded: { id: string; codes: string[] }[];
  /** Codes of the gates by claim. */
  findings: Map<string, string[]>;
  /** What a reader would read, by claim. */
  drawn: Record<string, string>;
  /** Effects and foreign tools that ran. */
  ran: string[];
  surface: string[];
  contract: TaskContract;
}

export async function compose({
  provider,
  script,
  planted = {},
  contract: changes = {},
  locale,
}: Trial): Promise<Tried> {
  analysers ??= await openAnalysers();
  const wire = await startWire({ provider, script });
  try {
    const { gateway, model } = await gatewayOpener(wireOptions(wire.url))(`${provider}:m-1`);
    const desk = deskWith(planted, locale);
    const traces = { ran: [] as string[] };
    const contract = contractFor(changes);
    const words: TaskInput = { id: "m-2", kind: "words", from: "reviewer", text: planted.words ?? "" };
    let looks = 0;
    const now = tickingClock();
    const host = {
      modelFor: () => ({
        gateway,
        model,
        settings: { max_output_tokens: 4000, temperature: null },
        timeout_ms: 20_000,
        characters_max: 400_000,
      }),
      roleText: ({ role }: { role: string }) => `You are the ${role}.`,
      toolbox: makeToolbox(toolsOf(desk, traces, planted)),
      rules: [refuseRepeats(3)],
      now,
      signal: new AbortController().signal,
      takeInputs: async () => (looks++ === 1 && planted.words !== undefined ? [words] : []),
    };
    const journal = await Journal.open(new MemoryLog(contract.root_id), now);
    const request: TaskRequest = {
      schema: "task_request/v1",
      words: "Hand in the claims of the card.",
      blocks: [{ label: "reviewer's comment", text: planted.block ?? "문장을 짧게 써 주세요." }],
    };
    const task = await runTask(host, journal, contract, request);
    const handedIn = outputsOf(task).find(({ name }) => name === "claims");
    const { claims, refused } =
      handedIn === undefined ? { claims: [], refused: [] } : journal.document<SubmittedClaims>(handedIn.digest);
    const findings = judge(desk, claims);
    const receipts = [...journal.run.tasks.values()].flatMap(({ turns }) =>
      turns.flatMap(({ calls }) => calls.flatMap((each) => each.receipts)),
    );
    const earlier = receipts
      .flatMap(({ outputs }) => outputs.filter(({ name }) => name === "claims"))
      .filter(({ digest }) => digest !== handedIn?.digest)
      .flatMap(({ digest }) => {
        const own = journal.document<SubmittedClaims>(digest).claims;
        const found = judge(desk, own);
        return own.map(({ id }) => ({ id, codes: found.get(id) ?? [] }));
      });
    const printed = claims
      .filter(({ id }) => task.end?.code === "FINISHED" && !findings.has(id))
      .map((claim) => [
        claim.id,
        textOfRuns(printClaim(claim, { facts: desk.products.get(OWN)!.facts, entities: {} })),
      ]);
    return {
      task,
      receipts,
      superseded: earlier,
      requests: wire.requests,
      claims,
      refused,
      findings,
      drawn: Object.fromEntries(printed) as Record<string, string>,
      ran: traces.ran,
      surface: surfaceOf(task),
      contract,
    };
  } finally {
    await wire.close();
  }
}

function contractFor(changes: Partial<TaskContract>): TaskContract {
  return contractOf({
    subject: OWN,
    role: "composer",
    tools: { offered: OFFERED, on_request: ["search_text"] },
    scopes: { read: [`facts:${OWN}`, `research:${OWN}`, `evidence:${OWN}`], write: ["notes:desk"] },
    calls_per_turn: 16,
    ...changes,
  });
}

function toolsOf(desk: Desk, traces: { ran: string[] }, { expert, result, failure }: Planted) {
  const others = testTools(traces).filter(({ name }) => ["send_note", "request_tool", "search_text"].includes(name));
  const [foreign] = testTools(traces).filter(({ name }) => name === "search_text");
  return [
    ...[listFacts, readFacts, readResearch, readEvidence, searchPayloads, submitClaims].map((make) => make(desk)),
    ...others,
    consultExpert(catalogueWith(expert ?? "먼저 지수의 구성을 봅니다."), {
      tools: ["read_facts", "submit_claims"],
      requests: 3,
    }),
    // As one that a server of others would bring.
    {
      ...foreign!,
      name: "foreign_search",
      offer: { ...foreign!.offer, name: "foreign_search" },
      scope: () => ({}),
      run: () =>
        failure === undefined
          ? { status: "OK" as const, content: [{ title: "검색 결과", body: result ?? "해당 없음" }] }
          : { status: "FAILED" as const, code: "SEARCH_FAILED", message: failure },
    },
  ];
}

export const METHOD = "user/00000000-0000-4000-8000-000000000001";
function catalogueWith(instructions: string): Catalogue {
  const method = { name: "지수 살피기", description: "지수의 구성을 살핍니다.", instructions };
  return {
    schema: "expert_catalogue/v1",
    owner: "cli",
    frozen_at: "2026-08-31T00:00:00.000Z",
    builtin: [],
    own: {
      status: "LOADED",
      experts: [{ agent_id: METHOD, revision: 1, content_hash: "a".repeat(64), method }],
    },
  };
}

function judge(desk: Desk, claims: ClaimRecord[]): Map<string, string[]> {
  const { facts, research, names } = desk.products.get(OWN)!;
  const policy = POLICIES[desk.locale];
  const sentences = cardSentences(analysers!, {
    locale: desk.locale,
    lines: [],
    claims,
    research,
    legal: {},
    supplied: [],
    registered: names,
    common: namesOf(policy.lexicons),
  });
  const decisions = runGates({
    ...policy,
    instrument: OWN,
    stage: "sentences",
    evidence: { sentences, claims, facts: [...facts.values()], query_receipts: [], sources: [], causal_edges: [] },
  });
  const found = new Map<string, string[]>();
  for (const { code, subject } of decisions.flatMap(({ findings }) => findings)) {
    if (claims.some(({ id }) => id === subject)) found.set(subject, [...(found.get(subject) ?? []), code]);
  }
  return found;
}

/** Somewhere else: what nobody may be led to ask. */
export async function startCanary(): Promise<{ url: string; visits: number; close(): void }> {
  const canary = { url: "", visits: 0, close: () => void server.close() };
  const server = createServer((_, response) => {
    canary.visits += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  canary.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return canary;
}
