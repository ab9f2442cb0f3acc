import type { Sequelize } from 'sequelize';
import { TABLES } from './registry.ts';
import { defineModel, type ModelOf } from './table.ts';

export { TABLES } from './registry.ts';

export type Models = { readonly [Name in keyof typeof TABLES]: ModelOf<(typeof TABLES)[Name]> };

/** Defines the Sequelize model of every table. */
export function defineModels(sequelize: Sequelize): Models {
  const models: unknown = Object.fromEntries(
    Object.entries(TABLES).map(([name, table]) => [name, defineModel(sequelize, table)]),
  );
  return models as Models;
}
