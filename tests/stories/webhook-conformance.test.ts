import { join } from 'node:path';
import { testReceiver } from '@plat/webhooks/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NodeProcess, repository, spawnProgram } from '../support/process.ts';

// Story: a developer tests their receiver, in any language, and learns by name what is wrong.

const SECRET = 'whsec_conformance_story';
const FORMER = 'whsec_conformance_former';
const TENANT = 'tnt_01k0z8k3v7e5q2m9t4r6w1x8c0';

/** Receivers that are broken on purpose, with the cases that must fail. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  good: [],
  'json-again': ['whitespace', 'key-order', 'altered-body'],
  latin1: ['non-ascii'],
  'no-age': ['old', 'future'],
  'no-future': ['future'],
  'short-age': ['tolerance'],
  'first-v1': ['two-signatures'],
  'strict-types': ['unknown-type'],
  'strict-fields': ['new-fields', 'key-order'],
  'small-limit': ['large-body'],
  serial: ['parallel', 'duplicates'],
  conflict: ['duplicates'],
  'double-effect': ['duplicates'],
  order: ['reordered'],
  optional: ['no-signature'],
  prefix: ['malformed-signature'],
  'empty-secret': ['empty-secret'],
  former: ['former-secret'],
  'no-shape': ['not-an-event'],
  'no-tenant': ['other-tenant'],
  redirect: ['valid'],
  slow: ['valid'],
};

const RECEIVERS: readonly [language: string, program: string, file: string, without: readonly string[]][] = [
  ['Node.js', process.execPath, 'receiver.mjs', []],
  ['Python', 'python3', 'receiver.py', []],
  // Perl has no order of keys, so that this fault would refuse the valid delivery too.
  ['Perl', 'perl', 'receiver.pl', ['json-again']],
];

describe.concurrent.each(RECEIVERS)('in %s', (_language, program, file, without) => {
  let receiver: NodeProcess;
  let base = '';

  beforeAll(async () => {
    receiver = spawnProgram(program, {
      args: [join(repository, 'tests/support/receivers', file)],
      env: { SECRET, FORMER, TENANT },
    });
    const [port] = await receiver.waitFor(/^\d+$/m);
    base = `http://127.0.0.1:${port}`;
  });
  afterAll(() => receiver.kill9());

  test('receivers that are broken on purpose are caught, and the cases say how', { timeout: 300_000 }, async () => {
    const expected = Object.fromEntries(Object.entries(FAULTS).filter(([fault]) => !without.includes(fault)));
    const seen = await Promise.all(Object.keys(expected).map(async (fault) => [fault, (await run(fault)).failed]));
    expect(Object.fromEntries(seen)).toEqual(expected);
  });

  test('receivers without verification, and those that fail on an invalid delivery, fail all refusals', async () => {
    const reports = await Promise.all(['no-verify', 'crash', 'close'].map(run));
    for (const { failed } of reports) {
      expect(failed).toEqual(expect.arrayContaining(['wrong-secret', 'altered-body', 'old', 'no-signature']));
    }
    const advice = reports.map(({ report }) => report.cases.find(({ name }) => name === 'wrong-secret')?.advice);
    expect(advice).toEqual([
      expect.stringMatching(/^Verify X-Platform-Signature/),
      expect.stringMatching(/^Catch the error/),
      expect.stringMatching(/^Catch the error/),
    ]);
  });

  async function run(fault: string) {
    const report = await testReceiver({
      url: `${base}/hooks/${fault}`,
      secret: SECRET,
      formerSecret: FORMER,
      tenantId: TENANT,
      // A busy machine is no fault of a receiver.
      timeoutMs: fault === 'slow' ? 500 : 60_000,
      effects: async () => Number(await (await fetch(`${base}/effects/${fault}`)).text()),
    });
    const failed = report.cases.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
    return { report, failed };
  }
});
