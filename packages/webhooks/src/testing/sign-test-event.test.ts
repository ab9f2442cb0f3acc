import {
  ALL_APP_EVENT_TYPES,
  ALL_EVENT_TYPES,
  type AppEvent,
  type Client,
  isId,
  type PlatformEvent,
  type RevokedInstallation,
} from '@plat/contract';
import { expect, expectTypeOf, test } from 'vitest';
import { createVerifier, isAppEvent, type UnknownEvent, WebhookConfigurationError } from '../index.ts';
import { outcomeOf } from '../outcome.fixture.ts';
import { type Flaw, signTestEvent, TEST_SECRET } from '../testing.ts';

const verifier = createVerifier({ secrets: TEST_SECRET });

test.each([...ALL_EVENT_TYPES, ...ALL_APP_EVENT_TYPES])('a test delivery of %s is accepted and complete', (type) => {
  const { rawBody, headers, event, body } = signTestEvent(type);
  expect(verifier.verify(rawBody, headers)).toEqual(event);
  expect(JSON.parse(body)).toEqual(event);
  expect(isId('event', event.id)).toBe(true);
  expect(isId('tenant', event.tenant_id)).toBe(true);
  expect(isId('webhook_delivery', headers['x-platform-delivery-id'])).toBe(true);
  for (const [kind, name] of [
    ['client', 'client_id'],
    ['group', 'group_id'],
    ['user', 'user_id'],
    ['app', 'app_id'],
    ['tenant', 'tenant_id'],
    ['user', 'granted_by'],
  ] as const) {
    const id: unknown = Reflect.get(event.data, name);
    if (typeof id === 'string') expect(isId(kind, id)).toBe(true);
  }
});

const flaws: Record<Flaw, true> = {
  BODY_NOT_EVENT: true,
  BODY_NOT_JSON: true,
  BODY_NOT_UTF8: true,
  EVENT_HEADER_MISMATCH: true,
  SIGNATURE_MALFORMED: true,
  SIGNATURE_MISMATCH: true,
  SIGNATURE_MISSING: true,
  SIGNATURE_REPEATED: true,
  TIMESTAMP_IN_FUTURE: true,
  TIMESTAMP_INVALID: true,
  TIMESTAMP_TOO_OLD: true,
};

test.each(Object.keys(flaws) as Flaw[])('a delivery with the flaw %s is refused with that code', (flaw) => {
  const { rawBody, headers } = signTestEvent('user.invited', { flaw });
  expect(outcomeOf(() => verifier.verify(rawBody, headers)).code).toBe(flaw);
});

test('data, id, tenant, time and secrets can be set', async () => {
  const delivery = signTestEvent('client.updated', {
    data: { name: 'Other' },
    id: 'evt_mine',
    tenantId: 'tnt_mine',
    created: '2026-02-03T04:05:06.007Z',
    timestamp: 1_800_000_000,
    secret: ['whsec_a', 'whsec_b'],
  });
  expectTypeOf(delivery.event.data).toEqualTypeOf<Client>();
  expect(delivery.event).toMatchObject({
    id: 'evt_mine',
    tenant_id: 'tnt_mine',
    data: { name: 'Other', slug: 'acme' },
  });
  expect(delivery.event.created).toBe('2026-02-03T04:05:06.007Z');
  const later = createVerifier({ secrets: 'whsec_b', now: () => 1_800_000_000_000 });
  const request = delivery.toRequest();
  expect(later.verify(await request.arrayBuffer(), request.headers)).toEqual(delivery.event);
});

test('an event of an app has the app, and its data names the same tenant and app', () => {
  const { event, body } = signTestEvent('installation.reuse_detected', {
    tenantId: 'tnt_mine',
    appId: 'app_mine',
    data: { last_used_at: null },
  });
  expectTypeOf(event.data).toEqualTypeOf<RevokedInstallation>();
  expect(isAppEvent(event)).toBe(true);
  expect(Object.keys(event).join()).toBe('id,object,type,created,tenant_id,app_id,data');
  expect(event).toMatchObject({
    tenant_id: 'tnt_mine',
    app_id: 'app_mine',
    data: {
      tenant_id: 'tnt_mine',
      app_id: 'app_mine',
      state: 'revoked',
      revoked_by: { type: 'oauth_app', id: 'app_mine' },
      last_used_at: null,
    },
  });
  expect(body).not.toContain('01kf0v6wg0000000000000000a');
  expect(signTestEvent('app.disabled', { appId: 'app_mine' }).event.data).toMatchObject({
    id: 'app_mine',
    disabled_by: 'developer',
  });
  const data = { tenant_id: 'tnt_of_data', app_id: 'app_of_data' } as const;
  expect(signTestEvent('installation.revoked', { data }).event).toMatchObject({ ...data, data });
  expect(signTestEvent('app.enabled', { data: { id: 'app_of_data' } }).event.app_id).toBe('app_of_data');
  expect(signTestEvent('installation.revoked', { data, tenantId: 'tnt_mine', appId: 'app_mine' }).event).toMatchObject({
    tenant_id: 'tnt_mine',
    app_id: 'app_mine',
    data,
  });
  expect(signTestEvent('tenant.suspended', { tenantId: 'tnt_mine' }).event.data.id).toBe('tnt_mine');
});

test('an app id for an event of a tenant is refused', () => {
  const sign = () => Reflect.apply(signTestEvent, undefined, ['client.created', { appId: 'app_mine' }]);
  expect(sign).toThrow('appId is for events of apps: client.created is one of tenants.');
  expect(sign).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
});

test('the type of an event determines the type of its data, and any received event can be signed again', () => {
  // @ts-expect-error a client has no such field
  signTestEvent('client.created', { data: { nmae: 'Acme' } });
  // @ts-expect-error no such reason
  signTestEvent('installation.revoked', { data: { revoked_reason: 'boredom' } });
  // @ts-expect-error an event of a tenant has no app
  expect(() => signTestEvent('client.created', { appId: 'app_mine' })).toThrow('appId');
  const again = (event: PlatformEvent | AppEvent) => signTestEvent(event.type, { data: event.data }).event;
  const { event } = signTestEvent('installation.revoked');
  expectTypeOf(again(event)).toEqualTypeOf<PlatformEvent | AppEvent>();
  expect(again(event).data).toEqual(event.data);
});

test('an event of a later type can be simulated', () => {
  const { rawBody, headers, event } = signTestEvent('invoice.paid', { data: { amount: 5 } });
  expectTypeOf(event).toEqualTypeOf<UnknownEvent>();
  expect(verifier.verify(rawBody, headers)).toMatchObject({ type: 'invoice.paid', data: { amount: 5 } });
  expect(signTestEvent('app.renamed', { appId: 'app_mine' }).event).toMatchObject({ app_id: 'app_mine' });
});

test.each(['NOPE', 'timestamp_too_old', '', null])(
  'the flaw %j is refused, and the message lists the flaws',
  (flaw) => {
    // JavaScript callers can pass any value.
    const sign = () => signTestEvent('client.created', { flaw: flaw as Flaw });
    expect(sign).toThrow(WebhookConfigurationError);
    expect(sign).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
    for (const known of Object.keys(flaws)) expect(sign).toThrow(known);
  },
);

test('an empty secret is refused', () => {
  expect(() => signTestEvent('client.created', { secret: '' })).toThrow(WebhookConfigurationError);
  expect(() => signTestEvent('client.created', { secret: [] })).toThrow(WebhookConfigurationError);
});

test('an unknown option is refused, and the message names the right one', () => {
  for (const [wrong, meant] of [
    ['secrets', 'secret'],
    ['tenant_id', 'tenantId'],
  ] as const) {
    const call = () => Reflect.apply(signTestEvent, undefined, ['client.created', { [wrong]: 'x' }]);
    expect(call).toThrow(`${wrong} is not an option; did you mean ${meant}?`);
  }
});
