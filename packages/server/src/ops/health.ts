import express, { type Express, Router } from 'express';
import type { Logger } from 'pino';
import { ClockOffsetError, type ClockWatch } from '../db/clock-watch.ts';
import type { Database } from '../db/database.ts';
import { isMigrated } from '../db/migrate.ts';
import { execute } from '../db/sql.ts';
import { errorHandler, unknownRoute } from '../http/error-handler.ts';
import { requestContext } from '../http/request-context.ts';
import { sendJson } from '../http/respond.ts';
import { ApiError } from '../kernel/api-error.ts';

const DATABASE_WAIT_MS = 2000;

/** Readiness of the server. */
export interface Health {
  /** @throws {@link ApiError} SERVICE_UNAVAILABLE with the reason */
  check(): Promise<void>;
  /** Makes the server unready, so that load balancers use other servers while the last requests end. */
  stopping(): void;
}

export function createHealth(db: Database, clocks: Pick<ClockWatch, 'check'>): Health {
  let stopping = false;
  let pending: Promise<void> | undefined;
  return {
    async check() {
      if (stopping) throw unavailable('The server is stopping');
      // Probes have neither a credential nor a limit, so concurrent probes share one query.
      pending ??= checkDatabase(db).finally(() => {
        pending = undefined;
      });
      await pending;
      checkClocks(clocks);
    },
    stopping() {
      stopping = true;
    },
  };
}

async function checkDatabase(db: Database): Promise<void> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(unavailable('The database does not respond')), DATABASE_WAIT_MS).unref();
  });
  const migrated = await Promise.race([query(db), timeout]).catch((error: unknown) => {
    throw error instanceof ApiError ? error : unavailable('The database cannot be used', error);
  });
  if (!migrated) throw unavailable('The database schema is not up to date');
}

async function query(db: Database): Promise<boolean> {
  const migrated = await isMigrated(db);
  // Matches no row. A server that accepts no change refuses it nevertheless.
  if (migrated) await execute(db, "DELETE FROM schema_migrations WHERE name = ''");
  return migrated;
}

function checkClocks(clocks: Pick<ClockWatch, 'check'>): void {
  try {
    clocks.check();
  } catch (error) {
    throw error instanceof ClockOffsetError ? unavailable(`Not ready: ${error.message}`) : error;
  }
}

/** `/livez`: the process runs. `/readyz`: it can serve. */
export function healthRoutes(health: Health): Router {
  const router = Router();
  router.get('/livez', (_req, res) => sendJson(res, 200, '{"status":"live"}'));
  router.get('/readyz', async (_req, res) => {
    await health.check();
    sendJson(res, 200, '{"status":"ready"}');
  });
  return router;
}

/** Creates the application of a process that serves only health checks. */
export function createHealthApp(health: Health, log: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  return app.use(requestContext(log), healthRoutes(health), unknownRoute, errorHandler);
}

function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, { cause, headers: { 'Retry-After': '1' } });
}
