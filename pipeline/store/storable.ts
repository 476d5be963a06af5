/** What Postgres text cannot hold: NUL and half of a surrogate pair. Hostile names carry both; refused with their place. */
import { AssayError } from "../domain/outcome.ts";

export function assertStorable(value: unknown, path = "$"): void {
  if (typeof value === "string") {
    if (value.includes("\0") || /\p{Surrogate}/u.test(value)) {
      throw new AssayError("TEXT_NOT_STORABLE", `${path} holds a NUL or a broken character`, { at: path });
    }
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      assertStorable(item, `${path}[${index}]`);
    });
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      assertStorable(key, `${path} (a key)`);
      assertStorable(item, `${path}.${key}`);
    }
  }
}
