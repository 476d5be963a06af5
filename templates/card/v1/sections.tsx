/**
 * Label and value, section by section. Neighbours that are unavailable for the same reason share one line that names
 * them all, so that a thinly sourced product reads as a statement and not as a column of apologies.
 */
import type { ReactNode } from "react";
import type { Card, CardSection, ShownFigure } from "../../../pipeline/schema/card.ts";
import { Label, Notes, Value } from "./bound.tsx";
import { byReason, Names } from "./unavailable.tsx";

export function Sections({ card }: { card: Card }): ReactNode {
  return (
    <div className="sections">
      {inColumns(card.sections).map((column) => (
        <div className="column" key={column[0]?.id ?? "empty"}>
          {column.map((section) => (
            <Section section={section} key={section.id} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Section({ section }: { section: CardSection }): ReactNode {
  const titleId = `section-${section.id}`;
  return (
    <section className="facts" aria-labelledby={titleId} data-where={section.id}>
      <h2 id={titleId}>{section.title}</h2>
      {section.note === null ? null : <p className="facts-note">{section.note}</p>}
      <dl>
        {byReason(section.figures).map((group) => (
          <Row group={group} key={group[0]!.figure} />
        ))}
      </dl>
    </section>
  );
}

function Row({ group }: { group: ShownFigure[] }): ReactNode {
  const [shown] = group;
  if (shown === undefined) return null;
  if (shown.printed !== null) {
    return (
      <div className={shown.kind === "text" ? "fact fact-text" : "fact"} data-row="">
        <dt>
          <Label shown={shown} />
        </dt>
        <dd>
          <span className="fact-value">
            <Value shown={shown} />
          </span>
          <Notes lines={shown.notes} />
        </dd>
      </div>
    );
  }
  return (
    <div className="fact fact-unavailable">
      <dt>
        <Names group={group} />
      </dt>
      <dd>
        <span className="unavailable">{shown.words}</span>
        <Notes lines={shown.notes} />
      </dd>
    </div>
  );
}

/** Each section under the shorter of two columns, in order, so that neither ends far above the other. */
function inColumns(sections: readonly CardSection[]): CardSection[][] {
  const columns: { height: number; sections: CardSection[] }[] = [
    { height: 0, sections: [] },
    { height: 0, sections: [] },
  ];
  for (const section of sections) {
    const shorter = columns[0]!.height <= columns[1]!.height ? columns[0]! : columns[1]!;
    shorter.sections.push(section);
    shorter.height += heightOf(section);
  }
  return columns.map((column) => column.sections).filter((column) => column.length > 0);
}

/** In lines, roughly: a heading counts three, an unavailable group its names and its words. */
function heightOf(section: CardSection): number {
  return byReason(section.figures).reduce(
    (height, group) =>
      height + 1.7 + group[0]!.notes.length * 0.9 + (group[0]!.printed === null ? 0.6 + group.length * 0.4 : 0),
    section.note === null ? 3 : 4,
  );
}
