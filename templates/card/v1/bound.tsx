/**
 * The only elements that may hold a numeral. A figure is bound by `data-fact` with its exact value; every other numeral
 * stands in an element of a class whose whole text equals the field that `data-of` names. A window's label and its figure
 * share an element marked `data-row`, or a column of a table. Readback relies on all of it. `data-absent` names the figure
 * in whose place words stand.
 */
import type { ReactNode } from "react";
import type { Inline, ShownFigure } from "../../../pipeline/schema/card.ts";

type FigureKind = ShownFigure["kind"];

export function Bound(props: {
  figure: string;
  kind: FigureKind;
  value: string;
  printed: string;
  className?: string | undefined;
}): ReactNode {
  const { figure, kind, value, printed } = props;
  const className = `figure${props.className ? ` ${props.className}` : ""}`;
  if (kind === "date") {
    return (
      <time className={className} dateTime={value} data-fact={figure}>
        {printed}
      </time>
    );
  }
  return (
    <data className={className} value={value} data-fact={figure}>
      {printed}
    </data>
  );
}

export function Classed(props: {
  numeral: "label" | "entity" | "identifier" | "ordinal" | "legal";
  of: string;
  className?: string;
  children: string;
}): ReactNode {
  return (
    <span className={props.className} data-numeral={props.numeral} data-of={props.of}>
      {props.children}
    </span>
  );
}

/** Window label of a figure: 3개월. */
export function WindowOf({ of, children }: { of: string; children: string | null }): ReactNode {
  if (children === null) return null;
  return (
    <Classed numeral="label" of={of} className="window">
      {children}
    </Classed>
  );
}

/** The figure with its unit word, or the reason in words where it would stand. */
export function Value({ shown, short = false }: { shown: ShownFigure; short?: boolean }): ReactNode {
  if (shown.printed === null || shown.value === null) {
    return (
      <span className="unavailable" data-absent={shown.figure}>
        {short ? shown.words_short : shown.words}
      </span>
    );
  }
  return (
    <>
      <Bound
        figure={shown.figure}
        kind={shown.kind}
        value={shown.value}
        printed={shown.printed}
        className={shown.tone === null ? undefined : `tone-${shown.tone}`}
      />
      {shown.unit_word === null ? null : <span className="unit">{shown.unit_word}</span>}
    </>
  );
}

export function Label({ shown }: { shown: ShownFigure }): ReactNode {
  return (
    <>
      {shown.label}
      {shown.window_label === null ? null : " "}
      <WindowOf of={shown.figure}>{shown.window_label}</WindowOf>
    </>
  );
}

export function Notes({ lines }: { lines: readonly (readonly Inline[])[] }): ReactNode {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: static markup, rendered once
    <span className="note" key={index}>
      {line.map((run, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: static markup, rendered once
        <InlineRun run={run} key={position} />
      ))}
    </span>
  ));
}

export function InlineRun({ run }: { run: Inline }): ReactNode {
  switch (run.kind) {
    case "words":
      return run.text;
    case "figure":
      return <Bound figure={run.figure} kind={run.figure_kind} value={run.value} printed={run.printed} />;
    case "classed":
      return (
        <Classed numeral={run.numeral} of={run.of}>
          {run.text}
        </Classed>
      );
  }
}
