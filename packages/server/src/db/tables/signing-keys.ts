import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

export const SIGNING_KEY_SLOT: UniqueIndex = { name: 'signing_keys_slot', columns: ['slot'] };

/** `next` is published and does not sign yet, `current` signs, `previous` has signed, `retired` is published no more. */
export type SigningKeyStatus = 'next' | 'current' | 'previous' | 'retired';

/** A key of launch tokens. */
export interface SigningKeyRow {
  /** RFC 7638 thumbprint: another key has another one, for ever. */
  readonly kid: string;
  readonly status: SigningKeyStatus;
  /** The status of which there is one key at most: two processes cannot both make it. */
  readonly slot: 'next' | 'current' | null;
  /** JSON with the public members only. */
  readonly public_jwk: string;
  /** Sealed; null once it is not to sign any more. */
  readonly private_key: Buffer | null;
  /** When it was made, and published. */
  readonly created_at: number;
  readonly current_at: number | null;
  readonly replaced_at: number | null;
  readonly retired_at: number | null;
}

export function defineSigningKey(sequelize: Sequelize): TableModel<SigningKeyRow> {
  return defineTable<SigningKeyRow>(sequelize, 'signing_keys', {
    kid: { type: DataTypes.STRING, primaryKey: true },
    status: DataTypes.STRING,
    slot: DataTypes.STRING,
    public_jwk: DataTypes.TEXT,
    private_key: DataTypes.BLOB,
    created_at: DataTypes.BIGINT,
    current_at: DataTypes.BIGINT,
    replaced_at: DataTypes.BIGINT,
    retired_at: DataTypes.BIGINT,
  });
}
