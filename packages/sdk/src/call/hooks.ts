import type { PlatformError } from '../errors/platform-error.ts';
import { redact } from '../redact.ts';
import { channelOf } from './channels.ts';
import { type Logger, withLogger } from './logger.ts';

/** Properties of every hook event. */
export interface HookEvent {
  /** The same object in all events of one call, for example as a key of a `WeakMap`. */
  readonly call: object;
  /**
   * Name of the operation, for example `clients.list`, or `developer.apps.list` of the developer API; method and path for
   * `request`.
   */
  readonly operation: string;
  /** HTTP method. */
  readonly method: string;
  /** URL of the request. */
  readonly url: string;
}

/** Passed to `onRequest` before an attempt is sent. */
export interface RequestEvent extends HookEvent {
  /** Number of the attempt; the first is 1. */
  readonly attempt: number;
  /** Copy of the request headers, with the credential redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Idempotency-Key`; null without one. */
  readonly idempotencyKey: string | null;
  /**
   * Adds headers to this attempt, for example `traceparent`. Call it before the hook returns or awaits.
   * @throws {@link InvalidArgumentError} for a header that the client sets itself, such as `authorization`, and for one
   * that cannot be sent
   */
  addHeaders(headers: Readonly<Record<string, string>>): void;
}

/** Passed to `onResponse` when a response was read completely, with any status. */
export interface ResponseEvent extends HookEvent {
  /** Number of the attempt; the first is 1. */
  readonly attempt: number;
  /** HTTP status. */
  readonly status: number;
  /** The `X-Request-Id` of the response; null without one. */
  readonly requestId: string | null;
  /** Duration of the attempt in milliseconds. */
  readonly duration: number;
}

/** Passed to `onRetry` when an attempt failed and another one follows. */
export interface RetryEvent extends HookEvent {
  /** Number of the failed attempt; the first is 1. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
  /** The error of the failed attempt. */
  readonly error: PlatformError;
}

/** Passed to `onError` when a call fails. */
export interface ErrorEvent extends HookEvent {
  /** Number of attempts that were made. */
  readonly attempts: number;
  /** Duration of the whole call in milliseconds. */
  readonly duration: number;
  /** The error that the call throws. */
  readonly error: PlatformError;
}

/**
 * Functions that observe a client. An error of a hook becomes a warning, and does not affect the call. On Node each event
 * is also published to a channel of `node:diagnostics_channel`: `plat:sdk:request`, `plat:sdk:response`,
 * `plat:sdk:retry` and `plat:sdk:error`.
 */
export interface Hooks {
  /** Called before each attempt. */
  onRequest?(event: RequestEvent): unknown;
  /** Called after each response, with any status. */
  onResponse?(event: ResponseEvent): unknown;
  /** Called before the wait for another attempt. */
  onRetry?(event: RetryEvent): unknown;
  /** Called once when the call fails, with `ABORTED` also for a request ahead that a list no longer needs. */
  onError?(event: ErrorEvent): unknown;
}

/** Returns hooks that also log each response, retry and error. */
export function loggingHooks(hooks: Hooks, logger: Logger | undefined): Hooks {
  return withLogger(hooks, logger, {
    onRequest: null,
    onResponse: [
      'debug',
      ({ operation, attempt, status, duration, requestId }) =>
        `${operation} attempt ${attempt}: ${status} in ${duration} ms (${requestId ?? 'no request id'})`,
    ],
    onRetry: [
      'warn',
      ({ operation, attempt, delay, error }) =>
        `${operation} attempt ${attempt} failed: ${error.message}; next attempt in ${delay} ms`,
    ],
    onError: [
      ({ error }) => (error.code === 'ABORTED' ? 'debug' : 'error'),
      ({ operation, attempts, duration, error }) =>
        `${operation} failed (attempts: ${attempts}, ${duration} ms): ${error.code} ${error.message}`,
    ],
  });
}

/** A condition that the developer should know but that is not an error. */
export interface Warning {
  /**
   * `DEPRECATED_OPERATION`: the service announced the removal of an operation (reported once for each operation and
   * client). `HOOK_FAILED`: a hook threw an error (reported once for each hook and client).
   */
  readonly code: 'DEPRECATED_OPERATION' | 'HOOK_FAILED';
  /** The warning, for people. */
  readonly message: string;
  /** Name of the operation or of the hook. */
  readonly subject: string;
}

/** Reports each warning once. An error of the warning function is ignored. */
export type Warn = (code: Warning['code'], subject: string, message: () => string) => void;

/** Maximum number of remembered subjects, because `request` can create any number of them. */
const MAX_REMEMBERED = 500;

/** Without a function, warnings go to the current `console`: a test or a logger may have replaced it. */
export function createWarn(
  onWarning: (warning: Warning) => void = ({ message }) => console.warn(`[@plat/sdk] ${message}`),
): Warn {
  const seen = new Set<string>();
  return (code, subject, message) => {
    const key = `${code} ${subject}`;
    if (seen.has(key) || seen.size >= MAX_REMEMBERED) return;
    seen.add(key);
    swallow(() => onWarning({ code, subject, message: message() }));
  };
}

/** Calls a hook if it exists, and publishes to its channel if it has subscribers. The event is created only then. */
export function notify<
  H extends { [N in keyof H]?: ((event: never) => unknown) | undefined },
  K extends string & keyof H,
>(hooks: H, name: K, warn: Warn, event: () => Parameters<NonNullable<H[K]>>[0]): void {
  const channel = channelOf(name);
  if (!hooks[name] && !channel?.hasSubscribers) return;
  const given = event();
  if (channel?.hasSubscribers) channel.publish(given);
  const failed = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    warn('HOOK_FAILED', name, () => `The hook ${name} failed: ${redact(reason)}`);
  };
  // A union of functions takes the intersection of their events. The name connects hook and event, but TypeScript
  // cannot infer that through the index.
  const hook = hooks[name] as ((event: unknown) => unknown) | undefined;
  if (hook) swallow(() => hook.call(hooks, given), failed);
}

function swallow(run: () => unknown, failed: (error: unknown) => void = () => {}): void {
  try {
    const result = run();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}
