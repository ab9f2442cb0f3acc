/*
 * Creates an endpoint with the same URL for each tenant that gave the app access, and stores its secret. You can run it
 * again at any time: a tenant whose secret is stored is skipped.
 *
 * PLAT_BASE_URL, PLAT_CLIENT_ID and PLAT_CLIENT_SECRET name the app, GRANTS (default: grants) the folder of its grants,
 * and RECEIVER_URL the public address of index.js.
 */
import { ApiError } from '@plat/sdk';
import { fileStore } from '@plat/sdk/node';
import { OAuth } from '@plat/sdk/oauth';
import { openDatabase } from './database.js';

const { PLAT_BASE_URL, PLAT_CLIENT_ID, PLAT_CLIENT_SECRET, GRANTS = 'grants', RECEIVER_URL } = process.env;
const EVENTS = ['client.created', 'client.deleted'];

const database = openDatabase(process.env.DATABASE || 'tenants.db');
const oauth = new OAuth({
  baseUrl: PLAT_BASE_URL,
  clientId: PLAT_CLIENT_ID,
  clientSecret: PLAT_CLIENT_SECRET,
  redirectUri: process.env.REDIRECT_URI || 'https://app.example/callback',
  store: fileStore(GRANTS),
});

let registered = 0;
for await (const { key, tenantId, status } of oauth.grants.list()) {
  if (status !== 'connected' || database.secretsOf(tenantId).length > 0) continue;
  const { endpoints } = oauth.actingFor(key).webhooks;
  const { id, secret } = await createOrRotate(endpoints);
  database.keepSecret(tenantId, id, secret);
  registered++;
}
console.log(`Registered ${registered} tenants`);
oauth.close();
database.close();

/** The secret is shown once. An earlier run may have ended before it was stored: the endpoint gets a new one. */
async function createOrRotate(endpoints) {
  try {
    return await endpoints.create({ url: RECEIVER_URL, events: EVENTS });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'WEBHOOK_URL_IN_USE')) throw error;
  }
  for await (const endpoint of endpoints.list()) {
    if (endpoint.url === RECEIVER_URL) return endpoints.rotateSecret(endpoint.id);
  }
  throw new Error(`The endpoint for ${RECEIVER_URL} was deleted just now; start again.`);
}
