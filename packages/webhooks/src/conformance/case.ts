import {
  acceptanceOf,
  exchange,
  type Problem,
  type Response,
  redirectTo,
  type Case as SuiteCase,
  silenceOf,
  type Verdict,
} from '@plat/contract/conformance';
import { buildDelivery, type Changes, type Sender } from './delivery.ts';

/** The receiver that is tested. */
export interface Receiver extends Sender {
  readonly url: string;
  /** A secret that the receiver must no longer accept. */
  readonly formerSecret: string | undefined;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly effects: (() => number | Promise<number>) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** One case of the suite. */
export type Case = SuiteCase<Receiver>;

/** How a delivery is sent. */
interface How {
  /** Number of pieces of the body, with a pause of 200 ms between two. */
  readonly pieces?: number;
}

/** Sends one delivery. */
export function send(receiver: Receiver, changes: Changes = {}, { pieces = 1 }: How = {}): Promise<Response> {
  const { url, timeoutMs, signal } = receiver;
  const { body, headers } = buildDelivery(receiver, changes);
  const size = Math.ceil(body.length / pieces);
  const parts = Array.from({ length: pieces }, (_, i) => body.subarray(i * size, (i + 1) * size));
  return exchange({
    url,
    headers: { ...receiver.headers, ...headers },
    pieces: parts,
    pauseMs: 200,
    timeoutMs,
    signal,
  });
}

/** Returns a case in which each of the deliveries must be accepted. */
export function accepts(
  name: string,
  title: string,
  advice: string,
  deliveries: Readonly<Record<string, Changes>>,
  how: How = {},
): Case {
  return { name, title, run: (receiver) => findRefused(receiver, advice, deliveries, how) };
}

/** Returns the problem of the first delivery that is not accepted; null if all are. */
export async function findRefused(
  receiver: Receiver,
  advice: string,
  deliveries: Readonly<Record<string, Changes>>,
  how: How = {},
): Promise<Problem | null> {
  for (const [what, changes] of Object.entries(deliveries)) {
    const problem = refusalOf(await send(receiver, changes, how), what, advice);
    if (problem) return problem;
  }
  return null;
}

/** Returns a case in which each of the deliveries must be refused with 4xx. */
export function refuses(
  name: string,
  title: string,
  advice: string,
  deliveries: Readonly<Record<string, Changes>>,
): Case {
  return { name, title, run: (receiver) => findAccepted(receiver, advice, deliveries) };
}

/** Returns the verdict on the first delivery that is not refused with 4xx; null if all are. */
export async function findAccepted(
  receiver: Receiver,
  advice: string,
  deliveries: Readonly<Record<string, Changes>>,
): Promise<Verdict> {
  for (const [what, changes] of Object.entries(deliveries)) {
    const verdict = acceptanceOf(await send(receiver, changes), what, advice, ANSWER_400);
    if (verdict) return verdict;
  }
  return null;
}

/** Returns the problem of a valid delivery that was not accepted; null for 2xx. */
export function refusalOf(response: Response, what: string, advice: string): Problem | null {
  const { status } = response;
  if (status === null) return silenceOf(response, what, ANSWER_SOONER);
  if (status >= 200 && status < 300) return null;
  if (status < 400) {
    return {
      problem: redirectTo(response, what),
      advice: 'Register the final URL of the endpoint: the platform follows no redirects.',
    };
  }
  const byStatus = status === 413 ? 'Raise the limit of the body to at least 1 MiB.' : advice;
  return { problem: `It answered ${status} to ${what}`, advice: byStatus };
}

/** Advice to a receiver that is slow. */
const ANSWER_SOONER = 'Store the event, answer 2xx, and do the work afterwards: the platform waits 10 s.';

/** Advice to a receiver that fails on an invalid delivery. */
export const ANSWER_400 =
  'Catch the error of the verification and answer 400: a delivery that is not valid is no failure.';

/**
 * Returns the count of effects when it has not changed for 600 ms: a receiver may do the work after its response. It
 * waits for `expected` effects up to 5 s, and for the end of the changes up to 30 s.
 */
export async function settledCount(
  { signal }: Pick<Receiver, 'signal'>,
  effects: NonNullable<Receiver['effects']>,
  expected = 0,
): Promise<number> {
  let count = await effects();
  for (let tries = 0, unchanged = 0; tries < 150 && unchanged < 3; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    signal?.throwIfAborted();
    const next = await effects();
    const isAwaited = next < expected && tries < 25;
    unchanged = next === count && !isAwaited ? unchanged + 1 : 0;
    count = next;
  }
  return count;
}
