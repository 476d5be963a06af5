/** Laws of the built-in composer over the demonstration's hundred products: what it proposes, in how many ways, and that the gates agree. */
import { beforeAll, describe, expect, it } from "vitest";
import { cardSentences } from "../../pipeline/compose/card-sentences.ts";
import { grammarFaults } from "../../pipeline/compose/grammar.ts";
import { type Analysers, openAnalysers } from "../../pipeline/compose/language/open.ts";
import { namesOf } from "../../pipeline/compose/plain-sentences.ts";
import { CLAIM_RULES } from "../../pipeline/compose/rules/by-type.ts";
import { type ClaimRule, subjectOf, type ValueOf } from "../../pipeline/compose/rules/rule.ts";
import type { ComposerRun } from "../../pipeline/compose/run-composer.ts";
import { decimal } from "../../pipeline/domain/decimal.ts";
import { LOCALES, type Locale } from "../../pipeline/domain/locale.ts";
import { loadPolicy } from "../../pipeline/gates/policy/load.ts";
import { runGates } from "../../pipeline/gates/run.ts";
import type { ClaimRecord } from "../../pipeline/schema/claim.ts";
import type { Fact } from "../../pipeline/schema/fact.ts";
import { type DemoProduct, demoEdges, demoProducts, productOf } from "./demo-facts.ts";
import { composeCard as compose } from "./desk.ts";

/** The stricter channel of each language. */
const POLICIES = { "ko-KR": loadPolicy("kr-retail"), "en-US": loadPolicy("us-retail") } satisfies Record<
  Locale,
  unknown
>;

let analysers: Analysers;
let demo: DemoProduct[];
const composed = new Map<string, ComposerRun>();
const of = (product: DemoProduct, locale: Locale) => composed.get(`${product.instrument.instrument}/${locale}`)!;

beforeAll(async () => {
  [analysers, demo] = await Promise.all([openAnalysers(), demoProducts()]);
  for (const product of demo) {
    for (const locale of LOCALES) {
      composed.set(`${product.instrument.instrument}/${locale}`, await compose(product, locale));
    }
  }
}, 180_000);

function findingsOf(
  { facts, research }: Pick<DemoProduct, "facts" | "research">,
  locale: Locale,
  claims: ClaimRecord[],
) {
  const policy = POLICIES[locale];
  const names = { registered: research?.names ?? [], common: namesOf(policy.lexicons) };
  const sentences = cardSentences(analysers, {
    locale,
    lines: [],
    claims,
    research,
    legal: {},
    supplied: [],
    ...names,
  });
  const ids = new Set(claims.map(({ id }) => id));
  return runGates({
    ...policy,
    instrument: "x",
    stage: "sentences",
    evidence: {
      sentences,
      claims,
      facts: [...facts.values()],
      query_receipts: [],
      sources: [],
      causal_edges: demoEdges(),
    },
  })
    .flatMap(({ findings }) => findings)
    .filter(({ subject }) => ids.has(subject))
    .map(({ code, subject, detail }) => `${subject} ${code}: ${detail}`);
}

describe("every card of the demonstration", () => {
  it("has at least five claims in each language, with a risk and a counter-point among them", () => {
    const withReturns = demo.filter(hasReturn);
    // The rest are those whose series were planted as unusable.
    expect(demo.length - withReturns.length).toBeLessThanOrEqual(2);
    const poor = withReturns.flatMap((product) =>
      LOCALES.flatMap((locale) => {
        const { claims } = of(product, locale);
        const roles = claims.map(({ role }) => role);
        const isRich = claims.length >= 5 && roles.includes("risk") && roles.includes("counterpoint");
        return isRich ? [] : [`${product.instrument.instrument} ${locale}: ${roles.join(" ")}`];
      }),
    );
    expect(poor).toEqual([]);
  });

  it("says the same in both languages, of the same figures", () => {
    for (const product of demo) {
      const [korean, english] = LOCALES.map((locale) => of(product, locale).claims.map(({ id, slots }) => [id, slots]));
      expect(english).toEqual(korean);
    }
  });

  it("binds only figures that are OK, names what speaks otherwise, and has nothing refused by the grammar", () => {
    for (const product of demo) {
      const { claims, refused } = of(product, "ko-KR");
      expect(refused).toEqual([]);
      for (const { slots, opposing, supports } of claims) {
        for (const { figure } of slots) expect(product.facts.get(figure.replace("label/", ""))?.status).toBe("OK");
        expect(supports.length).toBeGreaterThan(0);
        expect(opposing).toMatchObject({ kind: "found" });
      }
    }
  });

  it("no wording stands twice on a card, and no two cards of a type read the same", () => {
    for (const locale of LOCALES) {
      const seen = new Map<string, string>();
      for (const product of demo) {
        const texts = of(product, locale).claims.map(({ text }) => text);
        expect(new Set(texts).size).toBe(texts.length);
        const key = `${product.instrument.product_type}\n${texts.join("\n")}`;
        expect([seen.get(key), product.instrument.instrument]).toEqual([undefined, product.instrument.instrument]);
        seen.set(key, product.instrument.instrument);
      }
    }
  });

  it("passes every sentence gate of the stricter channel of its language", () => {
    const found = demo.flatMap((product) =>
      LOCALES.flatMap((locale) => findingsOf(product, locale, of(product, locale).claims)),
    );
    expect(found).toEqual([]);
  }, 180_000);

  it("uses research where there is a definition, and keeps whose view it is", () => {
    const defined = demo.filter(({ research }) => research !== null);
    expect(defined).toHaveLength(20);
    for (const product of defined) {
      const own = of(product, "ko-KR").claims.filter(({ id }) => id.startsWith("claims/research-"));
      expect(own.length).toBeGreaterThan(0);
      for (const { type, supports } of own) {
        expect(["INFERRED", "OPINION"]).toContain(type);
        expect(supports[0]).toMatchObject({ kind: "research" });
      }
    }
  });

  it("is the same when composed again", async () => {
    const product = demo[17]!;
    const [one, other] = await Promise.all([compose(product, "en-US"), compose(product, "en-US")]);
    expect(other).toEqual(one);
    expect(one.end).toBe("FINISHED");
  });
});

describe("every rule in every wording", () => {
  it("passes grammar and gates wherever it may be said", () => {
    const [first] = demo;
    const cases = [
      ...demo,
      young(first!, ["1y", "3y", "5y"]),
      young(first!, ["1y", "3y", "5y", "6m", "3m"]),
      large(first!),
    ];
    const unused: string[] = [];
    const found: string[] = [];
    for (const rule of CLAIM_RULES) {
      const products = cases.filter((product) => maySay(rule, product)).slice(0, 2);
      if (products.length === 0) unused.push(rule.id);
      for (const product of products) {
        for (const locale of LOCALES) {
          const claims = rule.words[locale].map((text, index) => recordOf(rule, product, locale, text, index));
          for (const claim of claims) {
            found.push(
              ...grammarFaults(claim, { facts: product.facts, names: [] }).map(
                ({ code, detail }) => `${claim.id} ${code}: ${detail}`,
              ),
            );
          }
          found.push(...findingsOf({ facts: product.facts, research: null }, locale, claims));
        }
      }
    }
    expect([unused, found]).toEqual([[], []]);
  }, 180_000);

  it("has at least three wordings in each language, none of them twice", () => {
    const texts = CLAIM_RULES.flatMap(({ words }) => LOCALES.flatMap((locale) => new Set(words[locale]).size));
    expect(Math.min(...texts)).toBeGreaterThanOrEqual(3);
  });
});

describe("a product with almost nothing", () => {
  it("without any figure hands in nothing and says nothing", async () => {
    const [first] = demo;
    const bare = { ...first!, research: null, facts: without(first!.facts, () => true) };
    const { claims, end } = await compose(bare, "ko-KR");
    expect([claims, end]).toEqual([[], "IDLE"]);
  });

  it("with a month of prices says what a month allows", async () => {
    const thin = {
      ...demo[0]!,
      research: null,
      facts: without(demo[0]!.facts, (id) => !/\.(1m|1w|1d)$|^last_close$/.test(id)),
    };
    const { claims } = await compose(thin, "ko-KR");
    expect(claims.map(({ id }) => id)).toEqual(["claims/return-down-1m", "claims/unassured-1m", "claims/but-past-1m"]);
  });
});

function hasReturn({ facts }: DemoProduct): boolean {
  return ["1y", "6m", "3m", "1m"].some((window) => facts.get(`total_return.${window}`)?.status === "OK");
}

function maySay({ slots, when }: ClaimRule, product: DemoProduct): boolean {
  const value: ValueOf = (figure) => {
    const fact = product.facts.get(figure);
    return fact?.status === "OK" && !["date", "instant", "text"].includes(fact.unit) ? decimal(fact.value!) : null;
  };
  const isOk = (figure: string) => product.facts.get(figure.replace("label/", ""))?.status === "OK";
  return Object.values(slots).every(isOk) && when(value, productOf(product));
}

function recordOf(rule: ClaimRule, product: DemoProduct, locale: Locale, text: string, index: number): ClaimRecord {
  const support = { kind: "fact" as const, figure: subjectOf(rule) };
  return {
    schema: "claim/v1",
    id: `claims/${rule.id}-${index}`,
    instrument: product.instrument.instrument,
    locale,
    role: rule.role,
    type: product.facts.get(subjectOf(rule))!.epistemic_type,
    text,
    slots: Object.entries(rule.slots).map(([name, figure]) => ({ name, figure })),
    supports: [support],
    opposing: { kind: "found", supports: [support] },
    confidence: "high",
    causal_edge: null,
    absence_receipt: null,
    turn: "main#3",
    receipt: "main#3.1",
  };
}

function without(facts: DemoProduct["facts"], isGone: (id: string) => boolean): Map<string, Fact> {
  return new Map(
    [...facts].map(([id, fact]) => [
      id,
      isGone(id) ? { ...fact, status: "UNAVAILABLE", reason: "INSUFFICIENT_HISTORY", value: null } : fact,
    ]),
  );
}

/** As if it had been listed after the windows began. */
function young(product: DemoProduct, windows: readonly string[]): DemoProduct {
  return { ...product, facts: without(product.facts, (id) => windows.some((window) => id.endsWith(`.${window}`))) };
}

/** As if its sources stated the net assets of the whole fund. */
function large(product: DemoProduct): DemoProduct {
  const facts = new Map(product.facts);
  for (const end of ["", "_on"]) {
    const own = facts.get(`net_assets${end}`)!;
    facts.set(`fund_net_assets${end}`, { ...own, fact: `fund_net_assets${end}` });
  }
  return { ...product, facts };
}
