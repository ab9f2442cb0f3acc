import {
  createLaunchVerifier,
  LAUNCH_TOKEN_CODES,
  type LaunchClaims,
  type LaunchTokenCode,
  LaunchTokenError,
  requireEntitlement,
} from '@plat/launch-token';
import type { CommandContext } from '../command/context.ts';
import { findServer } from '../connection/connection.ts';
import { readCredentials } from '../connection/credentials-file.ts';
import { CheckFailedError, CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import { readTokenFile } from '../files/token-file.ts';
import { printResult } from '../output/result.ts';

/** Arguments and options of `plat launch verify`. */
export interface LaunchVerification {
  readonly file: string;
  readonly audience: string;
  readonly issuer?: string;
  readonly jwksUri?: string;
  /** Seconds. */
  readonly leeway?: number;
  readonly entitlement?: string;
  /** Unix seconds. */
  readonly at?: number;
}

/**
 * Verifies a launch token for a module.
 * @throws {@link CheckFailedError} with the code of a LaunchTokenError
 */
export async function runVerify(context: CommandContext, given: LaunchVerification): Promise<void> {
  const issuer = given.issuer ?? (await issuerInEffect(context));
  const token = await readTokenFile(context.io, given.file);
  try {
    const claims = await verify(token, issuer, given);
    const now = given.at ?? Math.floor(Date.now() / 1000);
    const expires_at = new Date(claims.exp * 1000).toISOString();
    const result = { object: 'launch_token_verification', valid: true, claims };
    await printResult(context, { ...result, expires_at, expires_in: claims.exp - now });
  } catch (error) {
    throw failureOf(error);
  }
}

async function verify(token: string, issuer: string, given: LaunchVerification): Promise<LaunchClaims> {
  const { audience, jwksUri, leeway: leewaySeconds, at, entitlement } = given;
  const now = at === undefined ? undefined : () => at * 1000;
  const claims = await createLaunchVerifier({ issuer, audience, jwksUri, leewaySeconds, now }).verify(token);
  if (entitlement !== undefined) requireEntitlement(claims, entitlement);
  return claims;
}

/** Returns the issuer: the base URL without a trailing slash. */
async function issuerInEffect({ io, flags }: CommandContext): Promise<string> {
  const { url } = await findServer(io, flags, await readCredentials(io));
  return url.value.replace(/\/+$/, '');
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof LaunchTokenError)) return error;
  const { code, hint, cause } = error;
  if (code === 'OPTION_INVALID') return new CliError('USAGE', hint, { next: 'See plat launch verify --help.' });
  const root = rootOf(cause);
  return new CheckFailedError(code, LAUNCH_TOKEN_CODES[code].sentence, {
    hint: (hint.includes(root) ? hint : `${hint} (${root})`) || undefined,
    next: NEXT[code],
  });
}

/** Returns the message of the root cause. The error of fetch itself only says that the connection failed. */
function rootOf(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  if (cause.cause instanceof Error) return rootOf(cause.cause);
  // An AggregateError (several addresses tried) has no message.
  return cause.message || codeOf(cause);
}

const NEXT: { readonly [C in LaunchTokenCode]?: string } = {
  TOKEN_EXPIRED: 'For an old token, pass its time of arrival: --at <time>',
  ISSUER_MISMATCH: 'plat launch decode shows its iss; if that is the platform, pass it as --issuer.',
  AUDIENCE_MISMATCH: 'plat launch decode shows its aud; plat modules list shows the modules.',
  NOT_ENTITLED: 'plat launch decode shows its entitlements.',
  KEYS_UNAVAILABLE: 'Check the address of the keys: --base-url, --issuer or --jwks-uri.',
  KEY_UNKNOWN: 'Check that the issuer is the platform that issued the token: --issuer or --base-url.',
};
