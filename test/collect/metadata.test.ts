import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { csvMetadata } from "../../pipeline/collect/csv-metadata.ts";
import { jsonMetadata } from "../../pipeline/collect/json-metadata.ts";
import { readField } from "../../pipeline/collect/stated-field.ts";
import type { MetadataRecord } from "../../pipeline/schema/observation.ts";
import { bytesOf, context, csvMetadataSource, jsonMetadataSource } from "./support.ts";

const csv = (text: string) => csvMetadata.normalise(bytesOf(text), csvMetadataSource, context()) as MetadataRecord[];
const json = (text: string) => jsonMetadata.normalise(bytesOf(text), jsonMetadataSource, context()) as MetadataRecord[];
const stated = (record: MetadataRecord | undefined) =>
  Object.fromEntries(record?.fields.map(({ field, value }) => [field, value]) ?? []);

describe("a field is read in the unit of its contract", () => {
  test.each([
    ["total_expense_ratio", "0.7", "percent", "0.007"],
    ["total_expense_ratio", "0.0068", "percent", "0.000068"],
    ["total_expense_ratio", "0.007%", "percent", "0.00007"],
    ["total_expense_ratio", "0.0159", "fraction", "0.0159"],
    ["total_expense_ratio", "0.7%", "fraction", "conflict"],
    ["total_expense_ratio", "0.7", undefined, "conflict"],
    ["total_expense_ratio", "-0.1", "percent", "conflict"],
    ["total_expense_ratio", "low", "percent", "conflict"],
    ["net_assets", "16조 5,475억", "krw_text", "16547500000000"],
    ["net_assets", "5589", "krw_text", "conflict"],
    ["net_assets", "5,589억", "KRW", "conflict"],
    ["fund_net_assets", "1.42e12", "USD", "1420000000000"],
    ["fund_net_assets", "1,234", "USD", "1234"],
    ["fund_net_assets", "1234", undefined, "conflict"],
    ["inception_on", "1206489600", "epoch_seconds", "2008-03-26"],
    ["inception_on", "-1", "epoch_seconds", "1969-12-31"],
    ["inception_on", "1206489600000", "epoch_seconds", "conflict"],
    ["inception_on", "99999999999", "epoch_seconds", "conflict"],
    ["listed_on", "2002/10/14", undefined, "2002-10-14"],
    ["listed_on", "2002-02-30", undefined, "conflict"],
    ["name_ko", " KODEX 200 ", undefined, "KODEX 200"],
    ["name_ko", "<script>alert(1)</script>", undefined, "<script>alert(1)</script>"],
    ["name_ko", "=cmd()", undefined, "=cmd()"],
    ["name_ko", "x", "percent", "conflict"],
    ["underlying_index", "-", undefined, "nothing"],
    ["risk_grade", "  ", undefined, "nothing"],
    ["description_en", "x".repeat(10_000), undefined, "x".repeat(10_000)],
    ["description_en", "x".repeat(10_001), undefined, "conflict"],
    ["tax_type", "😀".repeat(200), undefined, "😀".repeat(200)],
    ["tax_type", "x".repeat(201), undefined, "conflict"],
    ["risk_grade", "2\u202e등급", undefined, "conflict"],
    ["risk_grade", "\u200b2등급", undefined, "conflict"],
    ["risk_grade", "2\n등급", undefined, "conflict"],
    ["underlying_index", "KOSPI\u0007 200", undefined, "conflict"],
    ["underlying_index", "\u00a0KOSPI 200\ufeff", undefined, "KOSPI 200"],
  ] as const)("%s %j as %s → %s", (field, text, unit, expected) => {
    const reading = readField(field, text, unit);
    expect(reading === null ? "nothing" : "conflict" in reading ? "conflict" : reading.value).toBe(expected);
  });
});

describe("csv-metadata", () => {
  test("15: codes are text, with their zeros and letters", () => {
    const records = csv(
      "code,name,listed,fee\n69500,wrong,2002-10-14,1\n069500,right,2002-10-14,0.15\n0000J0,letters,,\n",
    );
    expect(records.map(({ instrument }) => instrument)).toEqual(["KR:0000J0", "KR:069500"]);
    expect(stated(records[1])).toEqual({ name_ko: "right", listed_on: "2002-10-14", total_expense_ratio: "0.0015" });
    expect(stated(records[0])).toEqual({ name_ko: "letters" });
  });

  test("only instruments of the source's market are looked up, and those not listed have no record", () => {
    expect(csv("code,name,listed,fee\nSPY,US fund,,\n")).toEqual([]);
  });

  test("a key that two differing rows claim identifies nobody; said twice alike it counts once", () => {
    const [record] = csv("code,name,listed,fee\n069500,a,,\n069500,b,,\n");
    expect(record).toMatchObject({ fields: [], defects: [{ code: "IDENTITY_MISMATCH", row: 2 }] });
    expect(stated(csv("code,name,listed,fee\n069500,a,,\n069500,a,,\n")[0])).toEqual({ name_ko: "a" });
  });

  test("a value that contradicts its unit is a finding and the other fields stay", () => {
    const [record] = csv("code,name,listed,fee\n069500,a,2002-13-01,0.15\n");
    expect(stated(record)).toEqual({ name_ko: "a", total_expense_ratio: "0.0015" });
    expect(record!.defects).toMatchObject([{ code: "UNIT_CONFLICT", row: 1 }]);
  });

  test("a text with invisible characters is a finding that shows them, and the other fields stay", () => {
    const [record] = csv("code,name,listed,fee\n069500,KODEX\u202e 200,,0.15\n");
    expect(stated(record)).toEqual({ total_expense_ratio: "0.0015" });
    expect(record!.defects).toMatchObject([{ code: "UNIT_CONFLICT", row: 1 }]);
    expect(record!.defects[0]!.detail).toContain('"KODEX\\u{202e} 200"');
  });

  test("a file that cannot be read is a finding of every instrument of the market", () => {
    const records = csv("code,name\n069500,a\n");
    expect(records.map(({ instrument, defects }) => [instrument, defects[0]?.code])).toEqual([
      ["KR:0000J0", "PAYLOAD_UNREADABLE"],
      ["KR:069500", "PAYLOAD_UNREADABLE"],
    ]);
  });

  test("CP949 bytes are read as the Korean they are", () => {
    const bytes = iconv.encode("code,name,listed,fee\n069500,코덱스,,\n", "cp949");
    const records = csvMetadata.normalise(bytes, csvMetadataSource, context({ encoding: "cp949" })) as MetadataRecord[];
    expect(stated(records[0])).toEqual({ name_ko: "코덱스" });
  });
});

describe("json-metadata", () => {
  test("numbers keep their digits, dotted paths reach inside, null states nothing", () => {
    const [record] = json(
      '[{"ticker":"069500","name":null,"cost":{"fee":0.0070},"assets":"5,589억","fund":1.42e12,"since":1206489600}]',
    );
    expect(stated(record)).toEqual({
      total_expense_ratio: "0.000070",
      net_assets: "558900000000",
      fund_net_assets: "1420000000000",
      inception_on: "2008-03-26",
    });
    expect(record!.fields.find(({ field }) => field === "total_expense_ratio")!.stated).toBe("0.0070");
  });

  test("a key that is a number is not a ticker", () => {
    expect(json('[{"ticker":69500,"name":"x"}]')).toEqual([]);
  });

  test("a member with dots in its name is found by its whole name", () => {
    expect(stated(json('[{"ticker":"069500","cost.fee":0.5}]')[0])).toEqual({ total_expense_ratio: "0.005" });
  });

  test("prototype members are never values", () => {
    const source = {
      ...jsonMetadataSource,
      fields: { name_ko: { path: "constructor.name" }, issuer: { path: "__proto__" } },
    };
    const bytes = bytesOf('[{"ticker":"069500"},{"ticker":"__proto__"}]');
    const [record] = jsonMetadata.normalise(bytes, source, context()) as MetadataRecord[];
    expect(record).toMatchObject({ fields: [], defects: [] });
  });

  test.each([
    ["a member", '"name":"x","name":"y"', "name"],
    ["a member said alike", '"name":"x","name":"x"', "name"],
    ["a member with an escaped letter", '"name":"x","n\\u0061me":"y"', "name"],
    ["a member deep inside", '"more":[{"a":{"b":1,"b":2}}]', "b"],
    ["the prototype", '"__proto__":1,"__proto__":2', "__proto__"],
  ])("%s that is there twice leaves its product without statements, and only its product", (_name, members, key) => {
    const [bad, good] = json(`[{"ticker":"0000J0",${members}},{"ticker":"069500","name":"z","x":{"name":"w"}}]`);
    expect(bad).toMatchObject({ instrument: "KR:0000J0", fields: [] });
    expect(bad!.defects).toMatchObject([{ code: "PAYLOAD_UNREADABLE", row: 1 }]);
    expect(bad!.defects[0]!.detail).toContain(JSON.stringify(key));
    expect(stated(good)).toEqual({ name_ko: "z" });
    expect(good!.defects).toEqual([]);
  });

  test("a text that looks like a member is none", () => {
    const [record] = json('[{"ticker":"069500","name":"\\"name\\": \\"name\\":","x":["name","name"]}]');
    expect(stated(record)).toEqual({ name_ko: '"name": "name":' });
  });

  test("an object where a text belongs is a finding", () => {
    const [record] = json('[{"ticker":"069500","name":{"ko":"x"}}]');
    expect(record).toMatchObject({ fields: [], defects: [{ code: "UNIT_CONFLICT", row: 1 }] });
  });

  test.each([
    ["not JSON", "{"],
    ["an object", '{"ticker":"069500"}'],
    ["nested beyond reason", `${"[".repeat(500_000)}`],
    ["binary", "[\0]"],
  ])("%s is PAYLOAD_UNREADABLE for each instrument", (_name, text) => {
    expect(json(text).map(({ defects }) => defects[0]?.code)).toEqual(["PAYLOAD_UNREADABLE", "PAYLOAD_UNREADABLE"]);
  });
});
