import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppEvent, AppEventType, PlatformEvent } from '@plat/contract';
import { signTestEvent } from '@plat/webhooks/testing';
import { onTestFinished } from 'vitest';
import { lowestEventId } from '../listen/event-ids.ts';
import { type Answer, type FakeApi, fakeApi, type Received, refusal } from './fake-api.ts';

export const TENANT_ID = 'tnt_01kf0v6wg0000000000000000t';
export const APP_ID = 'app_01kf0v6wg0000000000000000a';

/** An API with a tenant, and an app of a developer. A test adds the events, which both APIs list. */
export interface FakeTenant extends FakeApi {
  /** Adds events to the list, each at the place of its id. */
  add(...events: readonly (PlatformEvent | AppEvent)[]): void;
  /** Response to every request, or to those for which it returns one, until it is null again. */
  answer: Answer | ((request: Received) => Answer | null) | null;
  /** True to send empty pages of events that say there are more. */
  isStalled: boolean;
}

export async function fakeTenant(): Promise<FakeTenant> {
  let events: readonly (PlatformEvent | AppEvent)[] = [];
  const api = await fakeApi((request) => {
    const { answer, isStalled } = tenant;
    const given = typeof answer === 'function' ? answer(request) : answer;
    return given ?? answerTo(request, isStalled ? null : events);
  });
  const tenant: FakeTenant = {
    ...api,
    answer: null,
    isStalled: false,
    add(...more) {
      events = [...events, ...more].sort((a, b) => (a.id < b.id ? 1 : -1));
    },
  };
  return tenant;
}

const APP_PATH = `/developer/v1/apps/${APP_ID}`;

function answerTo({ path, query }: Received, events: readonly (PlatformEvent | AppEvent)[] | null): Answer {
  if (path === '/v1/me')
    return { body: { object: 'me', tenant_id: TENANT_ID, credential_type: 'api_key', scopes: [] } };
  if (path === APP_PATH) return { body: { object: 'app', id: APP_ID } };
  if (path !== '/v1/webhooks/events' && path !== `${APP_PATH}/webhooks/events`) return refusal(404, 'NOT_FOUND');
  if (events === null) return { body: { object: 'list', data: [], has_more: true, url: path } };
  const { ending_before: before, limit = '20' } = query;
  const found = before === undefined ? events.slice(0, Number(limit) + 1) : events.filter(({ id }) => id > before);
  // The page before a cursor ends right before it: the oldest of the newer events.
  const data = before === undefined ? found.slice(0, Number(limit)) : found.slice(-Number(limit));
  return { body: { object: 'list', data, has_more: found.length > data.length, url: path } };
}

/** Returns an event whose id has this time in ms; `n` orders events of the same millisecond. */
export function eventAt(ms: number, n = 0, type = 'client.created'): PlatformEvent {
  const id = lowestEventId(ms).slice(0, -6) + String(n).padStart(6, '0');
  const { body } = signTestEvent(type, { data: { name: `Grüße ${n}` } });
  return { ...JSON.parse(body), id, created: new Date(ms).toISOString(), tenant_id: TENANT_ID };
}

/** Returns an event of the app whose id has this time in ms. */
export function appEventAt(ms: number, n: number, type: AppEventType): AppEvent {
  const id = lowestEventId(ms).slice(0, -6) + String(n).padStart(6, '0');
  return { ...signTestEvent(type, { appId: APP_ID }).event, id, created: new Date(ms).toISOString() };
}

/** A delivery received by a local application. */
export interface ReceivedDelivery {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A local application that receives events, and can stop and restart on the same port. */
export interface LocalApp {
  readonly url: string;
  readonly received: readonly ReceivedDelivery[];
  /** Handles a delivery after it is in `received`; 204 by default. */
  respond: RequestListener;
  /** Closes every connection and stops listening. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export async function localApp(): Promise<LocalApp> {
  const received: ReceivedDelivery[] = [];
  let port = 0;
  const open = () =>
    createServer(async (req, res) => {
      let body = '';
      try {
        for await (const chunk of req.setEncoding('utf8')) body += chunk;
      } catch {
        // The sender was killed; a partial event is ignored.
        return;
      }
      received.push({ id: String(req.headers['x-platform-event-id']), headers: req.headers, body });
      app.respond(req, res);
    });
  let server = open();
  const app: LocalApp = {
    get url() {
      return `http://127.0.0.1:${port}/hooks`;
    },
    received,
    respond: (_req, res) => res.writeHead(204).end(),
    async up() {
      server = open();
      await new Promise<void>((resolve) => {
        const listen = () => server.listen(port, '127.0.0.1', resolve);
        // Another connection of the machine may use the port for a moment.
        server.on('error', () => setTimeout(listen, 50));
        listen();
      });
      port = (server.address() as AddressInfo).port;
    },
    async down() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  await app.up();
  onTestFinished(async () => app.down());
  return app;
}
