import { isId } from '@plat/contract';
import { expect, test } from 'vitest';
import { type Answer, apiOf, expectRefusal } from '../support/api.ts';
import { startReceiver } from '../support/receiver.ts';
import { askForLink, signInMail } from '../support/sign-in.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

/* One call creates a tenant for each test file. The tenants run side by side, and none is reset. */

const story = useServer();
const newTenant = (body: object = {}): Promise<Answer> => apiOf(story.server.baseUrl)('/_dev/tenants', { body });

test('a tenant comes with a key, its developer, its owner and the seeded content', async () => {
  const { status, body } = await newTenant();
  expect(status).toBe(201);
  expect(body).toMatchObject({ object: 'dev_tenant', name: 'Test', base_url: story.server.baseUrl });
  expect([isId('tenant', body.tenant_id), isId('developer', body.developer.id), isId('user', body.owner.id)]).toEqual([
    true,
    true,
    true,
  ]);
  const api = apiOf(body.base_url, body.api_key);
  expect((await api('/v1/me')).body).toMatchObject({ tenant_id: body.tenant_id });
  expect((await api('/v1/clients')).body.data).toHaveLength(2);
  const users = await api('/v1/users');
  expect(users.body.data.map(({ id }: { id: string }) => id)).toContain(body.owner.id);
});

test('its name may be given, and its content left out', async () => {
  const { body } = await newTenant({ name: 'My tests', seed: false });
  const api = apiOf(body.base_url, body.api_key);
  expect((await api('/v1/tenant')).body.name).toBe('My tests');
  expect((await api('/v1/clients')).body.data).toEqual([]);
});

test('invalid fields are refused with an explanation', async () => {
  expectRefusal(await newTenant({ name: '' }), 'INVALID_BODY', ['name']);
  expectRefusal(await newTenant({ sandbox: false }), 'INVALID_BODY', ['sandbox']);
});

test('many tenants are created at once, and none sees the data of another', async () => {
  const tenants = await Promise.all(Array.from({ length: 8 }, () => newTenant({ seed: false })));
  const keys = new Set(tenants.map(({ body }) => body.api_key));
  expect(keys.size).toBe(8);
  // The same slug in each tenant.
  const apis = [...keys].map((key) => apiOf(story.server.baseUrl, key));
  await Promise.all(apis.map((api) => api('/v1/clients', { body: { name: 'Acme', slug: 'acme' } })));
  for (const api of apis) expect((await api('/v1/clients')).body.data).toHaveLength(1);
});

test('its webhooks reach a receiver on this machine, and its developer signs in with a mail that can be read', async () => {
  const { body } = await newTenant({ seed: false });
  const receiver = await startReceiver();
  try {
    const api = apiOf(body.base_url, body.api_key);
    await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } });
    await api('/v1/clients', { body: { name: 'Acme' } });
    await apiOf(story.server.baseUrl)('/_dev/idle');
    expect(receiver.received).toHaveLength(1);
  } finally {
    await receiver.close();
  }

  const browser = visitor(story.server.baseUrl);
  await askForLink(browser, body.developer.email, '/console/sign-in');
  const path = `/_dev/mail?to=${encodeURIComponent(body.developer.email.toUpperCase())}`;
  const mails = await apiOf(story.server.baseUrl)(path, { headers: { accept: 'application/json' } });
  expect(mails.body).toMatchObject([{ to: body.developer.email }]);
  const { code } = await signInMail(story.server, body.developer.email);
  expect(mails.body[0].text).toContain(code);
  const others = await apiOf(story.server.baseUrl)('/_dev/mail?to=nobody@example.com', {
    headers: { accept: 'application/json' },
  });
  expect(others.body).toEqual([]);
});
