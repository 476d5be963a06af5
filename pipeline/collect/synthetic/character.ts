/**
 * What an invented product is like, read from its universe row: what moves it, what it pays and when, what it costs,
 * how large and how old it is. Words in the name and peer group choose (30-Year, Gold, High Yield, Japan); the seed
 * fills in the rest. Nothing is looked up, so any universe works, and a name that says nothing gets its type's middle.
 */
import { addDays, type DateText } from "../../domain/date.ts";
import type { Market } from "../../domain/instant.ts";
import type { Instrument, ProductType } from "../../schema/instrument.ts";
import type { GlobalFactor } from "./factors.ts";
import { clamp, draw } from "./random.ts";

/** Own volatility up to which a fund of its benchmark's kind and group is a copy of it. */
export const COPY_VOLATILITY = 0.015;

/** Loadings of the daily return; volatilities are annual, rates annual fractions. */
export interface Mix {
  equity: number;
  duration: number;
  /** Whether the market's yield accrues (bonds, cash), and what is earned beside it. */
  accrues: boolean;
  carry: number;
  group_volatility: number;
  own_volatility: number;
  global: { factor: GlobalFactor; weight: number }[];
}

/** Calendar months and the day of the month from which the next session is the ex-date. */
export interface Payout {
  months: readonly number[];
  day: number;
  annual_rate: number;
}

export interface Character {
  mix: Mix;
  payout: Payout | null;
  /** Ten-thousandths of a per cent: 1500 is 0.15 %. */
  fee_units: number;
  launched_on: DateText;
  /** Whole units of the currency; a Korean fund's is a round 억. */
  net_assets: number;
  launch_price: number;
  /** Standard deviation of close/NAV − 1. */
  premium: number;
}

/** `is_leader`: another product is compared with this one, so it must be old enough for every window. */
export function characterOf(instrument: Instrument, seed: number, to: DateText, is_leader: boolean): Character {
  const lot = (what: string) => draw(seed, `${what} ${instrument.instrument}`);
  const type = instrument.product_type;
  return {
    mix: mixOf(instrument, lot),
    payout: payoutOf(instrument, lot("payout")),
    fee_units: feeUnits(type, lot("fee")),
    launched_on: launchOf(to, is_leader, lot("age"), lot("launch")),
    net_assets: netAssets(instrument.market, lot("size")),
    launch_price: launchPrice(instrument, lot("price")),
    premium: type === "MONEY_MARKET" ? 0.00002 : type === "BOND" ? 0.0003 : 0.0006,
  };
}

const STILL: Mix = {
  equity: 0,
  duration: 0,
  accrues: false,
  carry: 0,
  group_volatility: 0,
  own_volatility: 0,
  global: [],
};

function mixOf(instrument: Instrument, lot: (what: string) => number): Mix {
  const words = `${instrument.name_en} ${instrument.name_ko} ${instrument.peer_group.replaceAll("_", " ")}`;
  const alpha = (lot("alpha") - 0.5) * 0.07;
  switch (instrument.product_type) {
    case "EQUITY_INDEX":
      if (COUNTRY.test(words))
        return { ...STILL, equity: 0.6, group_volatility: 0.08, own_volatility: 0.1, carry: alpha };
      if (REGION.test(words))
        return { ...STILL, equity: 0.65, group_volatility: 0.09, own_volatility: 0.01, carry: alpha };
      if (BROAD.test(words) && !GROWTH.test(words))
        return { ...STILL, equity: 0.985 + 0.03 * lot("beta"), own_volatility: 0.007 };
      return { ...STILL, equity: 1.06, group_volatility: 0.09, own_volatility: 0.012, carry: alpha };
    case "EQUITY_THEME":
      return {
        ...STILL,
        equity: 0.8 + 0.45 * lot("beta"),
        group_volatility: 0.06,
        own_volatility: 0.1 + 0.09 * lot("own"),
        carry: alpha * 2,
      };
    case "DIVIDEND":
      return { ...STILL, equity: 0.8, group_volatility: 0.055, own_volatility: 0.02, carry: alpha / 2 };
    case "COVERED_CALL":
      return { ...STILL, equity: 1, own_volatility: 0.01 };
    case "REIT":
      return { ...STILL, equity: 0.7, duration: 3.5, group_volatility: 0.085, own_volatility: 0.025, carry: 0.01 };
    case "MULTI_ASSET": {
      const year = Number(/20[2-6]\d/.exec(words)?.[0] ?? 2038);
      const equity = clamp((year - 2012) * 0.02, 0.3, 0.85);
      return { ...STILL, equity, duration: 5 * (1 - equity), carry: 0.01, own_volatility: 0.01 };
    }
    case "BOND":
      return bondMix(words);
    case "MONEY_MARKET":
      return { ...STILL, accrues: true, duration: 0.02, carry: -0.0005 };
    case "COMMODITY":
    case "CRYPTO":
      return { ...STILL, global: globalOf(words, instrument.product_type), own_volatility: 0.004 };
    default:
      return { ...STILL, equity: 1 };
  }
}

const COUNTRY = /japan|china|india|vietnam|일본|중국|인도|베트남/i;
const REGION = /emerging|developed|europe|world|global|foreign|유럽|신흥/i;
const GROWTH = /growth|tech|small|성장|중소형/i;
const BROAD = /large|broad|total|core|대형|전체/i;

function bondMix(words: string): Mix {
  const years = Number(/(\d+)(?=\s*\+?[-\s]?(?:years?\b|yr\b|y\b|년))/i.exec(words)?.[1] ?? 6);
  const base = { ...STILL, accrues: true, duration: years * (1 - 0.012 * years), own_volatility: 0.004 };
  if (/high[-\s]?yield|하이일드/i.test(words)) return { ...base, duration: 3.4, equity: 0.34, carry: 0.032 };
  if (/emerging|신흥/i.test(words)) return { ...base, equity: 0.26, carry: 0.025 };
  if (/corporate|credit|회사채|크레딧/i.test(words)) return { ...base, equity: 0.07, carry: 0.011 };
  return base;
}

function globalOf(words: string, type: ProductType): Mix["global"] {
  const one = (factor: GlobalFactor) => [{ factor, weight: 1 }];
  if (type === "CRYPTO") {
    if (/basket|바스켓/i.test(words))
      return [
        { factor: "bitcoin", weight: 0.7 },
        { factor: "ether", weight: 0.3 },
      ];
    return one(/ether|이더/i.test(words) ? "ether" : "bitcoin");
  }
  if (/silver|은현물|은선물/i.test(words)) return one("silver");
  if (/gold|금현물|금선물/i.test(words)) return one("gold");
  if (/crude|oil|원유/i.test(words)) return one("oil");
  if (/gas|가스/i.test(words)) return one("gas");
  if (/copper|구리/i.test(words)) return one("copper");
  if (/grain|agri|wheat|농산물|곡물/i.test(words)) return one("grain");
  return [
    { factor: "oil", weight: 0.4 },
    { factor: "gold", weight: 0.2 },
    { factor: "copper", weight: 0.2 },
    { factor: "grain", weight: 0.2 },
  ];
}

const MONTHLY = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;
const QUARTERLY: Record<Market, readonly number[]> = { KR: [1, 4, 7, 10], US: [3, 6, 9, 12] };

function payoutOf({ market, product_type, benchmark }: Instrument, lot: number): Payout | null {
  const abroad = market === "KR" && benchmark.startsWith("US:");
  const quarterly = (low: number, span: number): Payout => ({
    months: QUARTERLY[market],
    day: market === "KR" ? 29 : 19,
    annual_rate: low + span * lot,
  });
  const monthly = (low: number, span: number): Payout => ({
    months: MONTHLY,
    day: market === "KR" ? 28 : 1,
    annual_rate: low + span * lot,
  });
  switch (product_type) {
    case "EQUITY_INDEX":
      return quarterly(abroad ? 0.008 : 0.012, 0.008);
    case "EQUITY_THEME":
      return market === "KR" ? { months: [4], day: 28, annual_rate: 0.004 + 0.01 * lot } : quarterly(0.004, 0.007);
    case "DIVIDEND":
      return market === "KR" ? monthly(0.035, 0.015) : quarterly(0.028, 0.012);
    case "COVERED_CALL":
      return monthly(0.08, 0.04);
    case "BOND":
      return market === "KR" ? quarterly(0.022, 0.01) : monthly(0.026, 0.016);
    case "MONEY_MARKET":
      return market === "KR" ? null : monthly(0.028, 0.006);
    case "REIT":
      return market === "KR" ? monthly(0.045, 0.02) : quarterly(0.032, 0.01);
    case "MULTI_ASSET":
      return market === "KR" ? { months: [4], day: 28, annual_rate: 0.01 } : quarterly(0.018, 0.01);
    case "LEVERAGED":
    case "INVERSE":
      return market === "KR" ? null : quarterly(0.004, 0.01);
    default:
      return null;
  }
}

/** Low, span in hundredths of a per cent. */
const FEES: Record<ProductType, readonly [number, number]> = {
  EQUITY_INDEX: [3, 18],
  EQUITY_THEME: [35, 30],
  DIVIDEND: [8, 30],
  COVERED_CALL: [35, 35],
  BOND: [4, 20],
  MONEY_MARKET: [3, 8],
  COMMODITY: [19, 50],
  REIT: [10, 35],
  MULTI_ASSET: [15, 45],
  LEVERAGED: [60, 36],
  INVERSE: [60, 36],
  CRYPTO: [20, 60],
};

function feeUnits(type: ProductType, lot: number): number {
  const [low, span] = FEES[type];
  return 50 * Math.round(2 * (low + span * lot));
}

/** Most are six to twelve years old, one in eight one to three, one in forty a few months: the year is that of `to`. */
function launchOf(to: DateText, is_leader: boolean, age: number, day: number): DateText {
  const newYear = `${to.slice(0, 4)}-01-01`;
  if (is_leader || age >= 0.15) return addDays("2014-03-03", Math.floor(day * 5 * 365));
  if (age >= 0.025) return addDays(newYear, -Math.floor(150 + day * 600));
  return addDays(newYear, to.slice(5) >= "06-01" ? Math.floor(65 + 30 * day) : -Math.floor(60 + 30 * day));
}

function netAssets(market: Market, lot: number): number {
  if (market === "KR") return Math.round(80 + 42_000 * lot * lot * lot) * 100_000_000;
  return Math.round((24 + 310 * lot + 61_000 * lot * lot * lot * lot) * 1_000) * 1_000;
}

function launchPrice({ market, product_type }: Instrument, lot: number): number {
  if (product_type === "MONEY_MARKET") return market === "KR" ? 100_000 : 100;
  if (product_type === "BOND") return market === "KR" ? 100_000 : 50;
  return market === "KR" ? 10_000 : 20 + Math.round(30 * lot);
}
