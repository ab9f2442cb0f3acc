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

/** Under which the grant of most tests is stored. */
export const KEY = 'ten_1';

/** Waits of the protocol are over at once; its time-outs never come. */
export const protocolClock = (): ImpatientClock => impatientClock(5_000);

/** What a test of the refresh works with. */
export interface GrantScene {
  readonly service: FakeService;
  readonly store: GrantStore;
  readonly clock: ImpatientClock;
  /** The pair that the store has at first. */
  readonly pair: IssuedPair;
  readonly oauth: OAuth;
  readonly platform: Platform;
  /** The app again, as another process or another deployment of it has it. */
  another(options?: Partial<OAuthOptions>): OAuth;
  /** The record as it is in the store. */
  record(): Promise<LiveRecord & { readonly reason?: string }>;
}

/** A grant in a store whose access token has `secondsLeft`, and an app that acts with it. */
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

/** An app with connections of its own to the API, closed with the test. */
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

/** A promise that is settled from outside. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
