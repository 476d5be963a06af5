/** The text of batch.yaml to the request, each mistake told with file, line, field and fix. */
import { type Batch, batchSchema } from "../schema/batch.ts";
import { contractMistakes } from "./contract-terms.ts";
import { readYamlDocument } from "./yaml-document.ts";

export function readBatchYaml(text: string, file: string): Batch {
  return readYamlDocument(text, file, {
    schema: batchSchema,
    code: "BATCH_INVALID",
    hint: "correct the lines named; batches/README.md describes each field",
    mistakesOf: contractMistakes,
  });
}
