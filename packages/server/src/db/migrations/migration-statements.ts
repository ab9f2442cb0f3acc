export type MigrationValues = Readonly<Record<string, string | number | Buffer>>;

/** Statements of a migration. */
export interface MigrationStatements {
  /** Rows of a SELECT, for a migration that computes values. */
  read<Row extends object>(sql: string, values: MigrationValues): Promise<Row[]>;
  /** @throws UniqueConstraintError and the other errors of Sequelize */
  run(sql: string, values?: MigrationValues): Promise<void>;
}
