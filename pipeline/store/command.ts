/** Runs a program of the system or of Postgres and tells how it ended. Passes on nothing of our environment. */
import { spawn } from "node:child_process";

export interface Ended {
  code: number | null;
  /** The last 4,000 characters of what it wrote. */
  output: string;
}

export function run(program: string, args: string[], user?: { uid: number; gid: number }): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: "/",
      env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "pipe"],
      ...user,
    });
    let output = "";
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-4000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => resolve({ code: null, output: error.message }));
    // exit, not close: a server that the program leaves behind may hold its pipes.
    child.on("exit", (code) => resolve({ code, output: output.trim() }));
  });
}
