import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES, ALL_SCOPES, APP_EVENT_TYPES, ERROR_CODES } from '@plat/contract';
import { ERROR_REFERENCE } from '@plat/contract/error-reference';
import type { InvalidResponseCode } from '@plat/sdk';
import { describe, expect, it } from 'vitest';
import { EXPLAINED } from '../errors/explained.ts';
import { LAUNCH_TOKEN_ERRORS, SDK_ERRORS, WEBHOOK_ERRORS } from '../errors/library-errors.ts';
import { CHECK_ERRORS, OWN_ERRORS } from '../errors/own-errors.ts';
import { plat } from '../testing/plat.ts';
import { explanationsOf } from './topics.ts';

describe('plat explain', () => {
  it('shows cause, fix and exit code of an error code, case-insensitively', async () => {
    const { code, stdout, stderr } = await plat(['explain', 'insufficient_scope', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      object: 'error_code',
      code: 'INSUFFICIENT_SCOPE',
      from: 'the API',
      status: 403,
      general: null,
      exit_code: 3,
      cause: ERROR_REFERENCE.INSUFFICIENT_SCOPE.cause,
      fix: 'Use a key with that scope: plat me (GET /v1/me) shows the scopes of a key, plat keys mint --scopes <scope>,… creates one.',
    });
  });

  it.each([
    ['SLUG', /There is SLUG_IN_USE\./, 'plat explain SLUG_IN_USE'],
    ['_not_found', /There are CLIENT_NOT_FOUND, .* and \d+ more\./, 'plat explain CLIENT_NOT_FOUND'],
  ])('names what %s is a part of', async (part, hint, next) => {
    const { code, stderr } = await plat(['explain', part, '--json']);
    const { error } = JSON.parse(stderr);
    expect([code, error.hint, error.next]).toEqual([2, expect.stringMatching(hint), next]);
  });

  it('shows the causes and the data of an event type', async () => {
    const { stdout } = await plat(['explain', 'client.created', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'client.created',
      data: 'client',
      operations: ['plat clients create'],
      trigger: 'plat trigger client.created',
    });
  });

  it('shows which object an event of an app contains, and which endpoints receive it', async () => {
    const { stdout } = await plat(['explain', 'installation.revoked', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      object: 'event_type',
      type: 'installation.revoked',
      fires: APP_EVENT_TYPES['installation.revoked'],
      data: 'installation',
      endpoints:
        'those of the app: plat apps webhooks endpoints create <app_id> --events installation.revoked --url <url>',
      trigger:
        'plat trigger installation.revoked --raw --to <url> (Only an owner, a developer or the app can revoke its access)',
    });
  });

  it('says that no command needs the scope me:read', async () => {
    const { stdout } = await plat(['explain', 'me:read', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ operations: [], note: expect.stringContaining('No command needs it') });
  });

  it('shows the commands that need a scope', async () => {
    const { stdout } = await plat(['explain', 'Clients:Write']);
    expect(stdout).toMatch(/^operations +plat clients create, plat clients update, plat clients delete$/m);
  });

  it('explains the codes of plat itself and of plat webhooks verify', async () => {
    expect((await plat(['explain', 'NO_API_KEY'])).stdout).toMatch(/^exit_code +4$/m);
    expect((await plat(['explain', 'SIGNATURE_MISMATCH'])).stdout).toMatch(/^exit_code +11$/m);
  });

  it.each([
    ['GRANT_LOCKED', '@plat/sdk, GrantLockedError', /holder names it/],
    ['ABORTED', '@plat/sdk, AbortedError', /signal of the call was aborted/],
    ['TIMEOUT', 'plat, @plat/sdk', /did not answer in time/],
    ['TOLERANCE_INVALID', '@plat/webhooks', /milliseconds are a usual mistake/],
    ['RESOLVER_FAILED', '@plat/webhooks', /resolver threw/],
    ['KEY_UNKNOWN', 'plat launch verify, @plat/launch-token', /another environment/],
  ])('explains %s of a library', async (code, from, cause) => {
    const { stdout } = await plat(['explain', code, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ code, from, cause: expect.stringMatching(cause) });
  });

  it('explains each meaning of a code that several programs use', async () => {
    const { stdout } = await plat(['explain', 'issuer_mismatch', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      from: '@plat/sdk, CallbackError',
      also: [{ from: 'plat launch verify, @plat/launch-token' }],
    });
    const { stdout: text } = await plat(['explain', 'ISSUER_MISMATCH']);
    expect(text.match(/^from +(.*)$/gm)).toHaveLength(2);
    expect(text).toMatch(/\n\nobject /);
  });

  it('explains the error class of a delivery', async () => {
    const { stdout } = await plat(['explain', 'timeout', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ class: 'timeout', fix: expect.stringContaining('answer 2xx first') });
  });

  it('suggests the closest name', async () => {
    const { code, stdout, stderr } = await plat(['explain', 'insuficient_scop']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Did you mean INSUFFICIENT_SCOPE?');
    expect((await plat(['explain', 'xyzzy'])).stderr).not.toContain('Did you mean');
  });

  it('explains every code, event type and scope', () => {
    const libraries = [SDK_ERRORS, WEBHOOK_ERRORS, LAUNCH_TOKEN_ERRORS];
    const known = [ERROR_CODES, ERROR_REFERENCE, OWN_ERRORS, ...libraries].flatMap((table) => Object.keys(table));
    expect(EXPLAINED).toEqual(
      expect.arrayContaining([...known, ...ALL_EVENT_TYPES, ...ALL_APP_EVENT_TYPES, ...ALL_SCOPES]),
    );
    for (const name of EXPLAINED) {
      expect(explanationsOf(name), name).not.toEqual([]);
      expect(explanationsOf(name).flatMap(Object.values), name).not.toContain('');
    }
  });

  it('explains every code of a response that is not from the API', () => {
    const codes: readonly InvalidResponseCode[] = ['INVALID_RESPONSE', 'UNEXPECTED_REDIRECT', 'RESPONSE_TOO_LARGE'];
    expect(EXPLAINED).toEqual(expect.arrayContaining([...codes]));
  });

  it('explains every failed check that a command reports', () => {
    const sources = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
    );
    const reported = sources.flatMap((path) => [
      ...readFileSync(join(source, path), 'utf8').matchAll(/CheckFailedError\('([A-Z_]+)'/g),
    ]);
    expect(reported.length).toBeGreaterThan(0);
    expect(Object.keys(CHECK_ERRORS)).toEqual(expect.arrayContaining(reported.map(([, code]) => code)));
  });
});

describe('the reference of errors', () => {
  it.each(Object.entries(ERROR_REFERENCE))(
    'has texts for %s that end as sentences',
    (_, { description, cause, fix }) => {
      for (const text of [description, cause, fix]) expect(text).toMatch(/^\S[^\n|]+\.$/);
    },
  );

  it.each(Object.entries({ ...OWN_ERRORS, ...SDK_ERRORS, ...WEBHOOK_ERRORS, ...LAUNCH_TOKEN_ERRORS }))(
    'has texts for %s that end as sentences',
    (_, { cause, fix }) => {
      for (const text of [cause, fix]) expect(text).toMatch(/^\S[^\n|]+\.$/);
    },
  );
});

const source = join(import.meta.dirname, '..');
