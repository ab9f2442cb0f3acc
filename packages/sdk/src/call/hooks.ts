import type { PlatformError } from '../errors/platform-error.ts';
import { redact } from '../redact.ts';

/** What every hook is told. */
export interface HookEvent {
  /** The operation, for example `clients.list`; method and path for a free request. */
  readonly operation: string;
  /** HTTP method. */
  readonly method: string;
  /** URL of the request. */
  readonly url: string;
}

/** An attempt is about to be sent. */
export interface RequestEvent extends HookEvent {
  /** 1 for the first. */
  readonly attempt: number;
  /** A copy, with the credential replaced. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Idempotency-Key`; null without one. */
  readonly idempotencyKey: string | null;
}

/** An answer was read to its end, whatever its status. */
export interface ResponseEvent extends HookEvent {
  /** Number of the attempt; the first is 1. */
  readonly attempt: number;
  /** HTTP status. */
  readonly status: number;
  /** The `X-Request-Id` of the response; null without one. */
  readonly requestId: string | null;
  /** Milliseconds that the attempt took. */
  readonly duration: number;
}

/** An attempt failed and another one follows. */
export interface RetryEvent extends HookEvent {
  /** The attempt that failed. */
  readonly attempt: number;
  /** Milliseconds until the next one. */
  readonly delay: number;
  /** The error of the failed attempt. */
  readonly error: PlatformError;
}

/** A call failed for good. */
export interface ErrorEvent extends HookEvent {
  /** Number of attempts that were made. */
  readonly attempts: number;
  /** Milliseconds that the whole call took. */
  readonly duration: number;
  /** The error that the call throws. */
  readonly error: PlatformError;
}

/** Functions told of what a client does. They cannot change or break a call: what they throw becomes a warning. */
export interface Hooks {
  /** Called before each attempt. */
  onRequest?(event: RequestEvent): unknown;
  /** Called after each response, whatever its status. */
  onResponse?(event: ResponseEvent): unknown;
  /** Called before the wait for another attempt. */
  onRetry?(event: RetryEvent): unknown;
  /** Called once when the call fails. */
  onError?(event: ErrorEvent): unknown;
}

/** Something that the caller should know and that is no error. */
export interface Warning {
  /**
   * `DEPRECATED_OPERATION`: the service announced the end of an operation (once for each operation and client).
   * `HOOK_FAILED`: a hook threw (once for each hook and client).
   */
  readonly code: 'DEPRECATED_OPERATION' | 'HOOK_FAILED';
  /** The warning, for people. */
  readonly message: string;
  /** The operation, or the name of the hook. */
  readonly subject: string;
}

/** Gives each warning out once; a warning function that throws is not heard of either. */
export type Warn = (code: Warning['code'], subject: string, message: () => string) => void;

/** Subjects remembered; free requests could otherwise fill the memory. */
const MAX_REMEMBERED = 500;

export function createWarn(onWarning: (warning: Warning) => void): Warn {
  const seen = new Set<string>();
  return (code, subject, message) => {
    const key = `${code} ${subject}`;
    if (seen.has(key) || seen.size >= MAX_REMEMBERED) return;
    seen.add(key);
    swallow(() => onWarning({ code, subject, message: message() }));
  };
}

/** Calls a hook, if there is one. The event is made only then. */
export function notify<
  H extends { [N in keyof H]?: ((event: never) => unknown) | undefined },
  K extends string & keyof H,
>(hooks: H, name: K, warn: Warn, event: () => Parameters<NonNullable<H[K]>>[0]): void {
  if (!hooks[name]) return;
  const failed = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    warn('HOOK_FAILED', name, () => `The hook ${name} failed: ${redact(reason)}`);
  };
  // A union of functions takes the intersection of their events; the name ties the two together, which TypeScript
  // cannot see through the index.
  const hook = hooks[name] as (event: unknown) => unknown;
  swallow(() => hook.call(hooks, event()), failed);
}

function swallow(run: () => unknown, failed: (error: unknown) => void = () => {}): void {
  try {
    const result = run();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}
