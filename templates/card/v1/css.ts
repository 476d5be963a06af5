/** The style sheet of card/v1, read once from beside this file. */
import { readFileSync } from "node:fs";

let text: string | undefined;

export function cardCss(): string {
  text ??= readFileSync(new URL("./card.css", import.meta.url), "utf8");
  return text;
}
