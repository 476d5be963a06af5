/**
 * A line of text into its sentences, with their offsets: each is judged alone, so that an innocent neighbour excuses nothing.
 * Boundaries are Unicode's; one after an abbreviation or an initial is none, nor one within a word that is dotted apart.
 */
export interface TextPart {
  text: string;
  /** UTF-16 offset of the part in the line. */
  start: number;
}

const SEGMENTS = new Intl.Segmenter("und", { granularity: "sentence" });
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}\.)*(?:\p{Lu}|No|Nos|vs|Inc|Corp|Co|Ltd|approx|est|incl|e\.g|i\.e|etc|Mr|Ms|Dr|St|cf|Art|Sec|Fig)\.\s*$/u;

export function splitSentences(line: string): TextPart[] {
  const parts: TextPart[] = [];
  for (const { segment, index } of SEGMENTS.segment(line)) {
    const before = parts.at(-1);
    if (before !== undefined && (ABBREVIATION.test(before.text) || apart(before.text, segment))) before.text += segment;
    else parts.push({ text: segment, start: index });
  }
  return parts.filter(({ text }) => text.trim() !== "");
}

/** 원.금.보.장 and 원. 금. 보. 장: a syllable that stands alone ends no sentence when the next stands alone or right beside. */
function apart(before: string, after: string): boolean {
  return (
    /(?:^|[\s.])[가-힣]\.$/u.test(before) || (/(?:^|[\s.])[가-힣]\.\s+$/u.test(before) && /^[가-힣][.\s]/u.test(after))
  );
}
