import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Platform } from '@plat/sdk';
import { nodeTransport } from '@plat/sdk/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfSigned } from '../support/certificate.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Story: an application behind a proxy, and one whose platform has a certificate of a private authority.

const story = useServer();
const certificate = selfSigned({ hosts: ['127.0.0.1'] });
/** Requests to the proxy: `CONNECT host:port`, or a method with an absolute URL. */
const asked: string[] = [];
let tlsUrl = '';
let proxyUrl = '';
let apiKey = '';
const stops: (() => void)[] = [];

beforeAll(async () => {
  ({ apiKey } = await story.server.createTenant());
  tlsUrl = `https://127.0.0.1:${await listen(terminateTls())}`;
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? 'no password'}`);
    const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = request.headers;
    const onward = sendRequest(request.url ?? '', { method: request.method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  proxy.on('connect', (request, socket: Socket, head) => {
    asked.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? 'no password'}`);
    const [host, port] = (request.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.write(head);
      pipeBoth(socket, onward);
    });
  });
  proxyUrl = `http://user:pass@127.0.0.1:${await listen(proxy)}`;
});
afterAll(() => {
  for (const stop of stops) stop();
});

/** Ends TLS in front of the server, as a load balancer does. */
function terminateTls(): Server {
  const { port } = new URL(story.server.baseUrl);
  return createTlsServer(certificate, (socket) => pipeBoth(socket, connect(Number(port), '127.0.0.1')));
}

function pipeBoth(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    stops.push(() => from.destroy());
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
    from.pipe(to);
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Reads through a transport, and returns the requests that the proxy has seen. */
async function readThrough(baseUrl: string, options: Parameters<typeof nodeTransport>[0]): Promise<readonly string[]> {
  const before = asked.length;
  const transport = nodeTransport(options);
  const plat = new Platform({ apiKey, baseUrl, transport, maxRetries: 0 });
  expect((await plat.me.get()).object).toBe('me');
  expect((await plat.clients.list()).data).toEqual([]);
  transport.close?.();
  return asked.slice(before);
}

const AUTHORIZATION = `Basic ${Buffer.from('user:pass').toString('base64')}`;

test('requests over https pass through the tunnel of a proxy, which sees no credential', async () => {
  const seen = await readThrough(tlsUrl, { tls: { ca: certificate.cert }, proxyEnv: { HTTPS_PROXY: proxyUrl } });
  // Both requests use one tunnel.
  expect(seen).toEqual([`CONNECT ${new URL(tlsUrl).host} ${AUTHORIZATION}`]);
});

test('requests over http are sent to the proxy with their whole address', async () => {
  const { baseUrl } = story.server;
  const seen = await readThrough(baseUrl, { proxyEnv: { http_proxy: proxyUrl } });
  expect(seen).toEqual([`GET ${baseUrl}/v1/me ${AUTHORIZATION}`, `GET ${baseUrl}/v1/clients ${AUTHORIZATION}`]);
});

test.each([
  ['NO_PROXY names the host', { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: 'example.com,127.0.0.1' }],
  ['there is a proxy for the other scheme only', { HTTPS_PROXY: 'http://127.0.0.1:1' }],
  ['the variables are empty', {}],
])('no proxy is used when %s', async (_, proxyEnv) => {
  expect(await readThrough(story.server.baseUrl, { proxyEnv })).toEqual([]);
});

test('an unknown authority is refused, unless it is given in the options or by an agent', async () => {
  const plat = new Platform({ apiKey, baseUrl: tlsUrl, maxRetries: 0 });
  await expect(plat.me.get()).rejects.toMatchObject({ code: 'CONNECTION_FAILED', retryable: false });
  await readThrough(tlsUrl, { tls: { ca: certificate.cert } });
  const agent = new HttpsAgent({ ca: certificate.cert, keepAlive: true });
  await readThrough(tlsUrl, { agent: () => agent });
  agent.destroy();
});

test.each([
  ['as Node does', { NODE_USE_ENV_PROXY: '1' }, 1],
  ['not without NODE_USE_ENV_PROXY', {}, 0],
])('the default transport follows the environment %s', async (_, switches, tunnels) => {
  const authority = `${tempFolder('proxy').path}/authority.pem`;
  writeFileSync(authority, certificate.cert);
  const program = `import { Platform } from '@plat/sdk'; const { object } = await new Platform().me.get(); console.log(object);`;
  const before = asked.length;
  const child = spawn(
    process.execPath,
    ['--conditions=@plat/source', '--no-warnings', '--input-type=module', '-e', program],
    {
      env: {
        PLAT_API_KEY: apiKey,
        PLAT_BASE_URL: tlsUrl,
        NODE_EXTRA_CA_CERTS: authority,
        HTTPS_PROXY: proxyUrl,
        ...switches,
      },
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [output] = await once(child.stdout, 'data');
  expect(String(output)).toBe('me\n');
  expect(asked.length - before).toBe(tunnels);
});

test('proxyEnv is refused together with an agent, and when it is no object', () => {
  expect(() => nodeTransport({ proxyEnv: {}, agent: () => new HttpsAgent() })).toThrow(/exclude each other/);
  expect(() => nodeTransport({ proxyEnv: 'http://proxy' as never })).toThrow(/must be an object/);
});
