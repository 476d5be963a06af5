/** One process for the commands of a test file that need none of their own; they wait for each other. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

export interface Call {
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

const SHELL = fileURLToPath(new URL("../support/shell.js", import.meta.url));
let shell: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

export function inShell(main: string, call: Call): Promise<Ended> {
  const ended = last.then(() => send(main, call));
  last = ended.catch(() => undefined);
  return ended;
}

export function closeShell(): void {
  shell?.kill("SIGKILL");
  shell = undefined;
}

function send(main: string, call: Call): Promise<Ended> {
  shell ??= spawn(process.execPath, [SHELL, main], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const child = shell;
  return new Promise((resolve, reject) => {
    const died = () => {
      shell = undefined;
      reject(new Error(`the shell ended within: assay ${call.args.join(" ")}`));
    };
    child.once("close", died);
    child.once("message", (ended) => {
      child.off("close", died);
      resolve(ended as Ended);
    });
    child.send(call);
  });
}
