/** A step is worked once under its key, compared in a replay, and a fault of it is never recorded. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { canonicalJson, sha256 } from "../../pipeline/domain/digest.ts";
import { StepBook, type StepId, type StepLog, stepKey } from "../../pipeline/jobs/steps/step.ts";
import { openObjects } from "../../pipeline/store/objects.ts";

const dir = mkdtempSync(join(tmpdir(), "assay-steps-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const objects = openObjects(dir);
const ID: StepId = { step: "facts", instrument: "US:YAMPL", locale: null };
const KEY = stepKey("facts", { inputs: 1 });
const digestOf = (document: unknown) => sha256(canonicalJson(document));

let recorded: Map<string, string>;
let marks: unknown[];
let log: StepLog;
let seen: [StepId, boolean][];

beforeEach(() => {
  recorded = new Map();
  marks = [];
  seen = [];
  log = {
    find: async (keys) =>
      new Map(keys.flatMap((key) => (recorded.has(key) ? [[key, recorded.get(key) as string]] : []))),
    record: async (_id, { key, output }, extra) => {
      recorded.set(key, output);
      marks.push(extra);
    },
  };
});

function book(replay = false): StepBook {
  return new StepBook({ log, objects, replay, onStep: (id, wasFound) => seen.push([id, wasFound]) });
}

describe("a step", () => {
  it("is worked once however often and however much at once it is asked for", async () => {
    let worked = 0;
    const one = book();
    const work = async () => ({ document: { worked: ++worked } });
    const results = await Promise.all([one.do(ID, KEY, work), one.do(ID, KEY, work), one.do(ID, KEY, work)]);
    await one.do(ID, KEY, work);
    expect(worked).toBe(1);
    expect(new Set(results.map(({ output }) => output))).toEqual(new Set([digestOf({ worked: 1 })]));
    expect(one.counts).toEqual({ hits: 0, misses: 1 });
    expect(seen).toEqual([[ID, false]]);
    expect(await one.read(results[0])).toEqual({ worked: 1 });
  });

  it("recorded by an earlier run is found, not worked", async () => {
    await book().do(ID, KEY, async () => ({ document: "first" }));
    const later = book();
    const found = await later.do(ID, KEY, async () => {
      throw new Error("worked twice");
    });
    expect(found.output).toBe(digestOf("first"));
    expect(later.counts).toEqual({ hits: 1, misses: 0 });
  });

  it("leaves its events and versions with the recording", async () => {
    const events = [{ type: "card_rendered/v1", body: { of: "US:YAMPL" } }];
    await book().do(ID, KEY, async () => ({ document: 1, events }));
    expect(marks).toEqual([{ events }]);
  });

  it("that fails is not recorded: everyone who asked is told, and the next run tries again", async () => {
    const failing = book();
    const fail = async () => {
      throw new Error("no room");
    };
    const asked = await Promise.allSettled([failing.do(ID, KEY, fail), failing.do(ID, KEY, fail)]);
    expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(recorded.size).toBe(0);
    expect((await book().do(ID, KEY, async () => ({ document: "made" }))).output).toBe(digestOf("made"));
  });

  it("of another key is another step, though it is the same instrument's", async () => {
    const one = book();
    await one.do(ID, KEY, async () => ({ document: "a" }));
    await one.do(ID, stepKey("facts", { inputs: 2 }), async () => ({ document: "b" }));
    expect(recorded.size).toBe(2);
    expect(stepKey("facts", { inputs: 1 })).not.toBe(stepKey("peers", { inputs: 1 }));
  });

  it("is looked up with one question for many keys", async () => {
    let questions = 0;
    const find = log.find;
    log = {
      ...log,
      find: (keys) => {
        questions += 1;
        return find(keys);
      },
    };
    await log.record(ID, { key: KEY, output: digestOf(1) }, {});
    const one = book();
    await one.prefetch([KEY, ...Array.from({ length: 500 }, (_, index) => stepKey("facts", { index }))]);
    await one.do(ID, KEY, async () => ({ document: 2 }));
    expect(questions).toBe(1);
    expect(one.found(KEY)).toBe(digestOf(1));
  });
});

describe("a replay", () => {
  it("works what is recorded again, finds no difference, and records nothing", async () => {
    await book().do(ID, KEY, async () => ({ document: "same" }));
    marks = [];
    const again = book(true);
    await again.do(ID, KEY, async () => ({ document: "same" }));
    expect(again.differences).toEqual([]);
    expect(again.counts).toEqual({ hits: 0, misses: 1 });
    expect(marks).toEqual([]);
  });

  it("names what comes out different, with both digests, and leaves what is recorded", async () => {
    await book().do(ID, KEY, async () => ({ document: "then" }));
    const again = book(true);
    await again.do(ID, KEY, async () => ({ document: "now" }));
    expect(again.differences).toEqual([{ id: ID, recorded: digestOf("then"), replayed: digestOf("now") }]);
    expect(recorded.get(KEY)).toBe(digestOf("then"));
  });

  it("of what was never recorded is REPLAY_UNRECORDED, and nothing is worked", async () => {
    const asked = book(true).do(ID, KEY, async () => ({ document: "new" }));
    await expect(asked).rejects.toMatchObject({ code: "REPLAY_UNRECORDED" });
    expect(seen).toEqual([]);
  });
});
