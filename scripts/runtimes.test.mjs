import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createTestServer } from '@plat/server/testing';
import { signTestEvent } from '@plat/webhooks/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { apiOf } from '../tests/support/api.ts';
import { useBrowser } from '../tests/support/browser.ts';
import { blocks } from '../tests/support/documented-commands.ts';
import { findRuntimes, hasChromium, hasNext } from '../tests/support/find-servers.ts';
import { freePort } from '../tests/support/free-port.ts';
import { launchWorld } from '../tests/support/launch.ts';
import { buildNextApp, next } from '../tests/support/next-app.ts';
import { bundle, imports, requires } from '../tests/support/probes/programs.ts';
import { repository, spawnProgram } from '../tests/support/process.ts';
import { tempFolder } from '../tests/support/temp-folder.ts';
import { startWorkerd } from '../tests/support/workerd.ts';
import { unpackClients } from './lib/consumer-packages.mjs';
import { RUNTIMES } from './lib/runtime-matrix.mjs';

/* The probes of tests/support/probes over the packed packages, in every runtime of the table in README.md. */

const installed = findRuntimes();
const folder = tempFolder('runtimes');
/** Null where its probe is skipped. */
const browser = installed !== null && hasChromium() ? useBrowser() : null;
let server;

beforeAll(async () => {
  server = await createTestServer();
  await unpackClients(folder.path);
  copyFileSync(join(repository, 'tests/support/probes/probes.mjs'), join(folder.path, 'probes.mjs'));
  writeFileSync(join(folder.path, 'package.json'), '{ "private": true }');
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

/** Creates a tenant with its grant, a signed delivery, a launch token, and the faults that the probes meet. */
async function prepare() {
  const { tenantId, apiKey, ownerId, clients } = await launchWorld(server);
  const app = await server.createApp();
  const { tokens } = await server.grantTokens({ app, tenantId });
  const { rawBody, headers } = signTestEvent('client.created', { secret: 'whsec_probe' });
  const token = await server.launch({ tenantId, moduleSlug: 'analytics', clientId: clients[0], userId: ownerId });
  const { add } = server.faults;
  add({ tenant_id: tenantId, operation: 'groups.create', kind: 'cut', when: 'after' });
  add({ tenant_id: tenantId, operation: 'groups.list', kind: 'error', code: 'SERVICE_UNAVAILABLE' });
  add({ tenant_id: tenantId, operation: 'users.list', kind: 'error', code: 'INVALID_TOKEN' });
  add({ tenant_id: tenantId, operation: 'webhooks.endpoints.list', kind: 'delay', ms: 30_000 });
  return {
    baseUrl: server.baseUrl,
    tenantId,
    apiKey,
    app: { clientId: app.appId, clientSecret: app.clientSecret, redirectUri: app.redirectUri },
    refreshToken: tokens.refresh_token,
    delivery: { secret: 'whsec_probe', rawBody: Buffer.from(rawBody).toString(), headers },
    launch: { token, issuer: server.baseUrl, audience: 'analytics' },
  };
}

const RUN = "import { runProbes } from './probes.mjs';\n";
const PRINT = 'runProbes(modules, settings).then((results) => console.log(JSON.stringify(results)));';

/** A worker that runs the probes for the settings that it receives. */
const LISTENER = `${imports()}${RUN}
addEventListener('fetch', (event) => event.respondWith(
  event.request.json().then((settings) => runProbes(modules, settings)).then((results) => Response.json(results)),
));`;

/** By form: returns a function that runs the probes in a runtime, and returns their results. */
const RUNNERS = {
  import: (node) => (settings) => print(node, ['--no-warnings'], 'import.mjs', imports() + RUN, settings),
  require: (node) => (settings) =>
    print(
      node,
      ['--no-warnings'],
      'require.cjs',
      `${requires()}import('./probes.mjs').then(({ runProbes }) => {`,
      settings,
      '});',
    ),
  bun: () => (settings) =>
    print(program('@oven', 'bun-linux-x64', 'bin', 'bun'), [], 'bun.mjs', imports() + RUN, settings),
  deno: () => (settings) => print(deno(), DENO, 'deno.mjs', imports() + RUN, settings),
  'deno npm': () => (settings) => print(deno(), DENO, 'deno-npm.mjs', imports('npm:') + RUN, settings),
  workerd: () => async (settings) => {
    const script = await bundle(folder.path, LISTENER, ['workerd', 'worker', 'browser']);
    const url = await startWorkerd({ script, modules: false, compatibilityDate: '2025-01-01' });
    return (await fetch(url, { method: 'POST', body: JSON.stringify(settings) })).json();
  },
  edge: () => async (settings) => {
    const initialCode = await bundle(folder.path, LISTENER, ['edge-light', 'worker', 'browser']);
    const { EdgeRuntime } = createRequire(join(installed, 'package.json'))('edge-runtime');
    const body = JSON.stringify(settings);
    const response = await new EdgeRuntime({ initialCode }).dispatchFetch('http://edge/', { method: 'POST', body });
    return response.json();
  },
  chromium: () => async (settings) => {
    const code = `${imports('', ['webhooks', 'launchToken'])}${RUN}
    globalThis.run = (settings) => runProbes(modules, settings);`;
    const origin = await startProxy(await bundle(folder.path, code, ['browser']));
    const page = await browser.newPage();
    await page.goto(origin);
    const { launch } = settings;
    const inPage = { ...settings, baseUrl: origin, launch: { ...launch, jwksUri: `${origin}/.well-known/jwks.json` } };
    return page.evaluate(`run(${JSON.stringify(inPage)})`);
  },
};

const program = (...path) => join(installed, 'node_modules', ...path);
const deno = () => program('@deno', 'linux-x64-glibc', 'deno');
const DENO = ['run', '--quiet', '--no-prompt', '--allow-net', '--allow-read', '--node-modules-dir=manual'];

/** Node 24 is the one that runs the tests. */
const nodeOf = (version = '') =>
  version === '24' ? process.execPath : program(`node${version.split('.')[0]}`, 'bin', 'node');

async function print(command, flags, file, code, settings, end = '') {
  writeFileSync(join(folder.path, file), `${code}\nconst settings = ${JSON.stringify(settings)};\n${PRINT}\n${end}`);
  const environment = { HOME: folder.path, DENO_NO_UPDATE_CHECK: '1', NODE_COMPILE_CACHE: '' };
  const running = spawnProgram(command, { args: [...flags, file], cwd: folder.path, env: environment });
  await running.exited;
  try {
    return JSON.parse(running.stdout());
  } catch {
    throw new Error(`${command} printed no results:\n${running.stdout()}${running.stderr()}`);
  }
}

/** Serves a page with the bundle, and the platform under the same origin: the API is not for pages of other origins. */
async function startProxy(script) {
  const proxy = createServer(async (request, response) => {
    if (request.url === '/' || request.url === '/probes.js') {
      const isPage = request.url === '/';
      response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'text/javascript' });
      response.end(isPage ? '<!doctype html><title>Probes</title><script src="/probes.js"></script>' : script);
      return;
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const names = ['authorization', 'content-type', 'idempotency-key', 'accept'];
    const headers = Object.fromEntries(
      names.flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    try {
      const answer = await fetch(server.baseUrl + request.url, {
        method: request.method ?? 'GET',
        headers,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    } catch {
      request.socket.destroy();
    }
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${proxy.address().port}`;
}

/** Runs the probes and compares their results with the row of the table. */
async function expectRow(expected, run) {
  const settings = await prepare();
  expect(await run(settings)).toEqual(expected);
  expect(server.faults.list().filter(({ tenant_id }) => tenant_id === settings.tenantId)).toEqual([]);
}

const isNext = ({ form }) => form === 'next';

describe.skipIf(installed === null)('the probes', () => {
  for (const { name, form, node, expected } of RUNTIMES.filter((row) => !isNext(row))) {
    test.skipIf(form === 'chromium' && browser === null)(`have the results of the table on ${name}`, () =>
      expectRow(expected, RUNNERS[form](nodeOf(node))),
    );
  }
});

describe.runIf(hasNext())('in a build of Next.js', () => {
  const home = join(folder.path, 'next');
  let url;
  let api;
  let app;

  beforeAll(async () => {
    const page = readFileSync(join(repository, 'docs/quickstarts/nextjs.md'), 'utf8');
    const [receiver] = blocks(page, 'ts request-handler');
    const routes = RUNTIMES.filter(isNext).map(({ route }) => [`app/${route}/route.js`, routeOf(route)]);
    const files = { 'app/webhooks/route.ts': receiver, 'app/launch/route.js': LAUNCH };
    await buildNextApp(home, { ...Object.fromEntries(routes), ...files });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    api = apiOf(server.baseUrl, (await server.createTenant()).apiKey);
    // The secret of the quickstart's endpoint is there when the app starts, as its page says.
    const endpoint = { url: `${url}/webhooks`, events: ['client.created'] };
    const { body } = await api('/v1/webhooks/endpoints', { body: endpoint });
    app = next(home, ['start', '-H', '127.0.0.1', '-p', String(port)], {
      WEBHOOK_SECRET: body.secret,
      LAUNCH_ISSUER: server.baseUrl,
    });
    await app.waitFor(/Ready/);
  }, 300_000);
  afterAll(() => app?.stop());

  const LAUNCH = `import { launchHandler } from '@plat/launch-token/web';
export const runtime = 'edge';
const options = { issuer: process.env.LAUNCH_ISSUER, audience: 'analytics' };
export const POST = launchHandler(options, ({ role }) => Response.json({ role }));`;

  const routeOf = (runtime) => `${imports()}import { runProbes } from '../../../probes.mjs';
export const runtime = '${runtime}';
export const POST = async (request) => Response.json(await runProbes(modules, await request.json()));`;

  for (const { name, route, expected } of RUNTIMES.filter(isNext)) {
    test(`the probes have the results of the table on ${name}`, () =>
      expectRow(expected, async (settings) => {
        const response = await fetch(`${url}/${route}`, { method: 'POST', body: JSON.stringify(settings) });
        return response.json();
      }));
  }

  test('the route of the quickstart handles a delivery, and refuses one that another secret signed', async () => {
    await api('/v1/clients', { body: { name: 'Acme' } });
    await app.waitFor(/^Welcome, Acme$/m);
    const { headers, body } = signTestEvent('client.created', { secret: 'whsec_other' });
    expect((await fetch(`${url}/webhooks`, { method: 'POST', headers, body })).status).toBe(400);
  });

  test('a route that the build imported without its issuer verifies launches', async () => {
    const { launch } = await prepare();
    const open = (token) =>
      fetch(`${url}/launch`, { method: 'POST', body: new URLSearchParams({ launch_token: token }) });
    expect(await (await open(launch.token)).json()).toEqual({ role: 'owner' });
    expect((await open('x')).status).toBe(401);
  });
});
