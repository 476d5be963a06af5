/**
 * Whether a research definition may still be relied on: in date, sourced, and held against itself. It judges the form of
 * the argument, never whether it is right. A product without a definition states that none was declared.
 */
import { addMonths } from "../domain/date.ts";
import type { MetadataField } from "../schema/batch.ts";
import type { Instrument } from "../schema/instrument.ts";
import { type ResearchDefinition, type ResearchSentence, sentencesOf } from "../schema/research.ts";
import type { SuppliedEvidence } from "./evidence.ts";
import { defineGate, examples } from "./gate.ts";

export const research = defineGate({
  id: "research",
  version: 1,
  family: "research",
  stage: "data",
  question: "Is the product's research in date, sourced, falsifiable and held against what speaks otherwise?",
  needs: ["research", "terms", "instrument", "metadata"],
  codes: {
    RESEARCH_REVIEW: {
      severity: "REVIEW",
      meaning:
        "the research is out of date, unsourced, unfalsifiable, weighs no other explanation, or excuses digits as a name",
      remedy: "renew the definition: state what is missing, or date it anew after looking at its sources again",
    },
    NO_COUNTEREVIDENCE: {
      severity: "REVIEW",
      blocks_when: "there is a thesis and no counter-evidence at all",
      meaning: "nothing that rests on a source speaks against the thesis, so nobody shows that it was sought",
      remedy: "look for evidence against the thesis and state it with its source",
    },
  },
  check({ research, terms, instrument, metadata }, report, examined) {
    if (research === null) {
      examined("none declared");
      return;
    }
    const sentences = sentencesOf(research).map(({ sentence }) => sentence);
    examined("definition");
    for (const { id } of sentences) examined(id);
    const review = (subject: string, detail: string | null) => {
      if (detail !== null) report("RESEARCH_REVIEW", subject, detail);
    };
    const asOf = terms.as_of.slice(0, 10);
    review("expires_on", research.expires_on < asOf ? `expired on ${research.expires_on}, before ${asOf}` : null);
    const horizon = addMonths(research.written_on, research.horizon_months);
    review("horizon_months", horizon < asOf ? `the horizon ended on ${horizon}, before ${asOf}` : null);
    const undated = research.sources.filter(({ published_on }) => published_on === null);
    review("sources", listed("sources without a date", undated));
    review("sentences", listed("sentences without a source", sentences.filter(isUnsourced)));
    if (research.falsifiers.length === 0) {
      review("falsifiers", listed("nothing would prove wrong", sentences.filter(isAuthorsView)));
    }
    const registered = registeredNames(instrument, metadata);
    const unknown = research.names.filter((name) => !registered.some((one) => one.includes(plain(name))));
    review("names", unknown.length > 0 ? `names that nobody registered: ${examples(unknown)}` : null);
    if (research.thesis.length > 0 && research.competing_hypotheses.length === 0) {
      review("competing_hypotheses", "no other explanation of the thesis is weighed");
    }
    reportCounterEvidence(research, (detail, blocks) =>
      report("NO_COUNTEREVIDENCE", "counter_evidence", detail, { blocks }),
    );
  },
});

function reportCounterEvidence(
  { thesis, counter_evidence }: ResearchDefinition,
  report: (detail: string, blocks: boolean) => void,
): void {
  if (counter_evidence.length === 0) report("no counter-evidence is stated", thesis.length > 0);
  else if (counter_evidence.every(isUnsourced)) report("no counter-evidence rests on a source", false);
}

/** Names that may hold digits: of the product, and of the index that it follows, as universe and sources state them. */
function registeredNames(instrument: Instrument, metadata: SuppliedEvidence["metadata"]): string[] {
  const stated = metadata.flatMap(({ fields }) => fields ?? []).filter(({ field }) => NAMING.includes(field));
  return [instrument.name_ko, instrument.name_en, ...stated.map(({ value }) => value)].map(plain);
}
const NAMING: readonly MetadataField[] = ["name_ko", "name_en", "underlying_index"];

function plain(name: string): string {
  return name.normalize("NFKC").replace(/\s+/gu, "").toLowerCase();
}

/** What the author alone vouches for. */
function isAuthorsView({ type }: ResearchSentence): boolean {
  return type === "OPINION" || type === "FORECAST";
}

function isUnsourced({ sources }: ResearchSentence): boolean {
  return sources.length === 0;
}

function listed(what: string, items: readonly { id: string }[]): string | null {
  return items.length === 0 ? null : `${what}: ${examples(items.map(({ id }) => id))}`;
}
