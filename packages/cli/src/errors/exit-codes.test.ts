import { readFileSync } from 'node:fs';
import { ERROR_CODES, type ErrorCode, type ErrorCodeInfo } from '@plat/contract';
import { ApiError, ConnectionError, TimeoutError } from '@plat/sdk';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../failure/failure.ts';
import { plat } from '../testing/plat.ts';
import { EXIT_CODE_MEANINGS, EXIT_CODES } from './exit-codes.ts';

const EXIT_OF_STATUS: Record<ErrorCodeInfo['status'], number> = {
  400: 3,
  401: 4,
  403: 3,
  404: 5,
  409: 6,
  405: 3,
  413: 3,
  422: 3,
  429: 7,
  500: 8,
  503: 8,
};

const situation = { command: 'plat clients get', connection: null, resumeWith: null, args: [] };

function apiError(rawCode: string, status: number): ApiError {
  return new ApiError({
    status,
    rawCode,
    message: 'No.',
    errors: [],
    rateLimit: null,
    retryAfter: null,
    requestId: 'req_1',
  });
}

describe('plat help', () => {
  it('has the exit codes as a topic, as the README has them', async () => {
    const { code, stdout } = await plat(['help', 'exit-codes']);
    expect(code).toBe(0);
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replaceAll('`', '');
    for (const [name, meaning] of Object.entries(EXIT_CODE_MEANINGS)) {
      const number = Object.entries(EXIT_CODES).find(([key]) => key === name)?.[1];
      expect(stdout).toMatch(new RegExp(`^ +${number} {2}${meaning}$`, 'm'));
      expect(readme).toContain(`| ${number} | ${meaning} |`);
    }
  });

  it.each([
    [['nope'], /no command or help topic "nope"/, 'plat help'],
    [['clients', 'craete'], /Did you mean clients create\?/, 'plat help clients'],
    [['exit-code'], /Did you mean exit-codes\?/, 'plat help'],
  ])('reports the unknown topic %j', async (words, said, next) => {
    const { code, stdout, stderr } = await plat(['help', ...words]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(said);
    expect(stderr).toContain(`next: ${next}\n`);
  });

  it('shows the help of a command', async () => {
    expect((await plat(['help', 'clients', 'create'])).stdout).toContain('Usage: plat clients create');
  });
});

describe('the exit codes', () => {
  it.each(Object.entries<ErrorCodeInfo>(ERROR_CODES))('follow the class of %s', async (code, { status }) => {
    const failure = await failureOf(apiError(code, status), situation);
    expect(failure).toMatchObject({
      code,
      status,
      message: 'No.',
      requestId: 'req_1',
      exitCode: EXIT_OF_STATUS[status],
    });
  });

  it('follow the status of a code unknown to this CLI', async () => {
    const failure = await failureOf(apiError('PET_IN_USE', 409), situation);
    expect(failure).toMatchObject({ code: 'PET_IN_USE', exitCode: 6 });
  });

  it('come with a next step for every code', async () => {
    for (const code of Object.keys(ERROR_CODES)) {
      const { status } = ERROR_CODES[code as ErrorCode];
      expect((await failureOf(apiError(code, status), situation)).next, code).toMatch(/\w/);
    }
  });

  it('come with a next step without the name of a header', async () => {
    for (const code of [
      'RATE_LIMITED',
      'IDEMPOTENCY_KEY_IN_USE',
      'SERVICE_UNAVAILABLE',
      'MAIL_LIMIT_REACHED',
    ] as const) {
      const { next } = await failureOf(apiError(code, ERROR_CODES[code].status), situation);
      expect(next, code).toMatch(/try again/i);
      expect(next, code).not.toContain('Retry-After');
    }
  });

  it('are 9 for an unreachable server, with the command that starts the sandbox', async () => {
    const [path, baseUrl, apiKey] = ['/app/.plat/sandbox.json', 'http://127.0.0.1:4010', 'plat_test_x'];
    const sandbox = { path, baseUrl, apiKey, tenantId: null, developerEmail: null };
    const key = { kind: 'api_key', credential: apiKey, credentialFrom: path } as const;
    const connection = { baseUrl, baseUrlFrom: path, ...key, sandbox, note: null };
    const error = new ConnectionError('No answer', {});
    expect(await failureOf(error, { ...situation, connection })).toMatchObject({
      code: 'CONNECTION_FAILED',
      exitCode: 9,
      next: 'Start it: plat dev (in a clone of the repository: npm start)',
    });
    expect(await failureOf(new TimeoutError('total', 5, {}), situation)).toMatchObject({
      code: 'TIMEOUT',
      exitCode: 9,
    });
  });

  it('are 1 for a bug in plat', async () => {
    expect(await failureOf(new TypeError('x is not a function'), situation)).toMatchObject({
      code: 'UNEXPECTED',
      exitCode: 1,
    });
  });
});
