/** The queue decides who works when and holds nothing else: on Redis or on Postgres, and lost while a run is at work. */
import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ranExample } from "./ran.ts";
import { exampleIn, place, query, reportOf, succeeded, textOf } from "./support.ts";

const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;
if (!hasRedis && process.env.REDIS_URL === undefined) {
  console.warn("skipped: the queue on Redis needs redis-server on the PATH, or REDIS_URL");
}

let expected: string;
beforeAll(async () => {
  expected = (await ranExample()).manifest;
});

describe.skipIf(!hasRedis && process.env.REDIS_URL === undefined)("on Redis", () => {
  let url = process.env.REDIS_URL ?? "";
  let stop = () => {};
  let redis: Redis;

  beforeAll(async () => {
    if (process.env.REDIS_URL === undefined) {
      const port = await freePort();
      const server = spawn("redis-server", ["--port", String(port), "--save", "", "--appendonly", "no"], {
        stdio: "ignore",
      });
      stop = () => server.kill();
      url = `redis://127.0.0.1:${port}`;
    }
    redis = new Redis(url, { maxRetriesPerRequest: null });
    // Until the server listens, every try fails.
    redis.on("error", () => undefined);
    await redis.ping();
  });
  afterAll(() => {
    redis?.disconnect();
    stop();
  });

  it("the cards are the same bytes, nothing went through Postgres's queue, and nothing is left in Redis to do", async () => {
    const here = await place({ env: { REDIS_URL: url } });
    succeeded(await here.call("run", exampleIn(here.dir), "--out", join(here.dir, "out")));
    expect(textOf(here.dir, "out/manifest.json")).toBe(expected);
    expect(await query(here, "SELECT count(*)::int AS jobs FROM bullmq.job")).toEqual([{ jobs: 0 }]);
    const keys = await redis.keys("assay:main/example-csv/*:*");
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => /:(wait|active|waiting-children|delayed)$/.test(key))).toEqual([]);
  });

  it("flushed while a run is at work, the run offers the rest again and ends", async () => {
    const here = await place({ env: { REDIS_URL: url } });
    const run = await here.start("run", exampleIn(here.dir), "--out", join(here.dir, "out"));
    await run.says("cards:");
    await pause(300);
    await redis.flushall();
    succeeded(await run.ended);
    expect(textOf(here.dir, "out/manifest.json")).toBe(expected);
  });
});

describe("on Postgres", () => {
  it("killed, and its queue dropped: the next run goes on from what is recorded", async () => {
    const here = await place();
    const batch = exampleIn(here.dir);
    const run = await here.start("run", batch, "--out", join(here.dir, "out"));
    await run.says("cards:");
    await expect.poll(() => query(here, "SELECT FROM step_result"), { timeout: 60_000 }).not.toEqual([]);
    run.process.kill("SIGKILL");
    await run.ended;
    await query(here, "TRUNCATE bullmq.job CASCADE");
    succeeded(await here.call("run", batch, "--out", join(here.dir, "out")));
    expect(reportOf(join(here.dir, "out")).cache.hits).toBeGreaterThan(0);
    expect(textOf(here.dir, "out/manifest.json")).toBe(expected);
  });

  it("truncated while a run is at work, the run offers the rest again and ends", async () => {
    const here = await place();
    const run = await here.start("run", exampleIn(here.dir), "--out", join(here.dir, "out"));
    await run.says("cards:");
    await expect.poll(() => query(here, "SELECT FROM step_result"), { timeout: 60_000 }).not.toEqual([]);
    await query(here, "TRUNCATE bullmq.job CASCADE");
    succeeded(await run.ended);
    expect(textOf(here.dir, "out/manifest.json")).toBe(expected);
  });

  it("a run leaves no job behind", async () => {
    const here = await place();
    succeeded(await here.call("run", exampleIn(here.dir), "--only", "KR:91A010", "--out", join(here.dir, "out")));
    expect(await query(here, "SELECT count(*)::int AS jobs FROM bullmq.job")).toEqual([{ jobs: 0 }]);
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
