// Runs commands of the built program one after another in one process, which spares each the second that loading takes. Each
// has arguments, environment and folder of its own, and what it writes is caught. What hangs on the beginning or the end of
// a process is not to be tested here. `node shell.js MAIN`, spoken to over IPC.
import { pathToFileURL } from "node:url";

const [main] = process.argv.slice(2);
let calls = 0;
let before = [];

// Each command listens anew.
process.stdout.setMaxListeners(0);

process.on("message", async ({ args, cwd, env }) => {
  process.chdir(cwd);
  for (const name of before) delete process.env[name];
  Object.assign(process.env, env);
  before = Object.keys(env);
  process.argv = [process.execPath, main, ...args];
  process.exitCode = undefined;
  const written = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) {
    process[stream].write = (chunk, ...more) => {
      written[stream] += chunk;
      more.find((each) => typeof each === "function")?.();
      return true;
    };
  }
  // A module is run once for each address; only main.js gets a new one.
  await import(`${pathToFileURL(main)}?call=${++calls}`);
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  process.send({ code, signal: null, ...written });
});
