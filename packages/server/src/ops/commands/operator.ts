import { readFile } from 'node:fs/promises';
import type { FieldError } from '@plat/contract';
import type { JsonSchema } from '@plat/contract/schemas';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { readDatabaseClock } from '../../db/clock-watch.ts';
import type { Database } from '../../db/database.ts';
import { requireMigrated } from '../../db/migrate.ts';
import { validate } from '../../http/validate.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { CommandError } from '../command-error.ts';
import { prepareDataDir } from '../data-dir.ts';
import { inspecting, withDatabase } from './inspect.ts';

/** Services of an operator command. */
export interface Operator {
  readonly db: Database;
  readonly config: Config;
  readonly log: Logger;
  /** Time of the command by the clock of the database, in ms. */
  readonly now: number;
}

/** Returns the settings of the database at a URL. @throws ConfigError */
export type DatabaseAt = (url: string) => Config['database'];

/** Services of a command that opens databases itself. */
export interface Configuration {
  readonly config: Config;
  readonly databaseAt: DatabaseAt;
  /** Time of the command, in ms. */
  readonly now: number;
}

/**
 * Validates the value of an option.
 * @throws {@link CommandError} with the name of the option
 */
export function readOption(option: string, schema: JsonSchema, given: string): string {
  return String(checked(schema, given, (faults) => `${option} ${faults.map(({ message }) => message).join(', ')}`));
}

/**
 * Reads a JSON file and validates its content.
 * @throws {@link CommandError} with the path of each problem
 */
export async function readJsonFile(path: string, schema: JsonSchema): Promise<unknown> {
  return checked(schema, await readJson(path), (faults) => {
    const lines = faults.map((fault) => `\n  ${fault.path} ${fault.message}`);
    return `${path} is not what it should be:${lines.join('')}`;
  });
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new CommandError(`${path} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function checked(schema: JsonSchema, given: unknown, say: (faults: readonly FieldError[]) => string): unknown {
  try {
    return validate('INVALID_REQUEST', schema, given);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.errors) throw error;
    throw new CommandError(say(error.errors));
  }
}

/** Opens the server's database, which it creates, runs the work, and closes the database. */
export async function onDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  if (config.database.dialect === 'sqlite') prepareDataDir(config);
  return withDatabase(config.database, work);
}

/**
 * Runs the work of a command on the server's database.
 * @throws DatabaseUnusableError when a migration of this version has not run: commands never migrate
 */
export function asOperator<T>(config: Config, log: Logger, work: (operator: Operator) => Promise<T>): Promise<T> {
  return inspecting(config, async (db) => {
    await requireMigrated(db);
    return work({ db, config, log, now: await readDatabaseClock(db) });
  });
}
