/*
 * For development: registers the app and its webhook endpoint with the sandbox that `npm start` runs, and writes `.env`. It runs
 * `plat`, which asks you to log in as the developer of the sandbox. In production, do the same once by hand.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const APP_URL = process.env.APP_URL || 'http://127.0.0.1:4070';

// npm runs scripts in the folder of the package, and INIT_CWD is the folder in which npm was called.
const sandboxFile = resolve(process.env.PLAT_DATA_DIR || resolve(process.env.INIT_CWD || '.', '.plat'), 'sandbox.json');

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

if (!existsSync('.env')) {
  if (!existsSync(sandboxFile)) {
    console.error(`There is no ${sandboxFile}. Start a sandbox with "npm start" and run this in the same folder.`);
    process.exit(1);
  }
  const { base_url: baseUrl } = JSON.parse(readFileSync(sandboxFile, 'utf8'));
  const isLoggedIn = start(['auth', 'status'], 'ignore').status === 0;
  if (!isLoggedIn && start(['login'], 'inherit').status !== 0) process.exit(1);
  const redirect = `${APP_URL}/callback`;
  const named = ['--name', 'Express example', '--scopes', 'clients:read,me:read', '--redirect-uris', redirect];
  const app = plat('apps', 'register', ...named);
  const url = `${APP_URL}/app-events`;
  const endpoint = plat(
    'apps',
    'webhooks',
    'endpoints',
    'create',
    app.id,
    '--url',
    url,
    '--events',
    'installation.revoked',
  );
  const variables = {
    APP_URL,
    PLAT_BASE_URL: baseUrl,
    PLAT_CLIENT_ID: app.id,
    PLAT_CLIENT_SECRET: app.client_secret,
    PLAT_APP_WEBHOOK_SECRET: endpoint.secret,
    SESSION_SECRET: randomBytes(32).toString('base64url'),
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync('.env', lines.join(''), { mode: 0o600 });
  console.log(`Registered ${app.id}. Its secrets are in .env; delete that file to register again.`);
}
