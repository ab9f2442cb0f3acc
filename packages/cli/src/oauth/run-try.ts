import type { Scope } from '@plat/contract';
import { memoryStore, OAuth } from '@plat/sdk/oauth';
import { type CommandContext, note, print } from '../command/context.ts';
import { CheckFailedError } from '../errors/cli-error.ts';
import { jsonLine, printResult } from '../output/result.ts';
import { openPage } from '../terminal/open-page.ts';
import { pause, Stopped, stopOnSignals } from '../terminal/stopping.ts';
import { type AppOptions, readAppSecret } from './app-options.ts';
import { type CallbackServer, startCallbackServer } from './callback-server.ts';
import { checkRedirectUri } from './check-redirect-uri.ts';
import { connectApp } from './connect-app.ts';
import { failedStep } from './failed-step.ts';
import { type OffsetClock, offsetClock } from './offset-clock.ts';
import { lastCharactersOf, type Steps, stepsOf } from './steps.ts';

/** Options of `plat oauth try`. */
export interface OAuthTry extends AppOptions {
  readonly scope: readonly string[];
  readonly port: number;
  readonly issuer?: string;
  readonly browser: boolean;
  readonly keep: boolean;
}

/** Time limit for the answer of the owner, in ms. */
const ANSWER_MS = 5 * 60_000;

/**
 * Runs the whole authorization of an app, with the SDK that an app would use.
 * @throws {@link CheckFailedError} with the code of the refusal
 */
export async function runTry(context: CommandContext, given: OAuthTry): Promise<void> {
  const clientSecret = await readAppSecret(context.io, given);
  const baseUrl = await connectApp(context, given, clientSecret);
  const { appId: clientId, issuer } = given;
  const server = await startCallbackServer(given.port);
  const { redirectUri } = server;
  const stopping = stopOnSignals();
  const clock = offsetClock();
  const oauth = new OAuth({ baseUrl, issuer, clientId, clientSecret, redirectUri, store: memoryStore(), clock });
  try {
    const steps = stepsOf(context);
    const { key, ...result } = await authorize(context, given, { oauth, clock, server, steps }, stopping.signal).catch(
      (error: unknown) => {
        throw failedStep(error, { appId: clientId, redirectUri });
      },
    );
    const line = { object: 'oauth_try', tenant_id: key, ...result, steps: steps.done };
    if (context.flags.json) await print(context, `${jsonLine(line)}\n`);
    else await printResult(context, { ...line, steps: steps.done.map(({ step }) => step) });
  } finally {
    stopping.release();
    server.close();
    oauth.close();
  }
}

interface Parts {
  readonly oauth: OAuth;
  readonly clock: OffsetClock;
  readonly server: CallbackServer;
  readonly steps: Steps;
}

interface Tried {
  readonly key: string;
  readonly scopes: readonly string[];
  /** Lifetime of an access token in seconds. */
  readonly expires_in: number;
  readonly revoked: boolean;
}

async function authorize(
  context: CommandContext,
  { scope, browser, keep, appId }: OAuthTry,
  { oauth, clock, server, steps }: Parts,
  signal: AbortSignal,
): Promise<Tried> {
  const { redirectUri, callback } = server;
  // The service validates the scopes: its response is part of the test.
  const pending = await oauth.authorizationUrl({ scopes: scope as readonly Scope[] });
  await checkRedirectUri(context, pending.url);
  const { url: authorize_url, state } = pending;
  const challenge = new URL(authorize_url).searchParams.get('code_challenge');
  await steps.report('authorization begun', { redirect_uri: redirectUri, state, code_challenge: challenge });
  if (context.flags.json) {
    await print(context, `${jsonLine({ object: 'oauth_authorization_request', app_id: appId, authorize_url })}\n`);
  }
  await note(context, 'Open this page as an owner of the tenant, and answer within 5 minutes:');
  await note(context, `    ${authorize_url}`);
  if (browser && openPage(context.io, authorize_url)) await note(context, 'Opened in your browser.');

  const target = await answerOf(context, callback, signal);
  await steps.report('browser came back', { with: [...new URL(target, redirectUri).searchParams.keys()].join(', ') });
  // State, issuer and code are checked before anything is sent.
  const grant = await oauth.exchange(target, pending);
  const { key } = grant;
  await steps.report('state and iss checked, code exchanged', { tenant_id: key, user_id: grant.userId });
  try {
    return { key, scopes: grant.scopes, ...(await useGrant({ oauth, clock, steps }, key)), revoked: !keep };
  } finally {
    if (!keep) {
      await oauth.revoke(key);
      await steps.report('tokens revoked: the consent is ended');
    }
  }
}

/** @throws {@link CheckFailedError} `NOT_IN_TIME` */
async function answerOf({ io }: CommandContext, callback: Promise<string>, signal: AbortSignal): Promise<string> {
  const over = new AbortController();
  const late = pause(io, ANSWER_MS, AbortSignal.any([signal, over.signal])).then(() => null);
  const target = await Promise.race([callback, late]).finally(() => {
    late.catch(() => undefined);
    over.abort(new Stopped(null));
  });
  if (target !== null) return target;
  throw new CheckFailedError('NOT_IN_TIME', 'No browser came back within 5 minutes', {
    next: 'Start again, open the address, and answer the question there.',
  });
}

/** Introspects, refreshes and uses the tokens. */
async function useGrant(
  { oauth, clock, steps }: Omit<Parts, 'server'>,
  key: string,
): Promise<Pick<Tried, 'expires_in'>> {
  const credential = oauth.credential(key);
  const token = await credential.get();
  const introspection = await oauth.introspect(token.value);
  const expires_in = introspection.active ? introspection.exp - Math.floor(Date.now() / 1000) : 0;
  await steps.report('access token introspected', {
    access_token: lastCharactersOf(token.value),
    active: introspection.active,
    expires_in,
    scope: introspection.active ? introspection.scope : null,
  });
  // As an app does after an hour.
  clock.advance(expires_in);
  const renewed = await credential.get();
  await steps.report('refreshed', { access_token: lastCharactersOf(renewed.value) });
  const me = await oauth.actingFor(key).me.get();
  await steps.report('GET /v1/me', { tenant_id: me.tenant_id, credential_type: me.credential_type });
  return { expires_in };
}
