import type { Router } from 'express';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { followClock } from '../db/database-clock.ts';
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

/** What tests command in a server of the development mode. */
export interface Devtools {
  readonly time: TimeControl;
  readonly faults: Faults;
  readonly createTenant: CreateDevTenant;
  /** What comes before all that the server serves: `/_dev`, with further pages of it, and the faults. */
  router(...pages: readonly Router[]): Router;
}

/** What is there before there is a server to command. */
export interface DevtoolsOfStart {
  /** The one clock. */
  readonly clock: Clock;
  /** Hooks of the background work. */
  readonly hooks: { readonly intercept: Intercept; mailSent(): void };
  /** @param server what is commanded */
  begin(server: CommandedServer): Promise<Devtools>;
}

export interface CommandedServer {
  readonly db: Database;
  readonly log: Logger;
  /** Whether it works on what is due. */
  readonly works: boolean;
  /** Whether the data ends with the server. */
  readonly isEphemeral: boolean;
  /** How many requests of one credential its window takes. */
  readonly rateLimit: number;
  /** The public address, known once it listens. */
  readonly baseUrl: () => string;
  /** Resolves when no work is due or under way, or the signal says to wait no more. */
  idle(signal: AbortSignal): Promise<void>;
  /** What keeps the requests. */
  readonly requestLog: RequestLog;
  /** Removes old rows, and resolves to how many; null where this process does not. */
  readonly housekeep: (() => Promise<number>) | null;
}

/** The instant at which a deterministic server begins. */
const BEGINNING = Date.UTC(2026, 0, 1);

interface DevtoolsOptions {
  /** What the one clock runs with until it is moved. */
  readonly base: Clock;
  /** Whether it stands from the beginning and goes on by a millisecond for each write. */
  readonly isDeterministic: boolean;
}

export function createDevtools({ base, isDeterministic }: DevtoolsOptions): DevtoolsOfStart {
  const devClock = createDevClock(base);
  if (isDeterministic) {
    devClock.freeze();
    devClock.moveTo(BEGINNING);
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
        return isDeterministic ? untimed(answer) : answer;
      },
      mailSent() {
        mails++;
      },
    },
    async begin(server) {
      const { db, log, rateLimit, baseUrl, requestLog, isEphemeral } = server;
      followClock(db, () => (devClock.isMoved ? clock() : undefined));
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

/** How long an attempt took is never the same twice. */
function untimed(answer: Answer): Answer {
  const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
  return { ...answer, durationMs: 0, timings: none };
}
