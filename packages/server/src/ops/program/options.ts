import { isScope, type Scope } from '@plat/contract';
import { type Command, InvalidArgumentError } from 'commander';
import type { Operator } from '../commands/operator.ts';

/** Runs a command on the configured database. */
export type Operate = <T>(work: (operator: Operator) => Promise<T>) => Promise<T>;

export const JSON_OPTION = ['--json', 'print JSON'] as const;

export function addPaging(command: Command): Command {
  return command
    .option('--limit <n>', 'how many', readLimit, 100)
    .option('--starting-after <id>', 'the page behind this id')
    .option(...JSON_OPTION);
}

function readLimit(given: string): number {
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new InvalidArgumentError('must be a whole number from 1 to 10000.');
}

export function readPort(given: string): number {
  const port = Number(given);
  if (/^\d+$/.test(given) && port <= 65_535) return port;
  throw new InvalidArgumentError('must be a port, 0 to 65535.');
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
