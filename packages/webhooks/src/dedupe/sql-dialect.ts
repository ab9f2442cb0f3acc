import { readSqlOptions, type SqlDialect } from '@plat/contract';
import { WebhookConfigurationError } from '../errors.ts';

// Not an alias: a compiler that writes declarations then names the type by this package.
export type { SqlDialect } from '@plat/contract';

/**
 * Runs one statement and returns the result of the driver: rows for a SELECT, otherwise an object with the number of
 * changed rows as `affectedRows`, `rowCount`, `changes` or `count`. `[rows, fields]` of mysql2 and `{ rows, rowCount }` of
 * pg are supported too. A number without a name is refused, because it can be the id of a row: with Prisma return
 * `{ changes: number }`. The values are in the order of the placeholders.
 */
export type SqlQuery = (sql: string, values: readonly (string | number)[]) => unknown;

/** @throws {WebhookConfigurationError} `OPTION_INVALID` for an unknown dialect, and for a table name that needs quotes */
export function sqlOf(dialect: SqlDialect, table: string): ReturnType<typeof readSqlOptions> {
  return readSqlOptions(
    { dialect, table },
    (option, why) => new WebhookConfigurationError('OPTION_INVALID', `${option} ${why}.`),
  );
}

/** @throws {WebhookConfigurationError} `OPTION_INVALID` */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value === 'function') return;
  throw new WebhookConfigurationError('OPTION_INVALID', `${name} must be a function.`);
}
