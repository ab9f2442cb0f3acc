import { isEdgeRuntime } from '../checks/node.ts';
import { readVariable } from '../environment.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';

/** Keeps a runtime alive until a promise settles, like `ctx.waitUntil` of Cloudflare Workers. */
export type WaitUntil = (work: Promise<unknown>) => void;

/** How renewals run that a call need not wait for. */
export interface Renewal {
  /** Called with each renewal; null if the runtime needs no such call. */
  readonly waitUntil: WaitUntil | null;
  /** True if a call with a valid token returns before the renewal that it started. */
  readonly inBackground: boolean;
  /** True if the runtime can stop a renewal, so that it never settles. */
  readonly mayDie: boolean;
}

/**
 * Returns how renewals run for the option `waitUntil`.
 * @throws {@link InvalidArgumentError} for another value
 */
export function renewalFor(waitUntil: WaitUntil | false | undefined): Renewal {
  if (typeof waitUntil === 'function') return { waitUntil, inBackground: true, mayDie: true };
  if (waitUntil !== undefined && waitUntil !== false) {
    throw new InvalidArgumentError('waitUntil', 'must be a function that takes a promise, or false');
  }
  const mayDie = waitUntil === false || endsWithRequest();
  return { waitUntil: null, inBackground: !mayDie, mayDie };
}

/** Returns true where work ends, or is suspended, when the request that started it has its response. */
function endsWithRequest(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };
  return (
    navigator?.userAgent === 'Cloudflare-Workers' ||
    isEdgeRuntime() ||
    readVariable('AWS_LAMBDA_FUNCTION_NAME') !== undefined
  );
}
