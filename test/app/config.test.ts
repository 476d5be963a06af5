/** The environment as the program reads it: paths come out absolute, and what cannot be a setting is refused. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../pipeline/app/config.ts";
import { explain } from "../../pipeline/app/explain.ts";
import { AssayError } from "../../pipeline/domain/outcome.ts";

describe("the configuration", () => {
  it("has defaults without any variable", () => {
    expect(readConfig({}, "/somewhere")).toMatchObject({
      dataDir: "/somewhere/.assay",
      databaseUrl: null,
      redisUrl: null,
      chromePath: null,
      tenant: "main",
    });
  });

  it("takes paths from where the program was called, and lets out roots that are not there", () => {
    const { dataDir, allowRoots } = readConfig(
      { ASSAY_DATA: "d", ASSAY_ALLOW_ROOTS: `/usr:/no/such/folder:${process.cwd()}` },
      "/tmp",
    );
    expect(dataDir).toBe(join("/tmp", "d"));
    expect(allowRoots).toContain("/usr");
    expect(allowRoots).not.toContain("/no/such/folder");
  });

  it("a variable set to nothing is not set", () => {
    const nothing = { ASSAY_DATA: "", DATABASE_URL: "", ASSAY_ADMIN_DATABASE_URL: "", REDIS_URL: "", ASSAY_TENANT: "" };
    expect(readConfig(nothing, "/somewhere")).toEqual(readConfig({}, "/somewhere"));
  });

  it.each([" ", "Main", "a b", "../x", "x".repeat(64), "-a"])("the tenant %j is refused", (tenant) => {
    expect(() => readConfig({ ASSAY_TENANT: tenant })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});

describe("a fault at the terminal", () => {
  const fault = new AssayError("SOME_CODE", "what happened", { at: "batch.yaml:3", hint: "what to do" });

  it("is code, message, place and advice, without a stack", () => {
    expect(explain(fault, false)).toBe("assay: SOME_CODE: what happened\n  at batch.yaml:3\n  what to do\n");
  });

  it("is one line of JSON for programs", () => {
    const line = explain(fault, true);
    expect(line.endsWith("}\n")).toBe(true);
    expect(JSON.parse(line)).toEqual({
      error: { code: "SOME_CODE", message: "what happened", at: "batch.yaml:3", hint: "what to do" },
    });
  });

  it("that nobody foresaw keeps its stack for whoever repairs it", () => {
    expect(explain(new Error("surprise"), false)).toMatch(/^assay: FAULT: surprise\n[\s\S]* at /);
    expect(JSON.parse(explain("text", true)).error).toMatchObject({ code: "FAULT", message: "text" });
  });
});
