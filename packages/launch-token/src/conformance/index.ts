import type { OptionNames } from '@plat/contract';
import { type CaseResult, chooseCases, isReceiverUrl, type ReceiverReport, runCases } from '@plat/contract/conformance';
import { LaunchTokenError } from '../errors.ts';
import { checkNames } from '../option-names.ts';
import { ACCEPTED, VALID } from './accepted.ts';
import type { Case, Receiver } from './case.ts';
import type { LaunchTestIssuer } from './issuer.ts';
import { REFUSED } from './refused.ts';
import { ROTATION } from './rotation.ts';

export type { CaseResult, ReceiverReport } from '@plat/contract/conformance';
export { type LaunchTestIssuer, startTestIssuer, type TestIssuerOptions, type TestToken } from './issuer.ts';

/** Options of {@link testLaunchReceiver}. */
export interface LaunchReceiverTestOptions {
  /** URL of the receiver, for example `http://localhost:4020/launch`. */
  readonly url: string;
  /** Issuer that the receiver trusts: the result of {@link startTestIssuer}. */
  readonly issuer: LaunchTestIssuer;
  /** Audience that the receiver expects. */
  readonly audience: string;
  /** Capability that the receiver requires. With it, a token without it must be refused with 403. */
  readonly entitlement?: string | undefined;
  /** True if the receiver accepts each token once; then a second launch with one must be refused. */
  readonly once?: boolean | undefined;
  /** Claims of all tokens instead of the usual ones, for example a tenant and a user that the receiver has stored. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  /** Maximum time of a response in milliseconds; 10,000 when absent. */
  readonly timeoutMs?: number | undefined;
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Names of the cases to try; all when absent. */
  readonly cases?: readonly string[] | undefined;
  /** Called after each case. */
  readonly onResult?: ((result: CaseResult) => void) | undefined;
  /** Aborts the test. */
  readonly signal?: AbortSignal | undefined;
}

const CASES: readonly Case[] = [VALID, ...ACCEPTED, ...REFUSED, ...ROTATION];

/** Names of all cases, in the order in which they are tried, with what a correct receiver does. */
export const LAUNCH_RECEIVER_CASES: readonly Pick<Case, 'name' | 'title'>[] = CASES.map(({ name, title }) => ({
  name,
  title,
}));

/**
 * Tests a receiver of launch tokens in any language by its responses. It posts valid tokens, which must be answered with
 * 2xx or 303, and invalid ones, which must be refused with 4xx. The receiver trusts a test issuer of this machine
 * instead of the platform. Each failed case says what the receiver did, and what to change.
 *
 * @example
 * await using issuer = await startTestIssuer();
 * const url = await startMyModule({ issuer: issuer.url, audience: 'analytics' });
 * const report = await testLaunchReceiver({ url, issuer, audience: 'analytics', entitlement: 'analytics:read' });
 * expect(report.cases.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
 *
 * @throws {LaunchTokenError} `OPTION_INVALID` for an unknown option or case, and for a URL that is not http or https
 * @throws the reason of the signal when it is aborted
 */
export async function testLaunchReceiver(options: LaunchReceiverTestOptions): Promise<ReceiverReport> {
  checkNames('testLaunchReceiver', options, OPTION_NAMES);
  const { url, issuer, audience, entitlement, once = false, claims = {}, timeoutMs = 10_000, headers = {} } = options;
  if (!isReceiverUrl(url)) refuse('url must be an http or https URL.');
  if (typeof issuer?.sign !== 'function') refuse('issuer must be the result of startTestIssuer().');
  if (typeof audience !== 'string' || audience === '') refuse('audience must be a string, and not empty.');
  const cases = chooseCases(CASES, options.cases, refuse);
  const { signal } = options;
  const receiver: Receiver = { url, issuer, audience, entitlement, once, claims, timeoutMs, headers, signal };
  return runCases({ url, receiver, cases, onResult: options.onResult });
}

const OPTION_NAMES: OptionNames<LaunchReceiverTestOptions> = {
  url: true,
  issuer: true,
  audience: true,
  entitlement: true,
  once: true,
  claims: true,
  timeoutMs: true,
  headers: true,
  cases: true,
  onResult: true,
  signal: true,
};

function refuse(message: string): never {
  throw new LaunchTokenError('OPTION_INVALID', message);
}
