/** The whole page of one card, in reading order. Draws the card view; calculates nothing and adds no numeral. */
import type { ReactNode } from "react";
import type { Card } from "../../../pipeline/schema/card.ts";
import { Band, type BandKind, Diagonal, Rails } from "./bands.tsx";
import { Chart } from "./chart.tsx";
import { Claims } from "./claims.tsx";
import { Disclosures, MadeWith, SealStrip } from "./foot.tsx";
import { Clocks, Header } from "./header.tsx";
import { Periods } from "./periods.tsx";
import { Sections } from "./sections.tsx";
import { Tiles } from "./tiles.tsx";

export function CardPage({ card, band }: { card: Card; band: BandKind }): ReactNode {
  const between = <Band card={card} band={band} />;
  return (
    <div className={`card locale-${card.locale.slice(0, 2)}`}>
      <main className="content">
        <Rails card={card} band={band} />
        <Diagonal card={card} band={band} />
        {between}
        <Header card={card} />
        <Clocks card={card} />
        <Tiles card={card} />
        <Chart card={card} />
        {between}
        <Periods card={card} />
        <Claims card={card} />
        <Sections card={card} />
        {between}
        <Disclosures card={card} />
        <MadeWith card={card} />
      </main>
      <footer>
        <SealStrip card={card} />
      </footer>
    </div>
  );
}
