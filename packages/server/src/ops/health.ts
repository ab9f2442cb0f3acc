import express, { type Express, Router } from 'express';
import type { Logger } from 'pino';
import { errorHandler, unknownRoute } from '../http/error-handler.ts';
import { requestContext } from '../http/request-context.ts';
import { sendJson } from '../http/respond.ts';
import { ApiError } from '../kernel/api-error.ts';
import { findProblems, type Problem, type ReadinessParts } from './readiness.ts';
import { within } from './within.ts';

const DATABASE_WAIT_MS = 2000;
/** Time for which a result is reused: probes have neither a credential nor a limit. */
const REUSE_MS = 1000;

/** Readiness of the server. */
export interface Health {
  /** @throws {@link ApiError} SERVICE_UNAVAILABLE with the reasons */
  check(): Promise<void>;
  /** Returns the result of the checks, and logs it if it changed: a wrong master key or clock is logged without a probe. */
  isReady(): Promise<boolean>;
  /** Makes the server unready, so that load balancers use other servers while the last requests end. */
  stopping(): void;
}

export interface HealthOptions extends ReadinessParts {
  readonly log: Logger;
}

export function createHealth({ log, ...parts }: HealthOptions): Health {
  let stopping = false;
  let latest: { readonly problems: Promise<readonly Problem[]>; expiresAt: number } | undefined;
  let logged = '';

  async function measure(): Promise<readonly Problem[]> {
    const problems = await within(DATABASE_WAIT_MS, findProblems(parts), [{ text: 'the database does not respond' }]);
    const text = textOf(problems);
    if (text !== logged) {
      if (text === '') log.info('ready');
      else log.error({ err: problems.find(({ error }) => error)?.error }, `not ready: ${text}`);
      logged = text;
    }
    return problems;
  }

  async function latestProblems(): Promise<readonly Problem[]> {
    if (latest === undefined || performance.now() >= latest.expiresAt) {
      // Concurrent probes share one measurement, however long it takes.
      const next = { problems: measure(), expiresAt: Number.POSITIVE_INFINITY };
      latest = next;
      void next.problems.finally(() => {
        next.expiresAt = performance.now() + REUSE_MS;
      });
    }
    return latest.problems;
  }

  return {
    async check() {
      if (stopping) throw unavailable('the server is stopping');
      const problems = await latestProblems();
      if (problems.length > 0) throw unavailable(textOf(problems));
    },
    async isReady() {
      return (await latestProblems()).length === 0;
    },
    stopping() {
      stopping = true;
    },
  };
}

function textOf(problems: readonly Problem[]): string {
  return problems.map(({ text }) => text).join('; ');
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
  return app.use(requestContext(log, { isMeasured: false }), healthRoutes(health), unknownRoute, errorHandler);
}

function unavailable(reasons: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', `Not ready: ${reasons}`, { headers: { 'Retry-After': '1' } });
}
