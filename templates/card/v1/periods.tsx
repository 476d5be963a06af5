/** Returns by period. On a narrow page each row becomes a small grid whose cells repeat their window. */
import type { ReactNode } from "react";
import type { Card, PeriodCell } from "../../../pipeline/schema/card.ts";
import { WORDS } from "../../locales/index.ts";
import { Classed, Value, WindowOf } from "./bound.tsx";
import { fitClass, widthInEm } from "./fit.ts";

export function Periods({ card }: { card: Card }): ReactNode {
  const words = WORDS[card.locale].periods;
  const { windows, rows, notes } = card.periods;
  return (
    <section className="periods" aria-labelledby="periods-title" data-where="periods">
      <div className="section-head">
        <h2 id="periods-title">{words.title}</h2>
        <p className="section-note">{words.note}</p>
      </div>
      <table aria-label={words.caption} className={fitClass(widest(card), [5.4])}>
        <thead>
          <tr>
            <td />
            {windows.map((column) => (
              <th scope="col" key={column.window}>
                <WindowOf of={column.of}>{column.label}</WindowOf>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={row.id === "total_return" ? "row-own" : undefined}>
              <th scope="row">
                {row.label}
                {row.entity === null ? null : (
                  <Classed numeral="entity" of={row.entity.of} className="row-entity">
                    {row.entity.text}
                  </Classed>
                )}
              </th>
              {row.cells.map((cell, index) => {
                const column = windows[index]!;
                return (
                  <td key={column.window}>
                    <span className="cell-window">
                      <WindowOf of={column.of}>{column.label}</WindowOf>
                    </span>
                    <Cell cell={cell} annualised={words.annualised} undefinedWords={words.undefined} />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="table-notes">{notes.join(" ")}</p>
    </section>
  );
}

function Cell(props: { cell: PeriodCell | null; annualised: string; undefinedWords: string }): ReactNode {
  const { cell } = props;
  if (cell === null) {
    return (
      <span className="not-defined" role="img" aria-label={props.undefinedWords}>
        –
      </span>
    );
  }
  return (
    <>
      <Value shown={cell.shown} short />
      {cell.annualised === null ? null : (
        <span className="annualised">
          {props.annualised} <Value shown={cell.annualised} />
        </span>
      )}
    </>
  );
}

function widest(card: Card): string {
  const texts = card.periods.rows.flatMap((row) => row.cells.map((cell) => cell?.shown.printed ?? ""));
  return texts.reduce((widestYet, text) => (widthInEm(text) > widthInEm(widestYet) ? text : widestYet), "");
}
