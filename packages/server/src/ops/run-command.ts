import { readConfig } from '../config/read-config.ts';
import type { Database } from '../db/database.ts';
import { asOperator, type Configuration, type Operator, onDatabase } from './commands/operator.ts';
import { createOutput } from './log.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Runs a command on the database of an environment. */
export function runAsOperator<T>(variables: Variables, work: (operator: Operator) => Promise<T>): Promise<T> {
  const config = readConfig(variables);
  // Stdout contains only the result of the command.
  return asOperator(config, createOutput(config, { to: process.stderr }).log, work);
}

/** Runs a command on the database of an environment, whose schema may be older. */
export function runOnDatabase<T>(variables: Variables, work: (db: Database) => Promise<T>): Promise<T> {
  return onDatabase(readConfig(variables), work);
}

/** Runs a command with the configuration of an environment. The command opens databases itself. */
export function runConfigured<T>(
  variables: Variables,
  work: (configuration: Configuration) => T | Promise<T>,
): T | Promise<T> {
  const databaseAt = (url: string) => readConfig({ ...variables, DATABASE_URL: url }).database;
  return work({ config: readConfig(variables), databaseAt, now: Date.now() });
}
