// Reads vitest's JSON report: prints how many tests were skipped, and fails on a skip that an absent ../shared does not explain.
import { existsSync, readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));
const tests = report.testResults.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: file.name })));
const skipped = tests.filter((test) => test.status !== "passed" && test.status !== "failed");
const hasShared = existsSync(new URL("../../../shared", import.meta.url));
const allowed = (test) => !hasShared && test.fullName.includes("[shared]");
const wrong = skipped.filter((test) => !allowed(test));
for (const test of wrong) console.error(`skipped without leave: ${test.file}: ${test.fullName}`);
const failed = tests.filter((test) => test.status === "failed").length;
console.log(`${tests.length - skipped.length - failed} passed, ${failed} failed, ${skipped.length} skipped`);
process.exit(wrong.length + failed > 0 ? 1 : 0);
