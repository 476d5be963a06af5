/** The sessions that most instruments kept, and those that one lacks. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { absentSessions, majoritySessions } from "../../pipeline/jobs/steps/calendar.ts";

const days = (...numbers: number[]) => numbers.map((day) => `2026-01-${String(day).padStart(2, "0")}`);

describe("majority sessions", () => {
  it.each<[name: string, spans: number[][], expected: number[]]>([
    [
      "all agree",
      [
        [5, 6, 7],
        [5, 6, 7],
        [5, 6, 7],
        [5, 6, 7],
        [5, 6, 7],
      ],
      [5, 6, 7],
    ],
    [
      "one lacks a day that the others have",
      [
        [5, 7],
        [5, 6, 7],
        [5, 6, 7],
        [5, 6, 7],
        [5, 6, 7],
      ],
      [5, 6, 7],
    ],
    [
      "one has a day that nobody else has",
      [
        [5, 6, 7],
        [5, 7],
        [5, 7],
        [5, 7],
        [5, 7],
      ],
      [5, 7],
    ],
    [
      "half is no majority",
      [
        [5, 6, 7],
        [5, 6, 7],
        [5, 6, 7],
        [5, 7],
        [5, 7],
        [5, 7],
      ],
      [5, 7],
    ],
    [
      "four cannot judge",
      [
        [5, 6],
        [5, 6],
        [5, 6],
        [5, 6],
      ],
      [],
    ],
    [
      "who had not begun does not vote",
      [[5, 6, 7], [5, 6, 7], [5, 6, 7], [5, 6, 7], [5, 6, 7], [7], [7], [7], [7], [7]],
      [5, 6, 7],
    ],
    [
      "who had ended does not vote",
      [[5, 6, 7], [5, 6, 7], [5, 6, 7], [5, 6, 7], [5, 6, 7], [5], [5], [5], [5], [5]],
      [5, 6, 7],
    ],
    ["too few left by the end", [[5, 6, 7], [5], [5], [5], [5]], [5]],
  ])("%s", (_name, spans, expected) => {
    expect(majoritySessions(spans.map((span) => days(...span)))).toEqual(days(...expected));
  });

  it("do not depend on the order of the instruments", () => {
    const span = fc
      .uniqueArray(fc.integer({ min: 1, max: 28 }), { minLength: 1 })
      .map((found) => days(...found.sort((a, b) => a - b)));
    fc.assert(
      fc.property(fc.array(span, { minLength: 5, maxLength: 12 }), (spans) => {
        expect(majoritySessions([...spans].reverse())).toEqual(majoritySessions(spans));
      }),
    );
  });
});

describe("absent sessions", () => {
  it.each<[own: number[], market: number[], expected: number[]]>([
    [[5, 6, 7], [5, 6, 7], []],
    [[5, 7], [5, 6, 7], [6]],
    [
      [6, 8],
      [5, 6, 7, 8, 9],
      [7, 9],
    ],
    [[5, 6], [], []],
    [[], [5, 6, 7], []],
  ])("of %j in %j: %j", (own, market, expected) => {
    expect(absentSessions(days(...own), days(...market))).toEqual(days(...expected));
  });
});
