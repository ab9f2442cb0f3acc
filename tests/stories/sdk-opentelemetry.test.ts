import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Context,
  type ContextManager,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { type Hooks, Platform } from '@plat/sdk';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { repository } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* The code of docs/observability.md, unchanged, with the SDK of OpenTelemetry. */

const story = useServer({ env: { PLAT_RATE_LIMIT: '3', PLAT_RATE_WINDOW: '1' } });
const exporter = new InMemorySpanExporter();
let hooks: Hooks;

beforeAll(async () => {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (given, run, self, ...args) => storage.run(given, () => run.apply(self as never, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

  const page = readFileSync(join(repository, 'docs/observability.md'), 'utf8');
  const [, code = ''] =
    /```js\n(import [\s\S]*?)```/.exec(page.slice(page.indexOf('## Traces of your application'))) ?? [];
  const folder = tempFolder('otel').path;
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const file = join(folder, 'tracing.mjs');
  writeFileSync(file, code);
  ({ tracingHooks: hooks } = await import(pathToFileURL(file).href));
});
afterAll(() => {
  for (const api of [context, propagation, trace]) api.disable();
});
beforeEach(() => exporter.reset());

/** Returns the finished spans in the order of their ends, without times and ids. */
const spans = () =>
  exporter.getFinishedSpans().map(({ name, kind, attributes, status, parentSpanContext }) => ({
    name,
    kind,
    attributes,
    code: status.code,
    parent: parentSpanContext?.spanId,
  }));

test('each attempt is a span with the HTTP conventions below the span of the caller, and the service gets its trace', async () => {
  const { apiKey } = await story.server.createTenant();
  const { baseUrl } = story.server;
  const platform = new Platform({ apiKey, baseUrl, hooks });
  const parent = trace.getTracer('story').startSpan('parent');
  await context.with(trace.setSpan(context.active(), parent), async () => {
    await Promise.all(['cli_a', 'cli_b'].map((id) => platform.clients.get(id).catch(() => undefined)));
  });
  const { port } = new URL(baseUrl);
  const expected = (id: string) => ({
    name: 'GET',
    kind: SpanKind.CLIENT,
    code: SpanStatusCode.ERROR,
    parent: parent.spanContext().spanId,
    attributes: {
      'http.request.method': 'GET',
      'url.full': `${baseUrl}/v1/clients/${id}`,
      'server.address': '127.0.0.1',
      'server.port': Number(port),
      'plat.operation': 'clients.get',
      'plat.request_id': expect.stringMatching(/^req_/),
      'http.response.status_code': 404,
      'error.type': '404',
    },
  });
  expect(spans()).toEqual(expect.arrayContaining([expected('cli_a'), expected('cli_b')]));
  expect(spans()).toHaveLength(2);
  expect(JSON.stringify(spans())).not.toContain(apiKey);
});

test('a repeated attempt has its own span with the count of repetitions', async () => {
  const { apiKey } = await story.server.createTenant();
  const platform = new Platform({ apiKey, baseUrl: story.server.baseUrl, hooks });
  for (let i = 0; i < 4; i++) await platform.me.get();
  const last = spans().slice(3);
  expect(last.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([429, 200]);
  expect(last.map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([undefined, 1]);
});

test('an attempt without a response ends with the code of its error, and traceparent names its span', async () => {
  const received: (string | undefined)[] = [];
  const server = createServer((request) => {
    received.push(request.headers['traceparent']?.toString());
    request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const platform = new Platform({ apiKey: 'plat_test_x', baseUrl, hooks, maxRetries: 0 });
  await expect(platform.me.get()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  expect(spans()).toMatchObject([{ code: SpanStatusCode.ERROR, attributes: { 'error.type': 'CONNECTION_FAILED' } }]);
  const { traceId, spanId } = exporter.getFinishedSpans()[0]?.spanContext() ?? {};
  expect(received).toEqual([`00-${traceId}-${spanId}-01`]);
});
