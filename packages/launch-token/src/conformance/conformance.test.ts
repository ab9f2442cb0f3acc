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

test('a receiver fails that reads used ids before it stores its own, or accepts an audience by its beginning', async () => {
  const uses = new Map<string | undefined, number>();
  // Of tokens that are used twice, the first is refused. Two launches with a later one are accepted, as in a race.
  let accepted = 1;
  const [verifier, lax] = [audience, `${audience}-2`].map((aud) =>
    createLaunchVerifier({ issuer: issuer.url, audience: aud }),
  );
  const server = createServer(async (request, response) => {
    let form = '';
    for await (const chunk of request) form += chunk;
    const token = new URLSearchParams(form).get('launch_token') ?? '';
    const { aud = '' } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    try {
      const claims = await (aud === `${audience}-2` ? lax : verifier)?.verify(token);
      const use = (uses.get(claims?.jti) ?? 0) + 1;
      uses.set(claims?.jti, use);
      const isUsed = use > accepted;
      if (isUsed) accepted = 2;
      response.writeHead(isUsed ? 401 : 204).end();
    } catch {
      response.writeHead(401).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/launch`;
  const tried = { url, issuer, audience, once: true, cases: ['other-audience', 'replay'] };
  const { cases } = await testLaunchReceiver(tried);
  expect(cases.flatMap(({ problem }) => problem ?? [])).toEqual([
    'It answered 204 to a token for an audience that begins alike',
    'It accepted 2 of 5 launches with one token at once',
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
