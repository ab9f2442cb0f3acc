import { WebhookConfigurationError } from '../errors.ts';
import { checkOptions } from '../options.ts';
import { ACCEPTED } from './accepted.ts';
import { type Case, type Receiver, refusalOf, send } from './case.ts';
import { REFUSED } from './refused.ts';

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

/** Result of one case. */
export interface CaseResult {
  /** Short name, for example `whitespace`. */
  readonly name: string;
  /** Behaviour of a correct receiver. */
  readonly title: string;
  /** `failed` if the receiver did something wrong; `skipped` if the case was not tried. */
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Fault of the receiver, in words; null unless the case failed. */
  readonly problem: string | null;
  /** Change that mends it; null unless the case failed. */
  readonly advice: string | null;
  /** Reason why the case was skipped, or a part of it that was not checked; null without one. */
  readonly note: string | null;
  /** Time of the case in milliseconds. */
  readonly durationMs: number;
}

/** Result of a test of a receiver. */
export interface ReceiverReport {
  /** URL of the receiver. */
  readonly url: string;
  /** True when no case failed. */
  readonly ok: boolean;
  /** Number of cases that passed. */
  readonly passed: number;
  /** Number of cases that failed. */
  readonly failed: number;
  /** Number of cases that were not tried. */
  readonly skipped: number;
  /** The cases, in the order in which they were tried. */
  readonly cases: readonly CaseResult[];
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
 * unusual bodies, in parallel, late and twice, and invalid ones that must be refused with 4xx. Use a receiver whose data
 * may be changed. Each failed case says what the receiver did, and what to change.
 *
 * @example
 * const report = await testReceiver({ url: 'http://localhost:3000/webhooks', secret: 'whsec_…' });
 * expect(report.cases.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
 *
 * @throws {WebhookConfigurationError} `OPTION_INVALID` for an unknown option or case, and for a URL that is not http or https
 * @throws the reason of the signal when it is aborted
 */
export async function testReceiver(options: ReceiverTestOptions): Promise<ReceiverReport> {
  checkOptions('testReceiver', options, OPTION_NAMES);
  const { url, secret, formerSecret, tenantId, effects, timeoutMs = 10_000, headers = {}, signal } = options;
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) {
    throw new WebhookConfigurationError('OPTION_INVALID', 'url must be an http or https URL.');
  }
  const chosen = chooseCases(options.cases);
  const receiver: Receiver = { url, secret, formerSecret, tenantId, timeoutMs, headers, effects, signal };
  const results: CaseResult[] = [];
  for (const one of chosen) {
    const first = results[0];
    const result =
      first?.name === VALID.name && first.outcome === 'failed' ? notTried(one) : await tried(one, receiver);
    results.push(result);
    options.onResult?.(result);
  }
  const count = (outcome: CaseResult['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const failed = count('failed');
  return { url, ok: failed === 0, passed: count('passed'), failed, skipped: count('skipped'), cases: results };
}

const OPTION_NAMES = {
  url: true,
  secret: true,
  formerSecret: true,
  tenantId: true,
  effects: true,
  timeoutMs: true,
  headers: true,
  cases: true,
  onResult: true,
  signal: true,
} as const;

/** The valid delivery comes first in any case: without it, a refusal means nothing. */
function chooseCases(names: readonly string[] | undefined): readonly Case[] {
  if (!names) return CASES;
  const unknown = names.find((name) => !CASES.some((one) => one.name === name));
  if (unknown !== undefined) {
    const known = CASES.map(({ name }) => name).join(', ');
    throw new WebhookConfigurationError('OPTION_INVALID', `There is no case ${unknown}; there are ${known}.`);
  }
  return CASES.filter((one) => one === VALID || names.includes(one.name));
}

async function tried({ name, title, run }: Case, receiver: Receiver): Promise<CaseResult> {
  const start = performance.now();
  const verdict = await run(receiver);
  const ended = {
    name,
    title,
    problem: null,
    advice: null,
    note: null,
    durationMs: Math.round(performance.now() - start),
  };
  if (verdict === null) return { ...ended, outcome: 'passed' };
  if ('skipped' in verdict) return { ...ended, outcome: 'skipped', note: verdict.skipped };
  if ('note' in verdict) return { ...ended, outcome: 'passed', note: verdict.note };
  return { ...ended, ...verdict, outcome: 'failed' };
}

function notTried({ name, title }: Case): CaseResult {
  const note = 'Not tried: the valid delivery was not accepted.';
  return { name, title, outcome: 'skipped', problem: null, advice: null, note, durationMs: 0 };
}
