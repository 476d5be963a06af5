/** The shape of a method that comes with the release: an id that stays, and the same three texts that a user's method has. */
import { contentHash, type ExpertEntry, type Method, methodSchema } from "../../../schema/expert.ts";

export function builtinMethod(name: string, method: Method): ExpertEntry {
  const checked = methodSchema.parse(method);
  return { agent_id: `builtin/${name}`, revision: null, content_hash: contentHash(checked), method: checked };
}
