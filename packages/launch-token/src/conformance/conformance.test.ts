import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLaunchVerifier } from '../index.ts';
import { type LaunchTestIssuer, startTestIssuer, testLaunchReceiver } from './index.ts';

const audience = 'analytics';
let issuer: LaunchTestIssuer;

beforeAll(async () => {
  issuer = await startTestIssuer();
});
afterAll(() => issuer.close());

test.each(['member', 'owner', 'admin'])('a correct receiver passes with tokens of the role %s', async (role) => {
  const verifier = createLaunchVerifier({ issuer: issuer.url, audience });
  const server = createServer(async (request, response) => {
    let form = '';
    for await (const chunk of request) form += chunk;
    try {
      await verifier.verify(new URLSearchParams(form).get('launch_token'));
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/launch`;
  const { cases } = await testLaunchReceiver({ url, issuer, audience, claims: { role }, cases: ['altered-claims'] });
  expect(cases.map(({ outcome, problem }) => [outcome, problem])).toEqual([
    ['passed', null],
    ['passed', null],
  ]);
  server.close();
});

test('an issuer on IPv6 loopback is reached there, and nowhere else', async () => {
  const port = await freePort();
  await using own = await startTestIssuer({ url: `http://[::1]:${port}` });
  expect((await fetch(`${own.url}/.well-known/jwks.json`)).status).toBe(200);
  await expect(fetch(`http://127.0.0.1:${port}/.well-known/jwks.json`)).rejects.toThrow();
});

test('an issuer with another host listens on all addresses', async () => {
  const port = await freePort();
  await using own = await startTestIssuer({ url: `http://host.docker.internal:${port}` });
  for (const host of ['127.0.0.1', '[::1]']) {
    expect((await fetch(`http://${host}:${port}/.well-known/jwks.json`)).status, own.url).toBe(200);
  }
});

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '::');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
