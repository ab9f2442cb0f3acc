import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { WebhookEvent } from '../event.ts';
import { verify } from '../index.ts';
import { testReceiver } from './index.ts';

vi.setConfig({ testTimeout: 60_000 });

const secret = `whsec_${randomBytes(16).toString('hex')}`;
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Delivery {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly response: ServerResponse;
}

/** Starts a receiver. Returns the names of the failed and skipped cases with their problems and reasons. */
async function problemsOf(receive: (delivery: Delivery) => void, cases: readonly string[], effects?: () => number) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    receive({ body: Buffer.concat(chunks), headers, response });
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const report = await testReceiver({ url, secret, cases, effects });
  return report.cases.flatMap(({ name, outcome, problem, note }) =>
    outcome === 'passed' ? [] : [`${name}: ${problem ?? note}`],
  );
}

function verified({ body, headers, response }: Delivery): WebhookEvent | null {
  try {
    return verify(body, headers, { secrets: secret });
  } catch {
    response.writeHead(400).end();
    return null;
  }
}

const COUNTED = ['every-type', 'parallel', 'duplicates', 'wrong-secret'];

test('a receiver that answers first and works afterwards passes', async () => {
  const handled = new Set<string>();
  let queue = Promise.resolve();
  const problems = await problemsOf(
    (delivery) => {
      const event = verified(delivery);
      if (!event) return;
      delivery.response.writeHead(200).end();
      queue = queue.then(async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        handled.add(event.id);
      });
    },
    COUNTED,
    () => handled.size,
  );
  expect(problems).toEqual([]);
});

test('a receiver that handles a duplicate later, once more, fails', async () => {
  let effects = 0;
  let deliveries = 0;
  const problems = await problemsOf(
    (delivery) => {
      if (!verified(delivery)) return;
      delivery.response.writeHead(200).end();
      deliveries += 1;
      setTimeout(() => {
        effects += 1;
      }, 150 * deliveries);
    },
    ['duplicates'],
    () => effects,
  );
  expect(problems).toEqual(['duplicates: Two events that arrived twice and five times had 7 effects']);
});

test('a receiver that recognizes a duplicate by its bytes passes: the platform sends the same ones', async () => {
  const handled = new Set<string>();
  const problems = await problemsOf(
    (delivery) => {
      if (!verified(delivery)) return;
      handled.add(createHash('sha256').update(delivery.body).digest('hex'));
      delivery.response.writeHead(200).end();
    },
    COUNTED,
    () => handled.size,
  );
  expect(problems).toEqual([]);
});

test('a receiver that stores each created client under unique keys passes: none is created twice', async () => {
  const handled = new Set<string>();
  const keys = new Set<string>();
  const problems = await problemsOf((delivery) => {
    const event = verified(delivery);
    if (!event) return;
    const isNew = !handled.has(event.id) && event.type === 'client.created';
    handled.add(event.id);
    const own = isNew ? [event.data.id, event.data.slug] : [];
    const isTaken = own.some((key) => keys.has(key));
    for (const key of own) keys.add(key);
    delivery.response.writeHead(isTaken ? 500 : 200).end();
  }, COUNTED);
  expect(problems).toEqual([]);
});

test('a receiver that has an effect before it verifies fails, although it answers 400', async () => {
  let effects = 0;
  const problems = await problemsOf(
    (delivery) => {
      effects += 1;
      if (verified(delivery)) delivery.response.writeHead(200).end();
    },
    ['wrong-secret'],
    () => effects,
  );
  expect(problems).toEqual(['wrong-secret: Two deliveries that it refused had 2 effects']);
});

test('a rate limit is no refusal: what it hides is skipped', async () => {
  let requests = 0;
  const problems = await problemsOf(
    (delivery) => {
      requests += 1;
      if (requests > 3) delivery.response.writeHead(429).end();
      else if (verified(delivery)) delivery.response.writeHead(200).end();
    },
    ['wrong-secret', 'old'],
  );
  expect(problems).toEqual([
    'old: It answered 429 to a delivery that was signed 330 s ago: its rate limit hides whether it would refuse it',
  ]);
});

test('a receiver that allows ten minutes, or fails on a repeated header, fails', async () => {
  const problems = await problemsOf(
    ({ body, headers, response }) => {
      // Node joins the values of a repeated header.
      if ((headers['x-platform-signature'] ?? '').split('t=').length > 2) return void response.writeHead(500).end();
      try {
        verify(body, headers, { secrets: secret, tolerance: 600 });
        response.writeHead(200).end();
      } catch {
        response.writeHead(400).end();
      }
    },
    ['old', 'future', 'repeated-signature'],
  );
  expect(problems).toEqual([
    'old: It answered 200 to a delivery that was signed 330 s ago',
    'future: It answered 200 to a delivery that was signed 330 s ahead',
    'repeated-signature: It answered 500 to a delivery with two X-Platform-Signature',
  ]);
});
