import { type CaseResult, chooseCases, isReceiverUrl, type ReceiverReport, runCases } from '@plat/contract/conformance';
import { WebhookConfigurationError } from '../errors.ts';
import { checkOptions } from '../options.ts';
import { ACCEPTED } from './accepted.ts';
import { type Case, type Receiver, refusalOf, send } from './case.ts';
import { REFUSED } from './refused.ts';

export type { CaseResult, ReceiverReport } from '@plat/contract/conformance';

/** Options of {@link testReceiver}. */
export interface ReceiverTestOptions {
  /** URL of the receiver, for example `http://localhost:3000/webhooks`. */
  readonly url: string;
  /** The signing secret with which the receiver verifies. */
  readonly secret: string;
  /** A secret that was rotated, which the receiver must refuse. Without it that case is skipped. */
  readonly formerSecret?: string | undefined;
  /** Tenant of the events. With it, an event of another tenant must be refused. */
  readonly tenantId?: string | undefined;
  /** App of the events, for the receiver of an app's own endpoint. Without it they are those of a tenant. */
  readonly appId?: string | undefined;
  /**
   * Returns the number of effects so far, for example of rows that the receiver wrote. With it, a duplicate must have
   * one effect.
   */
  readonly effects?: (() => number | Promise<number>) | undefined;
  /** Maximum time of a response in milliseconds; 10,000 when absent, as at the platform. */
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

const VALID: Case = {
  name: 'valid',
  title: 'accepts a valid delivery',
  run: async (receiver) =>
    refusalOf(
      await send(receiver),
      'a valid delivery',
      'Check the URL, its method POST, and that the receiver has this secret. Exempt the route from sessions and CSRF checks.',
    ),
};

const CASES: readonly Case[] = [VALID, ...ACCEPTED, ...REFUSED];

/** Names of all cases, in the order in which they are tried, with what a correct receiver does. */
export const RECEIVER_CASES: readonly Pick<Case, 'name' | 'title'>[] = CASES.map(({ name, title }) => ({
  name,
  title,
}));

/**
 * Tests a receiver of webhooks in any language by its responses. It sends real deliveries: valid ones of all types, with
 * unusual bodies, in parallel, late and twice, and invalid ones that must be refused with 4xx. The events are of a
 * tenant, or with `appId` of an app. Use a receiver whose data may be changed. Each failed case says what the receiver
 * did, and what to change.
 *
 * @example
 * const report = await testReceiver({ url: 'http://localhost:3000/webhooks', secret: 'whsec_…' });
 * expect(report.cases.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
 *
 * @throws {WebhookConfigurationError} `OPTION_INVALID` for an unknown option or case, for a URL that is not http or https, and
 *   for a tenant with an app
 * @throws the reason of the signal when it is aborted
 */
export async function testReceiver(options: ReceiverTestOptions): Promise<ReceiverReport> {
  checkOptions('testReceiver', options, OPTION_NAMES);
  const { url, secret, formerSecret, tenantId, appId, effects, timeoutMs = 10_000, headers = {}, signal } = options;
  if (!isReceiverUrl(url)) refuse('url must be an http or https URL.');
  if (tenantId !== undefined && appId !== undefined) refuse('tenantId and appId exclude each other.');
  const cases = chooseCases(CASES, options.cases, refuse);
  const receiver: Receiver = { url, secret, formerSecret, tenantId, appId, timeoutMs, headers, effects, signal };
  return runCases({ url, receiver, cases, onResult: options.onResult });
}

const OPTION_NAMES = {
  url: true,
  secret: true,
  formerSecret: true,
  tenantId: true,
  appId: true,
  effects: true,
  timeoutMs: true,
  headers: true,
  cases: true,
  onResult: true,
  signal: true,
} as const;

function refuse(message: string): never {
  throw new WebhookConfigurationError('OPTION_INVALID', message);
}
