/**
 * A model's answer as the turn that is sealed: bounded, whole, and with nothing in it that cannot be stored. What is cut or
 * refused is said in the turn itself; nothing is repaired.
 */
import { canonicalJson, sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import type { ProjectedInput } from "../schema/projected-input.ts";
import type { TaskContract } from "../schema/task.ts";
import { type JsonValue, type ModelTurn, modelTurnSchema } from "../schema/turn.ts";
import { markChecked } from "./checked.ts";
import type { GatewayAnswer, ProposedCall } from "./gateway.ts";
import { storable, textFault } from "./storable-text.ts";

export const TEXT_MAX = 200_000;
export const ARGUMENTS_MAX = 64_000;
export const CALLS_MAX = 256;
const DISCARDED_MAX = 20;

export interface Asked {
  provider: string;
  model: string;
  settings: ModelTurn["settings"];
  input: ProjectedInput;
  input_digest: string;
}

/** Throws MODEL_ANSWER_MALFORMED when it is no answer at all. */
export function sealTurn(contract: TaskContract, asked: Asked, answer: GatewayAnswer): ModelTurn {
  const calls = answer.calls.slice(0, CALLS_MAX).map(boundCall);
  const discarded = answer.discarded.slice(0, DISCARDED_MAX).map((text) => storable(text.slice(0, 2000)));
  if (answer.calls.length > CALLS_MAX) discarded.push(`${answer.calls.length - CALLS_MAX} further calls`);
  if (answer.text.length > TEXT_MAX) discarded.push(`text beyond ${TEXT_MAX} of ${answer.text.length} characters`);
  const sealed = modelTurnSchema.safeParse({
    schema: "model_turn/v1",
    run_id: contract.root_id,
    task_id: contract.task_id,
    seq: asked.input.turn,
    provider: asked.provider,
    model: asked.model,
    settings: asked.settings,
    tool_surface_digest: asked.input.tool_surface_digest,
    expert_hash: contract.expert?.hash ?? null,
    projected_input_digest: asked.input_digest,
    text: storable(answer.text.slice(0, TEXT_MAX)),
    calls,
    stop: answer.stop,
    discarded,
    usage: answer.usage,
    cost_microusd: answer.cost_microusd,
  } satisfies ModelTurn);
  if (sealed.success) return markChecked(sealed.data);
  throw new AssayError("MODEL_ANSWER_MALFORMED", "the gateway's answer is not an answer", {
    retry: "at_once",
    cause: sealed.error,
  });
}

function boundCall({ call_id, tool, arguments: args, malformed }: ProposedCall, index: number): ProposedCall {
  const fault = args === null ? (malformed ?? "no JSON object") : faultOf(args);
  return {
    call_id: storable(call_id).slice(0, 200) || `call-${index + 1}`,
    tool: storable(tool).slice(0, 200),
    arguments: fault === null ? args : null,
    malformed: fault === null ? null : storable(fault).slice(0, 2000),
  };
}

/** Why arguments cannot be sealed as they are. Altering them would put words in the model's mouth. */
function faultOf(args: JsonValue): string | null {
  const fault = textFault(args);
  if (fault !== null) return `ARGUMENTS_${fault}`;
  const text = canonicalJson(args);
  if (text.length <= ARGUMENTS_MAX) return null;
  return `ARGUMENTS_TOO_LARGE: ${text.length} characters, at most ${ARGUMENTS_MAX}, SHA-256 ${sha256(text)}`;
}
