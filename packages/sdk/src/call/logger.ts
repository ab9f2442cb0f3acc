import { InvalidArgumentError } from '../errors/usage-errors.ts';

/**
 * Receives one line for each step: `console`, pino, winston and most others. No line contains a credential.
 */
export interface Logger {
  /** Each response, and each aborted call, also a request ahead that a list no longer needs. */
  debug(line: string): unknown;
  /** Each renewal of a token. */
  info(line: string): unknown;
  /** Each failed attempt that is repeated, and each failed renewal. */
  warn(line: string): unknown;
  /** Each failed call, and each grant that has ended. */
  error(line: string): unknown;
}

/** Level of the line of an event, and its text. */
type Line<E> = readonly [level: keyof Logger | ((event: E) => keyof Logger), text: (event: E) => string];

/** Functions that observe, by the names of their hooks. */
type Hooks = { readonly [name: string]: ((event: never) => unknown) | undefined };

/**
 * Returns hooks that log, and then call the given ones with their own `this`: they can be an object of a class.
 * @param lines the line of each event; null for an event without one
 */
export function withLogger<H extends object>(
  hooks: H,
  logger: Logger | undefined,
  lines: { readonly [K in keyof H]-?: H[K] extends ((event: infer E) => unknown) | undefined ? Line<E> | null : never },
): H {
  if (logger === undefined) return hooks;
  const given = hooks as Hooks;
  const logging = Object.entries(lines as Record<string, Line<never> | null>)
    .filter(([name, line]) => line !== null || given[name] !== undefined)
    .map(([name, line]) => [
      name,
      (event: never) => {
        let result: unknown;
        try {
          if (line) log(logger, line, event);
        } finally {
          result = given[name]?.call(hooks, event);
        }
        return result;
      },
    ]);
  return Object.fromEntries(logging);
}

function log<E>(logger: Logger, [level, text]: Line<E>, event: E): void {
  logger[typeof level === 'function' ? level(event) : level](`[@plat/sdk] ${text(event)}`.replace(CONTROLS, ' '));
}

/** Characters with which a response could begin another line, or control a terminal. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** @throws {@link InvalidArgumentError} unless `logger` has a function for each level */
export function checkLogger(logger: Logger | undefined): void {
  if (logger === undefined) return;
  const missing = LEVELS.find((level) => typeof (logger as Partial<Logger> | null)?.[level] !== 'function');
  if (missing) throw new InvalidArgumentError('logger', `must have the function ${missing}, as console and pino do`);
}
