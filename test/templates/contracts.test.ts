/** Laws of the product types' contracts: complete, made of catalogue figures, able to fill three tiles. */
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../../pipeline/schema/catalogue.ts";
import { figureId } from "../../pipeline/schema/fact.ts";
import { PRODUCT_TYPES } from "../../pipeline/schema/instrument.ts";
import { ALWAYS } from "../../templates/product-types/contract.ts";
import { TYPE_CONTRACTS } from "../../templates/product-types/index.ts";
import { disclosureTextsOfPolicy } from "../render/fixtures.ts";

const FIGURES = new Set(CATALOGUE.flatMap((entry) => entry.windows.map((window) => figureId({ ...entry, window }))));
/** What the real Korean funds lack: prices before distributions, distributions, NAV, and (conflict) the fee. */
const NEEDS_PRICES = /^(price_return|last_close|high_|low_|position_|average_daily|distribution_|premium)/;
const texts = disclosureTextsOfPolicy();

describe.each(PRODUCT_TYPES)("the contract of %s", (type) => {
  const contract = TYPE_CONTRACTS[type];

  it("is for that type", () => {
    expect(contract.product_type).toBe(type);
  });

  it("names only figures of the catalogue, each headline once", () => {
    const named = [...contract.headlines, ...contract.sections.flatMap((section) => section.figures.flat())];
    expect(named.filter((figure) => !FIGURES.has(figure))).toEqual([]);
    expect(new Set(contract.headlines).size).toBe(contract.headlines.length);
  });

  it("fills three tiles without prices, distributions and fees", () => {
    const rest = contract.headlines.filter(
      (figure) => !NEEDS_PRICES.test(figure) && figure !== "total_expense_ratio" && !figure.startsWith("fx_change"),
    );
    expect(rest.length).toBeGreaterThanOrEqual(3);
  });

  it("fills three tiles for a product listed seven months ago", () => {
    const young = contract.headlines.filter((figure) => /\.(ytd|6m|3m|1m)$/.test(figure));
    expect(young.length).toBeGreaterThanOrEqual(3);
  });

  it("always says risk of loss, past performance, no deposit and fees, in texts that exist", () => {
    expect(contract.disclosures).toEqual(expect.arrayContaining([...ALWAYS]));
    expect(contract.disclosures.filter((id) => texts[id] === undefined)).toEqual([]);
  });

  it("has each section once", () => {
    const ids = contract.sections.map((section) => section.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("what the headline never does", () => {
  it.each(["DIVIDEND", "COVERED_CALL", "REIT"] as const)(
    "%s: a distribution rate never comes before total return",
    (type) => {
      const { headlines } = TYPE_CONTRACTS[type];
      expect(headlines.indexOf("total_return.1y")).toBeLessThan(headlines.indexOf("distribution_yield.ttm"));
    },
  );

  it.each(["LEVERAGED", "INVERSE"] as const)(
    "%s: its return never stands without the distance to the multiple",
    (type) => {
      expect(TYPE_CONTRACTS[type].headlines.slice(0, 3)).toContain("multiple_gap.1y");
    },
  );
});
