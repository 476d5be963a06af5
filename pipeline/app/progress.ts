/** Progress of long work on standard error: a bar on a terminal, plain lines otherwise, nothing with --json. */
import cliProgress from "cli-progress";

export interface Progress {
  /** Says what is being done, and out of how many. */
  stage(name: string, total: number): void;
  step(detail?: string): void;
  note(line: string): void;
  stop(): void;
}

export function openProgress(mode: "bar" | "lines" | "none"): Progress {
  if (mode === "none") return { stage() {}, step() {}, note() {}, stop() {} };
  return mode === "bar" ? bar() : lines();
}

function bar(): Progress {
  let shown: cliProgress.SingleBar | null = null;
  const stop = () => {
    shown?.stop();
    shown = null;
  };
  return {
    stage(name, total) {
      stop();
      shown = new cliProgress.SingleBar(
        {
          format: `${name.padEnd(12)} {bar} {value}/{total}  {detail}`,
          hideCursor: true,
          stream: process.stderr,
          clearOnComplete: false,
          barsize: 32,
        },
        cliProgress.Presets.shades_classic,
      );
      shown.start(Math.max(total, 1), 0, { detail: "" });
    },
    step: (detail = "") => shown?.increment(1, { detail }),
    note(line) {
      stop();
      process.stderr.write(`${line}\n`);
    },
    stop,
  };
}

function lines(): Progress {
  let name = "";
  let total = 0;
  let done = 0;
  return {
    stage(next, count) {
      name = next;
      total = count;
      done = 0;
      process.stderr.write(`${name}: ${total}\n`);
    },
    step() {
      done += 1;
      // One line each tenth: enough to see that work goes on, few enough to read.
      const tenth = Math.max(1, Math.floor(total / 10));
      if (done % tenth === 0 || done === total) process.stderr.write(`${name}: ${done}/${total}\n`);
    },
    note: (line) => process.stderr.write(`${line}\n`),
    stop() {},
  };
}
