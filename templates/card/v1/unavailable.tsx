/** Figures that could not be had: those with the same reason share one line that names them all. */
import { Fragment, type ReactNode } from "react";
import type { ShownFigure } from "../../../pipeline/schema/card.ts";
import { Label } from "./bound.tsx";

export function Names({ group }: { group: readonly ShownFigure[] }): ReactNode {
  return group.map((member, index) => (
    <Fragment key={member.figure}>
      {index === 0 ? null : ", "}
      <span className="fact-name" data-absent={member.figure}>
        <Label shown={member} />
      </span>
    </Fragment>
  ));
}

/** Figures in order, the unavailable ones joined with those of the same words; a figure with notes stands alone. */
export function byReason(figures: readonly ShownFigure[]): ShownFigure[][] {
  const groups: ShownFigure[][] = [];
  const byWords = new Map<string, ShownFigure[]>();
  for (const shown of figures) {
    const known = shown.printed === null && shown.notes.length === 0 ? byWords.get(shown.words ?? "") : undefined;
    if (known !== undefined) {
      known.push(shown);
      continue;
    }
    const group = [shown];
    groups.push(group);
    if (shown.printed === null && shown.notes.length === 0) byWords.set(shown.words ?? "", group);
  }
  const isShown = (group: ShownFigure[]) => group[0]!.printed !== null;
  return [...groups.filter(isShown), ...groups.filter((group) => !isShown(group))];
}
