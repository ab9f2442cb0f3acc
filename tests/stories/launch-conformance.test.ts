import { join } from 'node:path';
import { startTestIssuer, testLaunchReceiver } from '@plat/launch-token/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NodeProcess, repository, spawnProgram } from '../support/process.ts';

// Story: a developer tests their receiver of launch tokens, in any language, and learns by name what is wrong.

const AUDIENCE = 'analytics';
const ENTITLEMENT = 'analytics:read';

/** Receivers that are broken on purpose, with the cases that must fail. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  good: [],
  csrf: ['cross-site'],
  query: ['token-in-address'],
  'small-limit': ['large-token'],
  'strict-claims': ['unknown-claims'],
  'needs-group': ['without-groups'],
  ascii: ['non-ascii'],
  'fetch-each': ['cached-keys'],
  'no-refetch': ['rotated-key'],
  'first-key': ['rotated-key'],
  'last-key': ['former-key'],
  'alg-none': ['alg-none'],
  'alg-deny-list': ['alg-none'],
  'alg-hmac': ['alg-hmac'],
  'any-rsa': ['other-algorithm'],
  'embedded-key': ['embedded-key'],
  'ignores-crit': ['critical-header'],
  'no-issuer': ['other-issuer'],
  'issuer-prefix': ['other-issuer'],
  'no-audience': ['other-audience'],
  'no-expiry': ['expired', 'no-expiry'],
  'optional-exp': ['no-expiry'],
  'text-exp': ['no-expiry'],
  'no-nbf': ['not-yet-valid'],
  'no-claims': ['missing-claims', 'claim-types'],
  'no-entitlement': ['missing-entitlement'],
  substring: ['claim-types', 'missing-entitlement'],
  'wrong-status': ['missing-entitlement'],
  twice: ['replay'],
  repost: ['valid'],
};

const RECEIVERS: readonly [language: string, program: string, file: string, without: readonly string[]][] = [
  ['Node.js', process.execPath, 'launch.mjs', []],
  ['Python', 'python3', 'launch.py', ['text-exp']],
  ['Perl', 'perl', 'launch.pl', ['strict-claims', 'needs-group', 'ascii', 'alg-hmac', 'any-rsa', 'text-exp']],
];

const FORGERIES = ['altered-claims', 'altered-signature', 'foreign-key', 'alg-none'];

describe.concurrent.each(RECEIVERS)('in %s', (_language, program, file, without) => {
  let receiver: NodeProcess;
  let base = '';

  beforeAll(async () => {
    receiver = spawnProgram(program, {
      args: [join(repository, 'tests/support/receivers', file)],
      env: { AUDIENCE, ENTITLEMENT },
    });
    const [port] = await receiver.waitFor(/^\d+$/m);
    base = `http://127.0.0.1:${port}`;
  });
  afterAll(() => receiver.kill9());

  test('receivers that are broken on purpose are caught, and the cases say how', async () => {
    const expected = Object.fromEntries(Object.entries(FAULTS).filter(([fault]) => !without.includes(fault)));
    // Perl verifies a signature in 30 ms: only the correct receiver is tested with all cases.
    const casesOf = (fault: string) => (program === 'perl' && fault !== 'good' ? expected[fault] : undefined);
    const seen = await Promise.all(
      Object.keys(expected).map(async (fault) => [fault, (await run(fault, casesOf(fault))).failed]),
    );
    expect(Object.fromEntries(seen)).toEqual(expected);
  });

  test('receivers without verification, and those that fail on an invalid token, are advised', async () => {
    const [open, crash] = await Promise.all(['no-verify', 'crash'].map((fault) => run(fault, FORGERIES)));
    expect([open?.failed, crash?.failed]).toEqual([FORGERIES, FORGERIES]);
    const advice = [open, crash].map((one) => one?.report.cases.find(({ name }) => name === 'foreign-key')?.advice);
    expect(advice).toEqual([expect.stringMatching(/^Verify the signature/), expect.stringMatching(/^Catch the error/)]);
  });

  async function run(fault: string, cases?: readonly string[]) {
    await using issuer = await startTestIssuer();
    const url = `${base}/launch/${fault}/${new URL(issuer.url).port}`;
    const report = await testLaunchReceiver({
      url,
      issuer,
      audience: AUDIENCE,
      entitlement: ENTITLEMENT,
      once: true,
      timeoutMs: 60_000,
      cases,
    });
    const failed = report.cases.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
    return { report, failed };
  }
});
