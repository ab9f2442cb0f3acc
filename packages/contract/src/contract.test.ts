import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  ALL_EVENT_TYPES,
  ALL_SCOPES,
  DEVELOPER_OPERATIONS,
  type Deprecation,
  ERROR_CODES,
  type ErrorCode,
  type EventPayloads,
  type EventType,
  GENERAL_ERROR_CODES,
  ID_PREFIXES,
  isErrorCode,
  isEventType,
  isId,
  isScope,
  LIMITS,
  OPERATIONS,
  type OperationInfo,
  type OperationName,
  type OperationTypes,
  RETRY_DELAYS_SECONDS,
  SCOPES,
  SPECIFIC_ERROR_CODES,
} from './index.ts';
import { DEVELOPER_OPERATION_SCHEMAS, OPERATION_SCHEMAS, type OperationSchemas } from './schemas/index.ts';

describe('error codes', () => {
  test('the 17 general codes have the statuses of the specification', () => {
    const statuses = Object.entries(GENERAL_ERROR_CODES).map(([code, { status }]) => `${code} ${status}`);
    expect(statuses).toEqual([
      'INVALID_REQUEST 400',
      'INVALID_CURSOR 400',
      'INVALID_BODY 400',
      'INVALID_TOKEN 401',
      'UNAUTHORIZED 401',
      'INSUFFICIENT_SCOPE 403',
      'FORBIDDEN 403',
      'VENDOR_KEY_NOT_ALLOWED_ON_V1 403',
      'APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT 403',
      'NOT_FOUND 404',
      'CONFLICT 409',
      'UNPROCESSABLE 422',
      'RATE_LIMITED 429',
      'INVALID_GRANT 400',
      'INVALID_CLIENT_SECRET 401',
      'INVALID_PKCE 400',
      'INTERNAL_ERROR 500',
    ]);
  });

  test('the specific codes that the specification names have the status of their class', () => {
    const named = {
      CLIENT_NOT_FOUND: 404,
      LOCATION_NOT_FOUND: 404,
      SLUG_IN_USE: 409,
      LAST_LOCATION_PROTECTED: 422,
      LOCATION_IN_USE: 422,
      DEFAULT_LOCATION_PROTECTED: 422,
      INVALID_REDIRECT_URI: 400,
      INVALID_SCOPE: 400,
    };
    for (const [code, status] of Object.entries(named)) expect(ERROR_CODES[code as ErrorCode].status).toBe(status);
  });

  test('a specific code of a general class answers with its status', () => {
    for (const { status, general } of Object.values(SPECIFIC_ERROR_CODES)) {
      if (general !== null) expect(GENERAL_ERROR_CODES[general].status).toBe(status);
    }
  });

  test('a property name that every object inherits is not an error code', () => {
    expect([isErrorCode('SLUG_IN_USE'), isErrorCode('toString'), isErrorCode('__proto__'), isErrorCode(1)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

test('the contract has the 21 event types of the specification, each with a payload', () => {
  expect(ALL_EVENT_TYPES).toHaveLength(21);
  expect(ALL_EVENT_TYPES.every(isEventType)).toBe(true);
  expect(isEventType('client.made')).toBe(false);
  expectTypeOf<keyof EventPayloads>().toEqualTypeOf<EventType>();
});

test('every scope is a resource with read or write, and no scope appears twice', () => {
  for (const scope of ALL_SCOPES) expect(scope).toMatch(/^[a-z]+:(read|write)$/);
  expect(new Set(ALL_SCOPES).size).toBe(ALL_SCOPES.length);
  // Events and the audit trail contain data of families whose own scopes the consent need not name.
  for (const scope of ['webhooks:read', 'webhooks:write', 'audit:read'] as const) {
    expect(SCOPES[scope]).toMatch(/with their data|with the values/);
  }
  expect(isScope('clients:admin')).toBe(false);
});

test('an id has the prefix of its kind and 26 characters, and is not accepted for another kind', () => {
  const opaque = '01hzzzzzzzzzzzzzzzzzzzzzzz';
  expect(isId('client', `cli_${opaque}`)).toBe(true);
  for (const wrong of [
    `usr_${opaque}`,
    `cli_${opaque}0`,
    `cli_8${opaque.slice(1)}`,
    `cli_${opaque.toUpperCase()}`,
    'cli_',
    5,
  ]) {
    expect(isId('client', wrong)).toBe(false);
  }
  expect(new Set(Object.values(ID_PREFIXES)).size).toBe(Object.keys(ID_PREFIXES).length);
});

test('seven attempts have six delays, 31 hours in total', () => {
  expect(RETRY_DELAYS_SECONDS).toEqual([30, 120, 600, 3600, 21_600, 86_400]);
  expect(RETRY_DELAYS_SECONDS).toHaveLength(LIMITS.webhook.attempts - 1);
});

test('every operation has types, a scope that fits its method, and a unique path', () => {
  expectTypeOf<keyof OperationTypes>().toEqualTypeOf<OperationName>();
  const calls = Object.values(OPERATIONS).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(calls).size).toBe(calls.length);
  for (const [name, { method, scope }] of Object.entries(OPERATIONS)) {
    // A trace needs the scope of each of its parts.
    if (name === 'me.get' || name === 'trace.get') expect(scope).toBeNull();
    else expect(scope).toMatch(method === 'GET' ? /:read$/ : /:write$/);
  }
});

describe('a deprecation', () => {
  /** Returns the faults of an announcement. */
  const faultsOf = ({ since, sunset, link }: Deprecation): string[] => [
    ...[since, ...(sunset ? [sunset] : [])].filter((day) => !isDay(day)).map((day) => `${day} is no day`),
    ...(sunset && Date.parse(sunset) - Date.parse(since) < 90 * 86_400_000 ? ['the end is less than 90 days off'] : []),
    ...(link !== undefined && !/^https:\/\/[^\s<>]+$/.test(link) ? ['the link is no https URL'] : []),
  ];
  const isDay = (text: string): boolean => {
    const ms = Date.parse(`${text}T00:00:00Z`);
    return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text;
  };

  test.each([
    [{ since: '2026-01-31' }, 0],
    [{ since: '2026-01-31', sunset: '2026-05-01', link: 'https://docs.example/new' }, 0],
    [{ since: '2026-01-31', sunset: '2026-04-30' }, 1],
    [{ since: '2026-02-30', sunset: '2027-01-01T00:00:00Z' }, 2],
    [{ since: '2026-01-31', link: 'new.md' }, 1],
  ])('%j has %i faults', (deprecation, faults) => {
    expect(faultsOf(deprecation)).toHaveLength(faults);
  });

  test('an operation is announced as deprecated at least 90 days ahead (specification, Limits)', () => {
    const operations: readonly OperationInfo[] = Object.values(OPERATIONS);
    expect(operations.flatMap(({ deprecated }) => (deprecated ? faultsOf(deprecated) : []))).toEqual([]);
  });
});

test('the package has no dependencies', () => {
  const manifest: object = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    expect(manifest).not.toHaveProperty(kind);
});

test('every operation that deletes has the text of a confirmation', () => {
  const operations: Record<string, OperationInfo> = { ...DEVELOPER_OPERATIONS, ...OPERATIONS };
  const schemas: Record<string, OperationSchemas> = { ...DEVELOPER_OPERATION_SCHEMAS, ...OPERATION_SCHEMAS };
  const silent = Object.keys(operations).filter(
    (name) => operations[name]?.method === 'DELETE' && schemas[name]?.confirmation === undefined,
  );
  expect(silent).toEqual([]);
});
