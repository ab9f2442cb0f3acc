import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plat } from '../testing/plat.ts';

const SECRET = 'plat_cs_0123456789abcdefghij';
const APP = ['--app-id', 'app_1'];

/** Starts a server that accepts form bodies, as the OAuth endpoints do. */
async function serverOf(answer: (path: string, form: URLSearchParams) => { status?: number; body: unknown }) {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const { pathname } = new URL(request.url ?? '/', 'http://it');
    seen.push(pathname);
    const { status = 200, body } = answer(pathname, new URLSearchParams(text));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { seen, port, env: { PLAT_BASE_URL: `http://127.0.0.1:${port}`, PLAT_APP_SECRET: SECRET } };
}

const signInFirst = { status: 401, body: { code: 'UNAUTHORIZED', message: 'Sign in first' } };

describe('plat oauth introspect', () => {
  it('sends the token with the secret of the app, and shows neither', async () => {
    const token = 'plat_at_0123456789abcdefghij';
    let sent: Record<string, string> = {};
    const { env } = await serverOf((_, form) => {
      sent = Object.fromEntries(form);
      return { body: { active: false } };
    });
    const { code, stdout, stderr } = await plat(['oauth', 'introspect', ...APP], { env, stdin: `${token}\n` });
    expect([code, stdout]).toEqual([0, 'active  false\n']);
    expect(stderr).toMatch(/revoked/);
    expect(sent).toMatchObject({ token, client_id: 'app_1', client_secret: SECRET });
  });

  it('ends with the exit code of a refusal', async () => {
    const { env } = await serverOf(() => ({ status: 401, body: { code: 'INVALID_CLIENT_SECRET', message: 'No' } }));
    const { code, stderr } = await plat(['oauth', 'introspect', ...APP], { env, stdin: 'plat_at_x' });
    expect([code, stderr]).toEqual([4, expect.stringContaining('INVALID_CLIENT_SECRET')]);
  });

  it('needs the secret of the app, which is never an argument', async () => {
    const { env } = await serverOf(() => ({ body: {} }));
    const without = { env: { ...env, PLAT_APP_SECRET: '' }, stdin: 'plat_at_x' };
    const ended = await plat(['oauth', 'introspect', ...APP], without);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('PLAT_APP_SECRET')]);
    const typed = await plat(['oauth', 'introspect', ...APP, '--app-secret', SECRET], { env, stdin: 'plat_at_x' });
    expect(typed.code).toBe(2);
    expect(typed.stderr).not.toContain(SECRET);
  });

  it('cannot read the token and the secret from one stdin', async () => {
    const { env } = await serverOf(() => ({ body: {} }));
    const args = ['oauth', 'introspect', ...APP, '--app-secret-file', '-'];
    expect(await plat(args, { env, stdin: SECRET })).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('plat oauth try', () => {
  it('times out when no browser comes back', async () => {
    const { env, seen } = await serverOf(() => signInFirst);
    const waits: number[] = [];
    const port = await unusedPort();
    const given = { env, wait: async (ms: number) => void waits.push(ms) };
    const { code, stdout, stderr } = await plat(['oauth', 'try', ...APP, '--port', port], given);
    expect([code, stdout, waits, seen]).toEqual([11, '', [300_000], ['/oauth/authorize']]);
    expect(stderr).toMatch(/code_challenge_method=S256[\s\S]*NOT_IN_TIME/);
    expect(stderr).not.toContain(SECRET);
  });

  it('sends nothing for a callback with the state of another authorization', async () => {
    const { env, seen } = await serverOf(() => signInFirst);
    const port = await unusedPort();
    const called = async () => {
      await fetch(`http://127.0.0.1:${port}/favicon.ico`);
      await fetch(`http://127.0.0.1:${port}/callback?code=plat_ac_x&state=other&iss=${env.PLAT_BASE_URL}`);
      // The response arrives before this timeout.
      await new Promise(() => {});
    };
    const { code, stderr } = await plat(['oauth', 'try', ...APP, '--port', port], { env, wait: called });
    expect([code, stderr]).toEqual([11, expect.stringContaining('STATE_MISMATCH')]);
    expect(seen).toEqual(['/oauth/authorize']);
  });

  it('reports the error code of the service once', async () => {
    const { env } = await serverOf(() => ({ status: 400, body: { code: 'INVALID_REQUEST', message: 'No such app' } }));
    const { code, stderr } = await plat(['oauth', 'try', ...APP, '--port', await unusedPort()], { env });
    expect([code, stderr]).toEqual([11, expect.stringContaining('error: No such app (INVALID_REQUEST)\n')]);
  });

  it('reports a port that is in use', async () => {
    const { env, port } = await serverOf(() => signInFirst);
    const { code, stderr } = await plat(['oauth', 'try', ...APP, '--port', String(port)], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('EADDRINUSE')]);
  });
});

async function unusedPort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return String(port);
}
