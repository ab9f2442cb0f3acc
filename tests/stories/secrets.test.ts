import { expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receiver.ts';
import { startServerProcess } from '../support/server-process.ts';

test('no log line holds a key, a signing secret or a body, at the most talkative level', async () => {
  const database = await freshDatabase();
  const receiver = await startReceiver();
  const server = await startServerProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'trace' });
  const [, key = ''] = await server.waitFor(/API key +(\S+)/);
  const api = apiOf(server.baseUrl, key);
  const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['*'] } });
  await api('/v1/clients', { body: { name: 'Confidential name' } });
  await receiver.waitFor(1);
  expectRefusal(await api(`/v1/me?access_token=${key}`), 'INVALID_TOKEN');
  expectRefusal(
    await api('/v1/clients', { body: { name: 'Confidential name', slug: 'Confidential' } }),
    'INVALID_BODY',
  );
  expectRefusal(await apiOf(server.baseUrl, `${key}x`)('/v1/me'), 'INVALID_TOKEN');
  await server.stop();

  // The first screen shows the key on purpose; what follows are log lines.
  const lines = server
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(lines.length).toBeGreaterThanOrEqual(5);
  expect(lines.every((line) => JSON.parse(line).level > 0)).toBe(true);
  expect(lines.join('\n')).not.toMatch(/Confidential|whsec_|plat_test_/);
  expect(lines.join('\n')).not.toContain(endpoint.secret);
  expect(server.stderr()).toBe('');
  await receiver.close();
  await database.drop();
});
