/**
 * What saving a method decides: `expected_revision` on every change, so that nobody's text is overwritten unseen; at most
 * twenty saved and eight enabled; deleting keeps the history. Pure. A saved method is data and has no authority of its own.
 */
import { canonicalJson } from "../../domain/digest.ts";
import { contentHash, ENABLED_MAX, type Expert, type Method, SAVED_MAX } from "../../schema/expert.ts";

export type ExpertCommand =
  | { name: "create"; method: Method; enabled: boolean }
  | { name: "edit"; expert_id: string; expected_revision: number; method: Method }
  | { name: "enable" | "disable" | "delete"; expert_id: string; expected_revision: number };

export type ExpertRefusal = "EXPERT_UNKNOWN" | "EXPERTS_TOO_MANY" | "EXPERTS_ENABLED_TOO_MANY";

export type ExpertDecision =
  | { accepted: Expert; is_new: boolean }
  | { refused: ExpertRefusal }
  /** Both texts: what is stored, and what was not saved and must not be lost. */
  | { conflict: { stored: Expert; unsaved: Method | null } };

export interface Saving {
  owner: string;
  /** Issued by the server, for a method that is new. */
  new_id: string;
  at: string;
}

/** `experts`: all of the owner's, deleted ones included, each in its last revision. */
export function decideExpert(
  experts: readonly Expert[],
  command: ExpertCommand,
  { owner, new_id, at }: Saving,
): ExpertDecision {
  const stored =
    command.name === "create" ? undefined : experts.find(({ expert_id }) => expert_id === command.expert_id);
  if (command.name !== "create") {
    if (stored === undefined || stored.owner !== owner || stored.state === "deleted") {
      return { refused: "EXPERT_UNKNOWN" };
    }
    const wanted = { state: stateAfter(command, stored), method: methodAfter(command, stored) };
    // A save that arrives twice, or that changes nothing, is no conflict and no revision.
    if (canonicalJson(wanted) === canonicalJson({ state: stored.state, method: stored.method })) {
      return { accepted: stored, is_new: false };
    }
    if (stored.revision !== command.expected_revision) {
      return { conflict: { stored, unsaved: command.name === "edit" ? command.method : null } };
    }
  }
  const method = methodAfter(command, stored);
  const next: Expert = {
    schema: "expert/v1",
    expert_id: stored?.expert_id ?? new_id,
    owner,
    revision: (stored?.revision ?? 0) + 1,
    method,
    content_hash: contentHash(method),
    state: stateAfter(command, stored),
    saved_at: at,
  };
  const others = experts.filter(({ expert_id, state }) => state !== "deleted" && expert_id !== next.expert_id);
  if (next.state !== "deleted" && others.length >= SAVED_MAX) return { refused: "EXPERTS_TOO_MANY" };
  const enabled = others.filter(({ state }) => state === "enabled").length;
  if (next.state === "enabled" && enabled >= ENABLED_MAX) return { refused: "EXPERTS_ENABLED_TOO_MANY" };
  return { accepted: next, is_new: true };
}

function stateAfter(command: ExpertCommand, stored: Expert | undefined): Expert["state"] {
  if (command.name === "create") return command.enabled ? "enabled" : "disabled";
  if (command.name === "edit") return stored!.state;
  return ({ enable: "enabled", disable: "disabled", delete: "deleted" } as const)[command.name];
}

function methodAfter(command: ExpertCommand, stored: Expert | undefined): Method {
  return command.name === "create" || command.name === "edit" ? command.method : stored!.method;
}
