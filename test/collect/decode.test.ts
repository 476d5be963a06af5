import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { decode, detectEncoding } from "../../pipeline/collect/decode.ts";
import { member, parseMarked, textOf } from "../../pipeline/collect/lossless-json.ts";

const KOREAN = "종목,삼성자산운용\n뷁,1\n";

describe("the encoding of a payload is found, never assumed", () => {
  const utf8 = Buffer.from(KOREAN);
  const cp949 = iconv.encode(KOREAN, "cp949");
  test.each([
    ["UTF-8", utf8, undefined, "utf-8"],
    ["UTF-8 with BOM", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]), undefined, "utf-8"],
    ["CP949 undeclared", cp949, undefined, "cp949"],
    ["CP949 declared", cp949, "cp949", "cp949"],
    ["EUC-KR declared", iconv.encode("종목\n", "euc-kr"), "euc-kr", "euc-kr"],
    ["CP949 declared as UTF-8", cp949, "utf-8", null],
    ["UTF-16", Buffer.from(KOREAN, "utf16le"), undefined, null],
    ["binary", Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x00, 0x01]), undefined, null],
    ["neither UTF-8 nor CP949", Buffer.from([0xff, 0xff, 0xfe, 0x41]), undefined, null],
    ["empty", Buffer.alloc(0), undefined, null],
  ] as const)("%s", (_name, bytes, declared, expected) => expect(detectEncoding(bytes, declared)).toBe(expected));

  test("text comes back as it was, without its byte order mark", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[가-힣a-z0-9,\n]{1,60}$/), (text) => {
        expect(decode(Buffer.from(`\uFEFF${text}`), "utf-8")).toBe(text);
        expect(decode(iconv.encode(text, "cp949"), "cp949")).toBe(text);
      }),
    );
  });

  test.each([
    ["empty", Buffer.alloc(0), "utf-8", "empty"],
    ["binary", Buffer.from([65, 0, 66]), "utf-8", "NUL"],
    ["not UTF-8", Buffer.from([0xff, 0xfe, 0x41]), "utf-8", "not UTF-8"],
    ["not CP949", Buffer.from([0xff, 0xff]), "cp949", "not cp949"],
  ] as const)("%s is PAYLOAD_UNREADABLE", (_name, bytes, encoding, detail) => {
    expect(() => decode(bytes, encoding)).toThrow(
      expect.objectContaining({ code: "PAYLOAD_UNREADABLE", message: expect.stringContaining(detail) }),
    );
  });
});

describe("JSON keeps the digits of its numbers", () => {
  const numberOf = (text: string) => textOf(member(parseMarked(`{"a":${text}}`), "a") as string);
  test.each(["0.10", "0.0068", "1.42e12", "-1E+5", "123456789012345678901234567890", "-0", "0.1000000000000000055511"])(
    "%s",
    (text) => expect(numberOf(text)).toBe(text),
  );

  test.each(["{", "[01]", "{'a':1}", "[1,]", "NaN", "", "{a:1}"])("%j is not JSON", (text) => {
    expect(() => parseMarked(text)).toThrow(SyntaxError);
  });

  test("strings, keys and structure survive, whatever they hold", () => {
    const unmark = (value: unknown): unknown => {
      if (typeof value === "string") return value.startsWith("n") ? Number(textOf(value)) : textOf(value);
      if (Array.isArray(value)) return value.map(unmark);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.slice(1), unmark(item)]));
    };
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(JSON.stringify(unmark(parseMarked(json)))).toBe(JSON.stringify(JSON.parse(json)));
      }),
    );
  });

  test("__proto__ is a key like any other and pollutes nothing", () => {
    const parsed = parseMarked('{"__proto__":{"polluted":"yes"},"constructor":1}');
    expect(textOf(member(member(parsed, "__proto__"), "polluted") as string)).toBe("yes");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(member(parsed, "toString")).toBeUndefined();
  });
});
