/*
 * For development: registers the app and a webhook endpoint with the sandbox that `npm start` runs, and writes `.env.local`, which
 * Next.js reads. It runs `plat`, which asks you to log in as the developer of the sandbox.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// The sample catalog has a module at this address.
const APP_URL = process.env.APP_URL || 'http://127.0.0.1:4020';
const FILE = '.env.local';
const sandboxFile = resolve(process.env.PLAT_DATA_DIR || '../../.plat', 'sandbox.json');

/** Starts `plat` with the Node.js that runs this file. On Windows, the command is a script that needs a shell. */
function start(args, stdio) {
  const file = fileURLToPath(new URL('bin/plat.js', import.meta.resolve('@plat/cli/package.json')));
  return spawnSync(process.execPath, [file, ...args], { stdio });
}

/** Runs `plat` and returns its JSON. Its messages and prompts are on stderr. */
function plat(...args) {
  const { status, stdout } = start([...args, '--json'], ['inherit', 'pipe', 'inherit']);
  if (status !== 0) process.exit(status ?? 1);
  return JSON.parse(stdout);
}

/** The secret is shown once, so an endpoint of an earlier run gets a new one. */
function registerEndpoint(url) {
  const known = plat('webhooks', 'endpoints', 'list', '--all').data.find((endpoint) => endpoint.url === url);
  return known
    ? plat('webhooks', 'endpoints', 'rotate-secret', known.id, '--yes')
    : plat('webhooks', 'endpoints', 'create', '--url', url, '--events', '*');
}

if (!existsSync(FILE)) {
  if (!existsSync(sandboxFile)) {
    console.error(`There is no ${sandboxFile}. Start a sandbox with "npm start" in the folder of the clone.`);
    process.exit(1);
  }
  const { base_url: baseUrl } = JSON.parse(readFileSync(sandboxFile, 'utf8'));
  const isLoggedIn = start(['auth', 'status'], 'ignore').status === 0;
  if (!isLoggedIn && start(['login'], 'inherit').status !== 0) process.exit(1);
  const redirect = ['--redirect-uris', `${APP_URL}/callback`];
  const app = plat('apps', 'register', '--name', 'Next.js example', '--scopes', 'clients:read,me:read', ...redirect);
  const endpoint = registerEndpoint(`${APP_URL}/webhooks`);
  const variables = {
    APP_URL,
    PLAT_BASE_URL: baseUrl,
    PLAT_CLIENT_ID: app.id,
    PLAT_CLIENT_SECRET: app.client_secret,
    PLAT_WEBHOOK_SECRET: endpoint.secret,
    PLAT_AUDIENCE: 'analytics',
    SESSION_KEY: randomBytes(32).toString('base64'),
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(FILE, lines.join(''), { mode: 0o600 });
  console.log(`Registered ${app.id}. Its secrets are in ${FILE}; delete that file to register again.`);
}
