/**
 * A process of its own that uses the embedded server: `member.ts DATA_DIR ROUNDS` joins and leaves so often;
 * `member.ts DATA_DIR stay` joins, says `joined` and stays until it is killed.
 */
import pg from "pg";
import { startEmbedded } from "../../pipeline/store/embedded.ts";

const [dataDir, rounds] = process.argv.slice(2);
const embedded = () => startEmbedded(dataDir!, { settings: { fsync: "off" } });

if (rounds === "stay") {
  await embedded();
  console.log("joined");
  setInterval(() => undefined, 60_000);
} else {
  for (let round = 0; round < Number(rounds); round++) {
    const server = await embedded();
    const client = new pg.Client({ connectionString: server.superuserUrl });
    await client.connect();
    const { rows } = await client.query("SELECT 6 * 7 AS answer");
    if (rows[0].answer !== 42) throw new Error("wrong answer");
    await client.end();
    await server.leave();
  }
}
