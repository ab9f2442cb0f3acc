import type { Router } from 'express';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { followClock, movedNow } from '../db/database-clock.ts';
import { isOfProduction } from '../db/installation.ts';
import type { Intercept } from '../events/dispatch/attempt.ts';
import type { Answer } from '../events/sending/answer.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { Clock } from '../kernel/clock.ts';
import { randomInt } from '../kernel/random.ts';
import { deliveryFaults } from './delivery-faults.ts';
import { createDevClock } from './dev-clock.ts';
import { devRoutes } from './dev-routes.ts';
import { createFaults, type Faults } from './faults.ts';
import { PRODUCTION_DATA } from './guard.ts';
import { requestFaults } from './request-faults.ts';
import { tenantOf } from './tenant-of.ts';
import { type CreateDevTenant, devTenantMaker } from './tenants.ts';
import { createTimeControl, type TimeControl } from './time-control.ts';

/** Functions by which tests control a server in development mode. */
export interface Devtools {
  readonly time: TimeControl;
  readonly faults: Faults;
  readonly createTenant: CreateDevTenant;
  /** Returns the router that precedes all others: `/_dev`, with further pages, and the faults. */
  router(...pages: readonly Router[]): Router;
}

/** Parts of the devtools that exist before the server. */
export interface DevtoolsBeforeStart {
  /** The clock of the server. */
  readonly clock: Clock;
  /** Hooks of the background work. */
  readonly hooks: { readonly intercept: Intercept; mailSent(): void };
  /** @param server the server to control */
  begin(server: CommandedServer): Promise<Devtools>;
}

export interface CommandedServer {
  readonly db: Database;
  readonly log: Logger;
  /** True if this process runs due work. */
  readonly works: boolean;
  /** True if the data ends with the server. */
  readonly isEphemeral: boolean;
  /** Rate limit: maximum number of requests per credential and window. */
  readonly rateLimit: number;
  /** Returns the public address, which is available once the server listens. */
  readonly baseUrl: () => string;
  /** Resolves when no work is due or in progress, or the signal is aborted. */
  idle(signal: AbortSignal): Promise<void>;
  /** Stores the requests. */
  readonly requestLog: RequestLog;
  /** Deletes expired rows and resolves to their number. Null if this process runs no housekeeping. */
  readonly housekeep: (() => Promise<number>) | null;
}

/** Start time of a deterministic server. */
const START_TIME = Date.UTC(2026, 0, 1);

interface DevtoolsOptions {
  /** Clock that the development clock follows until it is moved. */
  readonly base: Clock;
  /** True: the clock starts frozen, and each write moves it by a millisecond. */
  readonly isDeterministic: boolean;
}

export function createDevtools({ base, isDeterministic }: DevtoolsOptions): DevtoolsBeforeStart {
  const devClock = createDevClock(base);
  if (isDeterministic) {
    devClock.freeze();
    devClock.moveTo(START_TIME);
  }
  const { now: clock } = devClock;
  const faults = createFaults(clock, () => randomInt(10_000, 'fault') / 10_000);
  const intercept = deliveryFaults(faults);
  let deliveries = 0;
  let mails = 0;
  return {
    clock,
    hooks: {
      async intercept(delivery, send) {
        deliveries++;
        const answer = await intercept(delivery, send);
        return isDeterministic ? withoutDuration(answer) : answer;
      },
      mailSent() {
        mails++;
      },
    },
    async begin(server) {
      const { db, log, rateLimit, baseUrl, requestLog, isEphemeral } = server;
      const before = movedNow(db) === undefined ? () => undefined : clock;
      followClock(db, () => (devClock.isMoved ? clock() : before()));
      if (await isOfProduction(db)) log.warn(`${PRODUCTION_DATA}: everything below /_dev is refused`);
      const time = createTimeControl({ ...server, clock: devClock, done: () => ({ deliveries, mails }) });
      const createTenant = devTenantMaker({ db, clock, baseUrl });
      return {
        time,
        faults,
        createTenant,
        router: (...pages) =>
          devRoutes(
            {
              ...{ db, baseUrl, time, faults, createTenant, requestLog, isEphemeral },
              written: isDeterministic ? devClock.tick : () => undefined,
              requestFaults: requestFaults({ faults, clock, rateLimit, tenantOf: (req) => tenantOf(db, clock(), req) }),
            },
            ...pages,
          ),
      };
    },
  };
}

/** Removes the duration of an attempt, which differs in every run. */
function withoutDuration(answer: Answer): Answer {
  const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
  return { ...answer, durationMs: 0, timings: none };
}
