/**
 * Opens what works at runs of people, with the models and tools of this installation, and what shows their answers. What was said is
 * recorded before this is asked for: a run that cannot be started now is started by `assay resume` later.
 */
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { RunStarter } from "../agents/conversation/run-starter.ts";
import { makeRunStarter } from "../agents/conversation/start-run.ts";
import { type McpTools, openMcpTools } from "../agents/mcp/open.ts";
import { AssayError } from "../domain/outcome.ts";
import type { RunContext } from "../jobs/context.ts";
import { readFrozenDesk } from "../jobs/conversation/frozen-desk.ts";
import { planRun } from "../jobs/conversation/plan-run.ts";
import { answerInWords, presentAnswer, type ShownSentence } from "../jobs/conversation/present-answer.ts";
import type { Workshop } from "../jobs/steps/workshop.ts";
import { openWorkshop } from "../jobs/workshop-for.ts";
import type { Answer } from "../schema/answer.ts";
import type { RunTerms } from "../schema/message.ts";
import { readMcpSettings } from "./config.ts";
import type { Services } from "./wiring.ts";

/** A worker that is not heard of for so long has lost its run. */
const LEASE_MS = 60_000;

export async function openRunStarter(services: Services): Promise<RunStarter> {
  const { config, database, now, newId, onFault } = services;
  let mcp: McpTools | undefined;
  const starter = makeRunStarter({
    database,
    tenant: config.tenant,
    holder: newId(),
    lease_ms: LEASE_MS,
    now,
    async planRun(begun, catalogue) {
      const context = await contextOf(services, begun.terms);
      if (begun.terms.mcp.length > 0) {
        mcp ??= await openMcpTools(readMcpSettings(), config.version);
        for (const { code, message } of mcp.refused) onFault(new AssayError(code, message));
      }
      const plan = await planRun(
        {
          context,
          database,
          now,
          openModel: (spec, builtin) => services.openModel(spec, { builtin: async () => builtin }),
          mcpTools: mcp?.tools ?? [],
          answerFile: {
            present: async (answer) => answerInWords(await showAnswer(services, begun.terms, answer)),
            write: (rootId, text) => writeAnswer(config.tenant, rootId, text),
          },
        },
        begun,
        catalogue,
      );
      const trace = services.tracer();
      return trace === undefined ? plan : { ...plan, host: { ...plan.host, trace } };
    },
  });
  return { start: (begun, signal) => starter.start(begun, signal).finally(() => mcp?.close()) };
}

/** Printed and judged anew each time: what is stored holds no number. */
export async function showAnswer(services: Services, terms: RunTerms, answer: Answer): Promise<ShownSentence[]> {
  const context = await contextOf(services, terms);
  return presentAnswer(context, await readFrozenDesk(context.objects, terms.desk), answer);
}

/** The frozen batch as steps know it. A policy takes half a second to load: once for each batch is enough for a command. */
export function workshopOf(services: Services, frozenDigest: string): Promise<Workshop> {
  const opened = WORKSHOPS.get(services) ?? new Map<string, Promise<Workshop>>();
  WORKSHOPS.set(services, opened);
  const workshop =
    opened.get(frozenDigest) ?? openWorkshop(services, { frozenDigest, replay: false, onStep: () => undefined });
  opened.set(frozenDigest, workshop);
  return workshop;
}
const WORKSHOPS = new WeakMap<Services, Map<string, Promise<Workshop>>>();

async function contextOf(services: Services, { frozen }: Pick<RunTerms, "frozen">): Promise<RunContext> {
  return (await workshopOf(services, frozen)).context;
}

/** Beside the batches' output, each tenant's apart. Written beside itself first, so that nobody reads half of it. */
async function writeAnswer(tenant: string, rootId: string, text: string): Promise<string> {
  const place = join("out", "answers", tenant);
  const folder = resolve(place);
  const file = `${rootId}.md`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `.${file}.part`), text);
  await rename(join(folder, `.${file}.part`), join(folder, file));
  return join(place, file);
}
