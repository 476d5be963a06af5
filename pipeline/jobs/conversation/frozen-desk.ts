/**
 * What a run of people may look at: the recorded documents of the cards it is about, named by digest when the run begins, so that
 * it stays the same desk however the program or the batch goes on. What admission refused has no figures here.
 */
import { z } from "zod";
import type { Desk } from "../../compose/tools/desk.ts";
import { canonicalJson, type Sha256 } from "../../domain/digest.ts";
import { LOCALES, type Locale } from "../../domain/locale.ts";
import { AssayError } from "../../domain/outcome.ts";
import type { Recalculated } from "../../schema/recalculated.ts";
import type { Dossier } from "../../schema/step-documents.ts";
import type { Database } from "../../store/database.ts";
import type { ObjectStore } from "../../store/objects.ts";
import type { RunContext } from "../context.ts";
import { plan } from "../plan.ts";
import { productDesk } from "../steps/desk.ts";
import { namesFor } from "../steps/vocabulary.ts";
import type { Workshop } from "../steps/workshop.ts";
import { readSealedCard } from "./sealed-card.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const frozenDeskSchema = z.strictObject({
  schema: z.literal("frozen_desk/v1"),
  products: z
    .array(z.strictObject({ instrument: z.string(), dossier: digest, recalculated: digest.nullable() }))
    .min(1),
});
export type FrozenDesk = z.infer<typeof frozenDeskSchema>;

/** Of the named cards, or of all that a run of the batch recorded. Works nothing: throws NOT_RECORDED where a run must come first. */
export async function freezeDesk(shop: Workshop, cards: readonly string[]): Promise<Sha256> {
  const { frozen, objects } = shop.context;
  const scope = frozen.instruments.filter(({ instrument }) => cards.length === 0 || cards.includes(instrument));
  const { lines } = await plan(shop, scope);
  const products = lines.flatMap(({ instrument: { instrument }, peers, recalculate }) =>
    peers === null ? [] : [{ instrument, dossier: peers.output, recalculated: recalculate?.output ?? null }],
  );
  const missing = cards.find((card) => products.every(({ instrument }) => instrument !== card));
  if (missing !== undefined || products.length === 0) {
    throw new AssayError(
      "NOT_RECORDED",
      `this version of the program has recorded no figures of ${missing ?? "the batch"}`,
      {
        hint: `run the batch first: assay run ${frozen.batch.id}`,
      },
    );
  }
  return objects.put(Buffer.from(canonicalJson({ schema: "frozen_desk/v1", products })));
}

export async function readFrozenDesk(objects: ObjectStore, deskDigest: Sha256): Promise<FrozenDesk> {
  return frozenDeskSchema.parse(JSON.parse((await objects.get(deskDigest)).toString("utf8")));
}

export async function openDesk(
  context: RunContext,
  database: Database,
  { products }: FrozenDesk,
  now: () => string,
): Promise<Desk> {
  const [locale = LOCALES[0]] = context.frozen.batch.locales;
  const opened = products.map(async ({ instrument, dossier, recalculated }) => {
    const row = context.instruments.get(instrument)!;
    const desk = productDesk(context, row, locale, {
      dossier: withoutRefused(await read<Dossier>(context, dossier)),
      recalculated: async () => (recalculated === null ? null : read<Recalculated>(context, recalculated)),
      sealedVersion: () => readSealedCard(database, context, instrument, now),
    });
    // An answer may be given in either language.
    const names = LOCALES.flatMap((one: Locale) => {
      const { registered, common } = namesFor(context, row, one);
      return [...registered, ...common[one]];
    });
    return [instrument, { ...desk, names: [...new Set(names)] }] as const;
  });
  return { locale, as_of: context.terms.as_of, products: new Map(await Promise.all(opened)) };
}

export function withoutRefused(dossier: Dossier): Dossier {
  return dossier.is_admitted ? dossier : { ...dossier, facts: [] };
}

async function read<T>({ objects }: RunContext, of: Sha256): Promise<T> {
  return JSON.parse((await objects.get(of)).toString("utf8")) as T;
}
