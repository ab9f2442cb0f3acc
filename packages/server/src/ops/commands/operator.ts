import type { FieldError } from '@plat/contract';
import type { JsonSchema } from '@plat/contract/schemas';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { validate } from '../../http/validate.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { prepareDataDir } from '../data-dir.ts';

/** What a command of the operator works with. */
export interface Operator {
  readonly db: Database;
  readonly config: Config;
  readonly log: Logger;
  /** The instant of the command, in ms. */
  readonly now: number;
}

/** A command that cannot do what it was asked: one line for the operator, exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Reads the value of an option by a schema.
 * @throws {@link CommandError} naming the option
 */
export function readOption(option: string, schema: JsonSchema, given: string): string {
  return String(checked(schema, given, (faults) => `${option} ${faults.map(({ message }) => message).join(', ')}`));
}

/**
 * Reads the content of a file by a schema.
 * @throws {@link CommandError} naming every place that is wrong
 */
export function readContent(path: string, schema: JsonSchema, given: unknown): unknown {
  return checked(schema, given, (faults) => {
    const lines = faults.map((fault) => `\n  ${fault.path} ${fault.message}`);
    return `${path} is not what it should be:${lines.join('')}`;
  });
}

function checked(schema: JsonSchema, given: unknown, say: (faults: readonly FieldError[]) => string): unknown {
  try {
    return validate('INVALID_REQUEST', schema, given);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.errors) throw error;
    throw new CommandError(say(error.errors));
  }
}

/** Opens the database that the server uses, brings it up to date, and lets go of it afterwards. */
export async function asOperator<T>(config: Config, log: Logger, work: (operator: Operator) => Promise<T>): Promise<T> {
  if (config.database.dialect === 'sqlite') prepareDataDir(config);
  const db = await openDatabase(config.database);
  try {
    await migrate(db);
    return await work({ db, config, log, now: Date.now() });
  } finally {
    await db.close();
  }
}
