import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, afterEach, before, test } from 'node:test';
import { Platform } from '@plat/sdk';
import { devtools } from '../devtools.js';
import { createReceiver, signUp } from '../sign-up.js';

const platform = new Platform();
const welcomed = [];
let receiver;

before(async () => {
  // The receiver listens before its secret exists, because the endpoint needs its port.
  receiver = createReceiver('whsec_not_known_yet', () => {}).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address();
  const url = `http://127.0.0.1:${port}/`;
  const { secret } = await platform.webhooks.endpoints.create({ url, events: ['client.created'] });
  receiver.close();
  receiver = createReceiver(secret, ({ name }) => welcomed.push(name)).listen(port, '127.0.0.1');
  await once(receiver, 'listening');
});
afterEach(() => devtools.clearFaults());
after(() => receiver.close());

const clientsNamed = async (name) => (await platform.clients.list().toArray()).filter((client) => client.name === name);

test('the seed is there', async () => {
  assert.equal((await clientsNamed('Acme')).length, 1);
});

test('a customer whose response is lost has one client', async () => {
  await devtools.addFault({ operation: 'clients.create', kind: 'cut', when: 'after' });
  await signUp({ order: 1, name: 'Lost response' });
  await signUp({ order: 1, name: 'Lost response' });
  assert.equal((await clientsNamed('Lost response')).length, 1);
});

test('a customer is created although the platform limits the rate for a second', async () => {
  await devtools.addFault({ operation: 'clients.create', kind: 'rate_limited', retry_after: 1 });
  await signUp({ order: 2, name: 'Patient' });
  assert.equal((await clientsNamed('Patient')).length, 1);
});

test('a customer is welcomed once: the first attempt fails, and the second arrives twice after 30 seconds', async () => {
  await devtools.freezeClock();
  await devtools.addFault({ event_type: 'client.created', kind: 'delivery_error', status: 503 });
  await signUp({ order: 3, name: 'Late' });
  await devtools.idle();
  assert.ok(!welcomed.includes('Late'));
  await devtools.addFault({ event_type: 'client.created', kind: 'duplicate_delivery' });
  await devtools.advanceClock(30);
  assert.equal(welcomed.filter((name) => name === 'Late').length, 1);
});
