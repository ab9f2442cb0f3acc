import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { migratedDatabase } from '../support/database.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServerProcess } from '../support/server-process.ts';
import { useServer } from '../support/story.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${CALLER}-01`;
const story = useServer();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

test('a request, its statements, its event and each attempt are one trace, which the receiver can continue', async () => {
  const collector = await startCollector();
  const database = await migratedDatabase();
  const env = {
    DATABASE_URL: database.url,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=story',
  };
  const server = await startServerProcess(env);
  try {
    const { api_key } = JSON.parse(await readFile(join(server.dataDir, 'sandbox.json'), 'utf8'));
    const api = apiOf(server.baseUrl, api_key);
    const endpoint = { url: receiver.url, events: ['client.created'] };
    expect((await api('/v1/webhooks/endpoints', { body: endpoint })).status).toBe(201);
    const headers = { traceparent };
    const created = await api('/v1/clients', { body: { name: 'Acme' }, headers });
    expect(created.status).toBe(201);
    await receiver.waitFor(1);
    // The last spans are exported when the process ends.
    await server.stop();

    const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
    const one = (name: string): Span => {
      const found = spans.filter((span) => span.name === name);
      expect(found, `${name} among ${spans.map((span) => span.name).join(', ')}`).toHaveLength(1);
      return found[0] as Span;
    };
    const request = one('POST clients.create');
    expect(request.parentSpanId).toBe(CALLER);
    expect(one('gate').parentSpanId).toBe(request.spanId);
    expect(spans.find(({ parentSpanId }) => parentSpanId === one('gate').spanId)?.name).toMatch(/^select /);
    const transaction = one('transaction');
    expect(transaction.parentSpanId).toBe(request.spanId);
    expect(one('insert clients').parentSpanId).toBe(transaction.spanId);
    const event = one('event client.created');
    expect(event.parentSpanId).toBe(transaction.spanId);
    const attempt = one('deliver client.created');
    expect(attempt.parentSpanId).toBe(event.spanId);
    expect(receiver.received[0]?.headers['traceparent']).toBe(`00-${TRACE}-${attempt.spanId}-01`);
    expect(collector.resources).toMatchObject({
      'service.name': 'plat-server',
      'deployment.environment.name': 'story',
    });
    const line = server
      .stdout()
      .split('\n')
      .find((text) => text.includes('"path":"/v1/clients"'));
    const requestId = created.headers.get('x-request-id');
    expect(JSON.parse(line ?? '')).toMatchObject({ trace_id: TRACE, req_id: requestId });
    // Values of a tenant stay in the database.
    expect(JSON.stringify(collector.spans)).not.toContain('Acme');
  } finally {
    await server.stop();
    await collector.close();
    await database.drop();
  }
});

test('without a tracer, the trace of a caller still reaches its receivers', async () => {
  const api = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
  const own = await startReceiver();
  await api('/v1/webhooks/endpoints', { body: { url: own.url, events: ['client.created'] } });
  await api('/v1/clients', { body: { name: 'Traced' }, headers: { traceparent } });
  await own.waitFor(1);
  await api('/v1/clients', { body: { name: 'Untraced' }, headers: { traceparent: 'not one' } });
  await own.waitFor(2);
  expect(own.received.map(({ headers }) => headers['traceparent'])).toEqual([traceparent, undefined]);
  await own.close();
});

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

/** Starts a collector of spans, as OTLP over HTTP sends them in JSON. */
async function startCollector() {
  const spans: Span[] = [];
  const resources: Record<string, unknown> = {};
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    expect(req.url).toBe('/v1/traces');
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const { key, value } of resource.attributes) resources[key] = value.stringValue;
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
