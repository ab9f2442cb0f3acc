import { DatabaseSync } from 'node:sqlite';
import { startTestIssuer, testLaunchReceiver } from '@plat/launch-token/conformance';
import { testReceiver } from '@plat/webhooks/conformance';
import { expect, onTestFinished, test } from 'vitest';
import { spawnNode } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* The receivers in examples/, unchanged, pass the conformance suites. */

const TENANT = 'tnt_01k0z8k3v7e5q2m9t4r6w1x8c0';
const SECRET = 'whsec_of_an_example';

async function start(example: string, env: Readonly<Record<string, string>>): Promise<string> {
  const running = spawnNode(`examples/${example}/index.js`, { env: { PORT: '0', ...env } });
  onTestFinished(() => running.stop().then(() => undefined));
  const [, url = ''] = await running.waitFor(/Listening on (\S+)/);
  return url;
}

const unlessPassed = ({ cases }: Awaited<ReturnType<typeof testReceiver>>) =>
  cases.filter(({ outcome }) => outcome !== 'passed').map(({ name, problem, note }) => [name, problem ?? note]);

test('the webhook receiver passes', async () => {
  const url = await start('webhook-receiver', { PLAT_WEBHOOK_SECRETS: JSON.stringify({ [TENANT]: SECRET }) });
  const report = await testReceiver({ url, secret: SECRET, formerSecret: 'whsec_former', tenantId: TENANT });
  expect(unlessPassed(report)).toEqual([]);
});

test('the receiver of many tenants passes, and handles a duplicate once', async () => {
  const file = `${tempFolder('examples').path}/tenants.db`;
  const url = await start('many-tenants', { DATABASE: file });
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  database.exec('PRAGMA busy_timeout = 5000');
  database.prepare('INSERT INTO webhook_secrets VALUES (?, ?, ?)').run(TENANT, 'whe_1', SECRET);
  const counted = database.prepare('SELECT clients FROM client_counts WHERE tenant_id = ?');
  const report = await testReceiver({
    url,
    secret: SECRET,
    formerSecret: 'whsec_former',
    tenantId: TENANT,
    effects: () => Number(counted.get(TENANT)?.['clients'] ?? 0),
  });
  expect(unlessPassed(report)).toEqual([]);
});

test('the launch module passes', async () => {
  await using issuer = await startTestIssuer();
  const url = await start('launch-module', { PLAT_ISSUER: issuer.url });
  const report = await testLaunchReceiver({ url, issuer, audience: 'analytics', entitlement: 'analytics:read' });
  const skipped = ['no-entitlements', 'replay'];
  expect(unlessPassed(report).filter(([name]) => !skipped.includes(`${name}`))).toEqual([]);
});
