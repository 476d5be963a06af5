import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../pipeline/store/database.ts";
import { type Embedded, startEmbedded } from "../../pipeline/store/embedded.ts";
import { startChild } from "../support/child.ts";

const MEMBER = new URL("../support/member.ts", import.meta.url);
const settings = { fsync: "off" };
let dataDir: string;
let made: string;
const open: Embedded[] = [];

/** A cluster made once; each law below gets a copy, but those about the first start. */
beforeAll(async () => {
  made = await realpath(await mkdtemp(join(tmpdir(), "assay-made-")));
  const database = await openDatabase({ dataDir: made, embedded: { settings } });
  await database.close();
});
afterAll(() => rm(made, { recursive: true, force: true }));

beforeEach(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), "assay-embedded-")));
});
afterEach(async () => {
  for (const embedded of open.splice(0)) await embedded.leave();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<Embedded> {
  const embedded = await startEmbedded(dataDir, { settings });
  open.push(embedded);
  return embedded;
}

function copyMade(): void {
  execFileSync("cp", ["-a", join(made, "postgres"), dataDir]);
}

const pidFile = () => join(dataDir, "postgres/postmaster.pid");
const serverPid = async () => Number((await readFile(pidFile(), "utf8")).split("\n")[0]);

/** The server notices a killed client within milliseconds, on a busy machine within many. */
async function untilMembers(embedded: Embedded, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: embedded.superuserUrl });
  await client.connect();
  const members = "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'";
  while ((await client.query<{ n: number }>(members)).rows[0]!.n !== count) await pause(20);
  await client.end();
}

async function ask(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query("SELECT 1 AS one")).rows[0]?.one;
  } finally {
    await client.end();
  }
}

describe("one server for all members", () => {
  beforeEach(copyMade);

  it("the second joins the first's, the first may leave, the last stops it", async () => {
    const [first, second] = [await start(), await start()];
    expect(second.port).toBe(first.port);
    await first.leave();
    expect(await ask(second.superuserUrl)).toBe(1);
    await second.leave();
    expect(existsSync(pidFile())).toBe(false);
  });

  it("comes back on the same port with what it held", async () => {
    const first = await start();
    const client = new pg.Client({ connectionString: first.superuserUrl });
    await client.connect();
    await client.query("CREATE TABLE kept AS SELECT 1 AS one");
    await client.end();
    await first.leave();
    const again = await start();
    expect(again.port).toBe(first.port);
    const reader = new pg.Client({ connectionString: again.superuserUrl });
    await reader.connect();
    expect((await reader.query("SELECT one FROM kept")).rows).toEqual([{ one: 1 }]);
    await reader.end();
  });

  it("passwords are needed, and are readable by their owner only", async () => {
    const embedded = await start();
    const wrong = new URL(embedded.superuserUrl);
    wrong.password = "guess";
    await expect(ask(wrong.href)).rejects.toThrow("password authentication failed");
    expect((await stat(join(dataDir, "postgres/assay-passwords.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, "postgres"))).mode & 0o077).toBe(0);
  });
});

describe("a first start", () => {
  it("of six processes at once, which join and leave four times each: none fails, and none is left over", async () => {
    // Left of one that was killed.
    await mkdir(join(dataDir, ".postgres-99999999-abc123/cluster"), { recursive: true });
    await Promise.all(Array.from({ length: 6 }, () => startChild(MEMBER, [dataDir, "4"]).ended));
    expect(existsSync(pidFile())).toBe(false);
    expect((await readdir(dataDir)).sort()).toEqual(["postgres", "postgres.port"]);
  }, 300_000);
});

describe("kill -9", () => {
  beforeEach(copyMade);

  it("of a member: the next to leave is the last, and stops the server", async () => {
    const child = startChild(MEMBER, [dataDir, "stay"]);
    await child.says("joined");
    const embedded = await start();
    child.process.kill("SIGKILL");
    await child.ended.catch(() => undefined);
    await untilMembers(embedded, 1);
    await embedded.leave();
    expect(existsSync(pidFile())).toBe(false);
  });

  it("of the only member: the server it left behind is joined by the next", async () => {
    const child = startChild(MEMBER, [dataDir, "stay"]);
    await child.says("joined");
    child.process.kill("SIGKILL");
    await child.ended.catch(() => undefined);
    const pid = await serverPid();
    const embedded = await start();
    expect(await serverPid()).toBe(pid);
    await untilMembers(embedded, 1);
    await embedded.leave();
    expect(existsSync(pidFile())).toBe(false);
  });

  it("of the server: its members start it again on the same port, and open pools find it", async () => {
    const database = await openDatabase({ dataDir, embedded: { settings } });
    const count = () => database.inTenant("main", (tx) => tx.ledgerEvent.count());
    expect(await count()).toBe(0);
    const killed = await serverPid();
    process.kill(killed, "SIGKILL");
    let faults = 0;
    let answer: number | undefined;
    // Orphaned backends of the killed server may still answer for a moment.
    while ((answer === undefined || (await serverPid().catch(() => killed)) === killed) && faults < 200) {
      answer = await count().catch(async (error) => {
        expect(error).toMatchObject({ code: "DATABASE_UNREACHABLE", retry: "later" });
        faults += 1;
        await pause(50);
        return undefined;
      });
    }
    expect(answer).toBe(0);
    expect((await database.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await database.close();
    expect(existsSync(pidFile())).toBe(false);
  });

  it("of everything: the next start recovers", async () => {
    const child = startChild(MEMBER, [dataDir, "stay"]);
    await child.says("joined");
    child.process.kill("SIGKILL");
    process.kill(await serverPid(), "SIGKILL");
    expect(existsSync(pidFile())).toBe(true);
    expect(await ask((await start()).superuserUrl)).toBe(1);
  });
});

describe("what may lie in the way", () => {
  beforeEach(copyMade);

  it("a pid file whose pid now belongs to another process", async () => {
    await (await start()).leave();
    const lines = [process.pid, join(dataDir, "postgres"), 1, 54321, "", "127.0.0.1", "1 1", "ready", ""];
    await writeFile(pidFile(), lines.join("\n"));
    expect(await ask((await start()).superuserUrl)).toBe(1);
  });

  it("another program on the remembered port: a new port is taken and remembered", async () => {
    const first = await start();
    await first.leave();
    const squatter = createServer().listen(first.port, "127.0.0.1");
    await new Promise((resolve) => squatter.once("listening", resolve));
    const second = await start();
    expect(second.port).not.toBe(first.port);
    expect(await readFile(join(dataDir, "postgres.port"), "utf8")).toBe(String(second.port));
    squatter.close();
  });

  it.each([["nonsense"], ["99999999"]])("a port file that says %j", async (text) => {
    await writeFile(join(dataDir, "postgres.port"), text);
    expect(await ask((await start()).superuserUrl)).toBe(1);
  });

  it("a cluster of another Postgres: EMBEDDED_POSTGRES_VERSION", async () => {
    await (await start()).leave();
    await writeFile(join(dataDir, "postgres/PG_VERSION"), "17\n");
    await expect(startEmbedded(dataDir)).rejects.toMatchObject({ code: "EMBEDDED_POSTGRES_VERSION" });
  });

  it("a cluster that cannot start: EMBEDDED_POSTGRES_FAILED with the server's own words", async () => {
    await (await start()).leave();
    await writeFile(join(dataDir, "postgres/postgresql.auto.conf"), "no_such_setting = 1\n");
    const failure = await startEmbedded(dataDir).catch((error) => error);
    expect(failure).toMatchObject({ code: "EMBEDDED_POSTGRES_FAILED", hint: expect.stringContaining("server.log") });
    expect(failure.message).toContain("no_such_setting");
  });
});

describe("where the server's own user cannot pass", () => {
  it("a data directory below a private folder works all the same, root or not", async () => {
    const hidden = await mkdtemp(join(tmpdir(), "assay-private-"));
    await chmod(hidden, 0o700);
    try {
      for (const _round of ["made", "opened again"]) {
        const embedded = await startEmbedded(join(hidden, "data"), { settings });
        await expect(ask(embedded.superuserUrl)).resolves.toBeDefined();
        await embedded.leave();
      }
    } finally {
      await rm(hidden, { recursive: true, force: true });
    }
  });
});
