/**
 * `assay check-text`: judges one sentence a line with the sentence rules of a channel, so that a person can try a sentence
 * before using it. A line that cannot be judged is blocked and the rest goes on. Ends with 0 whatever the verdicts.
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { type Analysers, openAnalysers } from "../../compose/language/open.ts";
import { namesOf, plainSentences } from "../../compose/plain-sentences.ts";
import { LOCALES, type Locale } from "../../domain/locale.ts";
import { AssayError } from "../../domain/outcome.ts";
import { judgeText } from "../../gates/judge-text.ts";
import { type LoadedPolicy, loadPolicy } from "../../gates/policy/load.ts";
import { type Finding, VERDICTS, type Verdict } from "../../schema/verdict.ts";

export const DEFAULT_CHANNEL = "internal-review";
const MAX_BYTES = 16 * 1024 * 1024;
const DISCLAIMER = "A rule that did not fire certifies neither facts nor regulation.";

interface LineVerdict {
  line: number;
  text: string;
  verdict: Verdict;
  findings: Pick<Finding, "code" | "severity" | "span" | "gate" | "detail" | "remedy">[];
}

export async function checkText(
  file: string,
  options: { locale?: string; channel?: string; json?: boolean },
): Promise<void> {
  if (options.locale !== undefined && !(LOCALES as readonly string[]).includes(options.locale)) {
    throw new AssayError("LOCALE_UNKNOWN", `no locale ${JSON.stringify(options.locale.slice(0, 20))}`, {
      hint: `one of ${LOCALES.join(", ")}; without --locale a line with Hangul is Korean`,
    });
  }
  const policy = loadPolicy(options.channel ?? DEFAULT_CHANNEL);
  const text = await readText(file);
  const analysers = await openAnalysers();
  const counts: Record<Verdict, number> = { PASS: 0, REVIEW: 0, BLOCK: 0 };
  for (const [index, raw] of text.split(/\r\n|[\n\r]/).entries()) {
    if (raw.trim() === "") continue;
    const judged = judgeLine(policy, analysers, index + 1, raw, options.locale as Locale | undefined);
    counts[judged.verdict] += 1;
    process.stdout.write(options.json ? `${JSON.stringify(judged)}\n` : inWords(judged));
  }
  if (!options.json) {
    const summary = VERDICTS.map((verdict) => `${counts[verdict]} ${verdict}`).join(", ");
    process.stdout.write(`\n${summary} on ${policy.policy.channel} v${policy.policy.version}. ${DISCLAIMER}\n`);
  }
}

function judgeLine(
  policy: LoadedPolicy,
  analysers: Analysers,
  line: number,
  text: string,
  asked: Locale | undefined,
): LineVerdict {
  const locale = asked ?? (/\p{Script=Hangul}/u.test(text) ? "ko-KR" : "en-US");
  try {
    const names = namesOf(policy.lexicons);
    const sentences = plainSentences(analysers, { id: `line/${line}`, text, locale, names });
    const { verdict, findings } = judgeText(policy, sentences);
    const starts = new Map(sentences.map(({ id, start }) => [id, start]));
    return {
      line,
      text,
      verdict,
      findings: told(findings).map(({ gate, code, severity, subject, detail, remedy, span }) => {
        const start = starts.get(subject) ?? 0;
        const place: [number, number] = span === undefined ? [0, text.length] : [start + span[0], start + span[1]];
        return { code, severity, span: place, gate, detail, remedy };
      }),
    };
  } catch (fault) {
    if (!(fault instanceof AssayError)) throw fault;
    return {
      line,
      text,
      verdict: "BLOCK",
      findings: [
        {
          code: "GATE_FAULT",
          severity: "BLOCK",
          span: [0, text.length],
          gate: "check-text",
          detail: `${fault.code}: ${fault.message}`,
          remedy: "a line that cannot be judged is blocked; shorten it or write it in plain characters",
        },
      ],
    };
  }
}

/** A rule that fires in both readings of a text is told once. */
function told(findings: readonly Finding[]): Finding[] {
  const isFirst = ({ code, span }: Finding, index: number) =>
    findings.findIndex((other) => other.code === code && String(other.span) === String(span)) === index;
  return findings.filter(isFirst);
}

/** FILE, or standard input for `-`: UTF-8, bounded. */
async function readText(file: string): Promise<string> {
  if (file !== "-") {
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) {
      throw new AssayError("FILE_MISSING", `${file} is no file`, {
        hint: "give a text file, one sentence a line, or -",
      });
    }
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file === "-" ? process.stdin : createReadStream(file)) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) throw new AssayError("FILE_TOO_LARGE", `more than ${MAX_BYTES} bytes`, { hint: "split it" });
    chunks.push(chunk as Buffer);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new AssayError("FILE_ENCODING", `${file} is not UTF-8`, { hint: "save it as UTF-8" });
  }
}

function inWords({ line, text, verdict, findings }: LineVerdict): string {
  const rows = findings.map(
    ({ code, severity, detail, remedy }) => `      ${severity} ${code} ${detail}\n        → ${remedy}\n`,
  );
  return `${String(line).padStart(4)}  ${verdict.padEnd(6)}  ${visible(text)}\n${rows.map(visible).join("")}`;
}

/** Controls of a hostile file must not reach the terminal. */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === "\n" ? character : "\ufffd"));
}
