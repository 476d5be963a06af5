/** What a run needs from outside, handed in once: models, tools, rules, clock, and who listens. */
import type { TaskInput } from "../schema/run-entry.ts";
import type { TaskContract } from "../schema/task.ts";
import type { ModelTurn } from "../schema/turn.ts";
import type { PreCallRule } from "./admission.ts";
import type { Gateway } from "./gateway.ts";
import type { Toolbox } from "./tool.ts";
import type { Tracer } from "./trace.ts";

export interface ModelChoice {
  gateway: Gateway;
  /** Without the provider's prefix. */
  model: string;
  settings: ModelTurn["settings"];
  timeout_ms: number;
  /** What the model's context takes, in characters of input. */
  characters_max: number;
}

export interface Host {
  modelFor(contract: TaskContract): ModelChoice;
  /** The host's own words to a role. */
  roleText(contract: TaskContract): string;
  toolbox: Toolbox;
  rules: readonly PreCallRule[];
  now(): string;
  signal: AbortSignal;
  /** What has come in for a task and was not adopted before (by id). Asked at each safe point: before a request. */
  takeInputs?(taskId: string): Promise<TaskInput[]>;
  trace?: Tracer;
}
