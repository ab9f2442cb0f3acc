/*
 * A webhook receiver that verifies each delivery and prints its event.
 *
 * - `node index.js` registers an endpoint with the sandbox that `npm start` runs.
 * - `PLAT_WEBHOOK_SECRET=whsec_… node index.js` serves an endpoint that you have registered.
 * - `PLAT_WEBHOOK_SECRETS='{"tnt_…":"whsec_…"}' node index.js` serves endpoints of several tenants.
 *
 * PORT (default: 4030) is its port.
 */
import { createServer } from 'node:http';
import { createDedupe } from '@plat/webhooks';
import { expressWebhook } from '@plat/webhooks/express';
import { registerWithSandbox } from './sandbox.js';

const PATH = '/webhooks';

/** @type {ReturnType<typeof createReceiver> | undefined} */
let receive;

const server = createServer((request, response) => {
  if (request.method !== 'POST' || request.url !== PATH) response.writeHead(404).end();
  // 503 until the secret is available: the platform sends the delivery again.
  else if (receive === undefined) response.writeHead(503).end();
  else receive(request, response);
});

server.on('error', (error) => giveUp(`cannot listen: ${error.message}`));
server.listen(Number(process.env.PORT || 4030), '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}${PATH}`;
  try {
    receive = createReceiver(await findSecrets(url));
    console.log(`Listening on ${url}`);
  } catch (error) {
    giveUp(error.message);
  }
});

/** Returns the secret of one endpoint, or a function that returns the secret of a tenant. */
async function findSecrets(url) {
  if (!process.env.PLAT_WEBHOOK_SECRETS) return process.env.PLAT_WEBHOOK_SECRET || (await registerWithSandbox(url));
  const secrets = new Map(Object.entries(JSON.parse(process.env.PLAT_WEBHOOK_SECRETS)));
  // Each tenant can sign with its own secret only. A list of all secrets would let one tenant sign events of another.
  return ({ tenantId }) => secrets.get(tenantId);
}

function createReceiver(secrets) {
  // Verifies the raw body before it is parsed. A duplicate event is handled once.
  return expressWebhook({ secrets, dedupe: createDedupe(), onError: refused }, (event) => {
    const { object, id, name = '' } = event.data;
    console.log(`verified  ${event.type}  ${event.id}  ${object} ${id ?? ''} ${name}`.trimEnd());
  });
}

/** Called for deliveries that are forged, too old or changed in transit. The message has the cause. */
function refused(error) {
  console.warn(`refused   ${error.message}`);
}

function giveUp(message) {
  console.error(message);
  process.exit(1);
}
