import { readFileSync } from 'node:fs';
import { ALL_EVENT_TYPES, ALL_SCOPES, ERROR_CODES } from '@plat/contract';
import { describe, expect, it } from 'vitest';
import { CLI_ERROR_CODES } from '../errors/cli-error.ts';
import { plat } from '../testing/plat.ts';
import { ERROR_EXPLANATIONS } from './error-explanations.ts';
import { EXPLAINED, explanationOf } from './topics.ts';

describe('plat explain', () => {
  it('tells cause, fix and exit code of an error code, in whatever case it is typed', async () => {
    const { code, stdout, stderr } = await plat(['explain', 'insufficient_scope', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      object: 'error_code',
      code: 'INSUFFICIENT_SCOPE',
      from: 'the API',
      status: 403,
      general: null,
      exit_code: 3,
      ...ERROR_EXPLANATIONS.INSUFFICIENT_SCOPE,
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

  it('tells what causes an event type and what it carries', async () => {
    const { stdout } = await plat(['explain', 'client.created', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'client.created',
      data: 'client',
      operations: ['plat clients create'],
      trigger: 'plat trigger client.created',
    });
  });

  it('tells which commands need a scope', async () => {
    const { stdout } = await plat(['explain', 'Clients:Write']);
    expect(stdout).toMatch(/^operations +plat clients create, plat clients update, plat clients delete$/m);
  });

  it('knows the codes of plat itself and of plat webhooks verify', async () => {
    expect((await plat(['explain', 'NO_API_KEY'])).stdout).toMatch(/^exit_code +4$/m);
    expect((await plat(['explain', 'SIGNATURE_MISMATCH'])).stdout).toMatch(/^exit_code +11$/m);
  });

  it('names the one that was probably meant', async () => {
    const { code, stdout, stderr } = await plat(['explain', 'insuficient_scop']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Did you mean INSUFFICIENT_SCOPE?');
    expect((await plat(['explain', 'xyzzy'])).stderr).not.toContain('Did you mean');
  });

  it('knows every code, event type and scope', () => {
    const known = [ERROR_CODES, CLI_ERROR_CODES].flatMap(Object.keys);
    expect(EXPLAINED).toEqual(expect.arrayContaining([...known, ...ALL_EVENT_TYPES, ...ALL_SCOPES]));
    for (const name of EXPLAINED) expect(Object.values(explanationOf(name)), name).not.toContain('');
  });
});

describe('docs/errors.md', () => {
  it('has cause and fix of every code as plat explain says them', () => {
    const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| \d{3} \| (.*?) \| (.*?) \|$/gm)];
    const documented = rows.map(([, code, cause, fix]) => [code, { cause, fix }]);
    expect(Object.fromEntries(documented)).toEqual(ERROR_EXPLANATIONS);
  });
});
