#!/usr/bin/env -S node --max-semi-space-size=32
/** The `assay` command: one verb a file under commands/, loaded when it is called. Exit 0 done, 1 refused or failed, 2 misused. */
import { setFlagsFromString } from "node:v8";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { readConfig } from "./config.ts";
import { explain } from "./explain.ts";

// A lexicon's expressions are large and most run a few times: to compile each to machine code on its second use costs more
// than a whole small batch.
setFlagsFromString("--regexp-tier-up-ticks=100");

interface Shared {
  json?: boolean;
}

const program = new Command("assay")
  .description("Client-ready ETF research cards: frozen inputs, exact figures, each recalculated by a second engine.")
  .showHelpAfterError("(run the command with --help)")
  .exitOverride();

const list = (value: string) => value.split(",").map((item) => item.trim());
const collect = (value: string, before: string[]) => [...before, value];
const count = (value: string) => {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 64) throw new InvalidArgumentError("A count from 1 to 64.");
  return number;
};

program
  .command("run")
  .description("make the cards of a batch; only what changed is worked again")
  .argument("<batch>", "folder with batch.yaml, or its id under batches/")
  .option("--out <dir>", "write the output straight into this folder (default: out/<id>)")
  .option("--locale <locale>", "ko-KR or en-US instead of the batch's locales")
  .option("--channel <channel>", "policy to judge by instead of the batch's channel")
  .option("--only <instruments>", "only these instruments, such as KR:069500,US:SPY", list)
  .option("--concurrency <n>", "pages rendered at once", count, 4)
  .option("--allow-root <dir>", "a folder outside the batch that its files may lie in (repeatable)", collect, [])
  .option("--json", "print the report's counts as JSON, no progress")
  .action(async (batch, options) => (await import("./commands/run.ts")).run(readConfig(), batch, options));

program
  .command("plan")
  .description("say what a run would work and what is recorded already; changes nothing but the frozen inputs")
  .argument("<batch>")
  .option("--locale <locale>")
  .option("--channel <channel>")
  .option("--only <instruments>", "only these instruments", list)
  .option("--allow-root <dir>", "a folder outside the batch that its files may lie in (repeatable)", collect, [])
  .option("--json")
  .action(async (batch, options) => (await import("./commands/plan.ts")).plan(readConfig(), batch, options));

program
  .command("status")
  .description("what is recorded of the batches: when received, verdicts, what is unfinished")
  .argument("[batch]", "folder with batch.yaml, or batch id")
  .option("--json")
  .action(async (batch, options) => (await import("./commands/status.ts")).status(readConfig(), batch, options));

program
  .command("show")
  .description("lineage of a version or of one figure, down to the rows of the payloads and the SQL to run by hand")
  .argument("<what>", "version id, or instrument/figure such as KR:069500/total_return.1y")
  .option("--batch <id>", "batch id (default: the one received last)")
  .option("--sql", "print a psql script that recalculates the figure from the frozen bytes")
  .option("--json")
  .action(async (what, options) => (await import("./commands/show.ts")).show(readConfig(), what, options));

program
  .command("replay")
  .description("recompute everything of a batch from stored inputs; must give the same digests")
  .argument("<batch>", "folder with batch.yaml, or batch id")
  .option("--concurrency <n>", "pages rendered at once", count, 4)
  .option("--json")
  .action(async (batch, options) => (await import("./commands/replay.ts")).replay(readConfig(), batch, options));

program
  .command("remediate")
  .description(
    "make a card in quarantine, or a rejected one, anew from its batch folder; the new version supersedes it",
  )
  .argument("<version>", "version id, or its first eight or more digits")
  .option("--reason <text>", "why, in one line")
  .option("--batch <dir>", "folder with batch.yaml (default: where the batch was read last)")
  .option("--concurrency <n>", "pages rendered at once", count, 4)
  .option("--allow-root <dir>", "a folder outside the batch that its files may lie in (repeatable)", collect, [])
  .option("--json")
  .action(async (id, options) => (await import("./commands/remediate.ts")).remediate(readConfig(), id, options));

program
  .command("terminate")
  .description("give up a card in quarantine, with a reason; its bytes and history stay")
  .argument("<version>", "version id, or its first eight or more digits")
  .requiredOption("--reason <text>", "why, in one line")
  .option("--json")
  .action(async (id, options) => (await import("./commands/terminate.ts")).terminate(readConfig(), id, options));

program
  .command("gates")
  .description("the gates and their codes")
  .option("--reference", "print the reference of every code with meaning and remedy (Markdown)")
  .option("--json")
  .action(async (options) => (await import("./commands/gates.ts")).gates(options));

program
  .command("check-text")
  .description("judge one sentence a line with a channel's sentence rules; ends with 0 whatever the verdicts")
  .argument("<file>", "UTF-8 text, one sentence a line; - for standard input")
  .option("--locale <locale>", "ko-KR or en-US (default: Korean where a line has Hangul, English elsewhere)")
  .option("--channel <channel>", "policy to judge by (default: internal-review)")
  .option("--json", "JSON lines: line, text, verdict, findings with code, severity and span")
  .action(async (file, options) => (await import("./commands/check-text.ts")).checkText(file, options));

program
  .command("doctor")
  .description("check the set-up and say how to fix what is missing")
  .option("--json")
  .action(async (options: Shared) => (await import("./commands/doctor.ts")).doctor(readConfig(), options));

// A reader such as head that has seen enough closes the pipe: that is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

try {
  program.version(readConfig().version);
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(explain(error, process.argv.includes("--json")));
    process.exitCode = 1;
  }
}
