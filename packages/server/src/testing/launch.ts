import { OPERATOR, openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Sealer } from '../kernel/seal.ts';
import { issueLaunchToken, type Launch } from '../launch/issue-launch-token.ts';
import { createLaunchSigner } from '../launch/launch-signer.ts';
import { type Retirement, retireSigningKey } from '../launch/retire-key.ts';
import { type KeyView, listSigningKeys, type Rotation, rotateSigningKeys } from '../launch/signing-keys.ts';

/** Launch tokens and signing keys of a test server, by its clock. */
export interface TestLaunches {
  /** Issues a launch token, like the operator. */
  launch(launch: Launch & { readonly tenantId: string }): Promise<string>;
  /** Returns all signing keys, retired ones included. */
  signingKeys(): Promise<readonly KeyView[]>;
  /** Performs the next step of a rotation, like `plat-server signing-keys rotate`. */
  rotateSigningKeys(options?: { readonly force?: boolean }): Promise<Rotation>;
  /** Retires a key, like `plat-server signing-keys retire`. */
  retireSigningKey(kid: string, options?: { readonly force?: boolean }): Promise<Retirement>;
}

interface LaunchServices {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly issuer: string;
}

export function createTestLaunches({ db, sealer, clock, issuer }: LaunchServices): TestLaunches {
  const signer = createLaunchSigner({ sealer, issuer: () => issuer });
  return {
    async launch({ tenantId, ...launch }) {
      const { token } = await unitOfWork(db, (transaction) =>
        issueLaunchToken(openChange({ db, tenantId, now: clock() }, transaction, OPERATOR), signer, launch),
      );
      return token;
    },
    signingKeys: () => listSigningKeys(db),
    rotateSigningKeys: (options = {}) => rotateSigningKeys({ db, sealer }, { now: clock(), ...options }),
    retireSigningKey: (kid, options = {}) => retireSigningKey({ db, sealer }, { kid, now: clock(), ...options }),
  };
}
