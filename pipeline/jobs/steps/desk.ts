/**
 * What agents may look at of one product, from the documents of a run: figures, research, register, eligible payloads, the
 * second path. What the intended use has no right to is not on it (P2).
 */
import { decode } from "../../collect/decode.ts";
import type { EvidenceText, ProductDesk } from "../../compose/tools/desk.ts";
import type { Locale } from "../../domain/locale.ts";
import { figureId } from "../../schema/fact.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Recalculated } from "../../schema/recalculated.ts";
import type { Dossier } from "../../schema/step-documents.ts";
import type { JsonObject } from "../../schema/turn.ts";
import { benchmarkOf, type Evidence, type RunContext, sharedFor } from "../context.ts";
import { namesFor } from "./vocabulary.ts";

export interface DeskMaterial {
  dossier: Dossier;
  recalculated: () => Promise<Recalculated | null>;
  sealedVersion: () => Promise<JsonObject | null>;
}

export function productDesk(
  context: RunContext,
  instrument: Instrument,
  locale: Locale,
  { dossier, recalculated, sealedVersion }: DeskMaterial,
): ProductDesk {
  const { registered, common } = namesFor(context, instrument, locale);
  const { market, ticker, name_ko, name_en, product_type, peer_group, fx_hedged } = instrument;
  return {
    product: {
      instrument: instrument.instrument,
      market,
      product_type,
      peer_group,
      fx_hedged,
      is_in_reporting_currency: instrument.currency === context.terms.reporting_currency,
      is_compared_at_home: benchmarkOf(context, instrument)?.market === market,
    },
    facts: new Map(dossier.facts.map((fact) => [figureId(fact), fact])),
    research: context.research.get(instrument.instrument)?.definition ?? null,
    names: [...registered, ...common[locale]],
    own_names: [instrument.instrument, ticker, name_ko, name_en].filter((name) => name !== ""),
    causalEdges: context.causalEdges,
    evidence: [...(context.byInstrument.get(instrument.instrument) ?? []), ...sharedFor(context, instrument)].map(
      (item) => evidenceText(context, item),
    ),
    recalculated,
    sealedVersion,
  };
}

/** Frozen bytes, in the encoding that was settled when they were frozen. Throws PAYLOAD_UNREADABLE. */
function evidenceText({ objects }: RunContext, { evidence_id, version }: Evidence): EvidenceText {
  const { source_id, media_type, first_usable_at, payload_sha256, encoding } = version;
  return {
    evidence_id,
    source_id,
    media_type,
    first_usable_at,
    text: async () => decode(await objects.get(payload_sha256), encoding),
  };
}
