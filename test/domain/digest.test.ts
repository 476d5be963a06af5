import reference from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, digestOf, sha256 } from "../../pipeline/domain/digest.ts";

const canonicalize = reference as unknown as (value: unknown) => string;

describe("canonical JSON", () => {
  it("is what the reference implementation of RFC 8785 writes, for any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
    );
  });

  it.each([
    ["keys by code units, not by locale", { "\u20ac": 1, "\r": 2, "1": 3, ö: 4 }, '{"\\r":2,"1":3,"ö":4,"€":1}'],
    ["numbers as ECMAScript prints them", [1e30, 4.5, 2e-3, 1e-27, -0], "[1e+30,4.5,0.002,1e-27,0]"],
    ["a key called __proto__ is a key", JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
  ])("%s", (_law, value, expected) => {
    expect(canonicalJson(value)).toBe(expected);
  });

  it.each([
    ["undefined", undefined],
    ["undefined inside", { a: undefined }],
    ["NaN", [Number.NaN]],
    ["infinity", Number.POSITIVE_INFINITY],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a hole", new Array(2)],
  ])("refuses what JSON cannot say: %s", (_name, value) => {
    expect(() => canonicalJson(value)).toThrow(/JSON cannot say/);
  });
});

describe("digests", () => {
  it("are SHA-256 over canonical JSON of the tagged document", () => {
    expect(digestOf("fact", { b: 1, a: "é" })).toBe(sha256('["assay/fact/v1",{"a":"é","b":1}]'));
  });

  it("differ for the same document under another tag", () => {
    expect(digestOf("fact", {})).not.toBe(digestOf("claim", {}));
  });
});
