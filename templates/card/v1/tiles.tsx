/** The headline: one dominant figure, two beside it, and in words what could not be shown. */
import type { ReactNode } from "react";
import type { Card, ShownFigure } from "../../../pipeline/schema/card.ts";
import { WORDS } from "../../locales/index.ts";
import { Label, Notes, Value } from "./bound.tsx";
import { fitClass } from "./fit.ts";
import { byReason, Names } from "./unavailable.tsx";

export function Tiles({ card }: { card: Card }): ReactNode {
  const [dominant, ...others] = card.tiles;
  return (
    <section className="headline" data-where="tiles">
      {dominant === undefined ? null : (
        <div className="tiles">
          <Tile shown={dominant} isDominant />
          <div className="tiles-beside">
            {others.map((shown) => (
              <Tile shown={shown} isDominant={false} key={shown.figure} />
            ))}
          </div>
        </div>
      )}
      {card.unavailable_headlines.length === 0 ? null : <Missing card={card} />}
    </section>
  );
}

function Tile({ shown, isDominant }: { shown: ShownFigure; isDominant: boolean }): ReactNode {
  const text = `${shown.printed ?? ""}${shown.unit_word ?? ""}`;
  return (
    <div className={isDominant ? "tile tile-dominant" : "tile"} data-row="">
      <p className="tile-label">
        <Label shown={shown} />
      </p>
      <p className={`tile-figure ${fitClass(text, [4.7, 5.7, 7.4, 10])}`} data-tile="">
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
