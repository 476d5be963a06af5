/** CSV for people: whatever a cell says, it comes back as it was, and no spreadsheet takes text for a formula. */
import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { cell, toCsv } from "../../pipeline/jobs/output/csv.ts";

describe("a cell", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+SUM(A1)", "'+SUM(A1)"],
    ["-2+3", "'-2+3"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ["\r=1", '"\'\r=1"'],
    ["=1", "'=1"],
    ["-", "'-"],
    ["+", "'+"],
    ["-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"],
  ])("%j is neutralised as %j", (text, written) => {
    expect(cell(text)).toBe(written);
  });

  it.each(["-0.0123", "+1.24%", "-4.2%p", "-1,234.5", "-12,000원", "+3", "−1.24%", "0", "12.5%"])(
    "the figure %s stays as it is",
    (figure) => {
      expect(cell(figure).replace(/^"|"$/g, "")).toBe(figure);
    },
  );

  it("that is absent is empty, which is not the text null", () => {
    expect([cell(null), cell(""), cell("null")]).toEqual(["", "", "null"]);
  });
});

describe("any table", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("=1", "-1.5", "+a", '"', "\r\n", ",", "한국"));

  it("reads back as it was, but for the apostrophe before what a spreadsheet would run", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), (rows) => {
        const { data } = Papa.parse<string[]>(toCsv(["a", "b"], rows), { delimiter: ",", newline: "\r\n" });
        expect(data.slice(1, -1).map((row) => row.map((value) => value.replace(/^'(?=[=+\-@\t\r])/, "")))).toEqual(
          rows.map((row) => row.map((value) => value.replace(/^'(?=[=+\-@\t\r])/, ""))),
        );
      }),
    );
  });

  it("has no cell that begins like a formula unless all of it is a figure", () => {
    fc.assert(
      fc.property(fc.tuple(fc.constantFrom("=", "+", "-", "@", "\t", "\r"), fc.string()), ([first, rest]) => {
        const [, [written = ""] = []] = Papa.parse<string[]>(toCsv(["a"], [[first + rest]]), {
          delimiter: ",",
          newline: "\r\n",
        }).data;
        const isFigure = /^[+-][\d,]+(\.\d+)?(%p?|원|달러)?$/.test(written);
        expect(isFigure || written.startsWith("'"), written).toBe(true);
      }),
    );
  });
});
