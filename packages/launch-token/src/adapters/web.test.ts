import { expect, onTestFinished, test, vi } from 'vitest';
import { base } from './adapters.fixture.ts';
import { launchHandler } from './web.ts';

test('an invalid handler is refused at creation', () => {
  expect(() => Reflect.apply(launchHandler, undefined, [base])).toThrow('function that answers a launch');
});

test('while `next build` imports a route, its issuer may be missing', async () => {
  vi.stubEnv('NEXT_PHASE', 'phase-production-build');
  onTestFinished(() => void vi.unstubAllEnvs());
  const route = launchHandler({ ...base, issuer: '' }, () => new Response());
  vi.unstubAllEnvs();
  const launch = new Request('http://127.0.0.1/launch', { method: 'POST', body: new URLSearchParams() });
  await expect(route(launch)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  expect(() => launchHandler({ ...base, issuer: '' }, () => new Response())).toThrow('issuer');
});
