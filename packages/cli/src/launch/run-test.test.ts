import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLaunchVerifier, LaunchTokenError, requireEntitlement } from '@plat/launch-token';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plat } from '../testing/plat.ts';

const ENTITLEMENT = 'analytics:read';
const FAST = ['--case', 'expired', '--case', 'missing-entitlement'];

interface Module {
  readonly to: string;
  readonly issuer: string;
}

/** Starts a module that trusts an issuer on a free port. */
async function startModule({ entitlement = ENTITLEMENT, tenant = '' } = {}): Promise<Module> {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const verifier = createLaunchVerifier({ issuer, audience: 'analytics' });
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    try {
      const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('launch_token');
      const claims = await verifier.verify(token);
      if (entitlement !== '') requireEntitlement(claims, entitlement);
      res.writeHead(claims.tenant.startsWith(tenant) ? 303 : 404, { location: '/' }).end();
    } catch (error) {
      res.writeHead(error instanceof LaunchTokenError ? error.status : 500).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { to: `http://127.0.0.1:${(server.address() as AddressInfo).port}/launch`, issuer };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const test = ({ to, issuer }: Module, ...args: string[]) =>
  plat(['launch', 'test', '--to', to, '--issuer', issuer, '--audience', 'analytics', ...args]);

describe('plat launch test', () => {
  it('passes a receiver that does everything right, and says what was not checked', async () => {
    const module = await startModule();
    const { code, stdout, stderr } = await test(module, '--entitlement', ENTITLEMENT);
    expect(stdout).not.toMatch(/^fail/m);
    expect(stdout).toMatch(/^skip +replay .*\n +note: Not requested/m);
    expect(stderr).toContain(`The receiver must trust the issuer ${module.issuer}`);
    expect(stderr).toMatch(/\d+ passed, 0 failed, 2 skipped\n$/);
    expect(code).toBe(0);
  });

  it('names what a receiver does wrong, and ends with 11', async () => {
    const module = await startModule({ entitlement: '' });
    const { code, stdout, stderr } = await test(module, '--entitlement', ENTITLEMENT, ...FAST);
    expect(stdout).toMatch(
      /^fail +missing-entitlement .*\n +It answered 303 to a token without entitlements\n +next: Answer 403 with the code NOT_ENTITLED/m,
    );
    expect(stderr).toContain('error: The receiver failed: missing-entitlement (RECEIVER_FAILED)');
    expect(code).toBe(11);
  });

  it('reports as JSON and as JUnit XML', async () => {
    const module = await startModule();
    const json = JSON.parse((await test(module, ...FAST, '--entitlement', ENTITLEMENT, '--json')).stdout);
    expect(json).toMatchObject({ object: 'receiver_test', url: module.to, ok: true, passed: 3, failed: 0, skipped: 0 });
    const junit = await test(
      await startModule({ entitlement: '' }),
      ...FAST,
      '--entitlement',
      ENTITLEMENT,
      '--report',
      'junit',
    );
    expect(junit.stdout).toContain('<failure message="It answered 303 to a token without entitlements">');
  });

  it('sends the given claims, and requires each token to be accepted once with --once', async () => {
    const module = await startModule({ entitlement: '', tenant: 'tnt_mine' });
    const { code, stdout } = await test(module, '--claims', '{"tenant":"tnt_mine"}', '--once', '--case', 'replay');
    expect(stdout).toMatch(/^ok +valid/m);
    expect(stdout).toContain('It answered 303 to a token that was used before');
    expect(code).toBe(11);
  });

  it.each([
    [['--case', 'nope'], /There is no case nope; there are valid, cross-site/],
    [['--to', 'localhost:3000'], /url must be an http or https URL/],
    [['--issuer', 'https://platform.example.com'], /url must be an http URL of this machine/],
    [['--claims', '[]'], /--claims takes a JSON object/],
    [['--audience', ''], /audience must be a string, and not empty/],
  ])('refuses %j before anything is sent', async ([name = '', value = ''], message) => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const options = { '--to': 'http://127.0.0.1:1', '--issuer': issuer, '--audience': 'analytics', [name]: value };
    const { code, stderr } = await plat(['launch', 'test', ...Object.entries(options).flat()]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  it('says how to choose another issuer when its port is in use', async () => {
    const { to } = await startModule();
    const { code, stderr } = await test({ to, issuer: new URL(to).origin });
    expect(stderr).toMatch(/is in use \(USAGE\)[\s\S]*--issuer <url>/);
    expect(code).toBe(2);
  });
});
