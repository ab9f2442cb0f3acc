import type { LaunchTokenClaims } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import type { Sealer } from '../kernel/seal.ts';
import { ALGORITHM, openPrivateKey, type PrivateKey } from './key-pair.ts';

/** Signs launch tokens with the current key. */
export interface LaunchSigner {
  /** Returns the issuer of the tokens. */
  issuer(): string;
  sign(db: Database, transaction: Transaction | null, claims: LaunchTokenClaims): Promise<string>;
}

/**
 * Creates a signer. It reads the id of the current key for each token, so that a replaced key signs no more tokens in
 * any process. The opened key is cached.
 */
export function createLaunchSigner({
  sealer,
  issuer,
}: {
  readonly sealer: Sealer;
  readonly issuer: () => string;
}): LaunchSigner {
  let opened: { readonly kid: string; readonly key: PrivateKey } | undefined;
  return {
    issuer,
    async sign(db, transaction, claims) {
      const { kid, private_key } = await currentKey(db, transaction);
      if (opened?.kid !== kid) opened = { kid, key: await openPrivateKey(sealer, kid, private_key) };
      const { SignJWT } = await import('jose');
      const header = { alg: ALGORITHM, kid, typ: 'JWT' };
      return new SignJWT({ ...claims }).setProtectedHeader(header).sign(opened.key);
    },
  };
}

async function currentKey(db: Database, transaction: Transaction | null) {
  const row = await db.models.signingKey.findOne({ where: { slot: 'current' }, transaction, raw: true });
  if (!row?.private_key) throw new Error('there is no signing key; a start of the server makes one');
  return { kid: row.kid, private_key: row.private_key };
}
