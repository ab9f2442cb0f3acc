import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import type { SessionRow } from './sessions.ts';
import { defineTable, type TableModel } from './table.ts';

/** The primary key: of each browser there is one, for each kind of account. */
export const SIGN_IN_BROWSER: UniqueIndex = { name: 'PRIMARY', columns: ['kind', 'browser_hash'] };

/** What a browser asked for last: a link that was mailed, and the code beside it. */
export interface SignInLinkRow {
  readonly kind: SessionRow['kind'];
  /** SHA-256 of the secret that only the browser has which asked. */
  readonly browser_hash: Buffer;
  /** As it was typed; it need not be anybody's. */
  readonly email: string;
  /** null: the address is proven, and what is left is to choose a tenant. */
  readonly token_hash: Buffer | null;
  /** Keyed by the browser's secret: so short a text could be guessed from a plain hash. */
  readonly code_hash: Buffer | null;
  readonly tries_left: number;
  /** The own path to go on at. */
  readonly return_to: string;
  readonly created_at: number;
  readonly expires_at: number;
}

export function defineSignInLink(sequelize: Sequelize): TableModel<SignInLinkRow> {
  return defineTable<SignInLinkRow>(sequelize, 'sign_in_links', {
    kind: { type: DataTypes.STRING, primaryKey: true },
    browser_hash: { type: DataTypes.BLOB, primaryKey: true },
    email: DataTypes.STRING,
    token_hash: DataTypes.BLOB,
    code_hash: DataTypes.BLOB,
    tries_left: DataTypes.INTEGER,
    return_to: DataTypes.TEXT,
    created_at: DataTypes.BIGINT,
    expires_at: DataTypes.BIGINT,
  });
}
