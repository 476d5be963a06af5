/** Starts a TypeScript file as a process of its own, for laws about several processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Child {
  process: ChildProcess;
  /** Resolves with what it wrote, rejects when it fails. */
  ended: Promise<string>;
  /** Resolves once it has written this line. */
  says(line: string): Promise<void>;
}

export function startChild(file: URL, args: string[]): Child {
  const child = spawn(process.execPath, ["--import", "tsx", fileURLToPath(file), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.on("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`ended with ${code}: ${errors}`))));
  });
  ended.catch(() => undefined);
  const says = (line: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (output.split("\n").includes(line)) resolve();
      };
      child.stdout.on("data", look);
      child.on("close", () => reject(new Error(`ended without saying ${line}: ${errors}`)));
      look();
    });
  return { process: child, ended, says };
}
