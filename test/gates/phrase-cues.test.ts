/** Cues only spare a search that would find nothing: on every line of the corpora the answers are the same with and without. */
import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { openAnalysers } from "../../pipeline/compose/language/open.ts";
import { LOCALES } from "../../pipeline/domain/locale.ts";
import { findPhrases, toLine } from "../../pipeline/domain/phrase.ts";
import { cuesOf, lacksCues, lemmasOf } from "../../pipeline/domain/phrase-cues.ts";
import { loadPolicy } from "../../pipeline/gates/policy/load.ts";

const analysers = await openAnalysers();
const policy = loadPolicy("internal-review");
const classes = { sure: ["certain", "beyond doubt"], loss: ["loss", "<fall>"], fall: ["drop/VERB"], tag: ["</NOUN>"] };

test.each<[string, string[][]]>([
  ["<sure>", [["certain", "beyond"]]],
  [
    "<sure><*3><loss>",
    [
      ["certain", "beyond"],
      ["loss", "drop"],
    ],
  ],
  ["<sure>?<loss>", [["loss", "drop"]]],
  ["<sure>|<loss>", [["certain", "beyond", "loss", "drop"]]],
  ["(?:<sure>|<tag>)<loss>", [["loss", "drop"]]],
  ["(?!<sure>)<loss>", [["loss", "drop"]]],
  [
    "<sure>(?<n>\\d+)/NUM <'gain|win'>",
    [
      ["certain", "beyond"],
      ["gain", "win"],
    ],
  ],
  ["<tag>", []],
  ["plain/\\S+ ", []],
])("%s needs %j", (pattern, expected) => {
  const cues = cuesOf(pattern, classes).map((cue) => [...cue].sort());
  expect(cues).toEqual(expected.map((cue) => cue.toSorted()));
});

describe.each(LOCALES)("in %s", (locale) => {
  const lexicon = policy.lexicons[locale];
  const lines = [`../gates/corpus/${locale}.jsonl`, `../gates/corpus/dev/${locale}.jsonl`].flatMap((file) =>
    readFileSync(new URL(file, import.meta.url), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => toLine(analysers[locale].analyse(JSON.parse(line).text, { names: lexicon.names }))),
  );

  it("a line that lacks a rule's cues is none that the rule matches", () => {
    const wrong = lexicon.rules.flatMap((rule) => {
      const cues = cuesOf(rule.pattern, lexicon.classes);
      return lines
        .filter((line) => lacksCues(cues, lemmasOf(line)) && findPhrases(line, rule, lexicon.classes).length > 0)
        .map((line) => `${rule.id}: ${line}`);
    });
    expect(wrong).toEqual([]);
  });
});
