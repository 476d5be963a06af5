/**
 * Reads the manifest of a channel and its disclosure texts from the files beside this one, and refuses one that lowers a
 * severity, names a gate twice or a text that does not exist. The only file of this folder that does I/O.
 */
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { digestOf, type Sha256 } from "../../domain/digest.ts";
import { LOCALES, type Locale } from "../../domain/locale.ts";
import { AssayError } from "../../domain/outcome.ts";
import { compiled } from "../../domain/phrase.ts";
import { type Lexicon, lexiconSchema } from "../../schema/lexicon.ts";
import { disclosuresSchema, type Policy, policySchema } from "../../schema/policy.ts";
import { ALWAYS_CODES, BLOCKS_BY_RULE, type CodeTerms } from "../gate.ts";
import { GATES } from "../index.ts";

export type DisclosureTexts = Record<string, Record<Locale, string>>;

export interface LoadedPolicy {
  policy: Policy;
  /** Over the manifest, the texts of its disclosures and its lexicons. */
  digest: Sha256;
  disclosures: DisclosureTexts;
  lexicons: Record<Locale, Lexicon>;
}

const FOLDER = new URL("./", import.meta.url);

/** The highest version of the channel's manifest. Throws POLICY_UNKNOWN or POLICY_INVALID. */
export function loadPolicy(channel: string, folder: URL = FOLDER): LoadedPolicy {
  const manifests = readdirSync(folder)
    .map((file) => /^([a-z0-9-]+)\.v(\d+)\.yaml$/.exec(file))
    .filter((match) => match !== null && match[1] !== "disclosures")
    .map((match) => ({ file: match![0], channel: match![1]!, version: Number(match![2]) }));
  const [newest] = manifests
    .filter((manifest) => manifest.channel === channel)
    .sort((left, right) => right.version - left.version);
  if (newest === undefined) {
    const known = [...new Set(manifests.map((manifest) => manifest.channel))].sort().join(", ");
    throw new AssayError("POLICY_UNKNOWN", `no policy for channel ${JSON.stringify(channel.slice(0, 64))}`, {
      hint: `known channels: ${known || "none"}`,
    });
  }
  const policy = checked(policySchema, newest.file, folder);
  if (policy.channel !== channel || policy.version !== newest.version) {
    refuse(newest.file, `says ${policy.channel} version ${policy.version}`);
  }
  const { texts } = checked(disclosuresSchema, policy.disclosures.file, folder);
  assertGates(policy, newest.file);
  assertTexts(policy, texts, newest.file);
  const disclosures = Object.fromEntries(Object.entries(texts).map(([id, { text }]) => [id, text]));
  const lexicons = Object.fromEntries(
    LOCALES.map((locale) => [locale, lexiconOf(policy.lexicons[locale], locale, folder)]),
  ) as Record<Locale, Lexicon>;
  return { policy, digest: digestOf("gate_policy", { policy, texts, lexicons }), disclosures, lexicons };
}

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: Issue[] } };
}
interface Issue {
  path: PropertyKey[];
  message: string;
}

function checked<T>(schema: Schema<T>, file: string, folder: URL): T {
  let document: unknown;
  try {
    document = parse(readFileSync(new URL(file, folder), "utf8"), { maxAliasCount: 0 });
  } catch (cause) {
    throw new AssayError("POLICY_INVALID", `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
  const result = schema.safeParse(document);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return refuse(file, `${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "malformed"}`);
}

/** Every pattern is compiled here, so that a bad one is refused with its rule's name and not in the middle of a batch. */
function lexiconOf(file: string, locale: Locale, folder: URL): Lexicon {
  const lexicon = checked(lexiconSchema, file, folder);
  if (lexicon.locale !== locale) refuse(file, `is of ${lexicon.locale}, not of ${locale}`);
  const codes = new Set(GATES.flatMap((gate) => Object.keys(gate.codes)));
  const ids = new Set<string>();
  for (const rule of lexicon.rules) {
    if (ids.has(rule.id)) refuse(file, `has two rules ${rule.id}`);
    ids.add(rule.id);
    if (!codes.has(rule.code)) refuse(file, `rule ${rule.id} raises ${rule.code}, which no gate reports`);
    if (lexicon.origins[rule.origin] === undefined)
      refuse(file, `rule ${rule.id} names origin ${rule.origin}, unknown`);
    for (const pattern of [rule.pattern, ...rule.unless, ...rule.unless_before, ...rule.unless_after]) {
      try {
        compiled(pattern, lexicon.classes);
      } catch (fault) {
        refuse(file, `rule ${rule.id}: ${(fault as Error).message}`);
      }
    }
  }
  // A lexicon that says nothing of a code would make its gate pass whatever is written.
  for (const code of LEXICAL_CODES) {
    if (!lexicon.rules.some((rule) => rule.code === code)) refuse(file, `has no rule of ${code}`);
  }
  return lexicon;
}

const LEXICAL_CODES = GATES.filter(({ stage }) => stage === "sentences").flatMap((gate) =>
  Object.entries(gate.codes).flatMap(([code, terms]: [string, CodeTerms]) =>
    terms.blocks_when?.includes(BLOCKS_BY_RULE) ? [code] : [],
  ),
);

function assertGates(policy: Policy, file: string): void {
  const ids = policy.gates.map(({ gate }) => gate);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) refuse(file, `names gate ${twice} more than once`);
  for (const [code, severity] of Object.entries(policy.severities)) {
    const floors = [...GATES.map((gate) => gate.codes), ALWAYS_CODES].flatMap(
      (codes: Record<string, { severity: string }>) => (codes[code] === undefined ? [] : [codes[code].severity]),
    );
    if (floors.length === 0) refuse(file, `raises ${code}, which no gate reports`);
    if (severity === "REVIEW" && floors.includes("BLOCK")) refuse(file, `lowers ${code}, which blocks`);
  }
}

function assertTexts(
  policy: Policy,
  texts: Record<string, { text: Partial<Record<Locale, string>> }>,
  file: string,
): void {
  const { all, by_product_type, when } = policy.disclosures;
  const ids = [
    ...all.ids,
    ...Object.values(by_product_type).flatMap((found) => found?.ids ?? []),
    ...Object.values(when),
    policy.ai_label.id,
  ];
  for (const id of ids) {
    const locale = LOCALES.find((candidate) => !texts[id]?.text[candidate]);
    if (locale !== undefined) refuse(file, `demands disclosure ${id}, which has no text in ${locale}`);
  }
}

function refuse(file: string, why: string): never {
  throw new AssayError("POLICY_INVALID", `${file} ${why}`, { hint: "correct the manifest; a policy is never guessed" });
}
