import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebhookConfigurationError } from '../index.ts';
import { signTestEvent, TEST_SECRET } from '../testing.ts';
import { webhookHandler } from '../web.ts';
import { quiet, startFetch } from './adapters.fixture.ts';
import { azureWebhook } from './azure.ts';
import { expressWebhook } from './express.ts';
import { fastifyWebhook } from './fastify.ts';
import { honoWebhook } from './hono.ts';
import { lambdaWebhook } from './lambda.ts';
import { nextWebhook } from './next.ts';

describe('failures around the handler', () => {
  const { rawBody, headers, event } = signTestEvent('client.created');
  const broken = { leaseSeconds: 1, claim: async () => ({ outcome: 'claimed', key: 'k', token: 't' }) as const };
  const down = () => Promise.reject(new Error('store down'));

  test('a store that fails before the handler causes a 500, and the handler is not called', async () => {
    const handle = vi.fn();
    const send = await startFetch(
      webhookHandler(
        { ...quiet, dedupe: { ...broken, claim: down, complete: down, release: down, forget: down } },
        handle,
      ),
    );
    expect(await send(rawBody, headers)).toMatchObject({ status: 500, body: { code: 'RECEIVER_FAILED' } });
    expect(handle).not.toHaveBeenCalled();
  });

  test('a store that fails after the handler does not change the response, and is reported', async () => {
    const onError = vi.fn();
    const dedupe = { ...broken, complete: down, release: down, forget: down };
    const send = await startFetch(webhookHandler({ ...quiet, onError, dedupe }, () => undefined));
    expect((await send(rawBody, headers)).status).toBe(200);
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'store down' }), event);
    const failing = await startFetch(
      webhookHandler({ ...quiet, onError, dedupe }, () => Promise.reject(new Error('mine'))),
    );
    expect(await failing(rawBody, headers)).toMatchObject({ status: 500, body: { code: 'HANDLER_FAILED' } });
  });

  test('without onError, failures are written to the console and refusals are not', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => logged.mockRestore());
    const send = await startFetch(webhookHandler({ secrets: TEST_SECRET }, () => Promise.reject(new Error('mine'))));
    await send(rawBody, {});
    expect(logged).not.toHaveBeenCalled();
    await send(rawBody, headers);
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'mine' }));
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('log down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('log down'))],
  ])('a log that %s does not change the response, and does not end the process', async (_, onError) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => logged.mockRestore());
    const send = await startFetch(webhookHandler({ secrets: TEST_SECRET, onError }, vi.fn()));
    expect(await send(rawBody, {})).toMatchObject({ status: 400, body: { code: 'SIGNATURE_MISSING' } });
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'log down' }));
  });

  test('a wrong configuration is reported when the adapter is created', () => {
    const makers = [
      expressWebhook,
      fastifyWebhook,
      honoWebhook,
      nextWebhook,
      webhookHandler,
      lambdaWebhook,
      azureWebhook,
    ];
    for (const make of makers) {
      for (const options of [
        { secrets: '' },
        { secrets: 'x', maxBodyBytes: 0 },
        { secrets: 'x', onError: 'log' },
        { secrets: 'x', dedupe: { claim: vi.fn() } },
      ]) {
        expect(() => Reflect.apply(make, undefined, [options, vi.fn()])).toThrow(WebhookConfigurationError);
      }
      expect(() => Reflect.apply(make, undefined, [{ secrets: 'x' }])).toThrow(WebhookConfigurationError);
    }
  });

  test('while `next build` imports a route, its secret may be missing', () => {
    vi.stubEnv('NEXT_PHASE', 'phase-production-build');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => nextWebhook({ secrets: '' }, vi.fn())).not.toThrow();
    expect(() => webhookHandler({ secrets: '' }, vi.fn())).toThrow(WebhookConfigurationError);
  });
});
