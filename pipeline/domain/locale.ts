/** The locales in which cards are made. */

export const LOCALES = ["ko-KR", "en-US"] as const;
export type Locale = (typeof LOCALES)[number];
