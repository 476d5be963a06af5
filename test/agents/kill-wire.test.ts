/**
 * Kill -9 at every point a run passes, on real Postgres with a real process, over the providers' formats: each point once, the
 * formats taking turns; all points in all formats with ASSAY_KILL_ALL=1. In each format once in the middle of a stream.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Journal } from "../../pipeline/agents/journal.ts";
import { runTask } from "../../pipeline/agents/loop.ts";
import { makeToolbox } from "../../pipeline/agents/tool.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { contractFor, requestFor, TURNS, taskTools } from "./support/claims-task.ts";
import {
  effectsOf,
  expectedOf,
  killAll,
  newJob,
  recoverAll,
  UNKNOWN_POINTS,
  undisturbed,
  verdictOf,
  type Worked,
} from "./support/killing.ts";
import { replayGateway } from "./support/replay.ts";
import { MemoryLog, tickingClock } from "./support/runs.ts";
import { FORMATS } from "./wire/settings.ts";
import { startWire, type Wire, type WireProvider } from "./wire/start.ts";

const ALL = process.env.ASSAY_KILL_ALL === "1";

let fresh: FreshDatabase;
let dir: string;
const servers = new Map<WireProvider, { wire: Wire; stalled: Wire }>();
const whole = new Map<WireProvider, Worked & { points: string[] }>();

/** Says what a role says at this place, to whoever asks. */
function serve(provider: WireProvider, isStalling: boolean): Promise<Wire> {
  const asked = new Set<string>();
  return startWire({
    provider,
    script({ seen }, turn) {
      const role = /^You are the (\w+)\./.exec(seen.system)![1]!;
      const place = `${role} ${turn}`;
      const isFirst = isStalling && place === "analyst 2" && !asked.has(place);
      asked.add(place);
      return {
        text: "지금 봅니다.",
        calls: TURNS[role]![turn]!,
        ...(isFirst ? { trouble: { kind: "stall", within: "arguments" } } : {}),
      };
    },
  });
}

beforeAll(async () => {
  fresh = await freshDatabase();
  dir = await mkdtemp(join(tmpdir(), "assay-kill-"));
  for (const provider of FORMATS) {
    const [wire, stalled] = await Promise.all([serve(provider, false), serve(provider, true)]);
    servers.set(provider, { wire, stalled });
    const job = newJob(dir, `whole-${provider}`, { provider, url: wire.url });
    whole.set(provider, await undisturbed(fresh.database, job));
    expect(effectsOf(job)).toHaveLength(1);
  }
});
afterAll(async () => {
  for (const { wire, stalled } of servers.values()) await Promise.all([wire.close(), stalled.close()]);
  await rm(dir, { recursive: true, force: true });
  await fresh.drop();
});

it("undisturbed, the same turns end in the same claims in every format", () => {
  const ends = [...whole.values()].map(({ task, points }) => [task.end?.code, task.end?.output_digest, points]);
  expect(ends).toEqual(FORMATS.map(() => ["FINISHED", ends[0]![1], ends[0]![2]]));
  const kept = [...whole.values()].map(({ task, journal }) => journal.document(task.end!.outputs[0]!.digest));
  expect(kept[0]).toMatchObject({ claims: [{ id: "return" }], refused: [{ id: "typed", codes: ["NUMERAL"] }] });
});

it("killed at any point: the same claims, no effect twice, and what is unknown stays unknown", {
  timeout: 600_000,
}, async () => {
  const { points } = whole.get("anthropic")!;
  const jobs = points.flatMap((_, index) =>
    FORMATS.filter((_, format) => ALL || format === index % FORMATS.length).map((provider) =>
      newJob(
        dir,
        `${provider}-${index + 1}`,
        { provider, url: servers.get(provider)!.wire.url },
        { haltAt: index + 1 },
      ),
    ),
  );
  const streaming = FORMATS.map((provider) =>
    newJob(dir, `${provider}-stream`, { provider, url: servers.get(provider)!.stalled.url }),
  );
  const stood = await killAll(fresh, dir, [...streaming, ...jobs], async () => {
    // Each has been asked for the turn that broke off in the middle of its arguments.
    while ([...servers.values()].some(({ stalled }) => stalled.requests.length < 5)) await setTimeout(20);
  });
  for (const { root_id, haltAt } of jobs) expect([root_id, stood.get(root_id)]).toEqual([root_id, points[haltAt - 1]]);
  const recovered = await recoverAll(fresh.database, [...jobs, ...streaming], stood);
  for (const each of recovered) {
    const [{ root_id, point }, { task }] = [each, whole.get("openai")!];
    expect({ root_id, point, ...verdictOf(each, task) }).toEqual({ root_id, point, ...expectedOf(each) });
  }
  // With the effect sent, and not sent.
  const unknown = recovered.filter(({ point }) => UNKNOWN_POINTS.includes(point));
  expect(new Set(unknown.map(({ sent }) => sent))).toEqual(new Set([0, 1]));
  for (const { wire, stalled } of servers.values()) expect([...wire.faults, ...stalled.faults]).toEqual([]);
});

it.each(FORMATS)("%s: its sealed turns, replayed, give the same claims and ask nobody", async (provider) => {
  const { task, journal } = whole.get(provider)!;
  const sent: string[] = [];
  const replays = new Map(
    [...journal.run.tasks.values()].map(({ contract, turns }) => [
      contract.role,
      replayGateway(turns.map(({ turn }) => turn)),
    ]),
  );
  const asked = servers.get(provider)!.wire.requests.length;
  const root_id = `whole-${provider}`;
  const host = {
    modelFor: ({ role }: { role: string }) => ({
      gateway: replays.get(role)!,
      model: "m-1",
      settings: { max_output_tokens: 1000, temperature: null },
      timeout_ms: 60_000,
      characters_max: 400_000,
    }),
    roleText: ({ role }: { role: string }) => `You are the ${role}.`,
    toolbox: makeToolbox(taskTools(async ({ call }) => void sent.push(call))),
    rules: [],
    now: tickingClock(),
    signal: new AbortController().signal,
  };
  const replayed = await runTask(
    host,
    await Journal.open(new MemoryLog(root_id), host.now),
    contractFor(root_id),
    requestFor(root_id),
  );
  expect([replayed.end, sent]).toEqual([task.end, ["main#3.2"]]);
  expect(replayed.turns.map(({ turn }) => turn)).toEqual(task.turns.map(({ turn }) => turn));
  expect(servers.get(provider)!.wire.requests.length).toBe(asked);
});
