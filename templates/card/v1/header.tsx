/** Who the card is about: identifiers, names, badges, rank, and the three clocks named apart. */
import type { ReactNode } from "react";
import type { Card } from "../../../pipeline/schema/card.ts";
import { WORDS } from "../../locales/index.ts";
import { Classed, Label, Notes, Value, WindowOf } from "./bound.tsx";
import { fitClass } from "./fit.ts";

export function Header({ card }: { card: Card }): ReactNode {
  const { header } = card;
  return (
    <header className="masthead" data-where="header">
      <div className="identity">
        <p className="eyebrow">
          <Classed numeral="identifier" of="ticker" className="ticker">
            {header.ticker}
          </Classed>{" "}
          <span>{header.market_label}</span>{" "}
          <Classed numeral="entity" of="issuer">
            {header.issuer}
          </Classed>{" "}
          {header.isin === "" ? null : (
            <Classed numeral="identifier" of="isin">
              {header.isin}
            </Classed>
          )}
        </p>
        <h1 className={fitClass(header.name, [16, 24, 34])}>
          <Classed numeral="entity" of={header.name_of}>
            {header.name}
          </Classed>
        </h1>
        {header.name_other === "" ? null : (
          <p className="name-other">
            <Classed numeral="entity" of={header.name_other_of}>
              {header.name_other}
            </Classed>
          </p>
        )}
        <ul className="badges">
          {header.badges.map((badge) => (
            <li key={badge.text}>
              {badge.of === null ? (
                badge.text
              ) : (
                <Classed numeral="identifier" of={badge.of}>
                  {badge.text}
                </Classed>
              )}
            </li>
          ))}
        </ul>
      </div>
      <Rank card={card} />
    </header>
  );
}

function Rank({ card }: { card: Card }): ReactNode {
  const [count, rank] = card.header.rank;
  if (count === undefined || rank === undefined) return null;
  const words = WORDS[card.locale].rank;
  return (
    <div className="rank" data-row="">
      <p className="rank-among">
        {words.among_before} <Value shown={count} /> {words.among_after}
      </p>
      <p className="rank-figure">
        {words.rank_before === "" ? null : <span className="rank-word">{words.rank_before} </span>}
        <Value shown={rank} />
      </p>
      <p className="rank-among">
        <WindowOf of={rank.figure}>{rank.window_label}</WindowOf> {words.basis}
      </p>
    </div>
  );
}

export function Clocks({ card }: { card: Card }): ReactNode {
  return (
    <dl className="clocks" data-where="clocks">
      {card.clocks.map((clock) => (
        <div key={clock.figure}>
          <dt>
            <Label shown={clock} />
          </dt>
          <dd>
            <Value shown={clock} short />
            <Notes lines={clock.notes} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
