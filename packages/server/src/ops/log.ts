import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config.ts';

/** Wherever these stand in what is logged, their values are not. */
const SECRETS = ['authorization', 'cookie', 'set-cookie', 'api_key', 'secret', 'token', 'password', 'client_secret'];

/** Structured logs on stdout; the pretty format is for people who watch a terminal. */
export function createLog({ log }: Pick<Config, 'log'>): Logger {
  const options = {
    level: log.level,
    base: null,
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
