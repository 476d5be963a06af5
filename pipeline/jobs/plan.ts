/**
 * What of a run is recorded already, walked stage by stage with one query each. Where an earlier step is not recorded,
 * the later ones of that instrument cannot be known yet and count as to be worked.
 */
import type { Market } from "../domain/instant.ts";
import type { Instrument } from "../schema/instrument.ts";
import { peersOf } from "./context.ts";
import { calendarKey } from "./steps/calendar.ts";
import { composeKey } from "./steps/compose.ts";
import { factsKey } from "./steps/facts.ts";
import { peersKey } from "./steps/peers.ts";
import { recalculateKey } from "./steps/recalculate.ts";
import { renderKey } from "./steps/render.ts";
import type { Recorded, StepName } from "./steps/step.ts";
import { verifyKey } from "./steps/verify.ts";
import type { Workshop } from "./steps/workshop.ts";

export interface InstrumentPlan {
  instrument: Instrument;
  /** Recorded results by step; a step that is absent has to be worked. */
  facts: Recorded | null;
  peers: Recorded | null;
  recalculate: Recorded | null;
  compose: Recorded[] | null;
  render: Recorded[] | null;
  verify: Recorded | null;
}

export interface Plan {
  lines: InstrumentPlan[];
  /** Steps found and steps to be worked. */
  counts: Record<Exclude<StepName, "calendar">, { found: number; missing: number }>;
}

export async function plan(shop: Workshop, scope: readonly Instrument[]): Promise<Plan> {
  const { context, book } = shop;
  const { locales } = context.frozen.batch;
  const everyone = context.frozen.instruments;
  const found = (key: string): Recorded | null => {
    const output = book.found(key);
    return output === undefined ? null : { key, output };
  };

  await book.prefetch([
    ...everyone.map((instrument) => factsKey(shop, instrument)),
    ...scope.map((instrument) => recalculateKey(shop, instrument)),
  ]);
  const factsOf = new Map(everyone.map((one) => [one.instrument, found(factsKey(shop, one))]));

  const calendars = new Map<Market, Recorded | null>();
  for (const market of new Set(everyone.map((one) => one.market))) {
    const members = everyone.filter((one) => one.market === market).map((one) => factsOf.get(one.instrument) ?? null);
    if (members.some((member) => member === null)) continue;
    const key = calendarKey(shop, members as Recorded[]);
    await book.prefetch([key]);
    calendars.set(market, found(key));
  }

  const peersKeys = new Map<string, string>();
  for (const instrument of scope) {
    const sessions = calendars.get(instrument.market) ?? null;
    const members = peersOf(context, instrument).map((one) => ({
      instrument: one,
      recorded: factsOf.get(one.instrument) ?? null,
    }));
    const benchmark = factsOf.get(instrument.benchmark) ?? null;
    if (sessions === null || members.some(({ recorded }) => recorded === null)) continue;
    if (benchmark === null && factsOf.has(instrument.benchmark)) continue;
    peersKeys.set(instrument.instrument, peersKey(shop, instrument, members as never, sessions, benchmark));
  }
  await book.prefetch([...peersKeys.values()]);

  const lines = scope.map((instrument): InstrumentPlan => {
    const key = peersKeys.get(instrument.instrument);
    return {
      instrument,
      facts: factsOf.get(instrument.instrument) ?? null,
      peers: key === undefined ? null : found(key),
      recalculate: found(recalculateKey(shop, instrument)),
      compose: null,
      render: null,
      verify: null,
    };
  });

  /** A step of each locale, once what it follows is recorded for all of them. */
  const perLocale = async (step: "compose" | "render", keysOf: (line: InstrumentPlan) => string[]) => {
    await book.prefetch(lines.flatMap(keysOf));
    for (const line of lines) {
      const recorded = keysOf(line).map(found);
      if (recorded.length > 0 && recorded.every((one) => one !== null)) line[step] = recorded as Recorded[];
    }
  };
  await perLocale("compose", ({ instrument, peers, recalculate }) =>
    peers === null || recalculate === null
      ? []
      : locales.map((locale) => composeKey(shop, instrument, locale, { dossier: peers, recalculated: recalculate })),
  );
  await perLocale("render", ({ instrument, peers, compose }) =>
    peers === null || compose === null
      ? []
      : locales.map((locale, index) => renderKey(shop, instrument, locale, peers, compose[index]!)),
  );

  const verifyKeys = new Map<string, string>();
  for (const { instrument, peers, render, recalculate } of lines) {
    if (peers === null || render === null || recalculate === null) continue;
    verifyKeys.set(
      instrument.instrument,
      verifyKey(shop, instrument, { dossier: peers, rendered: render, recalculated: recalculate }),
    );
  }
  await book.prefetch([...verifyKeys.values()]);
  for (const line of lines) {
    const key = verifyKeys.get(line.instrument.instrument);
    if (key !== undefined) line.verify = found(key);
  }
  return { lines, counts: countsOf(lines, locales.length) };
}

function countsOf(lines: readonly InstrumentPlan[], locales: number): Plan["counts"] {
  const count = (step: "facts" | "peers" | "recalculate" | "verify") => {
    const has = lines.filter((line) => line[step] !== null).length;
    return { found: has, missing: lines.length - has };
  };
  const ofEachLocale = (step: "compose" | "render") => {
    const has = lines.filter((line) => line[step] !== null).length * locales;
    return { found: has, missing: lines.length * locales - has };
  };
  return {
    facts: count("facts"),
    peers: count("peers"),
    compose: ofEachLocale("compose"),
    render: ofEachLocale("render"),
    recalculate: count("recalculate"),
    verify: count("verify"),
  };
}
