import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { testReceiver } from '@plat/webhooks/conformance';
import { signTestEvent } from '@plat/webhooks/testing';
import { expect, test } from 'vitest';
import { findRuntimes } from '../support/find-servers.ts';
import { freePort } from '../support/free-port.ts';
import { launchWorld } from '../support/launch.ts';
import { repository, spawnNode } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { bundleWorker, startWorkerd } from '../support/workerd.ts';

/* examples/worker-receiver, unchanged, on workerd: the contents of its script `dev`. */

const story = useServer();
const EXAMPLE = join(repository, 'examples/worker-receiver');

test.skipIf(findRuntimes() === null)('receives each event once, and shows them to a user who launches it', async () => {
  const world = await launchWorld(story.server);
  const folder = tempFolder('worker').path;
  mkdirSync(join(folder, '.plat'));
  const sandbox = { base_url: story.server.baseUrl, api_key: world.apiKey };
  writeFileSync(join(folder, '.plat/sandbox.json'), JSON.stringify(sandbox));
  const port = await freePort();
  const registered = spawnNode('examples/worker-receiver/register.js', { cwd: folder, env: { PORT: String(port) } });
  expect(await registered.exited, registered.stderr()).toEqual({ code: 0, signal: null });

  const settings = JSON.parse(readFileSync(join(EXAMPLE, 'wrangler.jsonc'), 'utf8'));
  const variables = parseEnv(readFileSync(join(folder, '.dev.vars'), 'utf8'));
  const [{ name, class_name: className }] = settings.durable_objects.bindings;
  const url = await startWorkerd({
    script: await bundleWorker(join(EXAMPLE, settings.main)),
    port,
    compatibilityDate: settings.compatibility_date,
    bindings: { ...settings.vars, ...variables },
    durableObjects: { [name]: { className, useSQLite: settings.migrations[0].new_sqlite_classes.includes(className) } },
  });

  const token = await story.server.launch({
    tenantId: world.tenantId,
    moduleSlug: 'analytics',
    clientId: world.clients[0],
    userId: world.ownerId,
  });
  const launch = (form: Record<string, string>) =>
    fetch(`${url}/launch`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  expect((await fetch(url)).status).toBe(401);
  expect((await launch({ launch_token: `${token.slice(0, -8)}AAAAAAAA` })).status).toBe(401);
  const launched = await launch({ launch_token: token });
  expect([launched.status, launched.headers.get('location')]).toEqual([303, '/']);
  const cookie = launched.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = async (session = cookie) => (await fetch(url, { headers: { cookie: session } })).text();
  expect(await page()).toContain(world.ownerId);
  expect(await page(cookie.replace('usr_', 'usr_0'))).not.toContain('<h1>');

  await world.api('/v1/clients', { body: { name: 'Acme' } });
  await expect.poll(() => page()).toContain('client.created');
  const secret = variables['PLAT_WEBHOOK_SECRET'] ?? '';
  const { event, headers, body } = signTestEvent('user.invited', { secret, tenantId: world.tenantId });
  const send = () => fetch(`${url}/webhooks`, { method: 'POST', headers, body });
  expect((await Promise.all([send(), send(), send()])).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await page()).split(event.id)).toHaveLength(2);

  const { cases } = await testReceiver({ url: `${url}/webhooks`, secret });
  expect(cases.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
});
