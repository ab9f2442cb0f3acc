import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';

/** Wherever these stand in what is logged, their values are not. */
const SECRETS = ['authorization', 'cookie', 'set-cookie', 'api_key', 'secret', 'token', 'password', 'client_secret'];

/** Of an error its own words and where it happened: not the statement with its values that a database error carries. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return { type: name, message, stack, code, ...(cause === undefined ? {} : { cause: serializeError(cause) }) };
}

interface LogOptions {
  /** What its times are of; the machine's when absent. */
  readonly clock?: Clock | undefined;
  /** Stdout when absent. */
  readonly to?: NodeJS.WriteStream & { readonly fd: 1 | 2 };
}

/** Structured logs; the pretty format is for people who watch a terminal. */
export function createLog({ log }: Pick<Config, 'log'>, { clock, to = process.stdout }: LogOptions = {}): Logger {
  const options = {
    level: log.level,
    base: null,
    ...(clock ? { timestamp: () => `,"time":${clock()}` } : {}),
    serializers: { err: serializeError },
    redact: {
      paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`]),
      censor: '[redacted]',
    },
  };
  if (log.format === 'json') return pino(options, pino.destination(to.fd));
  return pino(
    options,
    pretty({
      destination: to.fd,
      ignore: 'req_id,method,path,status,ms,tenant,credential',
      translateTime: 'SYS:HH:MM:ss',
      messageFormat: (line, messageKey) =>
        line['req_id'] === undefined
          ? String(line[messageKey])
          : `${line['method']} ${line['path']} ${line['status']} ${line['ms']} ms  ${line['req_id']}`,
    }),
  );
}
