/**
 * Who is at the terminal. Nobody can be proven here yet, so nobody is: what is said is said by `cli`, marked as not
 * authenticated. A name that is typed is no identity, and neither is the operating system's user.
 */
import { AssayError } from "../domain/outcome.ts";
import type { Respondent } from "../schema/interaction.ts";

export const CLI: Respondent = { account: "cli", is_authenticated: false };

export function respondentOf(as: string | undefined): Respondent {
  if (as === undefined) return CLI;
  throw new AssayError(
    "PERSON_UNPROVEN",
    `${JSON.stringify(as.slice(0, 80))} is a name, not a person who is signed in`,
    {
      hint: "questions can be answered without --as, as the unauthenticated respondent cli; permissions and approvals need a person",
    },
  );
}
