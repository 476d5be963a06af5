#!/usr/bin/env -S node --max-semi-space-size=32
/** The `assay` command: one verb a file under commands/, loaded when it is called. Exit 0 done, 1 refused or failed, 2 misused. */
import { setFlagsFromString } from "node:v8";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { readConfig, toMicroUsd } from "./config.ts";
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

const money = (value: string) => {
  const amount = toMicroUsd(value);
  if (amount === null) throw new InvalidArgumentError("An amount such as 0.25.");
  return amount;
};

program
  .command("run")
  .description("make the cards of a batch; only what changed is worked again")
  .argument("<batch>", "folder with batch.yaml, or its id under batches/")
  .option("--out <dir>", "write the output straight into this folder (default: out/<id>)")
  .option("--locale <locale>", "ko-KR or en-US instead of the batch's locales")
  .option("--channel <channel>", "policy to judge by instead of the batch's channel")
  .option("--only <instruments>", "only these instruments, such as KR:069500,US:SPY", list)
  .option(
    "--model <model>",
    "who composes the claims, such as anthropic:<model> (default: builtin:composer, no key needed)",
  )
  .option(
    "--budget-usd <amount>",
    "what a model may cost for one card in one language; needs ASSAY_MODEL_PRICES",
    money,
  )
  .option("--budget-batch-usd <amount>", "what this run may spend on models in all; the rest waits for the next", money)
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
  .option("--model <model>", "who composes the claims")
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
  .option("--model <model>", "who composed the claims; what it said is read from the record, nobody is asked")
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

const position = (value: string) => {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError("A revision: 1, 2, 3 …");
  return number;
};

program
  .command("ask")
  .description("ask about a batch, or say more to a run that is under way (--to); prints the answer")
  .argument("<text>", "in your own words; they reach the run as they are")
  .option("--batch <batch>", "folder with batch.yaml, or batch id")
  .option("--card <instrument>", "a card that it is about, such as KR:069500 (repeatable)", collect, [])
  .option("--research", "research with a plan and tools instead of a direct answer")
  .option("--expert <id>", "method to work by, such as builtin/risk or user/<uuid>; needs --research")
  .option("--to <run>", "a correction to this run, taken in at its next safe point")
  .option("--background", "return at once; the run goes on in a process of its own")
  .option("--message-id <id>", "your name for this message: said again it is the same run")
  .option("--json")
  .action(async (text, options) => (await import("./commands/ask.ts")).ask(readConfig(), text, options));

program
  .command("inbox")
  .description("open questions, permission requests and approvals, of all runs")
  .option("--all", "those that were answered, withdrawn or have expired too")
  .option("--json")
  .action(async (options) => (await import("./commands/inbox.ts")).inbox(readConfig(), options));

program
  .command("respond")
  .description("answer one request of the inbox; says that it was received, and starts nothing")
  .argument("<interaction>", "its id")
  .requiredOption("--revision <n>", "the revision that you read", position)
  .option("--text <text>", "the answer to a question")
  .option("--decision <decision>", "grant or deny a permission, approve or reject an effect: needs a person")
  .option("--response-id <id>", "your name for this response: sent again it is the same one")
  .option("--as <name>", "a person; refused until people can sign in here")
  .option("--json")
  .action(async (id, options) => (await import("./commands/respond.ts")).respond(readConfig(), id, options));

program
  .command("resume")
  .description("go on with a run that waited or was cut short; --continue begins a new one from one that ended")
  .argument("<run>", "its id, or the first eight or more characters")
  .option("--continue", "a new run, linked to this one, which has ended")
  .option("--text <text>", "with --continue: what to add")
  .option("--background", "return at once; the run goes on in a process of its own")
  .option("--message-id <id>", "with --continue: your name for this message")
  .option("--json")
  .action(async (run, options) => (await import("./commands/resume.ts")).resume(readConfig(), run, options));

const runs = program.command("runs").description("the runs of agents");
runs
  .command("card")
  .description("the run that composed a card's claims, turn by turn")
  .argument("<instrument>", "such as KR:069500")
  .option("--batch <id>", "batch id (default: the one received last)")
  .option("--turn <key>", "everything that one turn was sent and called, such as main/3.1#2")
  .option("--json")
  .action(async (instrument, options) =>
    (await import("./commands/runs-card.ts")).showCard(readConfig(), instrument, options),
  );
runs
  .command("list", { isDefault: true })
  .option("--json")
  .action(async (options) => (await import("./commands/runs.ts")).listAll(readConfig(), options));
runs
  .command("show")
  .description("what a run did, spent, asked and was told")
  .argument("<run>", "its id, or the first eight or more characters")
  .option("--json")
  .action(async (run, options) => (await import("./commands/runs.ts")).showOne(readConfig(), run, options));
runs
  .command("stop")
  .description("end this run at its next safe point")
  .argument("<run>", "its id, or the first eight or more characters")
  .option("--message-id <id>", "your name for this message")
  .option("--json")
  .action(async (run, options) => (await import("./commands/runs.ts")).stop(readConfig(), run, options));

runs
  .command("reconcile")
  .description("say what became of an effect of unknown outcome, once you found out; nothing is done again")
  .argument("<run>", "its id, or the first eight or more characters")
  .argument("<call>", "such as main#3.1: `assay runs show` lists it")
  .option("--happened")
  .option("--not-happened")
  .requiredOption("--note <text>", "how you found out")
  .option("--json")
  .action(async (run, call, { notHappened, ...options }) => {
    const isSaid = (options.happened === true) !== (notHappened === true);
    const finding = isSaid ? { happened: options.happened === true } : {};
    await (await import("./commands/runs.ts")).reconcile(readConfig(), run, call, { note: options.note, ...finding });
  });

const expert = program.command("expert").description("saved research methods");
expert
  .command("list", { isDefault: true })
  .option("--json")
  .action(async (options) => (await import("./commands/expert.ts")).list(readConfig(), options));
expert
  .command("show")
  .description("a method with its text, and its revisions")
  .argument("<id>", "builtin/<method> or user/<uuid>")
  .option("--json")
  .action(async (id, options) => (await import("./commands/expert.ts")).show(readConfig(), id, options));
expert
  .command("save")
  .description("save a new method, or with an id a new revision of it")
  .argument("[id]", "user/<uuid>")
  .option("--name <name>")
  .option("--description <text>", "one line: the only text by which it is chosen")
  .option("--instructions <file>", "UTF-8 text")
  .option("--revision <n>", "with an id: the revision that you changed", position)
  .option("--disabled", "a new method: save it without enabling it")
  .option("--json")
  .action(async (id, options) => (await import("./commands/expert.ts")).save(readConfig(), id, options));
for (const verb of ["enable", "disable", "delete"] as const) {
  expert
    .command(verb)
    .argument("<id>", "user/<uuid>")
    .option("--revision <n>", "the revision that you read", position)
    .option("--json")
    .action(async (id, options) => (await import("./commands/expert.ts")).turn(readConfig(), verb, id, options));
}

const mcp = program.command("mcp").description("servers of tools beside our own (Model Context Protocol)");
mcp
  .command("list", { isDefault: true })
  .description("what the servers of ASSAY_MCP_CONFIG offer, what of it is admitted, and the digests to admit by")
  .option("--json", "with descriptions and input schemas, to be read before a tool is admitted")
  .action(async (options) => (await import("./commands/mcp.ts")).list(readConfig(), options));

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
