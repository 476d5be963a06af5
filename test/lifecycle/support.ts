/** A card version in any state, by the commands that lead there, and every command in a form that its own state accepts. */
import { digestOf, type Sha256 } from "../../pipeline/domain/digest.ts";
import type { State } from "../../pipeline/lifecycle/card-state.ts";
import {
  type CardVersion,
  type Command,
  type CommandName,
  decide,
  evolve,
  findingNames,
  RECEIVED,
} from "../../pipeline/lifecycle/card-version.ts";
import type { CardEventBody } from "../../pipeline/schema/card-event.ts";
import type { NewEvent } from "../../pipeline/schema/ledger-event.ts";
import type { Verdict } from "../../pipeline/schema/verdict.ts";

export const NOW = "2026-05-04T00:00:00.000Z";
export const LATER = "2026-05-06T00:00:00.000Z";
export const FINDING = "series-integrity/GAP/price_return.1y";

export interface Card {
  frozen: Sha256;
  version_id: Sha256;
  /** The version that takes its place. */
  by: Sha256;
  content_digest: Sha256;
  policy_digest: Sha256;
}

export function cardOf(name: string): Card {
  const of = (kind: string) => digestOf(kind, name);
  return {
    frozen: of("frozen"),
    version_id: of("version"),
    by: of("next_version"),
    content_digest: of("content"),
    policy_digest: of("policy"),
  };
}

export function verified(card: Card, verdict: Verdict): CardEventBody<"card_verified/v1"> {
  const severity = verdict === "PASS" ? null : verdict;
  return {
    version_id: card.version_id,
    batch: "example",
    frozen: card.frozen,
    instrument: "US:YAMPL",
    channel: "internal-review",
    locale: "ko-KR",
    content_digest: card.content_digest,
    policy_digest: card.policy_digest,
    supersedes: null,
    verdict,
    decisions: [
      {
        gate: "series-integrity",
        version: 1,
        verdict,
        subjects_examined: 3,
        input_digest: digestOf("input", card.version_id),
        findings: severity === null ? [] : [{ code: "GAP", severity, subject: "price_return.1y" }],
      },
    ],
  };
}

/** Each command as it would be accepted where its state allows it. `verdict` is what `judge` says. */
export function commandOf(name: CommandName, card: Card, verdict: Verdict = "PASS"): Command {
  const { frozen, content_digest, policy_digest } = card;
  const work = { batch: "example", frozen, instrument: "US:YAMPL" };
  switch (name) {
    case "plan":
      return { name, plan: { batch: "example", frozen, policy_digest, instruments: 1 } };
    case "start":
      return { name, recorded: { ...work, step: "facts" } };
    case "verify":
      return { name, recorded: { ...work, locale: "ko-KR" } };
    case "judge":
      return { name, judged: verified(card, verdict) };
    case "fault": {
      const { verdict: _verdict, decisions: _decisions, ...identity } = verified(card, verdict);
      return { name, faulted: { ...identity, code: "PAYLOAD_DIFFERS", detail: "bytes differ" } };
    }
    case "acknowledge":
      return { name, finding: FINDING, by: "person-1" };
    case "approve":
      return {
        name,
        approver: "person-1",
        roles: ["COMPLIANCE"],
        expires_at: "2026-05-05T00:00:00.000Z",
        content_digest,
        policy_digest,
        ledger_seq: 1_000_000,
      };
    case "reject":
    case "revoke":
    case "terminate":
      return { name, reason: "사유: the evidence was withdrawn" };
    case "withdraw_approval":
    case "expire_approval":
      return { name };
    case "seal":
      return { name, content_digest, policy_digest, valid_until: "2026-11-04T00:00:00.000Z" };
    case "supersede":
      return { name, by: card.by };
    case "remediate":
      return { name, by: card.by, reason: null };
  }
}

type Step = CommandName | ["judge", Verdict];
const JUDGED: Step[] = ["plan", "start", "verify"];
export const PATHS: Record<State, Step[]> = {
  RECEIVED: [],
  PLANNED: ["plan"],
  RUNNING: ["plan", "start"],
  VERIFYING: ["plan", "start", "verify"],
  PASS: [...JUDGED, ["judge", "PASS"]],
  REVIEW: [...JUDGED, ["judge", "REVIEW"]],
  BLOCK: [...JUDGED, ["judge", "BLOCK"]],
  APPROVED: [...JUDGED, ["judge", "REVIEW"], "acknowledge", "approve"],
  REJECTED: [...JUDGED, ["judge", "PASS"], "reject"],
  SEALED: [...JUDGED, ["judge", "PASS"], "approve", "seal"],
  REVOKED: [...JUDGED, ["judge", "PASS"], "approve", "seal", "revoke"],
  SUPERSEDED: [...JUDGED, ["judge", "BLOCK"], "remediate"],
  TERMINATED: [...JUDGED, ["judge", "BLOCK"], "terminate"],
};

/** A version in a state, and the events that led there. */
export function versionIn(state: State, card: Card): { version: CardVersion; events: NewEvent[] } {
  let version = RECEIVED;
  const events: NewEvent[] = [{ type: "batch_received/v1", body: { batch: "example", frozen: card.frozen } }];
  for (const step of PATHS[state]) {
    const [name, verdict] = typeof step === "string" ? [step, undefined] : step;
    version = applied(version, commandOf(name, card, verdict), NOW, events);
  }
  return { version, events };
}

/** Applies a command that must be accepted. */
export function applied(version: CardVersion, command: Command, now = NOW, events: NewEvent[] = []): CardVersion {
  const outcome = decide(version, command, now);
  if (!outcome.accepted) throw new Error(`${command.name} in ${version.state}: ${outcome.code} ${outcome.detail}`);
  events.push(...outcome.events);
  return outcome.events.reduce((moved, event) => evolve(moved, event, moved.seq + 1), version);
}

export function acknowledgedAll(version: CardVersion): CardVersion {
  return findingNames(version).reduce(
    (moved, finding) => applied(moved, { name: "acknowledge", finding, by: "person-1" }),
    version,
  );
}
