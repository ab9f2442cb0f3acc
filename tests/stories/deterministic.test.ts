import { createVerifier } from '@plat/webhooks';
import { expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { spawnNode } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { askForLink } from '../support/sign-in.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { visitor } from '../support/visitor.ts';

/* With a seed, two servers generate the same values, so that a test can repeat a run. */

// Each test starts processes, on a machine under load.
const LONG_TIMEOUT = { timeout: 180_000 };
const start = (seed: string, more = {}) => startServerProcess({ PLAT_DETERMINISTIC: seed, LOG_LEVEL: 'info', ...more });

/** Everything that a run shows: bodies with their ids and secrets, request ids, deliveries, mails. */
async function runOf(server: ServerProcess, receiver: Receiver) {
  const seen: unknown[] = [];
  const dev = apiOf(server.baseUrl);
  const { body: tenant } = await dev('/_dev/tenants', { body: {} });
  const api = apiOf(server.baseUrl, tenant.api_key);
  const call = async (path: string, options: Parameters<typeof api>[1] = {}) => {
    const { status, headers, body } = await api(path, options);
    seen.push({ path, status, request: headers.get('x-request-id'), reset: headers.get('x-ratelimit-reset'), body });
    return body;
  };
  seen.push(tenant);
  const endpoint = await call('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } });
  const client = await call('/v1/clients', { body: { name: 'Acme' }, headers: { 'idempotency-key': 'same' } });
  await dev('/_dev/idle');
  await call(`/v1/clients/${client.id}`, { method: 'PATCH', body: { name: 'Acme Ltd' } });
  const next = await call('/v1/groups', { body: { name: 'North' } });
  // The clock is frozen, and advances by a millisecond for each write. The change was one of them.
  expect(Date.parse(next.created_at) - Date.parse(client.created_at)).toBe(2);
  await call('/v1/clients', { body: { name: '' } });
  await dev('/_dev/clock/advance', { body: { seconds: 3600 } });
  await call('/v1/webhooks/deliveries');
  await call('/v1/webhooks/events');
  await call('/v1/audit/events');
  await call('/v1/users');
  await askForLink(visitor(server.baseUrl), tenant.developer.email, '/console/sign-in');
  await dev('/_dev/idle');
  seen.push((await dev('/_dev/mail', { headers: { accept: 'application/json' } })).body);
  seen.push(await (await fetch(`${server.baseUrl}/.well-known/jwks.json`)).json());
  const { received } = receiver;
  for (const { body, headers } of received) {
    const signedAt = Number(/t=(\d+)/.exec(String(headers['x-platform-signature']))?.[1]);
    const verifier = createVerifier({ secrets: endpoint.secret, now: () => signedAt * 1000 });
    expect(verifier.verify(body, headers).type).toBe('client.created');
    seen.push({ body, signature: headers['x-platform-signature'], delivery: headers['x-platform-delivery-id'] });
  }
  return seen;
}

/** Runs on a fresh folder, and returns the result with the log. Ports are normalized. */
async function freshRun(seed: string): Promise<{ readonly seen: string; readonly log: string }> {
  const receiver = await startReceiver();
  let isFirst = true;
  receiver.answer((_req, res) => {
    // The date would be that of the receiver.
    res.sendDate = false;
    res.writeHead(isFirst ? 500 : 204).end();
    isFirst = false;
  });
  const server = await start(seed);
  try {
    const seen = await runOf(server, receiver);
    server.child.kill('SIGTERM');
    await server.exited;
    const alike = (text: string) =>
      text.replaceAll(server.baseUrl, 'SERVER').replaceAll(receiver.url, 'RECEIVER').replaceAll(server.dataDir, 'DATA');
    const log = server
      .stdout()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    return { seen: alike(JSON.stringify(seen, null, 2)), log: alike(log.join('\n')) };
  } finally {
    server.child.kill('SIGKILL');
    await receiver.close();
  }
}

test(
  'the same requests have the same ids, secrets, bodies, deliveries and log; another seed has others',
  LONG_TIMEOUT,
  async () => {
    const [first, second, other] = [await freshRun('7'), await freshRun('7'), await freshRun('8')];
    expect(second.seen).toBe(first.seen);
    expect(second.log).toBe(first.log);
    expect(first.log.split('\n').length).toBeGreaterThan(10);
    const secretsOf = ({ seen }: typeof first) => seen.match(/(?:plat_test_|whsec_)\w+|"n": "\S+"/g) ?? [];
    expect(secretsOf(first).length).toBeGreaterThan(2);
    for (const secret of secretsOf(other)) expect(secretsOf(first)).not.toContain(secret);
  },
);

test(
  'a second start needs an empty database, and production refuses the deterministic mode',
  LONG_TIMEOUT,
  async () => {
    const dataDir = tempFolder('deterministic').path;
    const first = await startServerProcess({ PLAT_DETERMINISTIC: '1' }, dataDir);
    first.child.kill('SIGTERM');
    await first.exited;
    const refused = async (env: Record<string, string>) => {
      const running = spawnNode('packages/server/src/main.ts', { env: { PORT: '0', PLAT_DATA_DIR: dataDir, ...env } });
      const { code } = await running.exited;
      return { code, said: running.stderr() };
    };
    expect(await refused({ PLAT_DETERMINISTIC: '1' })).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^plat-server: PLAT_DETERMINISTIC needs an empty database.*\n$/),
    });
    const PLAT_MASTER_KEY = Buffer.alloc(32, 1).toString('base64');
    expect(await refused({ PLAT_DETERMINISTIC: '1', NODE_ENV: 'production', PLAT_MASTER_KEY })).toMatchObject({
      code: 1,
      said: expect.stringMatching(/PLAT_DETERMINISTIC is for development/),
    });
  },
);
