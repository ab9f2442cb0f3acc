import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request received by the fake. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Response; status 200 by default. A string is sent verbatim. */
export interface Answer {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FakeApi {
  readonly baseUrl: string;
  readonly received: readonly Received[];
}

export const REQUEST_ID = 'req_01k9zzzzzzzzzzzzzzzzzzzzzz';

/**
 * Starts a loopback server with the given responses for the duration of a test. Like the service, it refuses a repeated
 * query parameter.
 */
export async function fakeApi(answer: (request: Received) => Answer | Promise<Answer>): Promise<FakeApi> {
  const received: Received[] = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    const url = new URL(req.url ?? '/', 'http://fake');
    const request: Received = {
      method: req.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: req.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    received.push(request);
    const isRepeated = url.searchParams.size > Object.keys(request.query).length;
    const { status = 200, body, headers } = isRepeated ? refusal(400, 'INVALID_REQUEST') : await answer(request);
    res.writeHead(status, { 'content-type': 'application/json', 'x-request-id': REQUEST_ID, ...headers });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, received };
}

/** Returns an error response of the API. */
export function refusal(status: number, code: string, more: Record<string, unknown> = {}): Answer {
  return { status, body: { code, message: `The service says ${code}`, ...more } };
}

/** Returns the n-th client; higher numbers are newer. */
export function client(n: number, changes: Record<string, unknown> = {}) {
  return {
    object: 'client',
    id: clientId(n),
    name: `Client ${n}`,
    status: 'active',
    slug: `client-${n}`,
    custom_domain: null,
    created_at: '2026-01-02T03:04:05.678Z',
    updated_at: '2026-01-02T03:04:05.678Z',
    ...changes,
  };
}

export function clientId(n: number): string {
  return `cli_${String(n).padStart(26, '0')}`;
}

/** Returns a page of clients from `count` down to 1, as `GET /v1/clients` does. */
export function clientList(count: number, { query }: Received): Answer {
  const limit = Number(query['limit'] ?? 20);
  const number = (id: string | undefined) => (id === undefined ? undefined : Number(id.slice(4)));
  const before = number(query['ending_before']);
  const first =
    before === undefined ? (number(query['starting_after']) ?? count + 1) - 1 : Math.min(count, before + limit);
  const last = before === undefined ? Math.max(0, first - limit) : before;
  const data = Array.from({ length: first - last }, (_, index) => client(first - index));
  const has_more = before === undefined ? last > 0 : first < count;
  return { body: { object: 'list', data, has_more, url: '/v1/clients' } };
}
