import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ApiError, ConnectionError, Platform } from '@plat/sdk';

/**
 * Registers a URL for all events with the sandbox on this machine. For development only: in production, register the
 * endpoint once and configure the receiver with its secret.
 * @param {string} url
 * @returns {Promise<string>} the signing secret
 */
export async function registerWithSandbox(url) {
  const { base_url: baseUrl, api_key: apiKey } = await readSandbox();
  const platform = new Platform({ baseUrl, apiKey });
  try {
    const endpoint = await createOrRotate(platform.webhooks.endpoints, url);
    console.log(`Registered ${endpoint.id} with ${baseUrl}`);
    return endpoint.secret;
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    throw new Error(`The sandbox at ${baseUrl} does not answer. Start it with "npm start".`, { cause: error });
  } finally {
    platform.close();
  }
}

/** Creates the endpoint. The secret is shown once, so an endpoint from an earlier run gets a new secret. */
async function createOrRotate(endpoints, url) {
  try {
    return await endpoints.create({ url, events: ['*'], description: 'examples/webhook-receiver' });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'WEBHOOK_URL_IN_USE')) throw error;
  }
  for await (const endpoint of endpoints.list()) {
    if (endpoint.url === url) return endpoints.rotateSecret(endpoint.id);
  }
  throw new Error(`The endpoint for ${url} was deleted just now; start again.`);
}

/** Reads the file that `npm start` writes: the address of the sandbox and its key. */
async function readSandbox() {
  const path = resolve(process.env.PLAT_DATA_DIR || '.plat', 'sandbox.json');
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new Error(
      `There is no signing secret, and no sandbox in ${path}. Either
  start one with "npm start" and run this in the same folder, or
  set PLAT_WEBHOOK_SECRET to the secret (whsec_…) that the creation of your endpoint answered with.`,
    );
  }
}
