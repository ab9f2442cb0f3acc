import { timingSafeEqual } from 'node:crypto';
import { type AppEndpoint, isId, LIMITS } from '@plat/contract';
import type { Request, Response } from 'express';
import { REALM } from '../auth/challenge.ts';
import type { Counter } from '../auth/counter.ts';
import { networkOf } from '../auth/network.ts';
import { UNKNOWN } from '../auth/shares.ts';
import type { Actor } from '../change.ts';
import type { Database } from '../db/database.ts';
import { selectOne } from '../db/sql.ts';
import { qualified } from '../db/statements.ts';
import type { OAuthAppRow } from '../db/tables/oauth-apps.ts';
import { callOf } from '../http/call.ts';
import { rateLimited } from '../http/rate-limited.ts';
import { timesGiven } from '../http/times-given.ts';
import { ApiError } from '../kernel/api-error.ts';
import { hashToken } from '../kernel/tokens.ts';
import { type Parameters, requireFields } from './fields.ts';
import type { OAuthServices } from './oauth-services.ts';
import { refuseField } from './refusals.ts';
import { appDisabled } from './tenant-rules.ts';

/** An app that authenticated with its secret. */
export type KnownApp = Pick<OAuthAppRow, 'id' | 'verification'>;

interface AppSecret {
  readonly id: string;
  readonly secret: string;
  /** True if it came in the `Authorization` header. A refusal must then contain a challenge. */
  readonly byHeader: boolean;
}

const SECRETS = [
  ...(['id', 'verification', 'disabled_by'] as const),
  ...(['secret_hash', 'previous_secret_hash', 'previous_secret_expires_at'] as const),
];
/** SQL: columns of an app `p` by which it authenticates. */
export const SECRET_COLUMNS = qualified('p', SECRETS);
export type SecretRow = Pick<OAuthAppRow, (typeof SECRETS)[number]>;

/** The calling app, with its actor for the audit trail. */
export interface CallingApp<Row extends SecretRow = SecretRow> {
  readonly app: Row;
  readonly actor: Actor;
}

/**
 * Authenticates the app that calls.
 * @param find looks up an app by its id, and may join more columns in the same query; a malformed id is passed as ''
 * @throws {@link ApiError} INVALID_REQUEST, INVALID_CLIENT_SECRET, APP_DISABLED, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export type AuthenticateApp = <Row extends SecretRow>(
  req: Request,
  res: Response,
  fields: Parameters,
  find: (id: string) => Promise<Row | undefined>,
) => Promise<CallingApp<Row>>;

/**
 * Creates the check of an app's id and secret for one endpoint. Unknown apps and wrong secrets get the same response
 * after the same queries. Failures are limited per app and network, over all endpoints. They never refuse a right
 * secret, so a caller behind the same proxy cannot lock the app out. Requests with a right secret are limited per app
 * and endpoint.
 */
export function appAuthenticator({
  clock,
  rateLimit,
  appRateLimit,
  admission,
  shares,
}: OAuthServices): (endpoint: AppEndpoint) => AuthenticateApp {
  const { max, seconds: failureSeconds } = LIMITS.appSecretFailures;
  const failures = rateLimit.counter('app-secrets', { points: max, seconds: failureSeconds });
  const { requests: points, windowSeconds: seconds } = appRateLimit;
  const check =
    (endpoint: AppEndpoint, calls: Counter): AuthenticateApp =>
    async (req, res, fields, find) => {
      const { id, secret, byHeader } = readAppSecret(req, fields);
      const credential = `${id}:${secret}`;
      // Without the secret, a call takes no slot of the app. The look-up of a malformed id takes as long as any other.
      const app = await admission.run(
        shares.of(credential, UNKNOWN.apps),
        () => find(isId('app', id) ? id : ''),
        callOf(req),
      );
      const ip = req.ip ?? null;
      if (isSecretOf(secret, app, clock()) && app) {
        shares.add(credential, app.id);
        res.locals.app = { id: app.id, endpoint };
        const rate = await calls.consume(app.id);
        if (rate.retryAfter !== null) {
          throw rateLimited(`Over ${rate.limit} requests of the app in the window; wait ${rate.retryAfter} s`, rate);
        }
        if (app.disabled_by !== null) throw appDisabled();
        return { app, actor: { type: 'oauth_app', id: app.id, requestId: res.locals.requestId, ip } };
      }
      shares.remove(credential);
      const rate = await failures.consume(`${isId('app', id) ? id : 'no app'} ${networkOf(ip ?? '')}`);
      if (rate.retryAfter === null) {
        // The log of the app has wrong secrets too, at most as many as the limit admits.
        if (app) res.locals.app = { id: app.id, endpoint };
        throw wrongSecret(byHeader);
      }
      throw rateLimited(`Too many wrong secrets from this address; wait ${rate.retryAfter} s`, rate);
    };
  return (endpoint) => check(endpoint, rateLimit.counter(`app-${endpoint}`, { points, seconds }));
}

/** Reads the credentials from the form or from HTTP Basic (RFC 6749, section 2.3.1), not from both. */
function readAppSecret(req: Request, fields: Parameters): AppSecret {
  const header = req.headers.authorization;
  if (header === undefined) {
    const { client_id: id, client_secret: secret } = requireFields(fields, ['client_id', 'client_secret']);
    return { id, secret, byHeader: false };
  }
  // Not a list (RFC 9110, section 5.3).
  if (timesGiven('authorization', req) > 1) throw refuseField('Authorization', 'is given more than once');
  const known = readBasic(header);
  if (!known) throw wrongSecret(true);
  if (fields['client_secret'] !== undefined) {
    throw refuseField('client_secret', 'is given in the form and in the header Authorization; give it in one of them');
  }
  const named = fields['client_id'];
  if (named !== undefined && named !== known.id) {
    throw refuseField('client_id', 'is not the one of the header Authorization');
  }
  return { ...known, byHeader: true };
}

/** Finds the app without further columns. */
export function findApp(db: Database): (id: string) => Promise<SecretRow | undefined> {
  return (id) => selectOne<SecretRow>(db, `SELECT ${SECRET_COLUMNS} FROM oauth_apps p WHERE p.id = :id`, { id });
}

const NO_SECRET = Buffer.alloc(32);

/** Compares the secret with both slots, even if one is empty or expired, so that the time is the same. */
function isSecretOf(secret: string, app: SecretRow | undefined, now: number): boolean {
  const given = hashToken(secret);
  const isCurrent = timingSafeEqual(given, Buffer.from(app?.secret_hash ?? NO_SECRET));
  const isPrevious = timingSafeEqual(given, Buffer.from(app?.previous_secret_hash ?? NO_SECRET));
  return isCurrent || (isPrevious && (app?.previous_secret_expires_at ?? 0) > now);
}

/**
 * Decodes an HTTP Basic value: id and secret are each form-encoded before they are joined (RFC 6749, section 2.3.1).
 */
function readBasic(header: string): { readonly id: string; readonly secret: string } | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  try {
    return { id: decode(id), secret: decode(secret) };
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function wrongSecret(byHeader: boolean): ApiError {
  return new ApiError('INVALID_CLIENT_SECRET', 'The app is unknown or the secret is wrong', {
    headers: byHeader ? { 'WWW-Authenticate': `Basic realm="${REALM}"` } : {},
  });
}
