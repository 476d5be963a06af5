/** Requests of each kind, as laws about people need them. */
import { digestOf } from "../../../pipeline/domain/digest.ts";
import type { Asked, InteractionRequest } from "../../../pipeline/schema/interaction.ts";

export const ASKED_AT = "2026-05-04T00:00:00.000Z";
export const EXPIRES_AT = "2026-05-11T00:00:00.000Z";

export const QUESTION: Extract<Asked, { kind: "question" }> = {
  kind: "question",
  text: "Against which index?",
  options: [],
  mode: "non_blocking",
};
export const PERMISSION: Asked = {
  kind: "permission",
  tools: ["read_notes"],
  scopes: { read: ["payloads:us-notes"], write: [] },
  reason: "The prospectus is needed.",
};
const PREVIEW = "Send the card of US:SPY to desk@example.org";
export const APPROVAL: Extract<Asked, { kind: "approval" }> = {
  kind: "approval",
  tool: "send_note",
  arguments: { to: "desk" },
  arguments_digest: digestOf("tool_arguments", { to: "desk" }),
  preview: PREVIEW,
  preview_digest: digestOf("preview", PREVIEW),
};

export function requestOf(asked: Asked, changes: Partial<InteractionRequest> = {}): InteractionRequest {
  return {
    schema: "interaction_request/v1",
    interaction_id: "a".repeat(32),
    revision: 1,
    root_id: "run-1",
    task_id: "main",
    producer: "main#1.1",
    recipient: "person/ana",
    asked,
    expires_at: EXPIRES_AT,
    ...changes,
  };
}
