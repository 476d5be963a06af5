/** Runs a program of the system or of Postgres and tells how it ended. Passes on nothing of our environment. */
import { spawn } from "node:child_process";

/** As whom a program runs when we are root; the files it makes belong to `uid`, or in a namespace to us. */
export interface RunAs {
  uid: number;
  gid: number;
  /** In a user namespace of its own we are this user inside and root's files stay ours: no folder is in the way. */
  in_namespace: boolean;
}

export interface Ended {
  code: number | null;
  /** The last 4,000 characters of what it wrote. */
  output: string;
}

export function run(program: string, args: string[], as?: RunAs): Promise<Ended> {
  const [command, all] = as?.in_namespace ? ["unshare", [...namespaceOf(as), "--", program, ...args]] : [program, args];
  return new Promise((resolve) => {
    const child = spawn(command, all, {
      cwd: "/",
      env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "pipe"],
      ...(as === undefined || as.in_namespace ? {} : { uid: as.uid, gid: as.gid }),
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

function namespaceOf({ uid, gid }: RunAs): string[] {
  return ["--user", `--map-user=${uid}`, `--map-group=${gid}`];
}
