/**
 * What an invented exchange states of its products: names, dates, fee, size, index, tax type and risk grade. Two
 * metadata sources with one seed state the same, save for planted conflicts.
 */
import type { SyntheticSource } from "../../schema/batch.ts";
import type { Instrument, ProductType } from "../../schema/instrument.ts";
import type { Character } from "./character.ts";
import { type Defect, defectsOf } from "./defects.ts";
import { draw } from "./random.ts";
import { KOREAN_METADATA_COLUMNS, METADATA_COLUMNS } from "./reading.ts";
import { csvLine } from "./write.ts";

export interface StatedTerms {
  instrument: Instrument;
  benchmark: Instrument | null;
  character: Character;
  /** First session that has a bar, and the fund's set-up the session before. */
  listed_on: string;
  inception_on: string;
}

export function metadataLines(source: SyntheticSource, stated: readonly StatedTerms[]): string[] {
  const korean = source.market === "KR";
  const columns = korean ? [...METADATA_COLUMNS, ...KOREAN_METADATA_COLUMNS] : METADATA_COLUMNS;
  return [
    csvLine(columns),
    ...stated.map((terms) => {
      const { instrument } = terms;
      const kinds = defectsOf(source, instrument).map(({ kind }) => kind);
      const cells = [
        instrument.ticker,
        kinds.includes("wrong_isin") ? anotherIsin(instrument, source.seed) : instrument.isin,
        instrument.name_ko,
        instrument.name_en,
        instrument.issuer,
        terms.listed_on,
        terms.inception_on,
        indexName(terms, source.seed),
        expenseRatio(terms.character, kinds),
        String(terms.character.net_assets),
      ];
      return csvLine(korean ? [...cells, taxType(instrument), riskGrade(instrument)] : cells);
    }),
  ];
}

/** Per cent with two decimals, three where the fee has them; a planted conflict is 0.11 points dearer. */
function expenseRatio({ fee_units }: Character, kinds: readonly Defect["kind"][]): string {
  const thousandths = fee_units / 10 + (kinds.includes("fee_conflict") ? 110 : 0);
  return (thousandths / 1000).toFixed(thousandths % 10 === 0 ? 2 : 3);
}

const HOUSES = ["Meridian Vane", "Halla Quant", "Northgate Tables", "Orrery", "Sable & Finch"] as const;

/** A multiple, or a fund on another market's, has its benchmark's index; any other one its own, named after itself. */
function indexName({ instrument, benchmark }: StatedTerms, seed: number): string {
  const follows = instrument.exposure_multiple !== "1" || instrument.market !== benchmark?.market;
  const named = benchmark !== null && follows ? benchmark : instrument;
  const house = HOUSES[Math.floor(draw(seed, `house ${named.market} ${named.peer_group}`) * HOUSES.length)]!;
  const words = withoutBrand(named)
    .replace(/\s*\((?:H|Synth|Futures)\)|,\s*LP\b/gi, "")
    .replace(/\b(?:ETF|ETN|Fund|Trust|Active|Shares|Daily)\b/gi, "")
    .replace(/\s+/g, " ")
    .trim();
  return /\bindex$/i.test(words) ? `${house} ${words}` : `${house} ${words} Index`;
}

/** The words that a name shares with its issuer's from the start, at least one, unless nothing would be left. */
function withoutBrand({ name_en, issuer, ticker }: Instrument): string {
  const words = name_en.split(" ");
  const issued = issuer.split(" ");
  let shared = 0;
  while (shared < issued.length && words[shared] === issued[shared]) shared++;
  return words.slice(Math.max(shared, 1)).join(" ") || name_en || ticker;
}

function taxType({ product_type, benchmark, peer_group }: Instrument): string {
  const domesticEquity =
    ["EQUITY_INDEX", "EQUITY_THEME", "DIVIDEND"].includes(product_type) &&
    !benchmark.startsWith("US:") &&
    /^KR_/.test(peer_group);
  return domesticEquity ? "비과세" : "배당소득세(보유기간과세)";
}

const GRADES: Partial<Record<ProductType, string>> = {
  LEVERAGED: "매우 높은 위험",
  INVERSE: "매우 높은 위험",
  CRYPTO: "매우 높은 위험",
  BOND: "낮은 위험",
  MONEY_MARKET: "매우 낮은 위험",
  MULTI_ASSET: "다소 높은 위험",
};

function riskGrade({ product_type }: Instrument): string {
  return GRADES[product_type] ?? "높은 위험";
}

/** Another ISIN of the same country, with a right check digit: a different security, not a typing error. */
function anotherIsin({ isin, market, ticker }: Instrument, seed: number): string {
  const country = isin === "" ? market : isin.slice(0, 2);
  for (let attempt = 0; ; attempt++) {
    const body = String(Math.floor(draw(seed, `isin ${ticker} ${attempt}`) * 1_000_000_000)).padStart(9, "0");
    const other = `${country}${body}${checkDigit(country + body)}`;
    if (other !== isin) return other;
  }
}

/** ISO 6166: letters as 10…35, then every second digit from the right doubled, digits summed. */
export function checkDigit(body: string): number {
  const digits = [...body].flatMap((symbol) => [...String(Number.parseInt(symbol, 36))].map(Number)).reverse();
  const sum = digits.reduce((total, digit, at) => {
    const weighed = at % 2 === 0 ? digit * 2 : digit;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
