import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ALL_APP_EVENT_TYPES, isEventType } from '@plat/contract';
import { createVerifier } from '@plat/webhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderWith, OTHER, SECRET } from '../testing/deliveries.ts';
import { plat } from '../testing/plat.ts';

const env = { PLAT_WEBHOOK_SECRET: SECRET };
const FAST = ['--case', 'whitespace', '--case', 'old', '--case', 'other-tenant'];
const TENANT = 'tnt_01k0z8k3v7e5q2m9t4r6w1x8c0';

interface Flaws {
  /** Hashes the JSON that it parsed and wrote again. */
  readonly parses?: boolean;
  readonly header?: string;
  /** Accepts the events of this app instead of those of a tenant. */
  readonly appId?: string;
  /** Collects the accepted types. */
  readonly types?: Set<string>;
}

/** Starts a receiver that verifies, and counts events that it has not seen. */
async function receiver({ parses = false, header, appId, types }: Flaws = {}) {
  const verifier = createVerifier({ secrets: SECRET });
  const seen = new Set<string>();
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (header !== undefined && req.headers['x-mine'] !== header) {
      res.writeHead(401).end();
      return;
    }
    try {
      const event = verifier.verify(parses ? JSON.stringify(JSON.parse(body.toString())) : body, req.headersDistinct);
      seen.add(event.id);
      types?.add(event.type);
      const isMine = appId === undefined ? event.tenant_id === TENANT : 'app_id' in event && event.app_id === appId;
      res.writeHead(isMine ? 204 : 403).end();
    } catch {
      res.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

const test = (to: string, ...args: string[]) => ['webhooks', 'test', '--to', to, '--tenant', TENANT, ...args];

describe('plat webhooks test', () => {
  it('passes a receiver that does everything right, and says what was not checked', async () => {
    const { code, stdout, stderr } = await plat(test(await receiver()), { env });
    expect(stdout).not.toMatch(/^fail/m);
    expect(stdout).toMatch(/^ok +valid +accepts a valid delivery$/m);
    expect(stdout).toMatch(/^skip +former-secret .*\n +note: No former secret was given\.$/m);
    expect(stdout).toContain('note: Only the responses were checked');
    expect(stderr).toMatch(/^\d+ passed, 0 failed, 1 skipped\n$/);
    expect(code).toBe(0);
  });

  it('names what a receiver does wrong, and ends with 11', async () => {
    const { code, stdout, stderr } = await plat(test(await receiver({ parses: true }), ...FAST), { env });
    expect(stdout).toMatch(
      /^fail +whitespace .*\n +It answered 400 to a body with line breaks and indentation\n +next: Hash the bytes/m,
    );
    expect(stderr).toContain('error: The receiver failed: whitespace (RECEIVER_FAILED)');
    expect(code).toBe(11);
  });

  it('reports as JSON, as JSON lines, as CSV and as JUnit XML', async () => {
    const to = await receiver({ parses: true });
    const json = JSON.parse((await plat(test(to, ...FAST, '--json'), { env })).stdout);
    expect(json).toMatchObject({ object: 'receiver_test', url: to, ok: false, passed: 3, failed: 1, skipped: 0 });
    const names = ['valid', 'whitespace', 'old', 'other-tenant'];
    expect(json.cases.map(({ name }: { name: string }) => name)).toEqual(names);
    const lines = (await plat(test(to, ...FAST, '--output', 'ndjson'), { env })).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(names);
    const csv = (await plat(test(to, ...FAST, '--output', 'csv'), { env })).stdout;
    expect(csv.trim().split('\n')).toHaveLength(5);
    const junit = await plat(test(to, ...FAST, '--report', 'junit'), { env });
    expect(junit.code).toBe(11);
    expect(junit.stdout).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="4" failures="1" skipped="0"/,
    );
    expect(junit.stdout).toContain('<failure message="It answered 400 to a body with line breaks and indentation">');
  });

  it('explains a receiver that cannot be reached, and tries nothing else', async () => {
    const { code, stdout } = await plat(test('http://127.0.0.1:1', '--case', 'old'), { env });
    expect(stdout).toMatch(/^fail +valid .*\n +It gave no response to a valid delivery: connect ECONNREFUSED/m);
    expect(stdout).toMatch(/^ +next: No process listens there: start the receiver, or correct host and port/m);
    expect(stdout).toMatch(/^skip +old .*\n +note: Not tried/m);
    expect(code).toBe(11);
  });

  it('sends the events of an app in every case', async () => {
    const appId = 'app_01k0z8k3v7e5q2m9t4r6w1x8c0';
    const types = new Set<string>();
    const to = await receiver({ appId, types });
    const args = ['webhooks', 'test', '--to', to, '--app', appId];
    const { code, stdout, stderr } = await plat(args, { env });
    expect(stdout).not.toMatch(/^fail/m);
    expect(stderr).toMatch(/^\d+ passed, 0 failed, 2 skipped\n$/);
    expect(code).toBe(0);
    expect([...types]).toEqual(expect.arrayContaining([...ALL_APP_EVENT_TYPES]));
    expect([...types].filter((type) => isEventType(type))).toEqual([]);
    const parsing = await plat(
      ['webhooks', 'test', '--to', await receiver({ appId, parses: true }), '--app', appId, ...FAST],
      { env },
    );
    expect(parsing.stdout).toMatch(/^fail +whitespace/m);
    const both = await plat([...args, '--tenant', TENANT], { env });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('tenantId and appId exclude each other')]);
  });

  it('sends further headers, and refuses a malformed one', async () => {
    const to = await receiver({ header: 'yes' });
    expect((await plat(test(to, ...FAST, '--header', 'X-Mine: yes'), { env })).code).toBe(0);
    expect((await plat(test(to, ...FAST, '--header', 'X-Mine'), { env })).code).toBe(2);
  });

  it('checks a former secret and the effects by a command', async () => {
    const cwd = folderWith({ former: `${OTHER}\n` });
    const args = ['--former-secret-file', 'former', '--case', 'former-secret', '--case', 'duplicates'];
    const { code, stdout } = await plat(test(await receiver(), ...args, '--effects', 'echo 7'), {
      env,
      cwd,
    });
    expect(stdout).toMatch(/^ok +former-secret/m);
    expect(stdout).toContain('Two events that arrived twice and five times had 0 effects');
    expect(code).toBe(11);
    const wrong = await plat(test(await receiver(), ...args, '--effects', 'echo many'), { env, cwd });
    expect(wrong.stderr).toContain('--effects takes a command that prints a whole number; it printed "many"');
    expect(wrong.code).toBe(2);
  });

  it.each([
    [['--case', 'nope'], /There is no case nope; there are valid, every-type/],
    [['--to', 'localhost:3000'], /url must be an http or https URL/],
    [['--report', 'html'], /Allowed choices are junit/],
  ])('refuses %j before anything is sent', async ([name = '', value = ''], message) => {
    const options = { '--to': 'http://127.0.0.1:1', [name]: value };
    const { code, stderr } = await plat(['webhooks', 'test', ...Object.entries(options).flat()], { env });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  it('refuses a call without a secret, and one with two', async () => {
    const none = await plat(test('http://127.0.0.1:1'), { env: {} });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('There is no signing secret')]);
    const two = await plat(test('http://127.0.0.1:1', '--secret-file', '-'), { env, stdin: `${SECRET}\n${OTHER}\n` });
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('--former-secret-file')]);
  });
});
