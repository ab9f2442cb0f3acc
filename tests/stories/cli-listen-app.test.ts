import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verify } from '@plat/webhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { login, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { type NodeProcess, spawnNode } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* plat listen --app, as a process with the login of the developer, against a real server. */

const story = useServer();
let developer: SignedInDeveloper;
let api: Api;
let folder: ReturnType<typeof tempFolder>;
let receiver: Receiver;
let listener: NodeProcess | undefined;

beforeEach(async () => {
  developer = await signedInDeveloper(story.server);
  const { token, api: ofDeveloper } = await login(story.server, developer);
  api = ofDeveloper;
  folder = tempFolder('listen-app');
  const { id, email, tenantId } = developer;
  const profile = { base_url: story.server.baseUrl, developer: { token, id, email, tenant_id: tenantId } };
  mkdirSync(join(folder.path, '.config', 'plat'), { recursive: true });
  const credentials = JSON.stringify({ version: 1, current: 'it', profiles: { it: profile } });
  writeFileSync(join(folder.path, '.config', 'plat', 'credentials.json'), credentials, { mode: 0o600 });
  receiver = await startReceiver();
});
afterEach(async () => {
  await listener?.kill9();
  listener = undefined;
  await receiver.close();
  folder.remove();
});

async function listen(args: readonly string[]): Promise<NodeProcess> {
  listener = spawnNode('packages/cli/src/main.ts', {
    args: ['listen', '--to', receiver.url, ...args],
    env: { HOME: folder.path, PLAT_BASE_URL: story.server.baseUrl },
  });
  await listener.waitFor(/^Ready: forwarding events of app_\w+ to http/m);
  return listener;
}

test('a listener of an app receives what an endpoint of the app receives, byte for byte, and fills no log', async () => {
  const app = await story.server.createApp({ developerId: developer.id, scopes: ['clients:read'] });
  const endpoint = await startReceiver();
  try {
    const hooks = `/developer/v1/apps/${app.appId}/webhooks`;
    await api(`${hooks}/endpoints`, { body: { url: endpoint.url, events: ['*'] } });
    const running = await listen(['--app', app.appId]);
    const [, secrets = ''] = await running.waitFor(/^Signing secret: (whsec_\S+)$/m);

    const { grantId } = await story.server.grantTokens({ app, tenantId: developer.tenantId });
    await story.server.revokeConsent(developer.tenantId, grantId);
    // An event of the tenant, which is not the app's.
    await apiOf(story.server.baseUrl, developer.apiKey)('/v1/clients', { body: { name: 'Acme' } });
    await api(`/developer/v1/apps/${app.appId}/disable`, { method: 'POST' });

    await receiver.waitFor(3);
    await endpoint.waitFor(3);
    const types = receiver.received.map(({ body, headers }) => verify(body, headers, { secrets }).type);
    expect(types).toEqual(['installation.authorized', 'installation.revoked', 'app.disabled']);
    const bodies = (of: Receiver) => of.received.map(({ body }) => body).sort();
    expect(bodies(receiver)).toEqual(bodies(endpoint));
    await running.waitFor(/installation\.revoked +evt_\w{26} +204 /);
    expect(await running.stop()).toEqual({ code: 0, signal: null });

    const { body: log } = await apiOf(story.server.baseUrl)('/_dev/requests?limit=100');
    const logged: readonly string[] = log.map(({ operation }: { operation: string }) => operation);
    expect(logged).toContain('apps.disable');
    expect(logged).not.toContain('apps.webhooks.events.list');
  } finally {
    await endpoint.close();
  }
});

test('the deletion of the app ends the listener, and an app of another developer is not found', async () => {
  const own = await story.server.createApp({ developerId: developer.id });
  const running = await listen(['--app', own.appId]);
  await api(`/developer/v1/apps/${own.appId}`, { method: 'DELETE' });
  expect(await running.exited).toEqual({ code: 5, signal: null });
  expect(running.stderr()).toContain('APP_NOT_FOUND');

  const { appId } = await story.server.createApp();
  const refused = spawnNode('packages/cli/src/main.ts', {
    args: ['listen', '--app', appId, '--to', receiver.url],
    env: { HOME: folder.path, PLAT_BASE_URL: story.server.baseUrl },
  });
  expect(await refused.exited).toEqual({ code: 5, signal: null });
  expect(refused.stderr()).toContain('APP_NOT_FOUND');
});
