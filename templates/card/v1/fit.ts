/** Type size by how wide a text will be, as a class: layout without script and without overflow. Pure. */

/** Rough advance in em: Hangul and other wide letters 0.9, digits and capitals 0.62, the rest 0.5. */
export function widthInEm(text: string): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x1100) width += code >= 0x2000 && code < 0x2e80 ? 0.6 : 0.9;
    else if (/[0-9A-Z%+$]/.test(character)) width += 0.64;
    else if (/[.,:;|' ]/.test(character)) width += 0.28;
    else width += 0.54;
  }
  return width;
}

/** `fit-0` for the shortest to `fit-n`: the number of limits (in em) that the text exceeds. */
export function fitClass(text: string, limits: readonly number[]): string {
  const width = widthInEm(text);
  return `fit-${limits.filter((limit) => width > limit).length}`;
}
