import { randomUUID } from 'node:crypto';
import {
  acceptanceOf,
  exchange,
  type Problem,
  type Response,
  redirectTo,
  type Case as SuiteCase,
  silenceOf,
} from '@plat/contract/conformance';
import type { LaunchTestIssuer, TestToken } from './issuer.ts';

/** The receiver that is tested. */
export interface Receiver {
  readonly url: string;
  readonly issuer: LaunchTestIssuer;
  readonly audience: string;
  /** Capability that the receiver requires. */
  readonly entitlement: string | undefined;
  /** True if the receiver accepts each token once. */
  readonly once: boolean;
  /** Claims instead of the usual ones. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/** One case of the suite. */
export type Case = SuiteCase<Receiver>;

/** Changes of a case to a valid launch; undefined omits a claim. */
export interface Changes extends Partial<TestToken> {
  /** Returns the text to send for the signed token; null for a form without the field. */
  readonly alter?: (token: string) => string | null;
  /** Sends the token in the query of the address instead of the form. */
  readonly inAddress?: boolean;
  /** Further headers of the request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Launches of a case with their names. They may depend on the receiver. */
export type Launches = Readonly<Record<string, Changes>> | ((receiver: Receiver) => Readonly<Record<string, Changes>>);

const GROUP = 'grp_01k0z8k3v7e5q2m9t4r6w1x8c0';

/** Signs a token as the platform does, with the changes of a case. */
export function tokenOf({ issuer, audience, entitlement, claims }: Receiver, changes: Changes = {}): string {
  const iat = Math.floor(Date.now() / 1000);
  const valid = {
    iss: issuer.url,
    aud: audience,
    iat,
    exp: iat + 900,
    jti: randomUUID(),
    tenant: 'tnt_01k0z8k3v7e5q2m9t4r6w1x8c0',
    client: 'cli_01k0z8k3v7e5q2m9t4r6w1x8c0',
    user: 'usr_01k0z8k3v7e5q2m9t4r6w1x8c0',
    role: 'member',
    entitlements: entitlement === undefined ? [] : [entitlement],
    groupId: GROUP,
    groupMemberships: [{ id: GROUP, name: 'North', isOwner: false }],
  };
  return issuer.sign({ ...changes, claims: { ...valid, ...claims, ...changes.claims } });
}

/** Posts a launch as the browser of a user does. */
export function launch(receiver: Receiver, changes: Changes = {}): Promise<Response> {
  const signed = tokenOf(receiver, changes);
  return post(receiver, changes.alter ? changes.alter(signed) : signed, changes);
}

/** Posts a token; null for a form without it. */
export function post(
  { url, headers, timeoutMs, signal }: Receiver,
  token: string | null,
  { inAddress = false, headers: further = {} }: Changes = {},
): Promise<Response> {
  const field = token === null ? '' : new URLSearchParams({ launch_token: token }).toString();
  const address = inAddress ? `${url}${url.includes('?') ? '&' : '?'}${field}` : url;
  return exchange({
    url: address,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers, ...further },
    pieces: [Buffer.from(inAddress ? '' : field)],
    timeoutMs,
    signal,
  });
}

/** Returns a case in which each of the launches must be accepted. */
export function accepts(name: string, title: string, advice: string, launches: Launches): Case {
  return { name, title, run: (receiver) => findRefused(receiver, advice, launches) };
}

/** Returns the problem of the first launch that is not accepted; null if all are. */
export async function findRefused(receiver: Receiver, advice: string, launches: Launches): Promise<Problem | null> {
  for (const [what, changes] of launchesOf(receiver, launches)) {
    const problem = refusalOf(await launch(receiver, changes), what, advice);
    if (problem) return problem;
  }
  return null;
}

/** Returns a case in which each of the launches must be refused with 4xx. */
export function refuses(name: string, title: string, advice: string, launches: Launches): Case {
  return {
    name,
    title,
    async run(receiver) {
      for (const [what, changes] of launchesOf(receiver, launches)) {
        const verdict = acceptanceOf(await launch(receiver, changes), what, advice, ANSWER_401);
        if (verdict) return verdict;
      }
      return null;
    },
  };
}

/** Returns the problem of a valid launch that was not accepted; null for 2xx and for a redirect to a page. */
export function refusalOf(response: Response, what: string, advice: string): Problem | null {
  const { status } = response;
  if (status === null) return silenceOf(response, what, ANSWER_SOONER);
  if ((status >= 200 && status < 300) || status === 302 || status === 303) return null;
  if (status >= 400) return { problem: `It answered ${status} to ${what}`, advice };
  return {
    problem: redirectTo(response, what),
    advice: 'Answer 303 with the address of your first page: 307 and 308 post the token again, and 301 is cached.',
  };
}

/** Advice to a receiver that fails on an invalid token. */
export const ANSWER_401 =
  'Catch the error of the verification and answer 401: a token that is not valid is no failure.';

/** Advice to a receiver that is slow. */
const ANSWER_SOONER = 'Verify the token with cached keys, and answer: a user waits for the page.';

function launchesOf(receiver: Receiver, launches: Launches): [what: string, changes: Changes][] {
  return Object.entries(typeof launches === 'function' ? launches(receiver) : launches);
}
