import type { Client, RevokedInstallation, UserRoleChange } from '@plat/contract';
import { expect, expectTypeOf, test } from 'vitest';
import { isAppEvent, isKnownEvent, parseEvent, type UnknownEvent, type WebhookEvent } from './event.ts';

const created = {
  id: 'evt_1',
  object: 'event',
  type: 'client.created',
  created: '2026-01-01T00:00:00.000Z',
  tenant_id: 'tnt_1',
  data: { object: 'client', id: 'cli_1' },
};

test('a switch over the type narrows the data, and leaves the unknown event to default', () => {
  const handled = (event: WebhookEvent): string => {
    switch (event.type) {
      case 'client.created':
      case 'client.updated':
      case 'client.deleted':
        expectTypeOf(event.data).toEqualTypeOf<Client>();
        return event.data.id;
      case 'user.role_changed':
        expectTypeOf(event.data).toEqualTypeOf<UserRoleChange>();
        return event.data.id;
      case 'group.created':
      case 'group.updated':
      case 'group.member_added':
      case 'group.member_removed':
      case 'group.owner_invited':
      case 'group.owner_removed':
      case 'group.deleted':
      case 'user.invited':
      case 'user.activated':
      case 'user.deactivated':
      case 'tenant.suspended':
      case 'tenant.reactivated':
      case 'location.created':
      case 'location.updated':
      case 'location.deleted':
      case 'oauth.app_authorized':
      case 'oauth.app_revoked':
        return event.type;
      case 'installation.authorized':
      case 'installation.scopes_changed':
      case 'installation.revoked':
      case 'installation.reuse_detected':
      case 'app.verified':
      case 'app.rejected':
      case 'app.disabled':
      case 'app.enabled':
      case 'app.deleted':
      case 'app.secret_rotated':
        return event.app_id;
      default: {
        expectTypeOf(event).toEqualTypeOf<UnknownEvent>();
        const type: string = event.type;
        return type;
      }
    }
  };
  expect(handled(parseEvent(JSON.stringify(created)))).toBe('cli_1');
  expect(handled(parseEvent(JSON.stringify({ ...created, type: 'invoice.paid' })))).toBe('invoice.paid');
});

test('a comparison also narrows the data', () => {
  const event = parseEvent(JSON.stringify(created));
  if (event.type !== 'client.created') throw new Error('not narrowed');
  expectTypeOf(event.data).toEqualTypeOf<Client>();
});

test('an event of an app is recognized by its type and its app, and narrows to the payload of its type', () => {
  const revoked = { ...created, type: 'installation.revoked', app_id: 'app_1' };
  const event = parseEvent(JSON.stringify(revoked));
  expect([isAppEvent(event), isKnownEvent(event)]).toEqual([true, false]);
  expect(isAppEvent(parseEvent(JSON.stringify({ ...revoked, app_id: undefined })))).toBe(false);
  if (event.type === 'installation.revoked') expectTypeOf(event.data).toEqualTypeOf<RevokedInstallation>();
});

test('an event of a later type is accepted, and isKnownEvent returns false', () => {
  expect(isKnownEvent(parseEvent(JSON.stringify(created)))).toBe(true);
  const later = parseEvent(JSON.stringify({ ...created, type: 'constructor' }));
  expect(isKnownEvent(later)).toBe(false);
  expect(later.type).toBe('constructor');
});

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each<[string, string | Uint8Array, string]>([
  ['a byte order mark in bytes', utf8(`\uFEFF${JSON.stringify(created)}`), 'BODY_NOT_UTF8'],
  ['a byte order mark in a string', `\uFEFF${JSON.stringify(created)}`, 'BODY_NOT_UTF8'],
  ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), 'BODY_NOT_UTF8'],
  ['an overlong encoding', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), 'BODY_NOT_UTF8'],
  ['a surrogate encoded as UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'BODY_NOT_UTF8'],
  ['nothing', '', 'BODY_NOT_JSON'],
  ['half an object', '{"id":', 'BODY_NOT_JSON'],
  ['null', 'null', 'BODY_NOT_EVENT'],
  ['an array', '[]', 'BODY_NOT_EVENT'],
  ['another object', JSON.stringify({ ...created, object: 'client' }), 'BODY_NOT_EVENT'],
  ['an id of another kind', JSON.stringify({ ...created, id: 'del_1' }), 'BODY_NOT_EVENT'],
  ['an id that is a number', JSON.stringify({ ...created, id: 1 }), 'BODY_NOT_EVENT'],
  ['an id of the prefix alone', JSON.stringify({ ...created, id: 'evt_' }), 'BODY_NOT_EVENT'],
  ['a type that is a number', JSON.stringify({ ...created, type: 1 }), 'BODY_NOT_EVENT'],
  ['an empty type', JSON.stringify({ ...created, type: '' }), 'BODY_NOT_EVENT'],
  ['an empty created', JSON.stringify({ ...created, created: '' }), 'BODY_NOT_EVENT'],
  ['no created', JSON.stringify({ ...created, created: undefined }), 'BODY_NOT_EVENT'],
  ['no tenant', JSON.stringify({ ...created, tenant_id: '' }), 'BODY_NOT_EVENT'],
  ['a tenant that is a number', JSON.stringify({ ...created, tenant_id: 1 }), 'BODY_NOT_EVENT'],
  ['data that is a text', JSON.stringify({ ...created, data: 'text' }), 'BODY_NOT_EVENT'],
  ['data that is null', JSON.stringify({ ...created, data: null }), 'BODY_NOT_EVENT'],
  ['data that is an array', JSON.stringify({ ...created, data: [] }), 'BODY_NOT_EVENT'],
])('a body of %s is refused', (_, body, code) => {
  expect(() => parseEvent(body)).toThrow(expect.objectContaining({ code }));
});

test('a member named __proto__ does not reach the prototype', () => {
  const event = parseEvent(JSON.stringify(created).replace('"data":{', '"__proto__":{"polluted":1},"data":{'));
  expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
  expect('polluted' in event).toBe(false);
});
