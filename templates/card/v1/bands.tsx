/**
 * What a cropped picture must still say: DEMONSTRATION DATA and BLOCKED, as bands between sections and as rails down
 * both margins. Nothing is drawn over a figure but the one diagonal mark of a blocked card.
 */
import type { ReactNode } from "react";
import type { Card } from "../../../pipeline/schema/card.ts";
import { WORDS } from "../../locales/index.ts";

export type BandKind = "BLOCKED" | null;

export function Band({ card, band }: { card: Card; band: BandKind }): ReactNode {
  const words = WORDS[card.locale].bands;
  return (
    <>
      {band === "BLOCKED" && <Strip kind="blocked" mark={words.blocked} words={words.blocked_words} />}
      {card.is_demonstration && (
        <Strip kind="demonstration" mark={words.demonstration} words={words.demonstration_words} />
      )}
    </>
  );
}

function Strip({ kind, mark, words }: { kind: string; mark: string; words: string }): ReactNode {
  return (
    <p className={`band band-${kind}`}>
      <strong>{mark}</strong> <span>{words}</span>{" "}
      <strong className="band-repeat" aria-hidden="true">
        {mark}
      </strong>
    </p>
  );
}

const RAIL_MARKS = ["a", "b", "c", "d", "e", "f", "g"];

/** Spread over the height, however long the page is: a crop of any section has one beside it. */
export function Rails({ card, band }: { card: Card; band: BandKind }): ReactNode {
  const words = WORDS[card.locale].bands;
  const mark = band === "BLOCKED" ? words.blocked : card.is_demonstration ? words.demonstration : null;
  if (mark === null) return null;
  const kind = band === "BLOCKED" ? "blocked" : "demonstration";
  return ["left", "right"].map((side) => (
    <div className={`rail rail-${side} rail-${kind}`} aria-hidden="true" key={side}>
      {RAIL_MARKS.map((key) => (
        <span key={key}>{mark} </span>
      ))}
    </div>
  ));
}

export function Diagonal({ card, band }: { card: Card; band: BandKind }): ReactNode {
  if (band !== "BLOCKED") return null;
  return (
    <div className="diagonal" aria-hidden="true">
      <span>{WORDS[card.locale].bands.blocked}</span> <span>{WORDS[card.locale].bands.blocked}</span>{" "}
      <span>{WORDS[card.locale].bands.blocked}</span>
    </div>
  );
}
