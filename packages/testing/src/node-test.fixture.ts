import { equal } from 'node:assert/strict';
import { after, test } from 'node:test';
import { Platform } from '@plat/sdk';
import { usePlatform } from './use-platform.ts';

const platform = await usePlatform({ afterAll: after });

test('a client is created', async () => {
  const plat = new Platform({ apiKey: platform.apiKey, baseUrl: platform.baseUrl });
  equal((await plat.clients.create({ name: 'Acme' })).slug, 'acme');
});

test('a test with a separate tenant does not see the client', async () => {
  const { apiKey } = await platform.tenant();
  const plat = new Platform({ apiKey, baseUrl: platform.baseUrl });
  equal((await plat.clients.list({ slug: 'acme' })).data.length, 0);
});
