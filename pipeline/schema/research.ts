/**
 * A research definition: what its author holds about one product, until when, on which sources, and what would prove it
 * wrong. Sentences hold no figures, since the host prints those; digits stand only in names that the document declares.
 */
import { z } from "zod";
import type { Locale } from "../domain/locale.ts";
import { instrumentSchema } from "./instrument.ts";
import { date, line, person, prose, slug } from "./prose.ts";

export const RESEARCH_TYPES = ["OBSERVED", "REPORTED", "INFERRED", "OPINION", "FORECAST"] as const;

/** A title stands in one place on the card. */
const title = line(200);

const researchSentence = z.strictObject({
  id: slug,
  text: prose,
  /** Ids of `sources`. Empty is told by a gate, not refused: the file is sound, the sentence is not. */
  sources: z.array(slug).max(10),
  type: z.enum(RESEARCH_TYPES),
  /** The edge of the causal register that a sentence names when it says why. */
  causal_edge: slug.optional(),
});
export type ResearchSentence = z.infer<typeof researchSentence>;

export const RESEARCH_SECTIONS = [
  "thesis",
  "structure_notes",
  "risks",
  "competing_hypotheses",
  "counter_evidence",
  "falsifiers",
] as const;
export type ResearchSection = (typeof RESEARCH_SECTIONS)[number];

const section = z.array(researchSentence).max(12);

export const researchSchema = z
  .strictObject({
    schema: z.literal("research/v1"),
    instrument: instrumentSchema.shape.instrument,
    title: z.strictObject({ "ko-KR": title, "en-US": title } satisfies Record<Locale, z.ZodType>),
    author: person,
    written_on: date,
    /** Last day on which it may be used. */
    expires_on: date,
    horizon_months: z.number().int().min(1).max(120),
    /** Names with digits in them that its sentences use, such as `KTB 3-Year`. They let digits stand, and nothing else. */
    names: z
      .array(
        line(60)
          .regex(/\p{L}/u, "a name has letters")
          .regex(/\p{N}/u, "a name without a digit needs no leave")
          .regex(/^[^%‰$€₩]*$/u, "a figure is no name"),
      )
      .max(20)
      .default([]),
    sources: z
      .array(
        z.strictObject({
          id: slug,
          title,
          publisher: line(200),
          locator: line(500).optional(),
          /** Null: the source bears no date, which a gate tells. */
          published_on: date.nullable(),
          accessed_on: date,
        }),
      )
      .min(1)
      .max(30),
    thesis: section,
    structure_notes: section,
    risks: section,
    /** Other explanations of what the thesis explains. */
    competing_hypotheses: section,
    counter_evidence: section,
    falsifiers: section,
  })
  .superRefine((definition, context) => {
    const mistake = (message: string, path: PropertyKey[]) => context.addIssue({ code: "custom", message, path });
    const { written_on, expires_on, sources, names } = definition;
    if (expires_on < written_on) mistake("is before written_on", ["expires_on"]);
    for (const [index, { published_on, accessed_on }] of sources.entries()) {
      if (accessed_on > written_on) mistake("is after written_on", ["sources", index, "accessed_on"]);
      if (published_on !== null && published_on > accessed_on)
        mistake("is after accessed_on", ["sources", index, "published_on"]);
    }
    for (const index of repeated(sources.map(({ id }) => id))) mistake("is used twice", ["sources", index, "id"]);
    const sentences = sentencesOf(definition);
    for (const index of repeated(sentences.map(({ sentence }) => sentence.id))) {
      const { section, index: at } = sentences[index]!;
      mistake("is used twice", [section, at, "id"]);
    }
    const known = new Set(sources.map(({ id }) => id));
    const longestFirst = names.toSorted((one, other) => other.length - one.length);
    for (const { section, index, sentence } of sentences) {
      const unknown = sentence.sources.filter((id) => !known.has(id));
      if (unknown.length > 0)
        mistake(`names no source of this file: ${unknown.join(", ")}`, [section, index, "sources"]);
      for (const [locale, text] of Object.entries(sentence.text)) {
        const rest = longestFirst.reduce((left, name) => left.replaceAll(name, " "), text);
        if (/\p{N}/u.test(rest)) {
          mistake("holds a numeral: the host prints figures; a name with digits belongs under names", [
            section,
            index,
            "text",
            locale,
          ]);
        }
      }
    }
  });
export type ResearchDefinition = z.infer<typeof researchSchema>;

/** Whose a definition is that is otherwise not what it should be. */
export const researchOwnerSchema = z.looseObject({ instrument: instrumentSchema.shape.instrument });

/** Every sentence with its place, in the order of the sections. */
export function sentencesOf(definition: Pick<ResearchDefinition, ResearchSection>): {
  section: ResearchSection;
  index: number;
  sentence: ResearchSentence;
}[] {
  return RESEARCH_SECTIONS.flatMap((section) =>
    definition[section].map((sentence, index) => ({ section, index, sentence })),
  );
}

function repeated(ids: readonly string[]): number[] {
  return ids.flatMap((id, index) => (ids.indexOf(id) < index ? [index] : []));
}
