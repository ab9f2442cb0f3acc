import type { RateLimit } from '../auth/rate-limit.ts';
import type { LookUpServices } from '../auth/shares.ts';
import type { Database } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Sealer } from '../kernel/seal.ts';

/** The parts of the server that the authorization server needs. */
export interface OAuthServices extends LookUpServices {
  readonly db: Database;
  readonly clock: Clock;
  readonly sealer: Sealer;
  /** Returns the issuer, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly rateLimit: Pick<RateLimit, 'counter' | 'byAddress'>;
  /** Limit of authenticated requests per app, at each of the token, introspection and revocation endpoints. */
  readonly appRateLimit: { readonly requests: number; readonly windowSeconds: number };
  /** Time during which a repeated refresh gets the same response, in ms. With 0 it ends the family. */
  readonly refreshGraceMs: number;
}
