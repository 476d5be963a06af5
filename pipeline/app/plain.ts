/** Text of others on its way to a terminal: what moves the cursor or hides is shown as a mark. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => (character === "\n" ? character : "\ufffd"));
}

/** The beginning, on one line. */
export function brief(text: string, most = 72): string {
  const line = plain(text).replaceAll(/\s+/g, " ");
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
