import type { Router } from 'express';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { followClock } from '../db/database-clock.ts';
import { isOfProduction } from '../db/installation.ts';
import type { Intercept } from '../events/attempt.ts';
import type { Clock } from '../kernel/clock.ts';
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
  /** What the work of the server is to be told. */
  readonly watch: { readonly intercept: Intercept; mailSent(): void };
  /** @param server what is commanded */
  begin(server: CommandedServer): Promise<Devtools>;
}

export interface CommandedServer {
  readonly db: Database;
  readonly log: Logger;
  /** Whether it works on what is due. */
  readonly works: boolean;
  /** How many requests of one credential its window takes. */
  readonly rateLimit: number;
  /** The public address, known once it listens. */
  readonly baseUrl: () => string;
  /** Resolves when no work is due or under way, or the signal says to wait no more. */
  idle(signal: AbortSignal): Promise<void>;
  /** Removes old rows, and resolves to how many; null where this process does not. */
  readonly housekeep: (() => Promise<number>) | null;
}

/** @param base the clock that the one clock runs with until it is moved */
export function createDevtools(base: Clock): DevtoolsOfStart {
  const devClock = createDevClock(base);
  const { now: clock } = devClock;
  const faults = createFaults(clock, Math.random);
  const intercept = deliveryFaults(faults);
  let deliveries = 0;
  let mails = 0;
  return {
    clock,
    watch: {
      intercept(delivery, send) {
        deliveries++;
        return intercept(delivery, send);
      },
      mailSent() {
        mails++;
      },
    },
    async begin(server) {
      const { db, log, rateLimit, baseUrl } = server;
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
              ...{ db, baseUrl, time, faults, createTenant },
              requestFaults: requestFaults({ faults, clock, rateLimit, tenantOf: (req) => tenantOf(db, clock(), req) }),
            },
            ...pages,
          ),
      };
    },
  };
}
