/**
 * What a card version is: its identity by content, and what the gates decided of it in short. A card of which nothing was
 * drawn is a version too, of the documents that say why: so it has a state, and can be remedied.
 */
import { digestOf, type Sha256 } from "../../domain/digest.ts";
import type { Instrument } from "../../schema/instrument.ts";
import type { Verified } from "../../schema/step-documents.ts";
import type { RunContext } from "../context.ts";
import type { JudgedVersion, VersionIdentity } from "./step.ts";

type Page = Pick<Verified["locales"][number], "locale" | "card" | "html" | "png">;

/** The page, the picture, and every document that they rest on. No state, person or run clock. */
export function contentDigest(
  context: RunContext,
  instrument: Instrument,
  page: Page,
  { dossier, recalculated, decisions }: Pick<Verified, "dossier" | "recalculated" | "decisions">,
): Sha256 {
  return digestOf("card_content", {
    instrument,
    locale: page.locale,
    card: page.card,
    html: page.html,
    png: page.png,
    dossier,
    recalculated,
    decisions,
    policy: context.policy.digest,
    versions: context.code,
  });
}

export function versionsOf(context: RunContext, instrument: Instrument, verified: Verified): VersionIdentity[] {
  return verified.locales.map((page) =>
    versionOf(
      context,
      instrument,
      page.locale,
      page.content_digest ?? contentDigest(context, instrument, page, verified),
    ),
  );
}

/** tenant × batch × instrument × channel × locale × content: equal content is the same version. */
export function versionOf(
  { frozen, tenant }: RunContext,
  instrument: Instrument,
  locale: string,
  content_digest: Sha256,
): VersionIdentity {
  const { id: batch, channel } = frozen.batch;
  const identity = { instrument: instrument.instrument, channel, locale, content_digest };
  return { version_id: digestOf("card_version", { tenant, batch, ...identity }), ...identity };
}

export function judgementOf({ policy }: RunContext, { verdict, decisions }: Verified): JudgedVersion["judgement"] {
  return {
    policy_digest: policy.digest,
    verdict,
    decisions: decisions.map(({ gate, version, verdict: own, subjects_examined, input_digest, findings }) => ({
      gate,
      version,
      verdict: own,
      subjects_examined,
      input_digest,
      findings: findings.map(({ code, severity, subject }) => ({ code, severity, subject })),
    })),
  };
}
