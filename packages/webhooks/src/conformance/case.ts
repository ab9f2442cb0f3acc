import { buildDelivery, type Changes } from './delivery.ts';
import { exchange, type Response } from './exchange.ts';

/** A problem of a receiver in words. */
export interface Problem {
  /** Fault of the receiver, in words. */
  readonly problem: string;
  /** Change that mends it. */
  readonly advice: string;
}

/** Result of a case: nothing when it passed, a problem, or why it was not tried. */
export type Verdict = Problem | { readonly skipped: string } | { readonly note: string } | null;

/** The receiver that is tested. */
export interface Receiver {
  readonly url: string;
  readonly secret: string;
  /** A secret that the receiver must no longer accept. */
  readonly formerSecret: string | undefined;
  readonly tenantId: string | undefined;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly effects: (() => number | Promise<number>) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** One case of the suite. */
export interface Case {
  /** Short name, for reports and for choosing cases. */
  readonly name: string;
  /** Behaviour of a correct receiver. */
  readonly title: string;
  readonly run: (receiver: Receiver) => Promise<Verdict>;
}

/** How a delivery is sent. */
interface How {
  /** Number of pieces of the body, with a pause of 200 ms between two. */
  readonly pieces?: number;
}

/** Sends one delivery. */
export function send(receiver: Receiver, changes: Changes = {}, { pieces = 1 }: How = {}): Promise<Response> {
  const { url, secret, tenantId, timeoutMs, signal } = receiver;
  const { body, headers } = buildDelivery(secret, tenantId, changes);
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

/** Returns the problem of the first delivery that is not refused with 4xx; null if all are. */
export async function findAccepted(
  receiver: Receiver,
  advice: string,
  deliveries: Readonly<Record<string, Changes>>,
): Promise<Problem | null> {
  for (const [what, changes] of Object.entries(deliveries)) {
    const problem = acceptanceOf(await send(receiver, changes), what, advice);
    if (problem) return problem;
  }
  return null;
}

/** Returns the problem of a valid delivery that was not accepted; null for 2xx. */
export function refusalOf({ status, error, location }: Response, what: string, advice: string): Problem | null {
  if (status === null) {
    const isLate = error?.startsWith('no complete response') === true;
    return {
      problem: `It gave no response to ${what}: ${error}`,
      advice: isLate
        ? 'Store the event, answer 2xx, and do the work afterwards: the platform waits 10 s.'
        : 'Answer every request: look in the log of the receiver for a crash, or for a limit of the body.',
    };
  }
  if (status >= 200 && status < 300) return null;
  if (status < 400) {
    return {
      problem: `It answered ${status} to ${what}${location === null ? '' : `, a redirect to ${location}`}`,
      advice: 'Register the final URL of the endpoint: the platform follows no redirects.',
    };
  }
  const byStatus = status === 413 ? 'Raise the limit of the body to at least 1 MiB.' : advice;
  return { problem: `It answered ${status} to ${what}`, advice: byStatus };
}

/** Returns the problem of an invalid delivery that was not refused with 4xx. */
function acceptanceOf({ status, error }: Response, what: string, advice: string): Problem | null {
  if (status === null) return { problem: `It gave no response to ${what}: ${error}`, advice: ANSWER_400 };
  if (status >= 400 && status < 500) return null;
  return { problem: `It answered ${status} to ${what}`, advice: status >= 500 ? ANSWER_400 : advice };
}

/** Advice to a receiver that fails on an invalid delivery. */
export const ANSWER_400 =
  'Catch the error of the verification and answer 400: a delivery that is not valid is no failure.';
