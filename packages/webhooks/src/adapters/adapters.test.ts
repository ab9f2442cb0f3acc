import { describe, expect, test, vi } from 'vitest';
import { createDedupe, type SecretLookup } from '../index.ts';
import { signTestEvent, TEST_SECRET } from '../testing.ts';
import { adapters, type Handle, quiet } from './adapters.fixture.ts';

describe.each(Object.entries(adapters))('%s', (_, start) => {
  test('the handler receives the event and delivery id, and the response is 200', async () => {
    const handle = vi.fn();
    const send = await start(quiet, handle);
    const { rawBody, headers, event } = signTestEvent('client.created', { data: { name: 'Größe 🚀' } });
    expect(await send(rawBody, headers)).toMatchObject({ status: 200, body: { received: true } });
    expect(handle).toHaveBeenCalledExactlyOnceWith(
      event,
      expect.objectContaining({ deliveryId: headers['x-platform-delivery-id'] }),
    );
  });

  test('a refused delivery gets 400 with code and message, and only the log has the hint', async () => {
    const handle = vi.fn();
    const onError = vi.fn();
    const send = await start({ secrets: ` ${TEST_SECRET}`, onError }, handle);
    const { rawBody, headers } = signTestEvent('client.created');
    const answer = await send(rawBody, headers);
    expect(answer).toMatchObject({ status: 400, body: { code: 'SIGNATURE_MISMATCH', message: expect.any(String) } });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.stringify(answer.body)).not.toContain('white space');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ hint: expect.stringContaining('white space') }),
      undefined,
    );
    expect(handle).not.toHaveBeenCalled();
  });

  test('a resolver receives the path of the request, and binds the event to the tenant of the secret', async () => {
    const onError = vi.fn();
    const handle = vi.fn();
    const secrets = vi.fn(async ({ tenantId, url }: SecretLookup) => {
      if (tenantId === 'tnt_down') throw new Error('database down');
      return tenantId === 'tnt_mine' ? { secret: TEST_SECRET, id: `of ${url}` } : undefined;
    });
    const send = await start({ secrets, onError }, handle);
    const mine = signTestEvent('client.created', { tenantId: 'tnt_mine' });
    expect(await send(mine.rawBody, mine.headers)).toMatchObject({ status: 200 });
    expect(handle).toHaveBeenCalledExactlyOnceWith(
      mine.event,
      expect.objectContaining({ secret: { index: 0, id: 'of /hooks', tenantId: 'tnt_mine' } }),
    );
    // An unknown tenant and a wrong secret get the same response, so that callers cannot find out which tenants exist.
    const unknown = signTestEvent('client.created', { tenantId: 'tnt_other' });
    const wrong = signTestEvent('client.created', { tenantId: 'tnt_mine', secret: 'whsec_wrong' });
    const refused = await send(wrong.rawBody, wrong.headers);
    expect(refused).toMatchObject({ status: 400, body: { code: 'SIGNATURE_MISMATCH' } });
    expect((await send(unknown.rawBody, unknown.headers)).body).toEqual(refused.body);
    expect(onError).toHaveBeenLastCalledWith(expect.objectContaining({ code: 'SECRET_NOT_FOUND' }), undefined);
    const down = signTestEvent('client.created', { tenantId: 'tnt_down' });
    const failed = await send(down.rawBody, down.headers);
    expect(failed).toMatchObject({ status: 500, body: { code: 'RECEIVER_FAILED' } });
    expect(JSON.stringify(failed.body)).not.toContain('database');
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test('a stale delivery, a delivery without signature and an empty delivery are refused', async () => {
    const send = await start(quiet, vi.fn());
    const stale = signTestEvent('client.created', { flaw: 'TIMESTAMP_TOO_OLD' });
    expect(await send(stale.rawBody, stale.headers)).toMatchObject({
      status: 400,
      body: { code: 'TIMESTAMP_TOO_OLD' },
    });
    expect(await send('{}', { 'content-type': 'application/json' })).toMatchObject({
      status: 400,
      body: { code: 'SIGNATURE_MISSING' },
    });
    const { headers } = signTestEvent('client.created');
    expect(await send(undefined, headers)).toMatchObject({ status: 400, body: { code: 'SIGNATURE_MISMATCH' } });
  });

  test('a repeated signature header is refused', async () => {
    const send = await start(quiet, vi.fn());
    const { rawBody, headers, signature } = signTestEvent('client.created');
    expect(await send(rawBody, { ...headers, 'x-platform-signature': [signature, signature] })).toMatchObject({
      status: 400,
      body: { code: 'SIGNATURE_REPEATED' },
    });
  });

  test('a body over the limit is refused with 413, with and without Content-Length; one of the limit is read', async () => {
    const [exact, larger] = [1000, 1001].map((count) =>
      signTestEvent('client.created', { data: { name: 'x'.repeat(count) } }),
    );
    if (!exact || !larger) throw new Error('two deliveries');
    const send = await start({ ...quiet, maxBodyBytes: exact.rawBody.length }, vi.fn());
    for (const more of [{}, { 'transfer-encoding': 'chunked' }]) {
      expect(await send(exact.rawBody, { ...exact.headers, ...more })).toMatchObject({ status: 200 });
      const answer = { status: 413, body: { code: 'BODY_TOO_LARGE' } };
      expect(await send(larger.rawBody, { ...larger.headers, ...more })).toMatchObject(answer);
    }
  });

  test('a body with an unusual content type, or none, is read', async () => {
    const send = await start(quiet, vi.fn());
    const { rawBody, headers } = signTestEvent('client.created');
    expect(await send(rawBody, { ...headers, 'content-type': 'text/plain' })).toMatchObject({ status: 200 });
    expect(await send(rawBody, { ...headers, 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 200,
    });
  });

  test('a handler that throws causes a 500, and its error is reported but not shown', async () => {
    const onError = vi.fn();
    const failure = new Error('database password wrong');
    const send = await start({ ...quiet, onError }, () => Promise.reject(failure));
    const { rawBody, headers, event } = signTestEvent('client.created');
    const answer = await send(rawBody, headers);
    expect(answer).toMatchObject({ status: 500, body: { code: 'HANDLER_FAILED' } });
    expect(JSON.stringify(answer.body)).not.toContain('password');
    expect(onError).toHaveBeenCalledExactlyOnceWith(failure, event);
  });

  test('a duplicate gets 200 without a call of the handler; after a failure it is handled again', async () => {
    const handle = vi.fn<Handle>().mockRejectedValueOnce(new Error('first')).mockResolvedValue(undefined);
    const send = await start({ ...quiet, dedupe: createDedupe() }, handle);
    const { rawBody, headers } = signTestEvent('client.created');
    expect((await send(rawBody, headers)).status).toBe(500);
    expect(await send(rawBody, headers)).toMatchObject({ status: 200, body: { received: true } });
    expect(await send(rawBody, headers)).toMatchObject({ status: 200, body: { received: true, duplicate: true } });
    expect(handle).toHaveBeenCalledTimes(2);
  });

  test('a duplicate gets 409 while the first delivery is being handled', async () => {
    let finish = (): void => undefined;
    let enter = (): void => undefined;
    const entered = new Promise<void>((resolve) => {
      enter = resolve;
    });
    const handle = vi.fn<Handle>(() => {
      enter();
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    const send = await start({ ...quiet, dedupe: createDedupe({ leaseSeconds: 30 }) }, handle);
    const { rawBody, headers } = signTestEvent('client.created');
    const first = send(rawBody, headers);
    await entered;
    const second = await send(rawBody, headers);
    expect(second).toMatchObject({ status: 409, body: { code: 'EVENT_IN_PROGRESS' } });
    expect(second.headers['retry-after']).toBe('30');
    finish();
    expect((await first).status).toBe(200);
    expect(handle).toHaveBeenCalledTimes(1);
  });
});
