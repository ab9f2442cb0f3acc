import { createServer } from 'node:net';
import { verify } from '@plat/webhooks';
import { describe, expect, it } from 'vitest';
import { eventAt, localApp } from '../testing/fake-tenant.ts';
import { type ForwardAttempt, forward } from './forward.ts';

const SECRET = 'whsec_local';
const event = eventAt(Date.now());

/** Forwards an event without waiting. */
async function forwarded(to: string, paused: (waits: readonly number[]) => unknown = () => {}) {
  const attempts: ForwardAttempt[] = [];
  const waits: number[] = [];
  const wasAccepted = await forward(event, {
    to,
    secret: SECRET,
    now: Date.now,
    tell: async (attempt) => void attempts.push(attempt),
    async pause(ms) {
      waits.push(ms);
      await paused(waits);
    },
  });
  const summaries = attempts.map(({ attempt, answer, outcome }) => [
    attempt,
    answer.status ?? answer.errorCode,
    outcome,
  ]);
  return { wasAccepted, summaries, waits };
}

describe('an event', () => {
  it('arrives as the platform sends it, and verifies', async () => {
    const app = await localApp();
    expect(await forwarded(app.url)).toEqual({ wasAccepted: true, summaries: [[1, 204, 'delivered']], waits: [] });
    const [{ headers, body } = { headers: {}, body: '' }] = app.received;
    expect(body).toBe(JSON.stringify(event));
    expect(verify(body, headers, { secrets: SECRET })).toEqual(event);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Platform-Webhooks/1.0',
      'x-platform-event': event.type,
      'x-platform-event-id': event.id,
      'x-platform-delivery-id': expect.stringMatching(/^del_[0-9a-z]{26}$/),
    });
  });

  it('that is refused is sent four times as separate attempts, then dropped', async () => {
    const app = await localApp();
    app.respond = (_req, res) => res.writeHead(500).end();
    expect(await forwarded(app.url)).toEqual({
      wasAccepted: false,
      summaries: [
        [1, 500, 'retrying'],
        [2, 500, 'retrying'],
        [3, 500, 'retrying'],
        [4, 500, 'failed'],
      ],
      waits: [500, 1000, 2000],
    });
    expect(new Set(app.received.map(({ headers }) => headers['x-platform-delivery-id'])).size).toBe(4);
  });

  it('that is accepted on a later attempt is accepted', async () => {
    const app = await localApp();
    app.respond = (_req, res) => res.writeHead(app.received.length < 4 ? 503 : 200).end();
    expect((await forwarded(app.url)).summaries.at(-1)).toEqual([4, 200, 'delivered']);
  });

  it('waits for an application that is down, with one note', async () => {
    const app = await localApp();
    await app.down();
    const { wasAccepted, summaries, waits } = await forwarded(app.url, (waits) => waits.length === 50 && app.up());
    expect(wasAccepted).toBe(true);
    expect(summaries).toEqual([
      [1, 'ECONNREFUSED', 'retrying'],
      [51, 204, 'delivered'],
    ]);
    expect(new Set(waits)).toEqual(new Set([500]));
  });

  it('is resent when the application crashes during the request', async () => {
    const app = await localApp();
    app.respond = (req) => req.socket.destroy();
    const { wasAccepted, summaries } = await forwarded(app.url, (waits) => {
      if (waits.length === 5) app.respond = (_req, res) => res.writeHead(200).end();
    });
    expect(wasAccepted).toBe(true);
    expect(summaries.map(([, answer]) => answer)).toEqual([...Array(5).fill('ECONNRESET'), 200]);
  });

  it('is dropped after ten crashes of the application', async () => {
    const app = await localApp();
    app.respond = (req) => req.socket.destroy();
    const { wasAccepted, summaries } = await forwarded(app.url);
    expect([wasAccepted, summaries.length, summaries.at(-1)]).toEqual([false, 10, [10, 'ECONNRESET', 'failed']]);
  });

  it('is not dropped for refusals with downtime in between', async () => {
    const app = await localApp();
    app.respond = (_req, res) => res.writeHead(500).end();
    const { summaries } = await forwarded(app.url, async (waits) => {
      if (waits.length === 2) await app.down();
      if (waits.length === 9) {
        app.respond = (_req, res) => res.writeHead(200).end();
        await app.up();
      }
    });
    expect(summaries.map(([, answer]) => answer)).toEqual([500, 500, 'ECONNREFUSED', 200]);
  });

  it('stops when its pause is aborted', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    server.close();
    const to = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
    await expect(
      forwarded(to, () => {
        throw new Error('stopped');
      }),
    ).rejects.toThrow('stopped');
  });
});
