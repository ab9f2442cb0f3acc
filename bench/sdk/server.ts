// Separate process: responds at once with the headers of the platform, so that only the client is measured.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from '../lib/child.ts';

const ITEMS = 100_000;
const PAGE = 100;

const clientOf = (n: number): object => ({
  object: 'client',
  id: idOf(n),
  name: 'Harbour Coffee Roasters',
  status: 'active',
  slug: `harbour-coffee-${n}`,
  custom_domain: null,
  created_at: '2026-07-01T09:30:00.000Z',
  updated_at: '2026-07-01T09:30:00.000Z',
});
const idOf = (n: number): string => `cli_01k9zq3v5h6x8m2n4p7r${String(n).padStart(6, '0')}`;

const one = Buffer.from(JSON.stringify(clientOf(1)));
// One page per hundred items, by its cursor, prepared before the measurement.
const pages = new Map<string, Buffer>();
for (let first = 0; first < ITEMS; first += PAGE) {
  const data = Array.from({ length: PAGE }, (_, i) => clientOf(first + i));
  const page = { object: 'list', data, has_more: first + PAGE < ITEMS, url: '/v1/clients' };
  pages.set(first === 0 ? '' : idOf(first - 1), Buffer.from(JSON.stringify(page)));
}

const introspection = Buffer.from(
  JSON.stringify({ active: true, client_id: 'app_1', scope: '', exp: 4_000_000_000, sub: 'usr_1', tenant_id: 'tnt_1' }),
);
let tokensGiven = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  const url = req.url ?? '';
  if (url === '/oauth/token') return answer(res, nextTokens());
  if (url === '/oauth/introspect') return answer(res, introspection);
  if (!url.startsWith('/v1/clients?')) return answer(res, one);
  const page = pages.get(/[?&]starting_after=(\w+)/.exec(url)?.[1] ?? '');
  if (!page) return res.writeHead(404).end();
  answer(res, page);
});

function nextTokens(): Buffer {
  const [access_token, refresh_token] = ['at', 'rt'].map((kind) => `plat_${kind}_${'x'.repeat(40)}${tokensGiven}`);
  tokensGiven++;
  return Buffer.from(
    JSON.stringify({ access_token, refresh_token, token_type: 'Bearer', expires_in: 3600, scope: '' }),
  );
}

function answer(res: ServerResponse, body: Buffer): void {
  res.writeHead(200, [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(body.length),
    'X-Request-Id',
    'req_01k9zq3v5h6x8m2n4p7r9t1w3y',
    'X-RateLimit-Limit',
    '600',
    'X-RateLimit-Remaining',
    '599',
    'X-RateLimit-Reset',
    '1790000000',
  ]);
  res.end(body);
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  // Returns the number of token pairs it has issued.
  serveParent(port, () => tokensGiven);
});
