/** Parts that research documents share: a sentence in every locale, who wrote it, its dates. Text is bounded and shows what it holds. */
import { z } from "zod";
import { isDate } from "../domain/date.ts";
import type { Locale } from "../domain/locale.ts";

export const date = z.string().refine(isDate, "must be a calendar date YYYY-MM-DD");
export const slug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "lower-case letters, digits and hyphens");

/** One line without control or invisible characters: what a person reads is what is there. */
export const line = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/\S/u, "must not be empty")
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, "must be one line without control or invisible characters");

export const prose = z.strictObject({ "ko-KR": line(600), "en-US": line(600) } satisfies Record<Locale, z.ZodType>);
export type Prose = z.infer<typeof prose>;

export const person = z.strictObject({ name: line(100), role: line(100) });
export type Person = z.infer<typeof person>;
