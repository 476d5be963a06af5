/**
 * The effect that a research run may propose: its own answer, as the host shows it, kept as a file. A person approves the very text;
 * another answer is another proposal. Where files lie is the program's to say.
 */
import { z } from "zod";
import { approvedEffect } from "../../agents/interactions/approved-effect.ts";
import type { Requests } from "../../agents/interactions/requests.ts";
import type { Tool } from "../../agents/tool.ts";
import { ANSWER } from "../../compose/tools/submit-answer.ts";
import { sha256 } from "../../domain/digest.ts";
import { type Answer, answerSchema } from "../../schema/answer.ts";

/** Handed to the root by its contract: what it handed in itself. */
export const ANSWER_OF_ROOT = `task:main/${ANSWER}`;
const TEXT_MAX = 20_000;

export interface AnswerFile {
  /** The answer as people are shown it. */
  present(answer: Answer): Promise<string>;
  /** Whole or not at all; gives the file's name. */
  write(rootId: string, text: string): Promise<string>;
}

export function saveAnswer(requests: Requests, terms: { open_ms: number }, file: AnswerFile): Tool {
  return approvedEffect(requests, terms, {
    name: "save_answer",
    version: "1",
    description: "Keep the answer that was handed in as a file.",
    input: z.strictObject({}),
    scope: (_, { root_id }) => ({ write: [`answers:${root_id}`] }),
    async prepare(_, { contract: { root_id }, handedIn }) {
      const answer = answerSchema.safeParse(handedIn(ANSWER_OF_ROOT));
      if (!answer.success) return { code: "NO_ANSWER", message: "no answer was handed in by this task" };
      const text = await file.present(answer.data);
      if (text.length > TEXT_MAX) return { code: "ANSWER_TOO_LARGE", message: `${text.length} characters` };
      return {
        arguments: { root_id, sha256: sha256(text) },
        preview: text,
        commit: async () => ({ reference: await file.write(root_id, text) }),
      };
    },
  });
}
