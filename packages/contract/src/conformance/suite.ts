import type { Response } from './exchange.ts';

/** A problem of a receiver in words. */
export interface Problem {
  /** Fault of the receiver, in words. */
  readonly problem: string;
  /** Change that mends it. */
  readonly advice: string;
}

/** Result of a case: nothing when it passed, a problem, why it was not tried, or what of it was not checked. */
export type Verdict = Problem | { readonly skipped: string } | { readonly note: string } | null;

/** One case of a suite for receivers of the type `R`. */
export interface Case<R> {
  /** Short name, for reports and for choosing cases. */
  readonly name: string;
  /** Behaviour of a correct receiver. */
  readonly title: string;
  /** Tries the case. */
  readonly run: (receiver: R) => Promise<Verdict>;
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

/** A suite that is run against one receiver. */
export interface Run<R> {
  /** URL of the receiver, for the report. */
  readonly url: string;
  /** The receiver, as the cases use it. */
  readonly receiver: R;
  /** The cases. The first sends a valid request: when it fails, a refusal means nothing, and the rest is skipped. */
  readonly cases: readonly Case<R>[];
  /** Called after each case. */
  readonly onResult?: ((result: CaseResult) => void) | undefined;
}

/** Tries the cases one after another. */
export async function runCases<R>({ url, receiver, cases, onResult }: Run<R>): Promise<ReceiverReport> {
  const results: CaseResult[] = [];
  for (const one of cases) {
    const result = results[0]?.outcome === 'failed' ? notTried(one, results[0].title) : await tried(one, receiver);
    results.push(result);
    onResult?.(result);
  }
  const count = (outcome: CaseResult['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const failed = count('failed');
  return { url, ok: failed === 0, passed: count('passed'), failed, skipped: count('skipped'), cases: results };
}

/**
 * Returns the cases with these names, and the first case, which is tried in any suite; all without names.
 * @param refuse throws the configuration error of the package for a message
 */
export function chooseCases<R>(
  all: readonly Case<R>[],
  names: readonly string[] | undefined,
  refuse: (message: string) => never,
): readonly Case<R>[] {
  if (!names) return all;
  const unknown = names.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined) {
    refuse(`There is no case ${unknown}; there are ${all.map(({ name }) => name).join(', ')}.`);
  }
  return all.filter((one, index) => index === 0 || names.includes(one.name));
}

/** Returns whether a text is the URL of a receiver: absolute, with http or https. */
export function isReceiverUrl(url: string): boolean {
  return /^https?:\/\/[^/]/i.test(url) && URL.canParse(url);
}

/**
 * Returns the problem of a request without a response.
 * @param lateAdvice advice to a receiver that is slow
 */
export function silenceOf({ error }: Response, what: string, lateAdvice: string): Problem {
  const isLate = error?.startsWith('no complete response') === true;
  const isAbsent = error !== null && /ECONNREFUSED|ENOTFOUND/.test(error);
  const advice = isAbsent ? ABSENT_ADVICE : isLate ? lateAdvice : LOST_ADVICE;
  return { problem: `It gave no response to ${what}: ${error}`, advice };
}

const ABSENT_ADVICE =
  'No process listens there: start the receiver, or correct host and port of the URL. If it ran before, look in its log for a crash.';
const LOST_ADVICE = 'Answer every request: look in the log of the receiver for a crash, or for a limit of the body.';

/** Returns the words for a redirect that a receiver answered. */
export function redirectTo({ status, location }: Response, what: string): string {
  return `It answered ${status} to ${what}${location === null ? '' : `, a redirect to ${location}`}`;
}

/**
 * Returns the problem of an invalid request that was not refused with 4xx; null if it was. A rate limit does not show whether
 * the receiver would refuse the request.
 * @param crashAdvice advice to a receiver that fails on an invalid request
 */
export function acceptanceOf(
  { status, error }: Response,
  what: string,
  advice: string,
  crashAdvice: string,
): Problem | { readonly skipped: string } | null {
  if (status === null) return { problem: `It gave no response to ${what}: ${error}`, advice: crashAdvice };
  if (status === 429) return { skipped: `It answered 429 to ${what}: its rate limit hides whether it would refuse it` };
  if (status >= 400 && status < 500) return null;
  return { problem: `It answered ${status} to ${what}`, advice: status >= 500 ? crashAdvice : advice };
}

async function tried<R>({ name, title, run }: Case<R>, receiver: R): Promise<CaseResult> {
  const start = performance.now();
  const verdict = await run(receiver);
  const durationMs = Math.round(performance.now() - start);
  const ended = { name, title, problem: null, advice: null, note: null, durationMs };
  if (verdict === null) return { ...ended, outcome: 'passed' };
  if ('skipped' in verdict) return { ...ended, outcome: 'skipped', note: verdict.skipped };
  if ('note' in verdict) return { ...ended, outcome: 'passed', note: verdict.note };
  return { ...ended, ...verdict, outcome: 'failed' };
}

function notTried<R>({ name, title }: Case<R>, failed: string): CaseResult {
  const note = `Not tried: the receiver failed the first case, "${failed}".`;
  return { name, title, outcome: 'skipped', problem: null, advice: null, note, durationMs: 0 };
}
