import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config.ts';
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

/**
 * Structured logs on stdout; the pretty format is for people who watch a terminal.
 * @param clock what its times are of; the machine's when absent
 */
export function createLog({ log }: Pick<Config, 'log'>, clock?: Clock): Logger {
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
  if (log.format === 'json') return pino(options);
  return pino(
    options,
    pretty({
      ignore: 'req_id,method,path,status,ms,tenant,credential',
      translateTime: 'SYS:HH:MM:ss',
      messageFormat: (line, messageKey) =>
        line['req_id'] === undefined
          ? String(line[messageKey])
          : `${line['method']} ${line['path']} ${line['status']} ${line['ms']} ms  ${line['req_id']}`,
    }),
  );
}
