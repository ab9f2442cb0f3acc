import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let api: Api;
let tenantId: string;

beforeEach(async () => {
  const tenant = await story.server.createTenant();
  tenantId = tenant.tenantId;
  api = apiOf(story.server.baseUrl, tenant.apiKey);
});

const trail = async () => (await api('/v1/audit/events')).body.data;
const events = async () => (await api('/v1/webhooks/events')).body.data;

describe('tenant', () => {
  const patch = (body: unknown) => api('/v1/tenant', { method: 'PATCH', body });

  test('is the tenant of the credential, with all fields', async () => {
    const { status, body } = await api('/v1/tenant');
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'tenant',
      id: tenantId,
      name: 'Test',
      status: 'active',
      plan_id: null,
      sandbox: true,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    const live = await story.server.createTenant({ sandbox: false });
    expect((await apiOf(story.server.baseUrl, live.apiKey)('/v1/tenant')).body).toMatchObject({
      id: live.tenantId,
      sandbox: false,
    });
  });

  test('can be renamed, without an event', async () => {
    const before = (await api('/v1/tenant')).body;
    const { status, body } = await patch({ name: '  Harbour <Retail> 株式会社 ' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'Harbour <Retail> 株式会社', updated_at: body.updated_at });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await api('/v1/tenant')).body).toEqual(body);
    expect(await trail()).toMatchObject([
      {
        action: 'tenant.updated',
        target: { type: 'tenant', id: tenantId },
        changes: { name: { before: 'Test', after: 'Harbour <Retail> 株式会社' } },
        created_at: body.updated_at,
      },
    ]);
    expect(await events()).toEqual([]);
  });

  test('writes nothing when nothing changes', async () => {
    const before = (await api('/v1/tenant')).body;
    for (const body of [{}, { name: 'Test' }]) expect((await patch(body)).body).toEqual(before);
    expect(await trail()).toEqual([]);
  });

  test.each([
    ['a blank name', { name: ' ' }, 'name'],
    ['a name of 201 characters', { name: 'a'.repeat(201) }, 'name'],
    ['no text', { name: null }, 'name'],
    ['the status', { status: 'suspended' }, 'status'],
    ['the plan', { plan_id: null }, 'plan_id'],
    ['the sandbox flag', { sandbox: false }, 'sandbox'],
  ])('%s is INVALID_BODY', async (_title, body, field) => {
    expectRefusal(await patch(body), 'INVALID_BODY', [field]);
  });
});

describe('settings', () => {
  const patch = (body: unknown) => api('/v1/settings', { method: 'PATCH', body });

  test('exist from the beginning', async () => {
    const { status, body } = await api('/v1/settings');
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'settings',
      tenant_id: tenantId,
      default_timezone: 'UTC',
      default_locale: 'en',
      support_email: null,
      launch_token_ttl_seconds: 900,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
  });

  test('change field by field, each in its canonical form', async () => {
    const before = (await api('/v1/settings')).body;
    const { status, body } = await patch({ default_timezone: 'europe/berlin', default_locale: 'DE-ch' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      default_timezone: 'Europe/Berlin',
      default_locale: 'de-CH',
      updated_at: body.updated_at,
    });
    const { body: next } = await patch({ support_email: 'Help@example.com', launch_token_ttl_seconds: 60 });
    expect(next).toEqual({
      ...body,
      support_email: 'Help@example.com',
      launch_token_ttl_seconds: 60,
      updated_at: next.updated_at,
    });
    expect((await api('/v1/settings')).body).toEqual(next);
    expect((await patch({ support_email: null })).body.support_email).toBeNull();

    const kept = (await trail()).reverse();
    expect(kept).toHaveLength(3);
    expect(kept[0]).toMatchObject({
      action: 'settings.updated',
      target: { type: 'settings', id: tenantId },
      changes: {
        default_timezone: { before: 'UTC', after: 'Europe/Berlin' },
        default_locale: { before: 'en', after: 'de-CH' },
      },
      created_at: body.updated_at,
    });
    expect(await events()).toEqual([]);
  });

  test('write nothing when nothing changes', async () => {
    const before = (await api('/v1/settings')).body;
    for (const body of [{}, { default_timezone: 'utc', default_locale: 'EN' }]) {
      expect((await patch(body)).body).toEqual(before);
    }
    expect(await trail()).toEqual([]);
  });

  test.each([
    ['an offset', { default_timezone: '+01:00' }, 'default_timezone'],
    ['a place that is no zone', { default_timezone: 'Mars/Olympus' }, 'default_timezone'],
    ['no locale', { default_locale: 'en_US' }, 'default_locale'],
    ['no address', { support_email: 'help' }, 'support_email'],
    ['59 seconds', { launch_token_ttl_seconds: 59 }, 'launch_token_ttl_seconds'],
    ['3,601 seconds', { launch_token_ttl_seconds: 3601 }, 'launch_token_ttl_seconds'],
    ['seconds as text', { launch_token_ttl_seconds: '900' }, 'launch_token_ttl_seconds'],
    ['a time zone of null', { default_timezone: null }, 'default_timezone'],
    ['the tenant', { tenant_id: 'tnt_01hzzzzzzzzzzzzzzzzzzzzzzz' }, 'tenant_id'],
  ])('%s is INVALID_BODY', async (_title, body, field) => {
    expectRefusal(await patch(body), 'INVALID_BODY', [field]);
  });

  test('of two tenants are independent', async () => {
    const other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
    await patch({ default_locale: 'fr' });
    expect((await other('/v1/settings')).body.default_locale).toBe('en');
  });

  test('give a location its time zone when it is created without one', async () => {
    await patch({ default_timezone: 'Asia/Tokyo' });
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    const location = await api(`/v1/clients/${client.id}/locations`, { body: { name: 'Office', country: 'JP' } });
    expect(location.body.timezone).toBe('Asia/Tokyo');
  });
});
