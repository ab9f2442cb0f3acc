import { readPastTime } from '../command/past-time.ts';
import { CliError } from '../errors/cli-error.ts';
import { readAppEventType, readTenantEventType } from '../webhooks/event-type.ts';
import { lowestEventId } from './event-ids.ts';

/** Options of `plat listen`. */
export interface ListenOptions {
  readonly to: string;
  readonly app?: string;
  readonly events?: readonly string[];
  readonly since?: string;
  readonly skipHistory?: true;
  readonly once?: string | true;
  readonly cursorFile?: string;
  readonly secretFile?: string;
  readonly readyFile?: string;
}

/** Validated invocation of `plat listen`. */
export interface ListenInvocation {
  readonly to: string;
  /** App whose events are forwarded; those of the tenant when undefined. */
  readonly app: string | undefined;
  /** Event types; null for all. */
  readonly wanted: ReadonlySet<string> | null;
  /** Start: after an id, with new events (`now`), or at the cursor (null). */
  readonly begin: { readonly from: string } | 'now' | null;
  /** Number of accepted events after which it ends; null for no limit. */
  readonly count: number | null;
  readonly cursorFile: string | undefined;
  readonly secretFile: string | undefined;
  readonly readyFile: string | undefined;
  readonly command: readonly string[];
}

/** @throws {@link CliError} `USAGE` */
export function readInvocation(options: ListenOptions, command: readonly string[], now: number): ListenInvocation {
  const { app, since, skipHistory, once, cursorFile, secretFile, readyFile } = options;
  if (since !== undefined && skipHistory) {
    throw new CliError('USAGE', '--since and --skip-history exclude each other');
  }
  return {
    to: readTarget(options.to),
    app,
    wanted: readWanted(options.events ?? [], app),
    begin:
      since !== undefined ? { from: lowestEventId(readPastTime('--since', since, now)) } : skipHistory ? 'now' : null,
    count: once === undefined ? null : readCount(once),
    cursorFile,
    secretFile,
    readyFile,
    command,
  };
}

function readTarget(given: string): string {
  const url = URL.parse(given);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
  throw new CliError('USAGE', '--to takes an http or https URL without user and password', {
    hint: /^(?:localhost|\d+)(?::|\/|$)/.test(given)
      ? `Is http://${given.replace(/^\d/, 'localhost:$&')} meant?`
      : undefined,
  });
}

function readWanted(given: readonly string[], app: string | undefined): ReadonlySet<string> | null {
  const types = given.flatMap((text) => text.split(',')).map((type) => type.trim());
  const named = types
    .filter((type) => type !== '' && type !== '*')
    .map((type) => (app === undefined ? readTenantEventType(type, OF_APPS) : readAppEventType(type, OF_TENANTS)));
  return named.length === 0 || types.includes('*') ? null : new Set(named);
}

const OF_APPS = 'Forward the events of an app: plat listen --app <app_id> --to <url>';
const OF_TENANTS = 'Omit --app to forward the events of the tenant.';

function readCount(given: string | true): number {
  if (given === true) return 1;
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new CliError('USAGE', `--once takes a number of events, not "${given}"`);
}
