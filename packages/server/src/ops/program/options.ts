import { ID_PREFIXES, type IdKind, isId, isScope, type Scope } from '@plat/contract';
import { type Command, InvalidArgumentError } from 'commander';
import type { Database } from '../../db/database.ts';
import { durationMs } from '../../kernel/duration.ts';
import type { Configuration, Operator } from '../commands/operator.ts';

/** Runs a command on the configured database. */
export type Operate = <T>(work: (operator: Operator) => Promise<T>) => Promise<T>;

/** Runs a command on the configured database, whose schema may be older. */
export type OnDatabase = <T>(work: (db: Database) => Promise<T>) => Promise<T>;
/** Runs a command with the configuration, which opens databases itself. */
export type Configured = <T>(work: (configuration: Configuration) => T | Promise<T>) => Promise<T>;

export const JSON_OPTION = ['--json', 'print JSON'] as const;

export function addPaging(command: Command): Command {
  return command
    .option('--limit <n>', 'how many', readLimit, 100)
    .option('--starting-after <id>', 'the page behind this id')
    .option(...JSON_OPTION);
}

/** Adds the options that limit a list by the time of creation of its objects. */
export function addTimes(command: Command): Command {
  return command
    .option('--created-after <time>', 'only those created after this time: ISO 8601 with offset, or an age such as 2h')
    .option('--created-before <time>', 'only those created before this time, or at least this long ago');
}

export function readLimit(given: string): number {
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new InvalidArgumentError('must be a whole number from 1 to 10000.');
}

export function readPort(given: string): number {
  const port = Number(given);
  if (/^\d+$/.test(given) && port <= 65_535) return port;
  throw new InvalidArgumentError('must be a port, 0 to 65535.');
}

/** Returns a function that reads the id of an object. */
export function idReader(kind: IdKind): (given: string) => string {
  return (given) => {
    if (isId(kind, given)) return given;
    throw new InvalidArgumentError(`must be an id, ${ID_PREFIXES[kind]}_ and 26 characters.`);
  };
}

export function readList(given: string): readonly string[] {
  return given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function readScopes(given: string): readonly Scope[] {
  return given.split(',').map((scope) => {
    if (isScope(scope)) return scope;
    throw new InvalidArgumentError(`${scope} is no scope.`);
  });
}

/** Reads a duration such as `30s`, `90m`, `24h` or `7d`; in ms. */
export function readDuration(given: string): number {
  const ms = durationMs(given);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError('must be a number with s, m, h or d, for example 24h.');
}
