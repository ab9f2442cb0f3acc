import { onTestFinished } from 'vitest';
import { encodeRecord, type LiveRecord } from '../oauth/grant-record.ts';
import type { GrantStore } from '../oauth/grant-store.ts';
import { OAuth } from '../oauth/oauth.ts';
import type { OAuthOptions } from '../oauth/oauth-options.ts';
import { memoryStore } from '../oauth/stores/memory-store.ts';
import type { Platform } from '../platform.ts';
import { nodeTransport } from '../transport/node.ts';
import { APP, REDIRECT_URI } from './fake-app.ts';
import { type ImpatientClock, impatientClock } from './fake-clock.ts';
import { type FakeService, fakeService, type IssuedPair } from './fake-service.ts';

/** Key of the grant in most tests. */
export const KEY = 'ten_1';

/** Short waits of the protocol end at once; its time-outs never end. */
export const protocolClock = (): ImpatientClock => impatientClock(5_000);

/** Objects of a refresh test. */
export interface GrantScene {
  readonly service: FakeService;
  readonly store: GrantStore;
  readonly clock: ImpatientClock;
  /** The first pair in the store. */
  readonly pair: IssuedPair;
  readonly oauth: OAuth;
  readonly platform: Platform;
  /** Returns the app in another process or another deployment. */
  another(options?: Partial<OAuthOptions>): OAuth;
  /** Returns the stored record. */
  record(): Promise<LiveRecord & { readonly reason?: string }>;
}

/** Creates a store with a grant whose access token expires in `secondsLeft`, and an app that uses it. */
export async function grantScene(
  secondsLeft: number,
  options: Partial<OAuthOptions> & { readonly expiresIn?: number } = {},
): Promise<GrantScene> {
  const { expiresIn, ...rest } = options;
  const service = await fakeService(expiresIn === undefined ? {} : { expiresIn });
  const store = rest.store ?? memoryStore();
  const clock = protocolClock();
  const pair = service.connect();
  const record = recordOf(pair, clock.now(), secondsLeft);
  await store.compareAndSet(KEY, null, { version: record.generation, value: encodeRecord(record) });
  const another = (changes: Partial<OAuthOptions> = {}): OAuth =>
    oauthFor(service.url, { store, clock, settle: 5_000, ...rest, ...changes });
  const oauth = another();
  return {
    service,
    store,
    clock,
    pair,
    oauth,
    platform: oauth.actingFor(KEY, { maxRetries: 0 }),
    another,
    async record() {
      const stored = await store.get(KEY);
      return JSON.parse(stored?.value ?? 'null');
    },
  };
}

/** Creates an app with its own connections to the API, closed with the test. */
export function oauthFor(baseUrl: string, options: Partial<OAuthOptions> = {}): OAuth {
  const transport = nodeTransport();
  onTestFinished(() => transport.close?.());
  const platform = { transport, ...options.platform };
  return new OAuth({ ...APP, baseUrl, redirectUri: REDIRECT_URI, store: memoryStore(), ...options, platform });
}

export function recordOf(pair: IssuedPair, now: number, secondsLeft: number): LiveRecord {
  const obtainedAt = now - (3600 - secondsLeft) * 1000;
  return {
    status: 'live',
    grantId: 'grant-1',
    tenantId: 'ten_1',
    userId: 'usr_1',
    scopes: ['clients:read'],
    connectedAt: obtainedAt,
    generation: obtainedAt,
    accessToken: pair.access,
    refreshToken: pair.refresh,
    obtainedAt,
    expiresAt: now + secondsLeft * 1000,
    mark: null,
  };
}

/** A promise that is resolved from outside. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
