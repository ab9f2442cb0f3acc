import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Config } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import { logFields } from '../kernel/trace.ts';
import { createLogDestination, type LogDestination } from './log-destination.ts';

/** Fields whose values are redacted at any depth. */
const REDACTED = ['authorization', 'cookie', 'set-cookie', 'api_key', 'secret', 'token', 'password', 'client_secret'];

/** Serializes message and stack of an error, without the statement and values of a database error. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return { type: name, message, stack, code, ...(cause === undefined ? {} : { cause: serializeError(cause) }) };
}

interface LogOptions {
  /** Clock of the log lines; defaults to the machine's. */
  readonly clock?: Clock | undefined;
  /** Defaults to stdout. */
  readonly to?: { readonly fd: number };
}

/** A log, and the other texts of the process. */
export interface Output {
  readonly log: Logger;
  /** Prints a text between log lines, in the order of the calls. Another writer could cut a line of a full pipe. */
  print(text: string): void;
}

/** Creates a structured logger, and prints to the same descriptor. The pretty format is for terminals. */
export function createOutput({ log }: Pick<Config, 'log'>, { clock, to = process.stdout }: LogOptions = {}): Output {
  const options = {
    level: log.level,
    base: null,
    mixin: logFields,
    ...(clock ? { timestamp: () => `,"time":${clock()}` } : {}),
    serializers: { err: serializeError },
    redact: {
      paths: REDACTED.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`]),
      censor: '[redacted]',
    },
  };
  const destination = createLogDestination(to.fd, (dropped) => logger.warn({ dropped }, 'log lines were dropped'));
  const logger = pino(options, log.format === 'json' ? destination : prettyTo(destination));
  return { log: logger, print: (text) => destination.write(text) };
}

function prettyTo(destination: LogDestination): LogDestination {
  const format = prettyFactory({
    ignore: 'trace_id,req_id,method,path,status,ms,tenant,credential',
    translateTime: 'SYS:HH:MM:ss',
    messageFormat: (line, messageKey) =>
      line['status'] === undefined
        ? String(line[messageKey])
        : `${line['method']} ${line['path']} ${line['status']} ${line['ms']} ms  ${line['req_id']}`,
  });
  return { write: (line) => destination.write(format(line)) };
}
