/**
 * The one state machine of card versions: `decide` answers a command with events or with a refusal, `evolve` applies an
 * event, `foldVersion` folds a history. Pure: it reads no clock, no store and no person's account; whoever calls it
 * loads the history, recomputes digests and appends, in one transaction.
 */
import { AssayError } from "../domain/outcome.ts";
import {
  type BatchPlanned,
  CARD_EVENTS,
  type CardEvent,
  type CardEventBody,
  type CardEventType,
  type ShortDecision,
  WORK_EVENTS,
  type WorkEvent,
} from "../schema/card-event.ts";
import { APPROVER_ROLES } from "../schema/policy.ts";
import type { Verdict } from "../schema/verdict.ts";
import { type EventType, JUDGED, nextState, type RefusalCode, type State } from "./card-state.ts";

export interface CardVersion {
  state: State;
  /** The content and its judgement; null while the card is only worked at. */
  judged: Judged | null;
  /** Names of findings. Emptied when an approval ends: the next person looks anew. */
  acknowledged: readonly string[];
  approval: CardEventBody<"card_approved/v1"> | null;
  seal: CardEventBody<"card_sealed/v1"> | null;
  superseded_by: string | null;
  /** Of a rejection, revocation, remediation or termination. */
  reason: string | null;
  /** Ledger position of its last event. */
  seq: number;
}

type Judged = Omit<CardEventBody<"card_verified/v1">, "decisions"> & {
  decisions: ShortDecision[];
  fault: { code: string; detail: string } | null;
};

export type Command =
  | { name: "plan"; plan: BatchPlanned }
  /** What the pipeline recorded: a step of the instrument, a drawn page. */
  | { name: "start" | "verify"; recorded: Record<string, unknown> }
  | { name: "judge"; judged: CardEventBody<"card_verified/v1"> }
  | { name: "fault"; faulted: CardEventBody<"card_faulted/v1"> }
  | { name: "acknowledge"; finding: string; by: string }
  | {
      name: "approve";
      approver: string;
      roles: string[];
      expires_at: string;
      content_digest: string;
      /** The policy in force now. */
      policy_digest: string;
      ledger_seq: number;
    }
  | { name: "reject" | "revoke" | "terminate"; reason: string }
  | { name: "withdraw_approval" | "expire_approval" }
  /** `content_digest` as recomputed from the stored bytes; the policy in force now. */
  | { name: "seal"; content_digest: string; policy_digest: string; valid_until: string }
  | { name: "supersede"; by: string }
  | { name: "remediate"; by: string; reason: string | null };
export type CommandName = Command["name"];

export type Outcome =
  | { accepted: true; events: (CardEvent | WorkEvent)[] }
  | { accepted: false; code: RefusalCode; detail: string | null };

/** The event that each command appends: whether it is legal is the table's word (card-state.ts). */
export const EVENT_OF: Record<CommandName, EventType> = {
  plan: "batch_planned/v1",
  start: "step_recorded/v1",
  verify: "card_rendered/v1",
  judge: "card_verified/v1",
  fault: "card_faulted/v1",
  acknowledge: "card_finding_acknowledged/v1",
  approve: "card_approved/v1",
  withdraw_approval: "card_approval_withdrawn/v1",
  expire_approval: "card_approval_expired/v1",
  reject: "card_rejected/v1",
  seal: "card_sealed/v1",
  revoke: "card_revoked/v1",
  supersede: "card_superseded/v1",
  remediate: "card_remediated/v1",
  terminate: "card_terminated/v1",
};

/** What a card is before anything is known of it but its frozen batch. */
export const RECEIVED: CardVersion = {
  state: "RECEIVED",
  judged: null,
  acknowledged: [],
  approval: null,
  seal: null,
  superseded_by: null,
  reason: null,
  seq: 0,
};

/** `now` is an instant in stored form. The state is asked first, then the command's form, then what it refers to. */
export function decide(version: CardVersion, command: Command, now: string): Outcome {
  const type = EVENT_OF[command.name];
  if (nextState(version.state, type) === undefined) return refuse(refusalOf(version.state, command.name));
  const event = { type, body: bodyOf(version, command) } as CardEvent | WorkEvent;
  if (isCardEvent(event)) {
    const checked = CARD_EVENTS[event.type].safeParse(event.body);
    if (!checked.success) {
      const [issue] = checked.error.issues;
      return refuse("MALFORMED", `${issue?.path.join(".")}: ${issue?.message}`);
    }
    event.body = checked.data as never;
  }
  const code = objection(version, command, now);
  return code === null ? { accepted: true, events: [event] } : refuse(code);
}

/** A state past `valid_until` is derived when it is asked for. */
export function stateAt(version: CardVersion, now: string): State | "EXPIRED" {
  const isPast = version.state === "SEALED" && version.seal !== null && now >= version.seal.valid_until;
  return isPast ? "EXPIRED" : version.state;
}

/** How a finding is named when it is acknowledged; findings alike in all three are one. */
export function findingNames(version: CardVersion): string[] {
  const names = (version.judged?.decisions ?? []).flatMap(({ gate, findings }) =>
    findings.map(({ code, subject }) => `${gate}/${code}/${subject}`),
  );
  return [...new Set(names)];
}

/** An event that the state does not allow means a ledger that was written past the machine: that is a fault. */
export function evolve(version: CardVersion, { type, body }: CardEvent | WorkEvent, seq: number): CardVersion {
  const next = nextState(version.state, type);
  if (next === undefined) {
    throw new AssayError("ILLEGAL_TRANSITION", `${type} at event ${seq} is not legal in ${version.state}`, {
      hint: "the ledger holds what the machine refuses: keep it as it is and run `assay doctor`",
    });
  }
  const verdict = (found: CardVersion): State => found.judged?.verdict ?? "BLOCK";
  const moved = { ...version, ...changeOf(version, type, body as never), seq };
  return { ...moved, state: next === JUDGED ? verdict(moved) : next };
}

/** The history of one version, or of one card's work, in the ledger's order. */
export function foldVersion(history: readonly ((CardEvent | WorkEvent) & { seq: number })[]): CardVersion {
  const [first] = history;
  // Work is folded by frozen batch: a version's own history begins with its judgement.
  const before: CardVersion = first !== undefined && isCardEvent(first) ? { ...RECEIVED, state: "PLANNED" } : RECEIVED;
  return history
    .filter(({ type }) => type !== "batch_received/v1")
    .reduce((version, event) => evolve(version, event, event.seq), before);
}

export function isCardEvent(event: { type: string }): event is CardEvent {
  return !(WORK_EVENTS as readonly string[]).includes(event.type);
}

function refuse(code: RefusalCode, detail: string | null = null): Outcome {
  return { accepted: false, code, detail };
}

const WORK_COMMANDS = new Set<CommandName>(["plan", "start", "verify", "judge", "fault"]);

function refusalOf(state: State, command: CommandName): RefusalCode {
  if (state === "REVOKED" || state === "SUPERSEDED" || state === "TERMINATED") return state;
  if (state === "RECEIVED") return "NOT_PLANNED";
  if (["PLANNED", "RUNNING", "VERIFYING"].includes(state)) return command === "plan" ? "ALREADY_PLANNED" : "NOT_JUDGED";
  if (WORK_COMMANDS.has(command)) return "ALREADY_JUDGED";
  if (state === "BLOCK") return "BLOCKED";
  if (state === "REJECTED") return "REJECTED";
  if (command === "remediate" || command === "terminate") return "NOT_BLOCKED";
  if (command === "revoke" || command === "supersede") return "NOT_SEALED";
  if (state === "SEALED") return "ALREADY_SEALED";
  if (state === "APPROVED") return "ALREADY_APPROVED";
  return command === "acknowledge" ? "NOTHING_TO_ACKNOWLEDGE" : "NOT_APPROVED";
}

function bodyOf(version: CardVersion, command: Command): unknown {
  switch (command.name) {
    case "plan":
      return command.plan;
    case "start":
    case "verify":
      return command.recorded;
    case "judge":
      return command.judged;
    case "fault":
      return command.faulted;
    default: {
      const { name: _name, ...said } = command;
      return { version_id: version.judged?.version_id, ...said };
    }
  }
}

/** What speaks against a command that its state allows, in the order of REFUSALS. */
function objection(version: CardVersion, command: Command, now: string): RefusalCode | null {
  const { judged, approval } = version;
  switch (command.name) {
    case "acknowledge":
      if (!findingNames(version).includes(command.finding)) return "FINDING_UNKNOWN";
      return version.acknowledged.includes(command.finding) ? "ALREADY_ACKNOWLEDGED" : null;
    case "approve":
      if (!command.roles.some((role) => (APPROVER_ROLES as readonly string[]).includes(role))) return "NOT_AUTHORISED";
      if (command.policy_digest !== judged?.policy_digest) return "POLICY_CHANGED";
      if (command.content_digest !== judged.content_digest) return "CONTENT_DIFFERS";
      if (command.ledger_seq < version.seq) return "POSITION_BEHIND";
      if (findingNames(version).some((finding) => !version.acknowledged.includes(finding))) return "FINDINGS_OPEN";
      return command.expires_at > now ? null : "EXPIRY_PAST";
    case "seal":
      if (command.policy_digest !== approval?.policy_digest) return "POLICY_CHANGED";
      if (command.content_digest !== approval.content_digest) return "CONTENT_DIFFERS";
      if (command.valid_until <= now) return "EXPIRY_PAST";
      return now < approval.expires_at ? null : "APPROVAL_EXPIRED";
    case "expire_approval":
      return approval !== null && now >= approval.expires_at ? null : "APPROVAL_NOT_EXPIRED";
    case "supersede":
    case "remediate":
      return command.by === judged?.version_id ? "SUPERSEDES_ITSELF" : null;
    default:
      return null;
  }
}

function changeOf(version: CardVersion, type: EventType, body: never): Partial<CardVersion> {
  const said = <Type extends CardEventType>(_type: Type): CardEventBody<Type> => body;
  switch (type) {
    case "card_verified/v1":
      return { judged: { ...said(type), fault: null } };
    case "card_faulted/v1": {
      const { code, detail, ...identity } = said(type);
      return { judged: { ...identity, verdict: "BLOCK" satisfies Verdict, decisions: [], fault: { code, detail } } };
    }
    case "card_finding_acknowledged/v1":
      return { acknowledged: [...version.acknowledged, said(type).finding] };
    case "card_approved/v1":
      return { approval: said(type) };
    case "card_approval_withdrawn/v1":
    case "card_approval_expired/v1":
      return { approval: null, acknowledged: [] };
    case "card_sealed/v1":
      return { seal: said(type), approval: null };
    case "card_rejected/v1":
    case "card_revoked/v1":
    case "card_terminated/v1":
      return { reason: said(type).reason };
    case "card_superseded/v1":
      return { superseded_by: said(type).by };
    case "card_remediated/v1":
      return { superseded_by: said(type).by, reason: said(type).reason };
    default:
      return {};
  }
}
