/**
 * What a tool is: a name and version, an input that is checked, the scope that a call needs, and a typed outcome. Being
 * known here admits nothing: a task's contract names what it is offered. Tools read documents handed to them.
 */
import { z } from "zod";
import { digestOf, type Sha256 } from "../domain/digest.ts";
import { AssayError } from "../domain/outcome.ts";
import type { SourceRead } from "../schema/receipt.ts";
import type { TaskContract, TaskRequest } from "../schema/task.ts";
import type { JsonObject, JsonValue } from "../schema/turn.ts";
import type { Handoff } from "./children.ts";
import type { ToolOffer } from "./gateway.ts";
import { FINISH } from "./run-state.ts";
import { SETTLED, settledText } from "./settled-texts.ts";

export interface Scope {
  read?: string[];
  write?: string[];
}

export interface ToolContext {
  contract: TaskContract;
  /** Names this call in its run, alike in every attempt: what an effect is made idempotent by. */
  call: string;
  attempt: number;
  now(): string;
  signal: AbortSignal;
  /** Runs a child to its end, or goes on with it where it stopped. Its contract must lie within this task's. */
  runChild(contract: TaskContract, request: TaskRequest): Promise<Handoff>;
  /** What another task of the run handed in, by `task:<id>/<name>`: an input of this task, or from its own child; else null. */
  handedIn(reference: string): JsonValue | null;
}

/** Only OK is data. A document handed in names what it rests on: sources that this task has read. */
export type ToolOutcome =
  | {
      status: "OK";
      content: JsonValue;
      sources?: SourceRead[];
      outputs?: { name: string; document: JsonObject; references: string[] }[];
      /** Takes effect with the next turn; the calls after this one are not run. */
      surface?: { grant?: string[]; withdraw?: string[] };
      /** Proposes to wait for a person. The run waits once, at its root, when nothing is in flight. */
      parks?: boolean;
      cost_microusd?: number;
    }
  | { status: "EMPTY"; code: string; content?: JsonValue; cost_microusd?: number }
  /** Of an effect: it did not happen. Where that is not certain, the tool throws. */
  | { status: "FAILED"; code: string; message: string; cost_microusd?: number };

export interface Tool {
  name: string;
  version: string;
  effect: "read" | "write";
  offer: ToolOffer;
  timeout_ms: number;
  parse(args: JsonObject): { ok: true; input: unknown } | { ok: false; issues: string };
  scope(input: unknown, contract: TaskContract): Scope;
  run(input: unknown, context: ToolContext): Promise<ToolOutcome> | ToolOutcome;
  /** What of a result the model sees: parts left out, nothing altered (the host checks it). */
  narrow?(content: JsonValue): JsonValue;
}

const TIMEOUT_MS = 60_000;

export function defineTool<S extends z.ZodType>(spec: {
  name: string;
  version: string;
  description: string;
  input: S;
  effect: "read" | "write";
  scope: (input: z.output<S>, contract: TaskContract) => Scope;
  run: (input: z.output<S>, context: ToolContext) => Promise<ToolOutcome> | ToolOutcome;
  narrow?: (content: JsonValue) => JsonValue;
  timeout_ms?: number;
}): Tool {
  const { name, version, description, input, effect, timeout_ms = TIMEOUT_MS } = spec;
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) throw new AssayError("TOOL_NAME_MALFORMED", `not a tool's name: ${name}`);
  return {
    name,
    version,
    effect,
    offer: { name, description, input_schema: inputSchemaOf(input) },
    timeout_ms,
    parse(args) {
      const parsed = input.safeParse(args);
      return parsed.success
        ? { ok: true, input: parsed.data }
        : { ok: false, issues: z.prettifyError(parsed.error).slice(0, 600) };
    },
    scope: (parsed, contract) => spec.scope(parsed as z.output<S>, contract),
    run: (parsed, context) => spec.run(parsed as z.output<S>, context),
    ...(spec.narrow === undefined ? {} : { narrow: spec.narrow }),
  };
}

/** A tool is defined anew for every desk; what its input is stays. */
function inputSchemaOf(input: z.ZodType): JsonObject {
  const known = INPUT_SCHEMAS.get(input);
  if (known !== undefined) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: "input" }) as JsonObject;
  settledText(schema);
  INPUT_SCHEMAS.set(input, schema);
  return schema;
}
const INPUT_SCHEMAS = new WeakMap<z.ZodType, JsonObject>();

export type Toolbox = ReadonlyMap<string, Tool>;

export function makeToolbox(tools: readonly Tool[]): Toolbox {
  const box = new Map<string, Tool>();
  for (const tool of tools) {
    // Two tools of one name: a discovered one must not stand in for ours.
    if (box.has(tool.name) || tool.name === FINISH) {
      throw new AssayError("TOOL_NAME_TAKEN", `there is a tool ${tool.name} already`);
    }
    box.set(tool.name, tool);
  }
  return box;
}

const FINISH_OFFER: ToolOffer = {
  name: FINISH,
  description: "Propose that this task ends here. The host checks that an output exists and that nothing is open.",
  input_schema: { type: "object", properties: {}, additionalProperties: false },
};

/** The tools of a surface as the model sees them, by name, finish last. */
export function offersOf(toolbox: Toolbox, surface: readonly string[]): ToolOffer[] {
  const offers = surface.flatMap((name) => toolbox.get(name)?.offer ?? []);
  return [...offers, FINISH_OFFER];
}

export function surfaceDigest(toolbox: Toolbox, surface: readonly string[]): Sha256 {
  const known = SURFACES.get(toolbox) ?? new Map<string, Sha256>();
  SURFACES.set(toolbox, known);
  const names = surface.join(" ");
  const before = known.get(names);
  if (before !== undefined) return before;
  const versions = surface.map((name) => toolbox.get(name)?.version ?? null);
  const digest = digestOf("tool_surface", { offers: offersOf(toolbox, surface), versions }, SETTLED);
  known.set(names, digest);
  return digest;
}

/** A toolbox stays as it is made: asked before every request. */
const SURFACES = new WeakMap<Toolbox, Map<string, Sha256>>();
