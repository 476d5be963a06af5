/** A process of its own that appends to a ledger: `node --import tsx ledger-writer.ts APP_URL NAME ROUNDS`. */
import { appendEvents } from "../../pipeline/ledger/append.ts";
import { openDatabase } from "../../pipeline/store/database.ts";

const [databaseUrl, name, rounds] = process.argv.slice(2);
const database = await openDatabase({ dataDir: "/nowhere", databaseUrl });
for (let round = 1; round <= Number(rounds); round++) {
  await database.inTenant("main", (tx) =>
    appendEvents(tx, {
      tenant: "main",
      actor: name!,
      at: "2026-05-04T00:00:00.000Z",
      events: Array.from({ length: (round % 3) + 1 }, (_, index) => ({
        type: "noted/v1",
        body: { name, round, index },
      })),
    }),
  );
}
await database.close();
