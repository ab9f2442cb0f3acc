import { LIMITS, type Me, OPERATIONS, type WebhookEndpoint } from '@plat/contract';
import type { Platform } from '@plat/sdk';
import { clientOf } from '../command/connect.ts';
import type { CommandContext } from '../command/context.ts';
import { version } from '../command/version.ts';
import { type Connection, findConnection, isLoopback } from '../connection/connection.ts';
import { HOW_TO_START } from '../connection/sandbox-file.ts';
import { CliError } from '../errors/cli-error.ts';
import { failureOf } from '../failure/failure.ts';
import { tlsAdvice } from '../failure/tls-advice.ts';
import { timeLength } from '../terminal/relative-time.ts';
import { isObject } from '../terminal/value.ts';
import { type Check, fail, ok, type RunCheck, warn } from './check.ts';

/** Checks the server and the key in use. */
export const checkServer: RunCheck = async (context) => {
  let connection: Connection;
  try {
    connection = await findConnection(context.io, context.flags);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [fail('connection', error.message, error.advice.next ?? 'See plat help.')];
  }
  context.trace.connection = connection;
  const { baseUrl, baseUrlFrom, credential, credentialFrom, note } = connection;
  const mode = /^plat_live_/.test(credential) ? 'a production key' : 'a key';
  const chosen = ok('connection', `${baseUrl} (${baseUrlFrom}), with ${mode} from ${credentialFrom}`);
  const differing = note === null ? [] : [warn('connection', note, 'Remove the one that you do not need.')];
  const server = await checkReachable(connection);
  const isThere = server.every(({ name, status }) => name !== 'server' || status !== 'fail');
  if (!isThere) return [chosen, ...differing, ...server];
  const devClock = await checkDevClock(baseUrl);
  return [chosen, ...differing, ...server, ...devClock, ...(await tryKey(context, connection))];
};

/** Timeout for the readiness check, in ms. */
const READY_TIMEOUT_MS = 10_000;

/** Clock difference in seconds that causes a warning. Nothing fails yet, but the clock is not synchronized. */
const CLOCK_WARNING = 30;

/** Checks that the server is ready and that the clocks agree. */
async function checkReachable({ baseUrl, sandbox }: Connection): Promise<readonly Check[]> {
  const url = `${baseUrl.replace(/\/+$/, '')}/readyz`;
  const before = Date.now();
  let answer: Response;
  try {
    answer = await fetch(url, {
      signal: AbortSignal.timeout(READY_TIMEOUT_MS),
      redirect: 'manual',
      headers: { 'user-agent': `plat-cli/${version()}` },
    });
    await answer.arrayBuffer();
  } catch (error) {
    const reason = reasonOf(error);
    const { hint, next = 'Check the address.' } = tlsAdvice(reason) ?? {};
    if (hint !== undefined) return [fail('server', `no response from ${url} (${reason}): ${hint}`, next)];
    const start = sandbox ? `Start the sandbox: ${HOW_TO_START}` : 'Check the address and that the server runs.';
    return [fail('server', `no response from ${url} (${reason})`, start)];
  }
  const took = Date.now() - before;
  const state =
    answer.status === 200
      ? ok('server', `ready, in ${took} ms`)
      : answer.status === 503
        ? fail(
            'server',
            `not ready: ${url} answers 503`,
            'The server is starting, stopping, or has lost its database: try again in a moment.',
          )
        : warn('server', `${url} answers ${answer.status}`, 'Check the base URL, which ends before /v1.');
  return [state, ...clock(answer.headers.get('date'), before + took / 2)];
}

function clock(date: string | null, now: number): readonly Check[] {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return [];
  // The header is truncated to whole seconds, so half a second is added.
  const apart = Math.round((now - theirs - 500) / 1000);
  const said = `${Math.abs(apart)} s ${apart < 0 ? 'behind' : 'ahead of'} the server's`;
  const next = 'Synchronize the clock of this machine (NTP): signatures contain the time.';
  const { toleranceSeconds } = LIMITS.webhook;
  if (Math.abs(apart) > toleranceSeconds) {
    return [fail('clock', `${said}: webhook signatures are refused beyond ${toleranceSeconds} s`, next)];
  }
  if (Math.abs(apart) > CLOCK_WARNING) return [warn('clock', said, next)];
  return [ok('clock', Math.abs(apart) <= 1 ? 'in sync with the server' : said)];
}

/** Checks whether the clock of a development server was moved (`plat dev clock`). Other servers answer 404. */
async function checkDevClock(baseUrl: string): Promise<readonly Check[]> {
  if (!isLoopback(baseUrl)) return [];
  const clock: unknown = await fetch(new URL('/_dev/clock', baseUrl), {
    signal: AbortSignal.timeout(READY_TIMEOUT_MS),
    redirect: 'manual',
  })
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);
  if (!isObject(clock)) return [];
  const seconds = Math.round((Date.parse(String(clock['now'])) - Date.now()) / 1000);
  const isFrozen = clock['frozen'] === true;
  if (Number.isNaN(seconds) || (Math.abs(seconds) <= CLOCK_WARNING && !isFrozen)) return [];
  const offset = `${timeLength(Math.abs(seconds))} ${seconds < 0 ? 'behind' : 'ahead of'} real time`;
  return [
    warn(
      'dev clock',
      `the development clock is ${isFrozen ? 'frozen, ' : ''}${offset}; receivers refuse deliveries signed more than ${LIMITS.webhook.toleranceSeconds} s away from their own clock`,
      'plat dev clock reset',
    ),
  ];
}

async function tryKey(context: CommandContext, connection: Connection): Promise<readonly Check[]> {
  const platform = await clientOf(context, connection);
  try {
    const me = await platform.me.get();
    return [
      ok('key', describeKey(connection, me)),
      ...(await checkEndpoints(platform, me)),
      ...(await checkRequestLog(platform, me)),
    ];
  } catch (error) {
    const { code, message, hint, next } = await failureOf(error, { command: context.command, ...context.trace });
    return [
      fail('key', `${message} (${code})${hint === undefined ? '' : `: ${hint}`}`, next ?? `plat explain ${code}`),
    ];
  } finally {
    platform.close();
  }
}

function describeKey({ credential }: Connection, { tenant_id, credential_type, scopes }: Me): string {
  const mode = credential.startsWith('plat_live_') ? 'production' : 'sandbox';
  const kind = credential_type === 'api_key' ? `API key, ${mode}` : 'OAuth token';
  return `works: tenant ${tenant_id}, ${kind}, ${scopes.length > 0 ? scopes.join(' ') : 'no scopes'}`;
}

/** Checks for endpoints that do not receive their events. */
async function checkEndpoints(platform: Platform, { scopes }: Me): Promise<readonly Check[]> {
  if (!scopes.includes('webhooks:read')) return [];
  const checks: Check[] = [];
  let count = 0;
  for await (const endpoint of platform.webhooks.endpoints.list()) {
    count++;
    const check = lookAtEndpoint(endpoint);
    if (check) checks.push(check);
  }
  return checks.length > 0
    ? checks
    : [ok('webhooks', count === 0 ? 'no endpoints' : `${count} endpoints, none failing`)];
}

function lookAtEndpoint({ id, url, status, failing_since, paused_until, missed_since }: WebhookEndpoint): Check | null {
  const name = `${id} (${url})`;
  if (status === 'disabled') {
    return warn('webhooks', `${name} is disabled`, `plat webhooks endpoints update ${id} --status enabled`);
  }
  if (failing_since !== null) {
    const paused = paused_until === null ? '' : `, paused until ${paused_until}`;
    const next = `plat webhooks deliveries list --endpoint-id ${id} --status retrying`;
    return warn('webhooks', `${name} is failing since ${failing_since}${paused}`, next);
  }
  if (missed_since === null) return null;
  const replay = `plat webhooks replays create --endpoint-id ${id} --since ${missed_since} --select undelivered`;
  return warn('webhooks', `${name} missed events since ${missed_since}`, replay);
}

/**
 * Checks for entries in the request log that are in the future: left over from a development clock that was moved
 * back.
 */
async function checkRequestLog(platform: Platform, { scopes }: Me): Promise<readonly Check[]> {
  if (!scopes.includes(OPERATIONS['requests.list'].scope)) return [];
  const [newest] = (await platform.requests.list({ limit: 1 })).data;
  const seconds = newest ? Math.round((Date.parse(newest.created_at) - Date.now()) / 1000) : 0;
  if (seconds <= CLOCK_WARNING) return [];
  return [
    warn(
      'request log',
      `its newest entry is ${timeLength(seconds)} in the future, and newer entries sort below it`,
      'plat dev clock reset && plat sandbox reset',
    ),
  ];
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.name === 'TimeoutError' ? `none within ${READY_TIMEOUT_MS / 1000} s` : error.message;
}
