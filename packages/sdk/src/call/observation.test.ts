import diagnostics from 'node:diagnostics_channel';
import { expect, onTestFinished, test } from 'vitest';
import type { Logger, PlatformOptions, RequestEvent, ResponseEvent, Warning } from '../index.ts';
import { Platform } from '../platform.ts';
import { impatientClock } from '../testing/fake-clock.ts';
import { KEY as GRANT, grantScene } from '../testing/grants.ts';
import { json, refuse, serve } from '../testing/serve.ts';

const KEY = 'plat_test_SeCrEt';
const client = { object: 'client', id: 'cli_1', name: 'Acme' };

/** A service that fails once, and a client of it. */
async function scene(options: Partial<PlatformOptions> = {}, message = 'failed') {
  const server = await serve((response, _request, index) =>
    index === 0 ? json(response, 500, { code: 'INTERNAL_ERROR', message }) : json(response, 200, client),
  );
  const platform = new Platform({ apiKey: KEY, baseUrl: server.url, clock: impatientClock(), ...options });
  return { server, platform };
}

/** A logger that keeps its lines. */
function newLogger() {
  const lines: string[] = [];
  const level = (name: string) => (line: string) => lines.push(`${name} ${line}`);
  return { lines, debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') };
}

test('a hook adds headers to each attempt', async () => {
  const { server, platform } = await scene({
    hooks: { onRequest: ({ attempt, addHeaders }) => addHeaders({ Traceparent: `00-abc-${attempt}` }) },
  });
  await platform.clients.get('cli_1');
  expect(server.received.map(({ headers }) => headers['traceparent'])).toEqual(['00-abc-1', '00-abc-2']);
});

test.each([
  [{ authorization: 'Bearer other' }, /authorization is set by the client/],
  [{ 'Idempotency-Key': 'x' }, /idempotency-key is set by the client/],
  [{ 'x-a': 'b\r\nc: d' }, /must be a string of printable ASCII/],
])('headers that a hook cannot add are refused with a warning, and the call succeeds: %j', async (headers, message) => {
  const warnings: Warning[] = [];
  const { server, platform } = await scene({
    hooks: { onRequest: ({ addHeaders }) => addHeaders(headers as Record<string, string>) },
    onWarning: (warning) => warnings.push(warning),
  });
  await platform.clients.get('cli_1');
  expect(warnings).toMatchObject([{ code: 'HOOK_FAILED', message: expect.stringMatching(message) }]);
  expect(server.received[1]?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test('headers that come after the attempt was sent are refused', async () => {
  const warnings: Warning[] = [];
  const { platform } = await scene({
    hooks: {
      async onRequest({ addHeaders }) {
        await Promise.resolve();
        addHeaders({ traceparent: 'late' });
      },
    },
    onWarning: (warning) => warnings.push(warning),
  });
  await platform.clients.get('cli_1');
  expect(warnings[0]?.message).toContain('come too late');
});

test('a logger gets one line for each response, retry and error, without secrets and line breaks', async () => {
  const logger = newLogger();
  const seen: string[] = [];
  const { platform } = await scene(
    { logger, hooks: { onRetry: ({ attempt }) => seen.push(`retry ${attempt}`) } },
    `broken ${KEY}\nforged line`,
  );
  await platform.clients.get('cli_1');
  expect(logger.lines[0]).toMatch(/^debug \[@plat\/sdk\] clients.get attempt 1: 500 in \d+ ms \(req_\w+\)$/);
  expect(logger.lines[1]).toMatch(/^warn \[@plat\/sdk\] clients.get attempt 1 failed: .*; next attempt in \d+ ms$/);
  expect(logger.lines[2]).toMatch(/^debug .* attempt 2: 200 /);
  expect(logger.lines).toHaveLength(3);
  expect(logger.lines.join()).not.toMatch(/SeCrEt|\n/);
  expect(seen).toEqual(['retry 1']);
});

test.each([undefined, newLogger()])('hooks can be an object of a class, without and with a logger', async (logger) => {
  class Trace {
    readonly #seen: string[] = [];
    onRequest({ attempt, addHeaders }: RequestEvent) {
      this.#seen.push(`request ${attempt}`);
      addHeaders({ traceparent: `00-${attempt}` });
    }
    onResponse({ attempt }: ResponseEvent) {
      this.#seen.push(`response ${attempt}`);
    }
    seen = () => this.#seen;
  }
  const hooks = new Trace();
  const { server, platform } = await scene({ hooks, logger });
  await platform.clients.get('cli_1');
  expect(hooks.seen()).toEqual(['request 1', 'response 1', 'request 2', 'response 2']);
  expect(server.received.map(({ headers }) => headers['traceparent'])).toEqual(['00-1', '00-2']);
});

test('a failed call is an error, and a failing logger affects nothing', async () => {
  const logger = newLogger();
  const broken = await serve((response) => refuse(response, 404, 'CLIENT_NOT_FOUND'));
  await new Platform({ apiKey: KEY, baseUrl: broken.url, logger }).clients.get('cli_1').catch(() => {});
  expect(logger.lines[1]).toMatch(/^error .* clients.get failed \(attempts: 1, \d+ ms\): CLIENT_NOT_FOUND/);
  const warnings: Warning[] = [];
  const fail = (): never => {
    throw new Error('disk full');
  };
  const failing: Logger = { debug: fail, info: fail, warn: fail, error: fail };
  const { platform } = await scene({ logger: failing, onWarning: (warning) => warnings.push(warning) });
  expect((await platform.clients.get('cli_1')).id).toBe('cli_1');
  expect(warnings.map(({ subject }) => subject).toSorted()).toEqual(['onResponse', 'onRetry']);
});

test.each([null, {}, { debug() {} }, 'console'])('the logger %j is refused', (given) => {
  const options = { apiKey: KEY, baseUrl: 'http://127.0.0.1:1', logger: given as never };
  expect(() => new Platform(options)).toThrow(/logger: must have the function/);
});

test('a logger gets a line for each renewal of a token, and for the calls of its clients', async () => {
  const logger = newLogger();
  const { platform } = await grantScene(0, { logger });
  await platform.me.get();
  expect(logger.lines).toEqual([
    expect.stringMatching(/^info \[@plat\/sdk\] the token of ten_1 was renewed in \d+ ms$/),
    expect.stringMatching(/^debug \[@plat\/sdk\] me.get attempt 1: 200/),
  ]);
});

test('each event is published to its diagnostics channel', async () => {
  const seen: string[] = [];
  for (const name of ['request', 'response', 'retry', 'error', 'refreshed']) {
    const listener = (message: unknown): void => {
      const { operation, key } = message as { operation?: string; key?: string };
      seen.push(`${name} ${operation ?? key}`);
      if (name === 'request') (message as { addHeaders(headers: object): void }).addHeaders({ traceparent: '00-abc' });
    };
    diagnostics.subscribe(`plat:sdk:${name}`, listener);
    onTestFinished(() => void diagnostics.unsubscribe(`plat:sdk:${name}`, listener));
  }
  const { server, platform } = await scene({ maxRetries: 1 });
  await platform.clients.get('cli_1');
  const one = ['request clients.get', 'response clients.get'];
  expect(seen).toEqual([...one, 'retry clients.get', ...one]);
  expect(server.received.map(({ headers }) => headers['traceparent'])).toEqual(['00-abc', '00-abc']);
  seen.length = 0;
  await (await grantScene(0)).platform.me.get();
  expect(seen).toEqual([`refreshed ${GRANT}`, 'request me.get', 'response me.get']);
});
