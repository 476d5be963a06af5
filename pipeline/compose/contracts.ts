/**
 * The contracts of a run, compiled by code from roles: the planner's from the product, a child's from its role within the
 * planner's. Nobody's words widen one; an order that a role cannot work with is refused.
 */
import { childOf } from "../agents/experts/consult.ts";
import type { ToolContext } from "../agents/tool.ts";
import { AssayError } from "../domain/outcome.ts";
import type { Budget, TaskContract, TaskRequest } from "../schema/task.ts";
import { findRole, ROLES } from "./roles/index.ts";
import { PLANNER, planner } from "./roles/planner.ts";
import type { Role } from "./roles/role.ts";
import { termsText } from "./roles/seen.ts";
import type { DelegateTerms } from "./tools/delegate.ts";
import { type Desk, readScopes } from "./tools/desk.ts";

/** Of one card in one language, all roles together: about thrice what a run without detours asks. */
export const CARD_BUDGET: Budget = { requests: 60, tokens: 2_000_000, money_microusd: null, wall_ms: 3_600_000 };

const WORDS = `Compose the claims of the product's research card, as far as your role goes. Texts of claims are in the language named below.`;

export function planContract(
  { locale }: Pick<Desk, "locale">,
  instrument: string,
  terms: { tenant: string; root_id: string; budget?: Budget },
): { contract: TaskContract; request: TaskRequest } {
  const others = ROLES.flatMap(({ tools }) => tools).filter((name) => !planner.tools.includes(name));
  return {
    contract: {
      schema: "task_contract/v1",
      tenant: terms.tenant,
      root_id: terms.root_id,
      task_id: "main",
      parent_id: null,
      subject: instrument,
      role: PLANNER,
      inputs: [],
      tools: { offered: [...planner.tools], on_request: [], for_children: [...new Set(others)] },
      scopes: { read: scopesOf(ROLES, instrument), write: [] },
      budget: terms.budget ?? CARD_BUDGET,
      stop_rule: "finish",
      retry: { failures: 2, idle_turns: 1 },
      calls_per_turn: 16,
      expert: null,
    },
    request: requestOf(instrument, locale, [], null),
  };
}

/** For `delegate`. Throws INPUTS_MISSING, ROLE_UNKNOWN; the host itself refuses what goes beyond the planner's contract. */
export function compileChild(
  locale: string,
  { role: name, inputs, note }: Parameters<DelegateTerms["compile"]>[0],
  { contract, call }: ToolContext,
): { contract: TaskContract; request: TaskRequest } {
  const role = findRole(name);
  if (role === undefined || name === PLANNER) throw new AssayError("ROLE_UNKNOWN", `no child works as ${name}`);
  const missing = role.needs.find((need) => !inputs.some((input) => input.endsWith(`/${need}`)));
  if (missing !== undefined) {
    throw new AssayError("INPUTS_MISSING", `${name} is given no reference to ${missing}`, {
      hint: "Pass on references (task:…) that a child handed in.",
    });
  }
  const { requests, tokens, ...rest } = contract.budget;
  const share = (amount: number) => Math.floor(amount * role.share);
  return {
    contract: {
      ...contract,
      task_id: childOf(call),
      parent_id: contract.task_id,
      role: name,
      inputs: [...new Set(inputs)],
      tools: { offered: [...role.tools], on_request: [] },
      scopes: { read: scopesOf([role], contract.subject), write: [] },
      budget: { requests: share(requests), tokens: share(tokens), ...rest },
    },
    request: requestOf(contract.subject, locale, inputs, note),
  };
}

function scopesOf(roles: readonly Role[], instrument: string): string[] {
  const scopes = readScopes(instrument);
  return [...new Set(roles.flatMap(({ reads }) => reads.map((name) => scopes[name])))];
}

/** The planner's note is a model's words: material, beside the host's request. */
function requestOf(instrument: string, locale: string, inputs: readonly string[], note: string | null): TaskRequest {
  return {
    schema: "task_request/v1",
    words: `${WORDS}\n\n${termsText(instrument, locale, [...new Set(inputs)])}`,
    blocks: note === null ? [] : [{ label: "note of the planner", text: note }],
  };
}
