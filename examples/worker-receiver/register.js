/*
 * For development: registers the worker with the sandbox that `npm start` runs, and writes its variables to `.dev.vars`, which
 * wrangler reads. In production, register the endpoint once and set the secrets with `wrangler secret put`.
 */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Platform } from '@plat/sdk';

// npm runs scripts in the folder of the package, and INIT_CWD is the folder in which npm was called.
const folder = process.env.PLAT_DATA_DIR || resolve(process.env.INIT_CWD || '.', '.plat');
const url = `http://127.0.0.1:${process.env.PORT || 4020}/webhooks`;

const sandbox = await readFile(resolve(folder, 'sandbox.json'), 'utf8').then(JSON.parse, () => {
  console.error(`There is no sandbox in ${folder}. Start one with "npm start" and run this in the same folder.`);
  process.exit(1);
});
const { endpoints } = new Platform({ baseUrl: sandbox.base_url, apiKey: sandbox.api_key }).webhooks;
const known = (await endpoints.list().toArray()).find((endpoint) => endpoint.url === url);
// The secret is shown once, so an endpoint of an earlier run gets a new one.
const { id, secret } = await (known ? endpoints.rotateSecret(known.id) : endpoints.create({ url, events: ['*'] }));
const variables = {
  PLAT_ISSUER: sandbox.base_url,
  PLAT_WEBHOOK_SECRET: secret,
  SESSION_SECRET: randomBytes(32).toString('base64url'),
};
await writeFile(
  '.dev.vars',
  Object.entries(variables).map(([name, value]) => `${name}="${value}"\n`),
  { mode: 0o600 },
);
console.log(`Registered ${id} with ${sandbox.base_url}`);
