/**
 * The states of a card version: for each what is true in it and which events leave it. This table is the whole machine;
 * the database has its own (prisma/migrations/0002_card_states), and a test holds every cell of the two together.
 *
 * RECEIVED to VERIFYING are states of a card's work: a frozen batch, an instrument, a locale. Content does not exist yet,
 * so no version does. They are folded from what the pipeline records anyway, and a stage whose results were all found as
 * recorded appends nothing: so work may pass over a state, and may begin again when code or inputs changed.
 */
import type { CardEventType, WorkEvent } from "../schema/card-event.ts";

export type EventType = CardEventType | WorkEvent["type"];

/** PASS, REVIEW or BLOCK: as the gates judged. */
export const JUDGED = "as judged";

export const STATES = {
  RECEIVED: {
    holds: "the batch is frozen; every byte it declares is stored by digest",
    leaves: { "batch_planned/v1": "PLANNED" },
  },
  PLANNED: {
    holds: "it is known which steps are recorded and which must be worked, and under which policy",
    leaves: {
      "step_recorded/v1": "RUNNING",
      "card_rendered/v1": "VERIFYING",
      "card_verified/v1": JUDGED,
      "card_faulted/v1": "BLOCK",
    },
  },
  RUNNING: {
    holds: "the instrument's own figures are computed; nothing is drawn from them yet",
    leaves: {
      "step_recorded/v1": "RUNNING",
      "card_rendered/v1": "VERIFYING",
      "card_verified/v1": JUDGED,
      "card_faulted/v1": "BLOCK",
    },
  },
  VERIFYING: {
    holds: "the page is drawn; it is read back and held against the second path",
    leaves: {
      "step_recorded/v1": "RUNNING",
      "card_rendered/v1": "VERIFYING",
      "card_verified/v1": JUDGED,
      "card_faulted/v1": "BLOCK",
    },
  },
  PASS: {
    holds: "content and verdict are fixed and no gate found anything; a person has not decided",
    leaves: { "card_approved/v1": "APPROVED", "card_rejected/v1": "REJECTED" },
  },
  REVIEW: {
    holds: "content and verdict are fixed; every finding waits to be acknowledged by name, then a person decides",
    leaves: {
      "card_finding_acknowledged/v1": "REVIEW",
      "card_approved/v1": "APPROVED",
      "card_rejected/v1": "REJECTED",
    },
  },
  BLOCK: {
    holds: "in quarantine; nobody can waive it",
    leaves: { "card_remediated/v1": "SUPERSEDED", "card_terminated/v1": "TERMINATED" },
  },
  APPROVED: {
    holds: "a person approved this content under this policy, until a date; nothing is published",
    leaves: {
      "card_sealed/v1": "SEALED",
      "card_approval_withdrawn/v1": JUDGED,
      "card_approval_expired/v1": JUDGED,
    },
  },
  REJECTED: {
    holds: "a person refused it; only a new version goes on",
    leaves: { "card_remediated/v1": "SUPERSEDED" },
  },
  SEALED: {
    holds: "published as sealed; the approval is used up. Past valid_until it reads EXPIRED, which is no event",
    leaves: { "card_revoked/v1": "REVOKED", "card_superseded/v1": "SUPERSEDED" },
  },
  REVOKED: { holds: "no longer eligible; bytes and history stay, delivery ends", leaves: {} },
  SUPERSEDED: { holds: "another version stands in its place; bytes and history stay", leaves: {} },
  TERMINATED: { holds: "given up in quarantine, with a reason", leaves: {} },
} as const satisfies Record<string, { holds: string; leaves: Partial<Record<EventType, string | typeof JUDGED>> }>;

export type State = keyof typeof STATES;

/** Where an event leads from a state; undefined: it is not legal there. */
export function nextState(state: State, type: EventType): State | typeof JUDGED | undefined {
  return (STATES[state].leaves as Partial<Record<EventType, State | typeof JUDGED>>)[type];
}

/** Why a command is refused; permanent spellings. In order of precedence: of two that apply, the first is given. */
export const REFUSALS = {
  REVOKED: "it was revoked, and that is final",
  SUPERSEDED: "another version stands in its place",
  TERMINATED: "it was terminated, and that is final",
  ALREADY_JUDGED: "its content is fixed: new work makes a new version",
  NOT_PLANNED: "the batch is received, but not planned",
  ALREADY_PLANNED: "the frozen batch is planned already",
  NOT_JUDGED: "it has no verdict yet",
  BLOCKED: "it is in quarantine: remediate it, or terminate it",
  REJECTED: "it was rejected: remediate it",
  ALREADY_SEALED: "it is sealed",
  ALREADY_APPROVED: "it is approved: withdraw the approval first",
  NOTHING_TO_ACKNOWLEDGE: "the gates found nothing",
  NOT_APPROVED: "it is not approved",
  NOT_SEALED: "it is not sealed",
  NOT_BLOCKED: "it is neither in quarantine nor rejected",
  MALFORMED: "what the command says is not well-formed",
  FINDING_UNKNOWN: "it has no such finding",
  ALREADY_ACKNOWLEDGED: "the finding is acknowledged already",
  NOT_AUTHORISED: "none of the person's roles may approve",
  POLICY_CHANGED: "another policy is in force than the one it was judged under: run it again",
  CONTENT_DIFFERS: "the digest is not that of its content",
  POSITION_BEHIND: "something happened to it since the ledger position that the approver saw",
  FINDINGS_OPEN: "not every finding is acknowledged",
  EXPIRY_PAST: "the expiry is not in the future",
  APPROVAL_EXPIRED: "the approval has expired: it is to be decided anew",
  APPROVAL_NOT_EXPIRED: "the approval has not expired",
  SUPERSEDES_ITSELF: "a version cannot stand in its own place",
} as const;
export type RefusalCode = keyof typeof REFUSALS;
