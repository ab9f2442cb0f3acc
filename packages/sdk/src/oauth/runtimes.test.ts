import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { APP, REDIRECT_URI } from '../testing/fake-app.ts';
import { type FakeService, fakeService } from '../testing/fake-service.ts';
import { recordOf } from '../testing/grants.ts';
import { hasRuntimes, runOnDeno, startWorker } from '../testing/runtimes.ts';
import { serve } from '../testing/serve.ts';
import { encodeRecord } from './grant-record.ts';

/** A store over HTTP, which all isolates and processes share. */
interface RemoteStore {
  /** Its path `/presented` responds when the service has received a refresh token. */
  readonly url: string;
  record(): { readonly status: string; readonly reason?: string; readonly refreshToken: string };
}

async function remoteStore(service: FakeService, secondsLeft: number): Promise<RemoteStore> {
  const first = recordOf(service.connect(), Date.now(), secondsLeft);
  let stored = { version: first.generation, value: encodeRecord(first) };
  const { url } = await serve((response, { method, url: path, body }) => {
    if (path === '/presented') {
      const presented = expect.poll(() => service.count('/oauth/token')).toBeGreaterThan(0);
      return void presented.then(() => response.end());
    }
    if (method === 'GET') return response.end(JSON.stringify(stored));
    const { expected, next } = JSON.parse(body);
    const fits = expected === stored.version;
    if (fits) stored = next;
    return response.end(String(fits));
  });
  return { url, record: () => JSON.parse(stored.value) };
}

const IMPORT = "import { OAuth } from '@plat/sdk/oauth';";
/** Source of a function that creates an app with that store. */
const MAKE_APP = `function makeApp(settings) {
  const store = {
    get: async () => (await fetch(settings.store)).json(),
    compareAndSet: async (key, expected, next) =>
      (await fetch(settings.store, { method: 'POST', body: JSON.stringify({ expected, next }) })).json(),
  };
  const clock = {
    now: Date.now,
    random: () => 0,
    uuid: () => crypto.randomUUID(),
    after(ms, run) { const timer = setTimeout(run, ms); return () => clearTimeout(timer); },
  };
  return new OAuth({
    ...${JSON.stringify({ ...APP, redirectUri: REDIRECT_URI })}, baseUrl: settings.service, store, clock, settle: 100
  });
}`;

const WORKER = (waitUntil: string): string => `
  ${IMPORT}
  let app;
  export default {
    async fetch(request, env, ctx) {
      app ??= makeApp(env);
      const began = Date.now();
      try {
        const calling = app.actingFor('ten_1', { waitUntil: ${waitUntil} }).me.get();
        if (new URL(request.url).pathname === '/leave') {
          calling.catch(() => {});
          await fetch(env.store + '/presented');
          return new Response('left');
        }
        await calling;
        return Response.json({ ok: true, ms: Date.now() - began });
      } catch (error) {
        return Response.json({ ok: false, code: error.code, message: error.message, ms: Date.now() - began });
      }
    },
  };
  ${MAKE_APP}
`;
const worker = (service: FakeService, store: RemoteStore, waitUntil = 'undefined'): Promise<string> =>
  startWorker(WORKER(waitUntil), {
    service: service.url,
    store: store.url,
  });
/** Makes the first call, which only reads the grant from the store. */
const loadGrant = (address: string) => call(address);
/** Makes the worker respond without waiting for the call that it started, which workerd then stops. */
const leaveCall = (address: string) => fetch(`${address}/leave`).then((response) => response.text());
/** Returns the store of the documentation for Durable Objects. */
function documentedStore(): string {
  const page = new URL('../../../../docs/acting-for-many-tenants.md', import.meta.url);
  return /^```js durable-object\n([\s\S]*?)^```/m.exec(readFileSync(page, 'utf8'))?.[1] ?? '';
}

const call = async (address: string) => (await fetch(address)).json();

test.skipIf(!hasRuntimes)(
  'on workerd a call waits for the renewal that it starts, which its end would stop',
  async () => {
    const service = await fakeService();
    const store = await remoteStore(service, 200);
    const address = await worker(service, store);
    await loadGrant(address);
    service.received.length = 0;
    expect(await call(address)).toMatchObject({ ok: true });
    expect(service.received.map(({ url }) => url)).toEqual(['/oauth/token', '/v1/me']);
    expect(service.isAlive(store.record().refreshToken)).toBe(true);
    expect(await call(address)).toMatchObject({ ok: true });
    expect(service.refreshes()).toBe(1);
  },
);

test.skipIf(!hasRuntimes)('on workerd with waitUntil a call returns before the renewal, which then ends', async () => {
  const service = await fakeService();
  const store = await remoteStore(service, 200);
  let open = (): void => {};
  service.gates.before = () =>
    new Promise((resolve) => {
      open = resolve;
    });
  const address = await worker(service, store, '(work) => ctx.waitUntil(work)');
  await loadGrant(address);
  expect(await call(address)).toMatchObject({ ok: true });
  expect(service.refreshes()).toBe(0);
  await expect.poll(() => service.count('/oauth/token')).toBe(1);
  open();
  await expect.poll(() => service.isAlive(store.record().refreshToken)).toBe(true);
  expect(service.refreshes()).toBe(1);
});

test.skipIf(!hasRuntimes)(
  'on workerd an expired token is renewed after a renewal that ended with its request',
  async () => {
    const service = await fakeService();
    const store = await remoteStore(service, 0);
    service.faults.push('hang before');
    const address = await worker(service, store);
    await leaveCall(address);
    expect(await call(address)).toMatchObject({ ok: true });
    expect(service.refreshes()).toBe(1);
  },
);

test.skipIf(!hasRuntimes)('the documented store in a Durable Object lets one of many writers succeed', async () => {
  const address = await startWorker(
    `${documentedStore()}
    export default {
      async fetch(request, env) {
        const store = durableObjectStore(env.GRANTS);
        const next = (version) => ({ version, value: 'grant ' + version });
        const first = await Promise.all([1, 2, 3].map((version) => store.compareAndSet('a', null, next(version))));
        const { version } = await store.get('a');
        const second = await Promise.all([7, 8, 9].map((other) => store.compareAndSet('a', version, next(other))));
        const stale = await store.compareAndSet('a', version, next(10));
        return Response.json({ none: await store.get('b'), first, second, stale, last: await store.get('a') });
      },
    };`,
    {},
  );
  const { none, first, second, stale, last } = await call(address);
  const won = (results: boolean[]) => results.filter(Boolean).length;
  expect([none, won(first), won(second), stale]).toEqual([null, 1, 1, false]);
  const version = [7, 8, 9][second.indexOf(true)];
  expect(last).toEqual({ version, value: `grant ${version}` });
});

test.skipIf(!hasRuntimes)(
  'on Deno a refresh token is presented once when the connection is cut, with --allow-net only',
  async () => {
    const service = await fakeService();
    const store = await remoteStore(service, 0);
    service.faults.push('cut after');
    const settings = JSON.stringify({ service: service.url, store: store.url });
    const { output } = await runOnDeno(`
    ${IMPORT}
    ${MAKE_APP}
    const settings = ${settings};
    // A kept connection to the same origin, which fetch would use and repeat the request on another.
    await (await fetch(settings.service + '/v1/me')).text();
    try {
      await makeApp(settings).actingFor('ten_1', { maxRetries: 0 }).me.get();
      console.log('renewed');
    } catch (error) {
      console.log(error.code);
    }
  `);
    expect(output).toBe('REFRESH_FAILED\n');
    expect(service.presented).toHaveLength(1);
  },
);

test.skipIf(!hasRuntimes)('on Deno a grant is renewed with --allow-net only', async () => {
  const service = await fakeService();
  const store = await remoteStore(service, 0);
  const settings = JSON.stringify({ service: service.url, store: store.url });
  const { output } = await runOnDeno(`
    ${IMPORT}
    ${MAKE_APP}
    const settings = ${settings};
    await makeApp(settings).actingFor('ten_1').me.get();
    console.log('renewed');
  `);
  expect(output).toBe('renewed\n');
  expect(service.refreshes()).toBe(1);
});
