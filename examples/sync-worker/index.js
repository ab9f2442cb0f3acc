/*
 * Copies the clients of a tenant into a local SQLite database and keeps the copy up to date.
 *
 * - Events arrive as webhooks. Each has its effect once, in one transaction with its record.
 * - At the start it reads the events that occurred while it was stopped (`catch-up.js`).
 *
 * `node index.js` uses the sandbox that `npm start` runs, PLAT_BASE_URL and PLAT_API_KEY another platform. PORT
 * (default: 4060) is its port, RECEIVER_URL its public address, DATABASE (default: sync-worker.db) its SQLite file.
 */
import { createServer } from 'node:http';
import { expressWebhook } from '@plat/webhooks/express';
import { catchUp, copyClients, replayMissed } from './catch-up.js';
import { openDatabase } from './database.js';
import { ensureEndpoint } from './endpoint.js';
import { connect } from './sandbox.js';

const database = openDatabase(process.env.DATABASE || 'sync-worker.db');
const platform = await connect();

const receive = expressWebhook(
  {
    secrets: () => database.setting('secret') ?? [],
    onError: (error) => console.warn(`refused   ${error.message}`),
  },
  (event) => apply(event, 'webhook'),
);

async function apply(event, source) {
  const isFirst = await database.applyOnce(event);
  console.log(`${isFirst ? 'applied ' : 'repeated'}  ${source}  ${event.type}  ${event.id}`);
}

const server = createServer((request, response) => {
  if (request.method === 'POST' && request.url === '/webhooks') receive(request, response);
  else response.writeHead(404).end();
});
server.listen(Number(process.env.PORT || 4060), '127.0.0.1', async () => {
  const url = process.env.RECEIVER_URL || `http://127.0.0.1:${server.address().port}/webhooks`;
  try {
    // The endpoint first: from then on no event is only in the list. A duplicate of webhook and list has no effect.
    const endpoint = await ensureEndpoint(platform, database, url);
    if (database.setting('copied') === undefined) await copyClients(platform, database);
    await catchUp(platform, database, (event) => apply(event, 'list   '));
    await replayMissed(platform, endpoint);
    console.log(`Synchronized. Listening on ${url}`);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
});
process.on('SIGTERM', () => server.close(() => process.exit(0)));
