/**
 * The headline: one dominant figure and two beside it, or, where the channel's policy wants equal prominence, all of
 * them and their companions at one size. What could not be shown is said in words.
 */
import type { ReactNode } from "react";
import type { Card, ShownFigure } from "../../../pipeline/schema/card.ts";
import { WORDS } from "../../locales/index.ts";
import { Label, Notes, Value } from "./bound.tsx";
import { fitClass, widthInEm } from "./fit.ts";
import { byReason, Names } from "./unavailable.tsx";

export function Tiles({ card }: { card: Card }): ReactNode {
  return (
    <section className="headline" data-where="tiles">
      {card.tiles.length === 0 ? null : card.prominence === "equal" ? <Equal card={card} /> : <Led card={card} />}
      {card.unavailable_headlines.length === 0 ? null : <Missing card={card} />}
    </section>
  );
}

function Led({ card }: { card: Card }): ReactNode {
  const [dominant, ...others] = card.tiles;
  return (
    <div className="tiles">
      {dominant === undefined ? null : <Tile shown={dominant} fit={fitOf([dominant])} isDominant />}
      <div className="tiles-beside">
        {others.map((shown) => (
          <Tile shown={shown} fit={fitOf([shown])} key={shown.figure} />
        ))}
      </div>
    </div>
  );
}

/** The widest decides the size of all. The companions follow the first tile, for most belong to it. */
function Equal({ card }: { card: Card }): ReactNode {
  const [first, ...others] = card.tiles;
  const fit = fitOf([...card.tiles, ...card.companions]);
  const asTile = (shown: ShownFigure) => <Tile shown={shown} fit={fit} key={shown.figure} />;
  return (
    <div className="tiles-equal">
      {first === undefined ? null : asTile(first)}
      {card.companions.map((shown) => (
        <Tile shown={shown} fit={fit} isCompanion key={shown.figure} />
      ))}
      {others.map(asTile)}
    </div>
  );
}

function fitOf(figures: readonly ShownFigure[]): string {
  const texts = figures.map(({ printed, unit_word }) => `${printed ?? ""}${unit_word ?? ""}`);
  const widest = texts.reduce((most, text) => (widthInEm(text) > widthInEm(most) ? text : most), "");
  return fitClass(widest, [4.7, 5.7, 7.4, 10]);
}

function Tile(props: { shown: ShownFigure; fit: string; isDominant?: boolean; isCompanion?: boolean }): ReactNode {
  const { shown, fit, isDominant = false, isCompanion = false } = props;
  return (
    <div className={isDominant ? "tile tile-dominant" : "tile"} data-row="">
      <p className="tile-label">
        <Label shown={shown} />
      </p>
      <p
        className={shown.printed === null ? "tile-absent" : `tile-figure ${fit}`}
        {...(isCompanion ? {} : { "data-tile": "" })}
      >
        <Value shown={shown} />
      </p>
      <p className="tile-notes">
        <Notes lines={shown.notes} />
      </p>
    </div>
  );
}

function Missing({ card }: { card: Card }): ReactNode {
  return (
    <dl className="missing">
      <dt className="missing-title">{WORDS[card.locale].headlines_missing}</dt>
      {byReason(card.unavailable_headlines).map((group) => (
        <dd key={group[0]!.figure}>
          <span className="missing-label">
            <Names group={group} />
          </span>
          <span className="missing-words">
            {group[0]!.words}
            <Notes lines={group[0]!.notes} />
          </span>
        </dd>
      ))}
    </dl>
  );
}
